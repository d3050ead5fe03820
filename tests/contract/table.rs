//! Table 1's sequences.

use crate::queue::General;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::{Builder, hint, thread};

#[test]
fn show() {
    let outcome = Builder::new().contract_continue(true).check(|| {
        let queue = Arc::new(General::new());
        queue.init();
        let other = queue.clone();
        let child = thread::spawn(move || other.push());
        queue.push();
        child.join().unwrap();
    });
    println!("{}", outcome.report());
    let outcome = Builder::new().contract_continue(true).check(|| {
        let queue = Arc::new(General::new());
        let turn = Arc::new(AtomicU32::new(0));
        let other = queue.clone();
        let t = turn.clone();
        let child = thread::spawn(move || { while t.load(Relaxed) < 1 { hint::spin_loop() }; other.push() });
        queue.init();
        turn.store(1, Relaxed);
        child.join().unwrap();
    });
    println!("{}", outcome.report());
}
