struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn get(&self) -> i32 {
        let next: i32 = "a";
        next
    }
}

fn main() {
    Register { value: 0 }.get();
}
