struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[potential_op(first)]
        let _x = i32::abs(val);
        #[op_check(second)]
        let _y = i32::abs(val);
    }

    fn macro_forms(&self, val: i32) {
        cdsspec::potential_op!(third, val == 1);
        cdsspec::op_check!(third);
        #[op_check(third, val == 1)]
        let _x = val;
        if val == 1 {
            cdsspec::op_check!(thrid, val == 1);
        }
    }
}

fn main() {
    let _ = Register.get(1);
}
