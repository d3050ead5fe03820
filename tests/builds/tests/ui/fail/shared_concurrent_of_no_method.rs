#[cdsspec::specification]
#[derive(Clone, Default)]
struct RegisterSpec {
    value: i32,
}

struct Register;

#[cdsspec::spec(for = RegisterSpec)]
impl Register {
    #[post_condition(concurrent.set().next().is_none())]
    fn get(&self) -> i32 {
        0
    }
}

fn main() {
    Register.get();
}
