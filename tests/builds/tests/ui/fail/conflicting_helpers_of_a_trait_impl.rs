struct Register;

#[cdsspec::spec]
impl Iterator for Register {
    #[side_effect(())]
    type Item = i32;

    #[declare_state(n: i32)]
    #[side_effect(())]
    fn next(&mut self) -> Option<i32> {
        None
    }
}

fn main() {
    let _ = Register.next();
}
