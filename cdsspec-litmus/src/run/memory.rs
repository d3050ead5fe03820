//! The locations of the running program.

use crate::syntax::{Location, LocationIndex, LocationKind};
use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::sync::Mutex;
use cdsspec_runtime::sync::atomic::AtomicI64;

/// A location of the running program.
pub(super) enum Memory {
    Atomic(AtomicI64),
    Plain(Plain),
    Lock(Mutex<()>),
}

/// A location that is accessed without atomics.
pub(super) struct Plain(UnsafeCell<i64>);

// SAFETY: whether threads race for the cell is what the engines check; they run the threads one at a time.
unsafe impl Sync for Plain {}

impl Plain {
    #[track_caller]
    pub(super) fn read(&self) -> i64 {
        self.0.with(|cell| {
            // SAFETY: the pointer is valid, and the engines run one thread at a time.
            unsafe { *cell }
        })
    }

    #[track_caller]
    pub(super) fn write(&self, value: i64) {
        self.0.with_mut(|cell| {
            // SAFETY: the pointer is valid, and the engines run one thread at a time.
            unsafe { *cell = value }
        });
    }
}

impl Memory {
    pub(super) fn new(location: &Location) -> Self {
        match location.kind {
            LocationKind::Atomic => Self::Atomic(AtomicI64::new(location.initial)),
            LocationKind::Plain => Self::Plain(Plain(UnsafeCell::new(location.initial))),
            LocationKind::Lock => Self::Lock(Mutex::new(())),
        }
    }

    /// The last store. No operation.
    pub(super) fn into_last(self) -> i64 {
        match self {
            Self::Atomic(atomic) => atomic.into_inner(),
            Self::Plain(plain) => plain.0.into_inner(),
            // Who holds it has ended, and does not free it.
            Self::Lock(lock) => i64::from(lock.try_lock().is_err()),
        }
    }
}

pub(super) fn atomic(memory: &[Memory], location: LocationIndex) -> &AtomicI64 {
    match &memory[location.0] {
        Memory::Atomic(atomic) => atomic,
        _ => panic!("cdsspec bug: an atomic access of a location that is none"),
    }
}

pub(super) fn lock(memory: &[Memory], location: LocationIndex) -> &Mutex<()> {
    match &memory[location.0] {
        Memory::Lock(lock) => lock,
        _ => panic!("cdsspec bug: a location that is no lock is locked"),
    }
}
