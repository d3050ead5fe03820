//! The counts of an `Arc`. They outlive the value, so that weak handles can ask.

use crate::port::{Access, CountChange, LocationHint, Port, Tracked, Update, WaitUpdate, in_our_frame, with};
use crate::record::{Orders, Place, SourceLocation, ValueKind, operation_name};
use crate::sync::target::Target;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

const ONE_MORE: Update = Update { operand: 1, function: u64::wrapping_add };
const ONE_LESS: Update = Update { operand: 1, function: u64::wrapping_sub };

/// The count of weak handles while somebody looks at both counts: no handle is downgraded meanwhile.
const LOCKED: u64 = u64::MAX;
const ADD_UNLESS_LOCKED: Update = Update { operand: 1, function: |count, one| count.saturating_add(one) };
const WAIT_AND_ADD: WaitUpdate =
    WaitUpdate { operand: 1, function: |count, one| (count != LOCKED).then(|| count.wrapping_add(one)) };
const UNLOCK: Update = Update { operand: 1, function: |_, one| one };

/// The counts of the handles of one value.
///
/// `hint` is the instrumented count of strong handles, `weak_hint` that of weak ones, and one more for all strong ones together: what the
/// program of an execution does to them are operations.
/// `state` keeps the value alive as long as anyone can reach it, whatever the instrumented count says.
pub(super) struct Control {
    hint: LocationHint,
    weak_hint: LocationHint,
    /// Where the `Arc` was made: a drop has no place of its own in the source.
    source: SourceLocation,
    state: Mutex<ControlState>,
}

struct ControlState {
    /// The strong handles made outside of executions: what the instrumented count of every execution starts from.
    constructed_count: u64,
    /// The strong handles that are not being dropped.
    handle_count: usize,
    /// The weak handles made outside of executions.
    constructed_weak_count: u64,
    /// The weak handles.
    weak_count: usize,
    /// Whether the value was destroyed or moved out, or somebody was told to.
    is_gone: bool,
    /// The value is to end before the execution does.
    tracked: Tracked,
}

impl Control {
    /// The counts of a value with one handle, or with none as yet, made here.
    pub(super) fn new(source: SourceLocation, handle_count: u32) -> Self {
        let state = ControlState {
            constructed_count: u64::from(handle_count),
            handle_count: handle_count as usize,
            constructed_weak_count: 0,
            weak_count: 0,
            is_gone: false,
            tracked: Tracked::new("Arc", source),
        };
        Self { hint: LocationHint::new(), weak_hint: LocationHint::new(), source, state: Mutex::new(state) }
    }

    /// One more handle, made from one that exists.
    pub(super) fn add_handle(&self, place: Place) {
        self.add(CountChange::Add, place, Relaxed);
        self.state().add_handle();
    }

    /// The first handle of a value that was made by `new_cyclic`.
    pub(super) fn publish(&self, place: Place) {
        self.add(CountChange::First, place, Release);
        self.state().add_handle();
    }

    /// Where a handle is dropped: what is shared is named by where it was made.
    pub(super) fn drop_place(&self) -> Place {
        Place { source: self.source, name: operation_name!("drop"), orders: Orders::None }
    }

    /// One handle less. Whether the caller is to destroy or take the value.
    pub(super) fn remove_handle(&self, place: Place) -> bool {
        // First, so that of two threads that do this at once, the one that takes the count to zero finds no handle left.
        self.state().remove_handle();
        let is_last = self.change(CountChange::Remove, place, Release, |port, access| {
            let count = port.update(access, ONE_LESS);
            if count == 1 {
                port.fence(place, Acquire);
            }
            count
        });
        let is_last = is_last.map(|count| count == 1);
        is_last.unwrap_or(true) && self.claim()
    }

