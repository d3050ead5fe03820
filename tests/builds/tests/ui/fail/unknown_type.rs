struct Register<T>(T);

#[cdsspec::spec(instance(T = Missing))]
#[declare_state(value: u32)]
impl<T> Register<T> {
    #[side_effect(())]
    fn instance(&self) {}
}

struct Row;

#[cdsspec::spec(for = Unknown)]
impl Row {
    #[side_effect(())]
    fn shared(&self) {}
}

#[cdsspec::spec]
#[declare_state(value: Undeclared)]
impl Row {
    #[side_effect(())]
    fn returned(&self) -> Absent {
        panic!()
    }

    #[pre_condition(val == 1)]
    #[side_effect(())]
    fn parameter(&self, val: Nowhere) {
        panic!()
    }

    #[side_effect(())]
    #[returns(|value| -> Gone { value })]
    fn projected(&self) -> u32 {
        panic!()
    }
}

fn main() {
    Row.shared();
    Row.returned();
    Register(1_u8).instance();
}
