use cdsspec::declare_state;

struct Register;

#[declare_state(n: i32)]
#[cdsspec::spec]
impl Register {
    #[side_effect(*n)]
    fn get(&self) -> i32 {
        0
    }
}

fn main() {
    Register.get();
}
