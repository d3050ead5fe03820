//! As long as a contract keeps an event, its thread's index goes to nobody who does not come after it. A process of its own, so that no other test takes
//! indices.
#![allow(clippy::unwrap_used, reason = "tests")]

use cdsspec_contracts::threads::index_count;
use cdsspec_contracts::{Call, Contract, DeclaredSet, Keep, Method, Sets, Source, View};
use std::sync::Arc;

const NOWHERE: Source = Source { file: "", line: 1, column: 1 };
static CONTRACT: Contract = Contract {
    name: "Type",
    source: NOWHERE,
    kind: None,
    sets: &[DeclaredSet { name: "all", keep: Keep::Last }],
    methods: &[Method { name: "use_it", source: NOWHERE, role: None, conditions: &[], adds: &[0] }],
    is_checked: false,
};

/// Threads of std, so that none comes after another for all that is known, and each is over when it is joined.
fn use_in_threads(sets: &Arc<Sets>, count: u32) {
    for _ in 0..count {
        let sets = Arc::clone(sets);
        let use_it = move || drop(Call::enter(&CONTRACT, 0, &sets, |_| |_: usize, _: &View<'_>| true));
        std::thread::spawn(use_it).join().unwrap();
    }
}

#[test]
fn an_index_is_kept_as_long_as_an_event_is() {
    let sets = Arc::new(Sets::new());
    use_in_threads(&sets, 10);
    assert_eq!(index_count(), 10);
    drop(sets);
    use_in_threads(&Arc::new(Sets::new()), 10);
    assert_eq!(index_count(), 10, "the indices of events that are gone are used again");
}
