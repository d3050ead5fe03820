//! A queue under requirements 1 to 3 (CSV, section V.1). It has nothing but its contract: what is checked is how it is used.

use cdsspec::contract::Sets;

/// The queue.
pub(super) struct Queue {
    contract: Sets,
}

#[cdsspec::contract(event_sets(init, prod, cons))]
impl Queue {
    pub(super) fn new() -> Self {
        Self { contract: Sets::new() }
    }

    #[expects(!union([init, prod, cons]).concurrent(now), says = "Req. 3")]
    #[add_current(init)]
    pub(super) fn init(&self) {}

    #[expects(!init.is_empty() && init.happens_before(now) && !prod.concurrent(now), says = "Req. 1")]
    #[add_current(prod)]
    pub(super) fn push(&self) {}

    #[expects(!init.is_empty() && init.happens_before(now) && !cons.concurrent(now), says = "Req. 2")]
    #[add_current(cons)]
    pub(super) fn pop(&self) {}
}
