struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn get(&self) -> i32 {
        let is_small = self.value < 10 && ;
        i32::from(is_small)
    }
}

fn main() {
    let register = Register { value: 0 };
    register.get();
}
