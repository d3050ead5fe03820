struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        match val {
            #[op_define]
            1 => {}
            #[op_define]
            2 | 3 => {}
            _ => {}
        }
    }
}

fn main() {
    let _ = Register.get(1);
}
