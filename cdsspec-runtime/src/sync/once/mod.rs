//! Initialisation that happens once: `Once`, `OnceLock`, `LazyLock`.
//!
//! In an execution each of these starts as it was constructed: a `static` one is initialised anew in every execution, whatever was
//! done to it outside or in another one, so that every replay is the same. What an execution puts into a lock belongs to the lock,
//! as in std, and is not destroyed before it: a `&'static T` may have been kept somewhere. So a static lock keeps a value for each
//! execution that initialised it.

mod lazy_lock;
mod once_lock;
mod value;

pub use lazy_lock::LazyLock;
pub use once_lock::OnceLock;

use super::target::Target;
use crate::port::{Access, LocationHint, Port, Update, WaitLoad, here, with};
use crate::record::{Orders, Place, operation_name};
use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::{Acquire, Release};

/// The states of the word.
const INCOMPLETE: u64 = 0;
const RUNNING: u64 = 1;
const COMPLETE: u64 = 2;
const POISONED: u64 = 3;
/// Not a state of the word: it is `RUNNING`, by the one who asks.
const RUNNING_HERE: u64 = 4;

/// std's `Once`, instrumented. Nothing was called with it at the start of every execution.
pub struct Once {
    hint: LocationHint,
    outside: std::sync::Once,
}

/// std's `OnceState`: what `call_once_force` found.
pub struct OnceState {
    is_poisoned: bool,
    /// As std's it stays on the thread that it is shown to.
    not_sync: PhantomData<Cell<()>>,
}

/// Sets the word when dropped: after a panic, to `POISONED`.
struct Completion<'a> {
    once: &'a Once,
    place: Place,
    new: u64,
}

impl Drop for Completion<'_> {
    fn drop(&mut self) {
        let finish = Update { operand: self.new, function: |_, new| new };
        self.once.target().access(self.place, Release, |port, access| port.update(access, finish));
    }
}

impl Once {
    /// One that nothing was called with.
    #[expect(clippy::new_without_default, reason = "std's has none")]
    pub const fn new() -> Self {
        Self { hint: LocationHint::new(), outside: std::sync::Once::new() }
    }

    /// Calls `f` if this is the first call; if another thread's is running, waits until it is complete.
    ///
    /// # Panics
    /// If an earlier call panicked.
    #[inline(always)]
    #[track_caller]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.call_at(here(operation_name!("call_once"), Orders::None), false, |_| f());
    }

    /// What [`call_once`](Self::call_once) does, also after a call that panicked.
    #[inline(always)]
    #[track_caller]
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        self.call_at(here(operation_name!("call_once_force"), Orders::None), true, f);
    }

    /// Whether a call is complete.
    #[inline(always)]
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        self.is_completed_at(here(operation_name!("is_completed"), Orders::None))
    }

    /// Waits until a call is complete.
    ///
    /// # Panics
    /// If a call panicked.
    #[inline(always)]
    #[track_caller]
    pub fn wait(&self) {
        let place = here(operation_name!("wait"), Orders::None);
        if !self.wait_at(place, false) {
            panic!("Once instance has previously been poisoned");
        }
    }

    /// Waits until a call is complete, also if one panicked.
    #[inline(always)]
    #[track_caller]
    pub fn wait_force(&self) {
        self.wait_at(here(operation_name!("wait_force"), Orders::None), true);
    }

    /// Whether the wait ended by a complete call, not by one that panicked.
    fn wait_at(&self, place: Place, is_forced: bool) -> bool {
        let last = WaitLoad {
            operand: u64::from(is_forced),
            function: |state, is_forced| state == COMPLETE || state == POISONED && is_forced == 0,
        };
        let state = self.target().access(place, Acquire, |port, access| port.wait_load(access, last));
        match state {
            Some(state) => state == COMPLETE,
            None if is_forced => {
                self.outside.wait_force();
                true
            }
            None => {
                self.outside.wait();
                true
            }
        }
    }

    fn is_completed_at(&self, place: Place) -> bool {
        let state = self.target().access(place, Acquire, |port, access| port.load(access));
        state.map_or_else(|| self.outside.is_completed(), |state| state == COMPLETE)
    }

    #[inline(always)]
    #[track_caller]
    fn call_at(&self, place: Place, is_forced: bool, f: impl FnOnce(&OnceState)) {
        if with(|_| ()).is_none() {
            if is_forced {
                self.outside.call_once_force(|state| f(&OnceState::new(state.is_poisoned())));
            } else {
                self.outside.call_once(|| f(&OnceState::new(false)));
            }
            return;
        }
        let Some(is_poisoned) = self.begin(place, is_forced) else { return };
        let mut completion = Completion { once: self, place, new: POISONED };
        f(&OnceState::new(is_poisoned));
        completion.new = COMPLETE;
    }

    /// In an execution: waits for a call that is running, and makes this one the running one if it is to be, after one that
    /// panicked or none. `None` if one is complete.
    #[inline(always)]
    #[track_caller]
    fn begin(&self, place: Place, is_forced: bool) -> Option<bool> {
        let access = |operation: &dyn Fn(&dyn Port, Access) -> u64| {
            self.target().access(place, Acquire, operation).expect("cdsspec bug: it is inside an execution")
        };
        let mut state = INCOMPLETE;
        loop {
            match state {
                COMPLETE => return None,
                POISONED if !is_forced => {
                    panic!("one-time initialization may not be performed: it has panicked")
                }
                RUNNING => {
                    if with(|execution| execution.port().is_unobserved()).unwrap_or(false) {
                        // The execution was cut: nobody will complete it.
                        return Some(false);
                    }
                    let stopped = WaitLoad { operand: RUNNING, function: |state, running| state != running };
                    state = access(&|port, access| port.wait_load(access, stopped));
                }
                known => {
                    let exchanged = access(&|port, access| match port
                        .compare_exchange(access, Acquire, known, RUNNING, false)
                    {
                        Ok(_) => RUNNING_HERE,
                        Err(other) => other,
                    });
                    if exchanged == RUNNING_HERE {
                        return Some(known == POISONED);
                    }
                    state = exchanged;
                }
            }
        }
    }

    fn target(&self) -> Target<'_> {
        Target::lock(&self.hint)
    }
}

impl OnceState {
    fn new(is_poisoned: bool) -> Self {
        Self { is_poisoned, not_sync: PhantomData }
    }

    /// Whether an earlier call panicked.
    pub fn is_poisoned(&self) -> bool {
        self.is_poisoned
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}

impl fmt::Debug for OnceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceState").field("poisoned", &self.is_poisoned()).finish()
    }
}
