struct Register;

macro_rules! some {
    ($($pattern:tt)*) => { Some($($pattern)*) };
}

const ONE: i32 = 1;

#[cdsspec::spec]
impl Register {
    #[post_condition(true)]
    fn get(&self, val: i32) -> Option<i32> {
        #[op_define(x == 1)]
        let x = Some(val)?;
        Some(x)
    }

    fn heads(&self, val: i32) {
        let x = 0;
        #[op_define(x == 1)]
        if let x @ 1 = i32::abs(val) {
            let _ = x;
        }
        #[op_clear(val == 1 && x == 1)]
        while let Some(ref x) = i32::checked_abs(val) {
            let _ = x;
        }
        #[op_clear_define(f(x))]
        match i32::abs(val) {
            1 => {}
            x => drop(x),
        }
        #[op_clear(ONE == val && self.x() == 1)]
        match i32::abs(val) {
            ONE => {}
            mut x => drop(std::mem::take(&mut x)),
        }
        #[op_define(format!("{x}") == "1")]
        match i32::abs(val) {
            x => drop(x),
        }
        #[op_define(x == 1)]
        if let some!(ref x) = i32::checked_abs(val) {
            let _ = x;
        }
        #[op_define(ONE == 1)]
        while let some!(ONE) = i32::checked_abs(val) {}
        #[op_define(x == 1)]
        match i32::checked_abs(val) {
            some!(x @ ONE) => drop(x),
            _ => {}
        }
        let _ = x;
    }

    fn x(&self) -> i32 {
        1
    }
}

fn f(x: i32) -> bool {
    x == 1
}

fn main() {
    let _ = Register.get(1);
    Register.heads(1);
}
