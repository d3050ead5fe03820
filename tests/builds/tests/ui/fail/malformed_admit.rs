struct Register;

#[cdsspec::spec]
#[admit(get -> get)]
#[admit(get <-)]
#[admit(get <-> get,)]
#[admit]
impl Register {
    #[side_effect(())]
    fn get(&self) {}
}

fn main() {
    Register.get();
}
