#[cdsspec::specification]
#[derive(Clone, Default)]
#[admit(get <-> set)]
struct RegisterSpec {
    value: i32,
}

struct Register;

#[cdsspec::spec(for = RegisterSpec)]
impl Register {
    #[side_effect(state.value)]
    fn get(&self) -> i32 {
        0
    }
}

fn main() {
    Register.get();
}
