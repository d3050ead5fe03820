//! Queues under the contracts of the paper. They have locks inside, so that nothing but a contract can be broken.

use cdsspec::contract::Sets;
use cdsspec::sync::Mutex;

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
    pub(crate) fn push(&self) {
        self.items.lock().expect("nobody panics with it").push(1);
    }

    #[expects(!init_events.is_empty() && init_events.happens_before(now), level = axiom)]
    #[expects(!cons_events.concurrent(now), level = axiom)]
    #[add_current(cons_events)]
    pub(crate) fn pop(&self) {
        self.items.lock().expect("nobody panics with it").pop();
    }

    #[expects(!union([init_events, prod_events, cons_events, nts_events]).concurrent(now), level = axiom)]
    #[add_current(nts_events)]
    pub(crate) fn reset(&self) {
        self.items.lock().expect("nobody panics with it").clear();
    }
}

/// A structure under a predefined contract, with a method of each role.
macro_rules! predefined {
    ($name:ident $kind:ident: $($method:ident $role:ident),*) => {
        pub(crate) struct $name {
            items: Mutex<Vec<u32>>,
            contract: Sets,
        }

        #[cdsspec::contract($kind)]
        impl $name {
            /// Not initialised.
            pub(crate) fn bare() -> Self {
                Self { items: Mutex::new(Vec::new()), contract: Sets::new() }
            }

            #[role(init)]
            pub(crate) fn new() -> Self {
                Self::bare()
            }

            $(#[role($role)]
            pub(crate) fn $method(&self) {
                self.items.lock().expect("nobody panics with it").push(1);
            })*
        }
    };
}

predefined!(Spsc spsc: init init, push producer, pop consumer, reset exclusive);
predefined!(Mpsc mpsc: init init, push producer, pop consumer, reset exclusive);
predefined!(Mpmc mpmc: init init, push producer, pop consumer, unsynchronized exclusive);
predefined!(Owned single_owner: init init, get exclusive);
predefined!(Once init_once: init init, get user);
