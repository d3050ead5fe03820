struct Register {
    value: i32,
}

// without
impl Register {
    // without
    fn other(&self, value: ) {}

    // without
    // without
    fn get(&self) -> i32 {
        self.value
    }
}

fn main() {
    let register = Register { value: 0 };
    drop(register);
}
