#[cdsspec::spec(for = try)]
impl Register {
    #[side_effect(())]
    fn get(&self) {}
}

#[cdsspec::spec(for = &'static str, object = self)]
impl Register {
    #[side_effect(())]
    fn set(&self) {}
}

struct Register;

fn main() {
    Register.get();
    Register.set();
}
