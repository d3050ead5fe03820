//! Wakers that set a signal.

use super::signal::Signal;
use crate::port::{Tracked, as_checker, in_our_frame};
use crate::record::{Orders, Place, SourceLocation, operation_name};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::task::{RawWaker, RawWakerVTable, Waker};

/// What the wakers of one future share.
pub(super) struct Wakeup {
    pub(super) signal: Signal,
    /// Where the future is waited for: a call by way of a `Waker` has no place of its own, since std's methods pass none on.
    source: SourceLocation,
    _tracked: Tracked,
}

impl Wakeup {
    pub(super) fn new(source: SourceLocation) -> Arc<Self> {
        as_checker(|| {
            Arc::new(Self { signal: Signal::new(), source, _tracked: Tracked::new("waker", source) })
        })
    }

    /// A waker of its own.
    pub(super) fn waker(self: &Arc<Self>) -> Waker {
        // SAFETY: the functions of the table keep the contract of `RawWaker` with `Arc`s of this type.
        unsafe { Waker::from_raw(raw(Arc::clone(self))) }
    }

    fn wake(&self) {
        self.signal.set(in_our_frame(Place {
            source: self.source,
            name: operation_name!("wake"),
            orders: Orders::None,
        }));
    }
}

static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, discard);

fn raw(wakeup: Arc<Wakeup>) -> RawWaker {
    RawWaker::new(Arc::into_raw(wakeup).cast(), &TABLE)
}

/// # Safety
/// The data is that of a waker of this table, which is kept.
unsafe fn borrowed(data: *const ()) -> ManuallyDrop<Arc<Wakeup>> {
    // SAFETY: it was made by `raw`, and is not dropped here.
    ManuallyDrop::new(unsafe { Arc::from_raw(data.cast()) })
}

/// # Safety
/// The data is that of a waker of this table, which ends here.
unsafe fn owned(data: *const ()) -> Arc<Wakeup> {
    // SAFETY: it was made by `raw`, and is not used again.
    unsafe { Arc::from_raw(data.cast()) }
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: the waker is kept.
    let wakeup = unsafe { borrowed(data) };
    raw(Arc::clone(&wakeup))
}

unsafe fn wake(data: *const ()) {
    // SAFETY: the waker ends here.
    let wakeup = unsafe { owned(data) };
    wakeup.wake();
    as_checker(|| drop(wakeup));
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: the waker is kept.
    unsafe { borrowed(data) }.wake();
}

unsafe fn discard(data: *const ()) {
    // SAFETY: the waker ends here.
    let wakeup = unsafe { owned(data) };
    as_checker(|| drop(wakeup));
}
