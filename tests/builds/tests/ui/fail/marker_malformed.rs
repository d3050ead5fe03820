struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define(val ==)]
        let _x = val;
        #[op_clear(val == 1)]
        let _x = val;
        #[potential_op]
        let _x = val;
        #[op_check(1)]
        let _x = val;
    }
}

fn main() {
    let _ = Register.get(1);
}
