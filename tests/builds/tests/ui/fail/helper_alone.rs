struct Register;

impl Register {
    #[cdsspec::side_effect(())]
    fn get(&self) {}
}

fn main() {
    Register.get();
}
