//! `block_on`.

use super::waker::Wakeup;
use crate::port::here;
use crate::record::{Orders, SourceLocation, operation_name};
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll};

/// The engine's frames below an operation take about 2 KiB.
const DEAD_WORDS: usize = 1 << 9;

/// Polls a future until it is ready, on the running thread, which waits for the future's waker in between.
///
/// Its wakers may be cloned, dropped, and woken late, by value and from any thread. In an execution the future is also polled without having
/// been woken, once, where the engine models that ([`Builder::spurious_wakeups`](crate::model::Builder::spurious_wakeups)). A wake-up that is lost
/// is a `deadlock`.
#[inline(always)]
#[track_caller]
pub fn block_on<F>(future: F) -> F::Output
where
    F: Future,
{
    let mut future = pin!(future);
    let wakeup = Wakeup::new(SourceLocation::caller());
    let waker = wakeup.waker();
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        wakeup.signal.wait(here(operation_name!("block_on"), Orders::None));
        clear_dead_stack();
    }
}

/// Overwrites what the wait has left of its frames, where those of the next poll will be. A frame need not write all that it has: two rounds
/// that are alike would be told apart by what the engine left there (`run::frames`).
#[inline(never)]
fn clear_dead_stack() {
    black_box(&mut [0_u64; DEAD_WORDS]);
}
