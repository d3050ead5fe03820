struct Register {
    value: i32,
}

#[cdsspec::spec(object = self.value)]
impl Register {
    #[side_effect(())]
    fn get(&self) -> i32 {
        self.value
    }
}

fn main() {
    Register { value: 1 }.get();
}
