//! How a structure may be used: [`contract`](macro@crate::contract). An object under a contract carries its event sets, [`Sets`], as a field.

/// The event sets of one object under a contract: a field of it, so that they are made, moved and dropped with it.
///
/// In a plain build it has no size. With `check` it says which object a call is about; with `contracts` it has the sets. All are equal, and hash alike, since
/// how an object was used is no part of its value: so a type that carries them can derive what it derived before. A clone is of another object, to which nothing
/// has happened.
#[cfg(not(any(feature = "check", feature = "contracts", loom)))]
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sets(());

#[cfg(not(any(feature = "check", feature = "contracts", loom)))]
impl Sets {
    /// Of an object that is new: nothing has happened to it.
    pub const fn new() -> Self {
        Self(())
    }
}

#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::contract::contracts;
#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::port::Sets;

/// Contracts on real threads: the variable `CDSSPEC_CONTRACTS`, handlers of violations, and moments.
#[cfg(all(feature = "contracts", not(any(feature = "check", loom))))]
pub use cdsspec_contracts::threads::{
    Action, HandOver, LockCircle, LockStep, Moment, index_count, set_lock_order_handler,
    set_violation_handler,
};
#[cfg(all(feature = "contracts", not(any(feature = "check", loom))))]
pub use cdsspec_contracts::{
    Clock, Epoch, Mark, Now, Provider, Sets, ThreadIndex, Violation, Witness, compare_invocations, current,
    current_clock, provide, set_level,
};

#[cfg(any(feature = "check", feature = "contracts", loom))]
pub use cdsspec_contracts::{
    Condition, ConditionMoment, Contract, DeclaredSet, Event, EventSet, Events, Level, Method, Set, Source,
    add_current, intersection, union,
};

#[cfg(not(all(feature = "contracts", not(any(feature = "check", loom)))))]
pub use hand_over::HandOver;

#[cfg(not(all(feature = "contracts", not(any(feature = "check", loom)))))]
mod hand_over {
    use crate::sync::atomic::AtomicU64;
    use crate::sync::atomic::Ordering::{Acquire, Release};

    /// Tells of an order that contracts on real threads cannot see: what is done before [`release`](Self::release) happens before what is done after an
    /// [`acquire`](Self::acquire) that comes later.
    ///
    /// It is for the feature `contracts`. In other builds it is an atomic.
    #[derive(Default, Debug)]
    pub struct HandOver(AtomicU64);

    impl HandOver {
        /// One that nothing was released to.
        pub const fn new() -> Self {
            Self(AtomicU64::new(0))
        }

        /// All that this thread has done happens before what follows a later [`acquire`](Self::acquire).
        #[inline]
        pub fn release(&self) {
            self.0.fetch_add(1, Release);
        }

        /// All that was released happens before what this thread does from here on.
        #[inline]
        pub fn acquire(&self) {
            self.0.load(Acquire);
        }
    }
}
