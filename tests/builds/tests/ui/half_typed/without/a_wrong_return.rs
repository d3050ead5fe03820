struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn get(&self) -> i32 {
        let _ = self;
        "a"
    }
}

fn main() {
    Register { value: 0 }.get();
}
