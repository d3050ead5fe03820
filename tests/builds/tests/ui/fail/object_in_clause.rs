struct Register {
    value: i32,
}

mod limit {
    pub const MAX: i32 = 10;
}

#[cdsspec::spec]
impl Register {
    #[pre_condition(value < self::limit::MAX && self.value < value)]
    #[side_effect(())]
    fn set(&self, value: i32) -> i32 {
        self.value.max(value)
    }
}

fn main() {
    Register { value: 1 }.set(2);
}
