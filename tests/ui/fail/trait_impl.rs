struct Register;

#[cdsspec::spec]
impl Iterator for Register {
    type Item = i32;

    #[side_effect(())]
    fn next(&mut self) -> Option<i32> {
        None
    }
}

fn main() {
    let _ = Register.next();
}
