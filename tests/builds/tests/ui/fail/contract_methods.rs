use cdsspec::contract::Sets;

struct Queue {
    contract: Sets,
}

#[cdsspec::contract(spsc)]
impl Queue {
    #[role(productor)]
    fn first(&self) {}

    #[role(producer)]
    #[role(consumer)]
    fn second(&self) {}

    #[add_current(prods)]
    fn third(&self) {}

    #[role(init)]
    fn fourth() {}

    #[role(producer)]
    async fn fifth(&self) {}

    #[role(producer)]
    const fn sixth(&self) {}

    #[expects]
    #[add_current(3)]
    fn seventh(&self) {}
}

#[cdsspec::contract(event_sets(used))]
impl Queue {
    #[role(producer)]
    fn eighth(&self) {}
}

struct Unused;

#[cdsspec::role(producer)]
fn beside(_: Unused) {}

fn main() {}
