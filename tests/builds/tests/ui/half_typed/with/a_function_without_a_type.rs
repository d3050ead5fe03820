struct Register {
    value: i32,
}

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    fn other(&self, value: ) {}

    #[side_effect(())]
    #[post_condition(c_ret == 0)]
    fn get(&self) -> i32 {
        self.value
    }
}

fn main() {
    let register = Register { value: 0 };
    drop(register);
}
