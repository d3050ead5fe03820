struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[op_define]
    #[side_effect(*n)]
    fn get(&self, val: i32) -> i32 {
        val
    }
}

fn main() {
    let _ = Register.get(1);
}
