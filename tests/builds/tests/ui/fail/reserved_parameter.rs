struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[side_effect(())]
    fn get(&self, c_ret: i32) -> i32 {
        c_ret
    }
}

fn main() {
    let _ = Register.get(1);
}
