struct Register;

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    const ZERO: i32 = 0;
}

fn main() {
    let _ = Register::ZERO;
}
