struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        let _x = val;
        #[op_define]
    }
}

fn main() {
    let _ = Register.get(1);
}
