#[cdsspec::specification]
#[derive(Clone, Default)]
#[admit(get <-> Reader::get)]
struct RegisterSpec {
    value: i32,
}

struct Reader;
struct Register;
struct Writer;
struct Other;

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
    #[post_condition(concurrent.put().count() == 0)]
    fn get(&self) -> i32 {
        0
    }
}

#[cdsspec::spec(for = RegisterSpec)]
impl Writer {
    #[side_effect(state.value = value)]
    fn put(&self, value: i32) {
        let _ = value;
    }
}

#[cdsspec::spec(for = RegisterSpec)]
impl Other {
    #[side_effect(state.value = value)]
    fn put(&self, value: i32) {
        let _ = value;
    }
}

fn main() {
    Writer.put(1);
    Other.put(1);
    Register.get();
    Reader.get();
}
