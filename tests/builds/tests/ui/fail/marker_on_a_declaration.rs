struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        #[op_define]
        const ONE: i32 = 1;
        #[op_define]
        let _x: i32;
        let _ = (val, ONE);
    }
}

fn main() {
    let _ = Register.get(1);
}
