struct Register;

#[cdsspec::spec(crate = nowhere)]
#[declare_state(s: u32)]
impl Register {
    #[side_effect(*s)]
    fn get(&self) -> u32 {
        #[op_define]
        let value = std::convert::identity(1);
        value
    }
}

#[cdsspec::check_only(crate = nowhere)]
fn is_small() {}

#[cdsspec::test(crate = nowhere)]
fn get() {}

fn main() {
    Register.get();
}
