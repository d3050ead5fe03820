struct Register;

#[cdsspec::spec]
#[declare_state(n: i32, c_ret: i32, n: u8)]
impl Register {}

fn main() {}
