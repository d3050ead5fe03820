struct Register;

#[cdsspec::spec(status = 1)]
#[declare_state(n: i32, n: i32)]
#[admit(put <-> get)]
impl Register {
    #[side_effect]
    #[post_condition(s_ret == 1)]
    fn get(&self, val: i32) -> i32 {
        #[op_define(val ==)]
        let x = val;
        x
    }

    #[precondition(true)]
    fn new() {}
}

fn main() {
    Register.get(1);
    Register::new();
}
