struct Register;

#[cdsspec::spec]
#[admit(gett <-> get)]
#[admit(get <-> plain)]
#[admit(get <-> get, m1.value == m2.val)]
impl Register {
    #[side_effect(())]
    fn get(&self, val: i32) {
        let _ = val;
    }

    fn plain(&self) {}
}

fn main() {
    Register.get(1);
    Register.plain();
}
