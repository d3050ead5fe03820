struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define]
        let _x = || val;
    }
}

fn main() {
    let _ = Register.get(1);
}
