struct Register;

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    fn get(&self) {
        #[op_define]
        let value = ;
    }
}

fn main() {
    Register.get();
}
