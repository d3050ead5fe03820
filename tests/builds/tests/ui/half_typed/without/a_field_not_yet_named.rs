struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn get(&self) -> i32 {
        let next = self.;
        next
    }
}

fn main() {
    Register { value: 0 }.get();
}
