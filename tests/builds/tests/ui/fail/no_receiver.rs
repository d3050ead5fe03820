struct Register;

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    fn new() -> Self {
        Self
    }
}

fn main() {
    Register::new();
}
