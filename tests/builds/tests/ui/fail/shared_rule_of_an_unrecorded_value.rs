#[cdsspec::specification]
#[derive(Clone, Default)]
#[admit(set <-> set, m1.value == 1)]
struct RegisterSpec {
    value: i32,
}

struct Register;

#[cdsspec::spec(for = RegisterSpec)]
impl Register {
    #[side_effect(state.value = 0)]
    fn set(&self, value: i32) {
        let _ = value;
    }
}

fn main() {
    Register.set(1);
}
