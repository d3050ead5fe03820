struct Register;

#[cdsspec::spec(status = i32, copy)]
impl Register {}

fn main() {}
