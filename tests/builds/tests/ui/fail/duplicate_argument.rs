struct Register;

#[cdsspec::spec(state = i32, state = i64)]
impl Register {}

fn main() {}
