//! What each primitive orders, and what it does not, one program each.
#![allow(clippy::unwrap_used, reason = "tests")]

mod alone;
mod atomics;
mod channels;
mod indices;
mod locks;
mod names;
mod threads;

use cdsspec_contracts::threads::Moment;

/// A moment of the running thread.
fn now() -> Moment {
    Moment::now().expect("contracts are on")
}

/// Whether the first happens before the second.
#[track_caller]
fn assert_ordered(first: &Moment, second: &Moment) {
    assert!(first.happens_before(second) && !second.happens_before(first));
}

#[track_caller]
fn assert_unordered(first: &Moment, second: &Moment) {
    assert!(!first.happens_before(second) && !second.happens_before(first));
}

/// Another thread does something, and is over, which nothing but what it did orders: nobody joins it.
fn elsewhere<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    let result = std::sync::Arc::new(std::sync::Mutex::new(None));
    let there = std::sync::Arc::clone(&result);
    cdsspec_contracts::thread::spawn(move || {
        let done = f();
        *there.lock().unwrap() = Some(done);
    });
    // A channel of std's would park, and take the token of a thread.
    loop {
        if let Some(done) = result.lock().unwrap().take() {
            return done;
        }
        std::thread::yield_now();
    }
}
