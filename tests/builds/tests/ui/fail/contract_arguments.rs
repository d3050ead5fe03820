use cdsspec::contract::Sets;

struct Queue {
    contract: Sets,
}

#[cdsspec::contract]
impl Queue {}

#[cdsspec::contract(spsc, mpmc)]
impl Queue {}

#[cdsspec::contract(event_sets(init, now, init))]
impl Queue {}

#[cdsspec::contract(event_set(init), 3, event_sets = init)]
impl Queue {}

#[cdsspec::contract(spsc)]
fn queue() {}

#[cdsspec::contract(spsc)]
struct Other;

fn main() {}
