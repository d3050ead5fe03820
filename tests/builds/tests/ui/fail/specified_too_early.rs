struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[pre_condition(s_ret == 1)]
    #[side_effect(1)]
    fn get(&self, val: i32) -> i32 {
        val
    }
}

fn main() {
    let _ = Register.get(1);
}
