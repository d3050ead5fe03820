//! The state of a lock in an execution.

use crate::port::{Effect, Holds, LocationHint, Notice, Update, WaitUpdate, in_our_frame, with};
use crate::record::{LocationId, Orders, Place, SourceLocation, ThreadId, operation_name};
use crate::sync::target::Target;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// The state of a lock: whether a writer has it, whether it is poisoned, how many readers have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LockState(u64);

impl LockState {
    const WRITER: u64 = 1;
    const POISONED: u64 = 2;
    const READER: u64 = 4;

    pub(crate) fn is_poisoned(self) -> bool {
        self.0 & Self::POISONED != 0
    }

    pub(crate) fn is_written(self) -> bool {
        self.0 & Self::WRITER != 0
    }

    /// The state after one more took the lock, if that is possible now.
    fn taken(self, is_shared: bool) -> Option<Self> {
        if is_shared {
            (self.0 & Self::WRITER == 0).then_some(Self(self.0.wrapping_add(Self::READER)))
        } else {
            (self.0 & !Self::POISONED == 0).then_some(Self(self.0 | Self::WRITER))
        }
    }

    /// What an unlock makes of the state: `how` is `READER` for a reader, with `POISONED` if it poisons the lock.
    fn release(bits: u64, how: u64) -> u64 {
        Self(bits).released(how & Self::READER != 0).poisoned(how & Self::POISONED != 0).0
    }

    fn released(self, is_shared: bool) -> Self {
        if is_shared { Self(self.0.wrapping_sub(Self::READER)) } else { Self(self.0 & !Self::WRITER) }
    }

    /// The state after the one who writes has become one who reads.
    fn downgraded(self) -> Self {
        Self((self.0 & !Self::WRITER).wrapping_add(Self::READER))
    }

    fn poisoned(self, is_poisoned: bool) -> Self {
        if is_poisoned { Self(self.0 | Self::POISONED) } else { self }
    }
}

/// A location that holds the state of a lock, at first free. A mutex has writers only.
pub(crate) struct Word(LocationHint);

impl Word {
    pub(crate) const fn new() -> Self {
        Self(LocationHint::new())
    }

    /// Waits for the lock and takes it. `None` outside an execution.
    pub(crate) fn lock(&self, place: Place, is_shared: bool) -> Option<Locked<'_>> {
        let take = WaitUpdate {
            operand: u64::from(is_shared),
            function: |bits, is_shared| LockState(bits).taken(is_shared != 0).map(|state| state.0),
        };
        let state = Target::lock(&self.0).access(place, Acquire, |port, access| {
            if is_shared && is_shared_by_me(access.location) {
                port.wait_behind_writer(access);
            }
            port.wait_update(access, take)
        })?;
        Some(Locked::new(self, place.source, is_shared, LockState(state)))
    }

    /// Takes the lock if it is free: `Some(None)` if not. `None` outside an execution.
    pub(crate) fn try_lock(&self, place: Place, is_shared: bool) -> Option<Option<Locked<'_>>> {
        let mut expected = 0;
        loop {
            let new = LockState(expected).taken(is_shared)?.0;
            let exchanged = Target::lock(&self.0).access(place, Acquire, |port, access| {
                port.compare_exchange(access, Relaxed, expected, new, false)
            })?;
            match exchanged {
                Ok(state) => return Some(Some(Locked::new(self, place.source, is_shared, LockState(state)))),
                // Poisoned, or with other readers: free for us all the same.
                Err(state) if state != expected && LockState(state).taken(is_shared).is_some() => {
                    expected = state
                }
                Err(_) => return Some(None),
            }
        }
    }

    /// The state, by an operation. `None` outside an execution.
    pub(crate) fn load(&self, place: Place) -> Option<LockState> {
        let state = Target::lock(&self.0).access(place, Relaxed, |port, access| port.load(access));
        state.map(|state| self.note_seen(LockState(state)))
    }

    /// The state, without an operation. `None` outside an execution.
    pub(crate) fn peek(&self) -> Option<LockState> {
        with(|_| self.note_seen(LockState(Target::lock(&self.0).peek().unwrap_or(0))))
    }

    /// The program sees this state: what it says of a panic, the program has taken for a result.
    fn note_seen(&self, state: LockState) -> LockState {
        if state.is_poisoned() {
            with(|execution| execution.find(&self.0).map(|lock| execution.take_poison(lock)));
        }
        state
    }

    /// What the lock guards may be changed from now on.
    pub(crate) fn note_change(&self) {
        with(|execution| {
            let port = execution.port();
            if let Some(location) = execution.find(&self.0).filter(|_| !port.is_unobserved()) {
                port.note(Notice::Effect(Effect::Data(location)));
            }
        });
    }

    /// Forgets that a thread panicked with the lock. `None` outside an execution.
    pub(crate) fn clear_poison(&self, place: Place) -> Option<()> {
        Target::lock(&self.0).access(place, Relaxed, |port, access| {
            port.update(
                access,
                Update { operand: LockState::POISONED, function: |bits, poisoned| bits & !poisoned },
            );
        })
    }
}

