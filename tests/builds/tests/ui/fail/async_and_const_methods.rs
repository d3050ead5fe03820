struct Register;

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    async fn get(&self) {}

    #[side_effect(())]
    const fn new(&self) {}
}

fn main() {
    drop(Register.get());
    Register.new();
}
