#[cdsspec::specification]
#[derive(Clone)]
struct RegisterSpec {
    value: i32,
}

fn main() {
    let _ = RegisterSpec { value: 1 }.value;
}
