struct Register;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn leaves(&self, val: i32) -> Option<i32> {
        #[op_define({
            if val == 1 {
                return Some(3);
            }
            true
        })]
        let x = i32::abs(val);
        Some(x)
    }

    #[post_condition(true)]
    fn asks(&self, val: i32) -> Option<i32> {
        cdsspec::op_define!(None::<bool>?);
        Some(val)
    }

    #[post_condition(true)]
    fn changes(&self, val: i32) -> i32 {
        let mut count = 1;
        #[op_define({
            count += 1;
            count == 2
        })]
        let x = i32::abs(val);
        x + count
    }
}

fn main() {
    let _ = Register.leaves(1);
    let _ = Register.asks(1);
    let _ = Register.changes(1);
}
