struct Register;

#[cdsspec::spec]
#[declare_state(n = i32)]
impl Register {}

fn main() {}
