struct Register;

#[cdsspec::spec(state = i32)]
#[declare_state(n: i32)]
impl Register {}

fn main() {}
