//! Two threads of which one sees the other; what they say it with has no orders to change.

use cdsspec::sync::OnceLock;
use cdsspec::sync::atomic::{AtomicUsize, Ordering};
use cdsspec::thread;

pub(crate) fn meet__meet() {
    let (x, y, pause) = (OnceLock::new(), OnceLock::new(), AtomicUsize::new(0));
    let (left, right) = thread::scope(|scope| {
        let left = scope.spawn(|| {
            x.set(()).expect("nobody else sets it");
            pause.load(Ordering::Relaxed);
            y.get().is_some()
        });
        y.set(()).expect("nobody else sets it");
        pause.load(Ordering::Relaxed);
        (x.get().is_some(), left.join().expect("it does not panic"))
    });
    assert!(left || right);
}
