#[derive(Clone, Default)]
struct RegisterSpec {
    value: i32,
}

struct Register;

#[cdsspec::spec(for = RegisterSpec)]
impl Register {
    #[side_effect(())]
    fn get(&self) -> i32 {
        RegisterSpec::default().value
    }
}

fn main() {
    Register.get();
}
