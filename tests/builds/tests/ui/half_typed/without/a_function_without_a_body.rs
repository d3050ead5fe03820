struct Register {
    value: i32,
}

// without
impl Register {
    // without
    // without
    fn other(&self) ->
}

fn main() {
    let register = Register { value: 0 };
    drop(register);
}
