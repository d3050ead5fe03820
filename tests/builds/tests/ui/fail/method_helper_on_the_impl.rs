struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
#[post_condition(true)]
impl Register {
    #[side_effect(*n)]
    fn get(&self, val: i32) -> i32 {
        val
    }
}

fn main() {
    let _ = Register.get(1);
}
