#[cdsspec::fence(instances(N = 2))]
mod misspelt {}

#[cdsspec::fence(1)]
mod number {}

#[cdsspec::fence(instance(2))]
mod unnamed {}

#[cdsspec::fence(crate = cdsspec, instance(N = 2), instance(N = 3))]
mod twice {}

fn main() {}
