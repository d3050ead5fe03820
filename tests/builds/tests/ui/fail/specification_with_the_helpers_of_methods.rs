#[cdsspec::specification]
#[derive(Clone, Default)]
#[declare_state(n: i32)]
#[side_effect(())]
#[op_define]
struct RegisterSpec {
    value: i32,
}

fn main() {
    let _ = RegisterSpec::default().value;
}
