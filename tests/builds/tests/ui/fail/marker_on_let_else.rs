struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define]
        let Some(_x) = Some(val) else { return };
    }
}

fn main() {
    let _ = Register.get(1);
}
