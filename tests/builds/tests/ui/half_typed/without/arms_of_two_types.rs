struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn get(&self) -> i32 {
        match self.value {
            0 => "a",
            _ => 1,
        }
    }
}

fn main() {
    Register { value: 0 }.get();
}