    /// Whether the caller is to destroy the value: nobody can reach it any more, and nobody else was told.
    pub(super) fn claim(&self) -> bool {
        let mut state = self.state();
        let is_claimed = state.handle_count == 0 && !state.is_gone;
        if is_claimed {
            state.set_gone();
        }
        is_claimed
    }

    /// Whether the caller has the only strong handle: then it is gone, and the value is the caller's to take.
    pub(super) fn take_sole(&self, place: Place) -> bool {
        let count = self.change(CountChange::RemoveSole, place, Relaxed, |port, access| {
            match port.compare_exchange(access, Relaxed, 1, 0, false) {
                Ok(count) => {
                    port.fence(place, Acquire);
                    count
                }
                Err(count) => count,
            }
        });
        if count.is_some_and(|count| count != 1) {
            return false;
        }
        let mut state = self.state();
        if state.handle_count == 1 {
            state.remove_handle();
            state.set_gone();
            return true;
        }
        drop(state);
        if count.is_some() {
            // There are handles that this count has not seen.
            self.add(CountChange::First, place, Relaxed);
        }
        false
    }

    /// Whether the caller has the only handle, strong or weak. As std does, it keeps handles from being downgraded while it looks at both
    /// counts.
    pub(super) fn is_unique(&self, place: Place) -> bool {
        let mut is_locked = false;
        let weak_count = self.change_weak(CountChange::Look, place, Acquire, |port, access| {
            match port.compare_exchange(access, Relaxed, 1, LOCKED, false) {
                Ok(count) => {
                    is_locked = true;
                    count
                }
                Err(count) => count,
            }
        });
        if weak_count.is_some_and(|count| count != 1) {
            return false;
        }
        let count = self.change(CountChange::Look, place, Acquire, |port, access| port.load(access));
        if is_locked {
            let unlock = |port: &dyn Port, access: Access| port.update(access, UNLOCK);
            self.access(&self.weak_hint, &ControlState::initial_weak_count, (place, Relaxed), unlock);
        }
        let state = self.state();
        count.unwrap_or(1) == 1 && state.handle_count == 1 && state.weak_count == 0
    }

    /// Whether the count allows one more strong handle, which it then includes. The value may be gone all the same.
    pub(super) fn upgrade(&self, place: Place) -> bool {
        let count = self.change(CountChange::AddIfAny, place, Acquire, |port, access| {
            let mut count = port.load(Access { order: Relaxed, ..access });
            while count != 0 {
                in_our_frame(place);
                match port.compare_exchange(access, Relaxed, count, count.wrapping_add(1), true) {
                    Ok(_) => break,
                    Err(newer) => count = newer,
                }
            }
            count
        });
        count != Some(0)
    }

    /// One more strong handle, made from a weak one, if the value is still there.
    pub(super) fn revive(&self) -> bool {
        let mut state = self.state();
        if !state.is_gone {
            state.add_handle();
        }
        !state.is_gone
    }

    pub(super) fn strong_count(&self, place: Place) -> usize {
        match self.change(CountChange::Look, place, Relaxed, |port, access| port.load(access)) {
            Some(count) => usize::try_from(count).unwrap_or(usize::MAX),
            None => self.state().handle_count,
        }
    }

    /// How many weak handles there are.
    pub(super) fn weak_count(&self, place: Place) -> usize {
        match self.change_weak(CountChange::Look, place, Relaxed, |port, access| port.load(access)) {
            // Who looks at both counts has seen that there is none.
            Some(LOCKED) => 0,
            Some(count) => usize::try_from(count - 1).unwrap_or(usize::MAX),
            None => self.state().weak_count,
        }
    }

    /// One more weak handle, made from a strong one, or before there is any.
    pub(super) fn downgrade(&self, place: Place) {
        self.change_weak(CountChange::Add, place, Relaxed, |port, access| {
            match port.update(access, ADD_UNLESS_LOCKED) {
                LOCKED => port.wait_update(access, WAIT_AND_ADD),
                count => count,
            }
        });
        self.state().add_weak();
    }

