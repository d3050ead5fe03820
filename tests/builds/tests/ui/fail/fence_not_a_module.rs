#[cdsspec::fence]
struct Queue;

#[cdsspec::fence]
impl Queue {}

fn main() {}
