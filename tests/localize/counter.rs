//! Counters with specifications that say more, or something else, than a history can be judged by.

use cdsspec::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Loses every second increment.
pub(super) struct Halved(AtomicU32);

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(count: u32)]
impl Halved {
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    #[side_effect({
        *count += 1;
        *count - 1
    })]
    #[scenario]
    pub(super) fn increment(&self) -> u32 {
        self.0.fetch_add(1, SeqCst) / 2
    }
}

/// A number that has no order, and whose states cannot be compared.
#[derive(Clone, Default, Debug)]
pub(super) struct Opaque(u32);

/// Its conditions are weaker than equality, and its state is no key.
pub(super) struct Bounded(AtomicU32);

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(count: Opaque)]
impl Bounded {
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    #[side_effect({ count.0 += 1; })]
    #[scenario]
    pub(super) fn increment(&self) {
        self.0.fetch_add(1, SeqCst);
    }

    #[post_condition(c_ret <= count.0)]
    #[scenario]
    pub(super) fn at_most(&self) -> u32 {
        self.0.load(SeqCst) / 2
    }
}

/// A specification that panics at the second increment.
pub(super) struct Panics(AtomicU32);

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(count: u32)]
impl Panics {
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    #[side_effect({
        assert!(*count < 1, "it counts to one");
        *count += 1;
    })]
    #[scenario]
    pub(super) fn increment(&self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// A condition that looks at what is concurrent.
pub(super) struct Concurrent(AtomicU32);

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(count: u32)]
impl Concurrent {
    pub(super) fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    #[side_effect({ *count += 1; })]
    #[post_condition(concurrent.len() < 100)]
    #[scenario]
    pub(super) fn increment(&self) {
        self.0.fetch_add(1, SeqCst);
    }
}
