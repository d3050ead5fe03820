struct Register;

#[cdsspec::declare_state(n: i32)]
impl Register {
    fn get(&self) {}
}

fn main() {
    Register.get();
}
