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
}

fn main() {
    let _ = Register.get(1);
}
