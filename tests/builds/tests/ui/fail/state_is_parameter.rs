struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[side_effect(n)]
    fn get(&self, n: i32) -> i32 {
        n
    }
}

fn main() {
    let _ = Register.get(1);
}
