struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define]
        for _ in 0..val {}
        #[op_define]
        loop {
            break;
        }
    }
}

fn main() {
    let _ = Register.get(1);
}
