struct Register;

#[cdsspec::spec]
#[cfg_attr(all(), declare_state(n: i32))]
impl Register {
    #[cfg_attr(all(), inline, cfg(all()))]
    #[side_effect(())]
    fn get(&self, val: i32) -> i32 {
        val
    }

    #[cfg_attr(all(), side_effect(()))]
    fn set(&self) {
        #[cfg_attr(all(), cdsspec::op_define)]
        let value = self.get(1);
        let _ = value;
    }

    #[side_effect(())]
    #[post_condition(val == 1)]
    fn put(&self, #[cfg(all())] val: i32) {
        let _ = val;
    }

    #[cfg(all())]
    #[cfg_attr(all(), inline)]
    #[side_effect(())]
    fn what_is_right(&self, #[cfg(any())] other: Elsewhere) {
        #[cfg(any())]
        #[op_define(elsewhere)]
        let elsewhere = self.set();
    }
}

fn main() {
    let _ = Register.get(1);
    Register.set();
    Register.put(1);
    Register.what_is_right();
}
