/// A facade over another version of cdsspec than that of the attribute.
mod facade {
    pub mod cdsspec {
        pub mod __private_0_0_9 {}
    }
}

struct Register;

#[cdsspec::spec(crate = facade::cdsspec)]
#[declare_state(n: usize)]
impl Register {
    #[side_effect(*n)]
    fn get(&self) -> usize {
        0
    }
}

#[cdsspec::test(crate = facade::cdsspec)]
fn program() {}

fn main() {
    Register.get();
}
