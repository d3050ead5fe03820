struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) {
        for x in 0..val {
            #[op_define]
            let _y = if x == 1 { continue } else { x };
            #[op_define]
            break;
        }
        #[op_define]
        return;
    }
}

fn main() {
    let _ = Register.get(1);
}
