struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) -> bool {
        let is_one = val == 1;
        #[op_define]
        if is_one {}
        #[op_clear_define]
        let one = 1;
        #[potential_op(here)]
        let same = one;
        #[op_clear]
        #[op_check(here)]
        let _what_is_right = same;
        #[op_define]
        is_one
    }
}

fn main() {
    let _ = Register.get(1);
}
