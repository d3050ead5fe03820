struct Register;

impl Register {
    #[cdsspec::spec]
    #[side_effect(*s)]
    fn get(&self) -> u32 {
        0
    }
}

fn main() {
    Register.get();
}
