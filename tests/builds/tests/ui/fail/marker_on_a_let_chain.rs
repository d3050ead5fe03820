struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define]
        if let Some(_x) = Some(val)
            && val == 1
        {}
    }
}

fn main() {
    let _ = Register.get(1);
}
