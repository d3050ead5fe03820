struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        let is_one = val == 1;
        #[op_define]
        if is_one {}
    }
}

fn main() {
    let _ = Register.get(1);
}
