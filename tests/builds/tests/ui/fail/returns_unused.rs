struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[returns(|value| -> i32 { *value })]
    #[pre_condition(val == 1)]
    fn get(&self, val: i32) -> i32 {
        val
    }
}

fn main() {
    let _ = Register.get(1);
}
