struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn get(&self) -> i32 {
        // without
        match self. {
            _ => 1,
        }
    }
}

fn main() {
    let register = Register { value: 0 };
    register.get();
}