    /// One more weak handle, made from another.
    pub(super) fn add_weak(&self, place: Place) {
        self.change_weak(CountChange::Add, place, Relaxed, |port, access| port.update(access, ONE_MORE));
        self.state().add_weak();
    }

    pub(super) fn remove_weak(&self, place: Place) {
        self.state().remove_weak();
        self.change_weak(CountChange::Remove, place, Release, |port, access| port.update(access, ONE_LESS));
    }

    fn state(&self) -> MutexGuard<'_, ControlState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, change: CountChange, place: Place, order: Ordering) {
        self.change(change, place, order, |port, access| port.update(access, ONE_MORE));
    }

    /// Changes the instrumented count of strong handles, and returns it as it was: by an operation, unless the engine keeps it itself. `None`
    /// where only `state` counts: outside an execution, or unobserved.
    fn change(
        &self,
        change: CountChange,
        place: Place,
        order: Ordering,
        operation: impl FnOnce(&dyn Port, Access) -> u64,
    ) -> Option<u64> {
        let initial = |state: &ControlState| state.constructed_count;
        self.count(place, change, &self.hint, &initial)
            .or_else(|| self.access(&self.hint, &initial, (place, order), operation))
    }

    /// The same for that of weak handles. It is never 0, since one is counted for all strong ones: so nobody takes the last.
    fn change_weak(
        &self,
        change: CountChange,
        place: Place,
        order: Ordering,
        operation: impl FnOnce(&dyn Port, Access) -> u64,
    ) -> Option<u64> {
        let initial = ControlState::initial_weak_count;
        self.count(place, change, &self.weak_hint, &initial)
            .or_else(|| self.access(&self.weak_hint, &initial, (place, order), operation))
    }

    /// Changes a count that the engine keeps.
    fn count(
        &self,
        place: Place,
        change: CountChange,
        hint: &LocationHint,
        initial: &dyn Fn(&ControlState) -> u64,
    ) -> Option<u64> {
        let kept = with(|execution| {
            let port = execution.port();
            if port.is_unobserved() {
                return None;
            }
            let location = execution.locate(hint, ValueKind::Internal, || initial(&self.state()));
            port.count(place, location, self.source, change)
        });
        kept.flatten()
    }

    /// Does an operation on an instrumented count; `None` as above.
    fn access<R>(
        &self,
        hint: &LocationHint,
        initial: &dyn Fn(&ControlState) -> u64,
        (place, order): (Place, Ordering),
        operation: impl FnOnce(&dyn Port, Access) -> R,
    ) -> Option<R> {
        if !with(|execution| execution.port().progress().is_observed).unwrap_or(false) {
            return None;
        }
        let initial = initial(&self.state());
        Target { hint, kind: ValueKind::Internal, initial }.access(place, order, operation)
    }
}

fn is_outside() -> bool {
    with(|_| ()).is_none()
}

impl ControlState {
    /// The value is somebody's to end.
    fn set_gone(&mut self) {
        self.is_gone = true;
        self.tracked.end();
    }

    fn add_handle(&mut self) {
        self.handle_count += 1;
        if is_outside() {
            self.constructed_count += 1;
        }
    }

    /// One is counted for all strong handles together.
    fn initial_weak_count(&self) -> u64 {
        self.constructed_weak_count + 1
    }

    fn add_weak(&mut self) {
        self.weak_count += 1;
        if is_outside() {
            self.constructed_weak_count += 1;
        }
    }

    fn remove_weak(&mut self) {
        self.weak_count -= 1;
        if is_outside() {
            self.constructed_weak_count = self.constructed_weak_count.saturating_sub(1);
        }
    }

    fn remove_handle(&mut self) {
        self.handle_count -= 1;
        if is_outside() {
            // A handle of an execution may end outside of it.
            self.constructed_count = self.constructed_count.saturating_sub(1);
        }
    }
}
