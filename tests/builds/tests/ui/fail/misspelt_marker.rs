use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::Acquire;

struct Register(AtomicU32);

#[cdsspec::spec]
#[declare_state(s: u32)]
impl Register {
    #[side_effect(*s)]
    fn get(&self) -> u32 {
        #[op_defne]
        let x = self.0.load(Acquire);
        #[cdsspec::opclear_define(x > 0)]
        let y = self.0.load(Acquire);
        x + y
    }
}

fn main() {
    Register(AtomicU32::new(0)).get();
}
