struct Register;

#[cdsspec::spec]
#[declare_state(n = i32)]
impl Register {}

struct Untyped;

#[cdsspec::spec]
#[declare_state(s)]
impl Untyped {}

fn main() {}
