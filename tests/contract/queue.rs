//! A queue of one producer and one consumer under the contracts of the paper. The queue itself has locks, so that nothing but the contract is broken.

use cdsspec::contract::Sets;
use cdsspec::sync::Mutex;

/// Under requirements 1 to 3 (section V.1), where `init` is a call.
pub(crate) struct General {
    pub(crate) contract: Sets,
}

#[cdsspec::contract(event_sets(init, prod, cons))]
impl General {
    pub(crate) const fn new() -> Self {
        Self { contract: Sets::new() }
    }

    #[expects(!union([init, prod, cons]).concurrent(now), says = "Req. 3")]
    #[add_current(init)]
    pub(crate) fn init(&self) {}

    #[expects(!init.is_empty() && init.happens_before(now), says = "Req. 1")]
    #[expects(!prod.concurrent(now), says = "Req. 1")]
    #[add_current(prod)]
    pub(crate) fn push(&self) {}

    #[expects(!init.is_empty() && init.happens_before(now), says = "Req. 2")]
    #[expects(!cons.concurrent(now), says = "Req. 2")]
    #[add_current(cons)]
    pub(crate) fn pop(&self) {}
}

/// Listing 3, letter for letter: `push` and `pop` do not look at `reset`.
pub(crate) struct Verbatim {
    items: Mutex<Vec<u32>>,
    contract: Sets,
}

#[cdsspec::contract(event_sets(init_events, prod_events, cons_events, nts_events))]
impl Verbatim {
    #[expects(union([init_events, prod_events, cons_events, nts_events]).happens_before(now), level = axiom)]
    #[add_current(init_events)]
    pub(crate) fn new() -> Self {
        Self { items: Mutex::new(Vec::new()), contract: Sets::new() }
    }

    #[expects(!init_events.is_empty() && init_events.happens_before(now), level = axiom)]
    #[expects(!prod_events.concurrent(now), level = axiom)]
    #[add_current(prod_events)]
    pub(crate) fn push(&self, item: u32) -> bool {
        self.items.lock().unwrap().push(item);
        true
    }

    #[expects(!init_events.is_empty() && init_events.happens_before(now), level = axiom)]
    #[expects(!cons_events.concurrent(now), level = axiom)]
    #[add_current(cons_events)]
    pub(crate) fn pop(&self) -> Option<u32> {
        self.items.lock().unwrap().pop()
    }

    #[expects(!union([init_events, prod_events, cons_events, nts_events]).concurrent(now), level = axiom)]
    #[add_current(nts_events)]
    pub(crate) fn reset(&self) {
        self.items.lock().unwrap().clear();
    }
}

/// The predefined contract of that queue, with Req. 4.
pub(crate) struct Spsc {
    items: Mutex<Vec<u32>>,
    contract: Sets,
}

#[cdsspec::contract(spsc)]
impl Spsc {
    #[role(init)]
    pub(crate) fn new() -> Self {
        Self { items: Mutex::new(Vec::new()), contract: Sets::new() }
    }

    #[role(producer)]
    pub(crate) fn push(&self, item: u32) -> bool {
        self.items.lock().unwrap().push(item);
        true
    }

    #[role(consumer)]
    pub(crate) fn pop(&self) -> Option<u32> {
        self.items.lock().unwrap().pop()
    }

    #[role(exclusive)]
    pub(crate) fn reset(&self) {
        self.items.lock().unwrap().clear();
    }
}