/// A lock that was taken in an execution; dropped, it is given back.
pub(crate) struct Locked<'a> {
    word: &'a Word,
    source: SourceLocation,
    is_shared: bool,
    is_poisoned: bool,
    was_panicking: bool,
}

/// Whether the running thread has the lock shared already.
fn is_shared_by_me(lock: LocationId) -> bool {
    with(|execution| execution.holds().is_shared_by(execution.port().thread(), lock)).unwrap_or(false)
}

/// Notes something of the running thread and the lock, if the execution knows it and counts what happens now.
fn note_hold(word: &Word, note: impl FnOnce(&Holds, ThreadId, LocationId)) {
    with(|execution| {
        if let Some(lock) = execution.find(&word.0) {
            note(execution.holds(), execution.port().thread(), lock);
        }
    });
}

fn is_panicking() -> bool {
    with(|execution| execution.port().is_panicking()).unwrap_or(false)
}

impl<'a> Locked<'a> {
    fn new(word: &'a Word, source: SourceLocation, is_shared: bool, state: LockState) -> Self {
        let is_poisoned = word.note_seen(state).is_poisoned();
        if is_shared {
            note_hold(word, Holds::add_shared);
        }
        Self { word, source, is_shared, is_poisoned, was_panicking: is_panicking() }
    }

    /// Whether it was poisoned when it was taken.
    pub(crate) fn is_poisoned(&self) -> bool {
        self.is_poisoned
    }

    /// Makes one who reads of the one who writes, by an operation. As std's it releases: others may read then.
    pub(crate) fn downgrade(mut self, place: Place) -> Self {
        let downgrade = Update { operand: 0, function: |bits, _| LockState(bits).downgraded().0 };
        Target::internal(&self.word.0).access(place, Release, |port, access| port.update(access, downgrade));
        note_hold(self.word, Holds::add_shared);
        self.is_shared = true;
        self
    }

    /// Gives it back, by an operation at this place instead of where it was taken.
    pub(crate) fn unlock_at(mut self, source: SourceLocation) {
        self.source = source;
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.release(in_our_frame(Place {
            source: self.source,
            name: operation_name!("unlock"),
            orders: Orders::None,
        }));
    }
}

impl Locked<'_> {
    #[inline(never)]
    fn release(&self, place: Place) {
        // A reader leaves nothing half done.
        let poisons = !self.is_shared && !self.was_panicking && is_panicking();
        let is_shared = self.is_shared;
        if is_shared {
            note_hold(self.word, Holds::remove_shared);
        }
        if poisons {
            note_hold(self.word, |holds, thread, lock| holds.add_poisoner(lock, thread));
        }
        // A read-modify-write, which reads the newest state: a plain store would let the next one read past it.
        Target::lock(&self.word.0).access(place, Release, |port, access| {
            let operand = u64::from(is_shared) * LockState::READER + u64::from(poisons) * LockState::POISONED;
            port.update(access, Update { operand, function: LockState::release })
        });
    }
}
