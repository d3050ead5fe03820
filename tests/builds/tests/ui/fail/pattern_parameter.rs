struct Register;

#[cdsspec::spec]
#[declare_state(n: i32)]
impl Register {
    #[side_effect(a)]
    fn get(&self, (a, b): (i32, i32)) -> i32 {
        a + b
    }
}

fn main() {
    Register.get((1, 2));
}
