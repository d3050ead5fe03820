#[cdsspec::specification(state = i32)]
struct RegisterSpec<T> {
    value: T,
}

fn main() {
    let _ = RegisterSpec { value: 1 }.value;
}
