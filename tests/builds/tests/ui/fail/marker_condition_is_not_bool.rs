struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define(val)]
        let _x = i32::abs(val);
        cdsspec::op_define!(val);
    }
}

fn main() {
    let _ = Register.get(1);
}
