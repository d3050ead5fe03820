#[cdsspec::check_only("cdsspec", crate = 1, crat = cdsspec)]
fn is_small() {}

fn main() {}
