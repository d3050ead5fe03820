#[cdsspec::specification]
#[derive(Clone, Default)]
struct RegisterSpec {
    value: i32,
}

#[cdsspec::spec(for = RegisterSpec, object = register)]
#[declare_state(n: i32)]
#[side_effect(state.value)]
fn get(register: &i32) -> i32 {
    *register
}

fn main() {
    get(&1);
}
