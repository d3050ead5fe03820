struct Register;

#[cdsspec::spec(status = i32, copy)]
impl Register {}

#[cdsspec::spec(sate = i32, instnace(T = i32), fr = Register, crate_ = cdsspec, of = Register)]
impl Register {}

fn main() {}
