struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) -> Option<i32> {
        #[op_define(x == 1)]
        let x = Some(val)?;
        Some(x)
    }
}

fn main() {
    let _ = Register.get(1);
}
