struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        let _x = Some(#[op_define] val);
        let _y = [#[op_clear_define] val];
    }
}

fn main() {
    let _ = Register.get(1);
}
