struct Register;

#[cdsspec::spec]
#[declare_state]
impl Register {}

fn main() {}
