struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn get(&self) -> i32 {
        let text = String::new();
        drop(text);
        drop(text);
        self.value
    }
}

fn main() {
    Register { value: 0 }.get();
}
