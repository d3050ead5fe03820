#[cdsspec::specification]
#[admit(get <-> get)]
enum RegisterSpec {
    Value,
}

fn main() {
    let _ = RegisterSpec::Value;
}
