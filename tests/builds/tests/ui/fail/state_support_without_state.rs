struct Register;

#[cdsspec::spec]
#[initial(1)]
#[copy(1)]
#[clear(())]
impl Register {}

fn main() {}
