#[cdsspec::specification]
#[derive(Clone, Default)]
struct RegisterSpec {
    value: i32,
}

struct Register;

#[cdsspec::spec(for = RegisterSpec, state = i32)]
#[declare_state(n: i32)]
#[initial(0)]
#[admit(get <-> get)]
impl Register {
    #[side_effect(state.value)]
    fn get(&self) -> i32 {
        0
    }
}

fn main() {
    Register.get();
}
