struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[returns(|value| value)]
    #[side_effect(1)]
    fn get(&self, val: i32) -> i32 {
        val
    }
}

fn main() {
    let _ = Register.get(1);
}
