#[cdsspec::spec]
#[side_effect(())]
fn get(register: &i32) -> i32 {
    *register
}

fn main() {
    get(&1);
}
