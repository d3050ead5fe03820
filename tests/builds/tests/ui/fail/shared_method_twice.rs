#[cdsspec::specification]
#[derive(Clone, Default)]
struct RegisterSpec {
    value: i32,
}

struct Reader;
struct Register;

#[cdsspec::spec(for = RegisterSpec)]
impl Register {
    #[side_effect(state.value)]
    fn get(&self) -> i32 {
        0
    }
}

#[cdsspec::spec(for = RegisterSpec)]
impl Reader {
    #[side_effect(state.value)]
    fn get(&self) -> i32 {
        0
    }
}

fn main() {
    Register.get();
    Reader.get();
}
