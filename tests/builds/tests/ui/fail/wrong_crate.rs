use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::Acquire;

struct Register(AtomicU32);

#[cdsspec::spec(crate = renamed)]
#[declare_state(value: u32)]
impl Register {
    #[side_effect(*value)]
    fn get(&self) -> u32 {
        #[op_define]
        self.0.load(Acquire)
    }
}

#[cdsspec::specification(crate = crate::facade)]
#[derive(Default)]
struct Shared {
    value: u32,
}

#[cdsspec::spec(crate = cdsspec::facade, for = Shared)]
impl Register {
    #[side_effect(state.value)]
    fn value(&self) -> u32 {
        #[op_define]
        self.0.load(Acquire)
    }
}

#[cdsspec::check_only(crate = super::super::renamed)]
fn is_small(register: &Register) -> bool {
    register.get() + register.value() + Shared::default().value < 10
}

#[cdsspec::test(crate = std)]
fn get() {
    assert!(is_small(&Register(AtomicU32::new(0))));
}

fn main() {
    let _ = is_small(&Register(AtomicU32::new(0)));
}
