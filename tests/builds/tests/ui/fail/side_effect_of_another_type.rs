struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[side_effect(*n == val)]
    fn get(&self, val: i32) -> i32 {
        val
    }
}

fn main() {
    let _ = Register.get(1);
}
