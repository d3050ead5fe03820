//! Locks that are taken in a circle are told, though nobody waits for ever. A process of its own, since there is one handler.
#![allow(clippy::unwrap_used, reason = "tests")]

use cdsspec_contracts::sync::{Condvar, Mutex, RwLock};
use cdsspec_contracts::thread;
use cdsspec_contracts::threads::set_lock_order_handler;
use std::sync::Mutex as StdMutex;
use std::time::Duration;

static TOLD: StdMutex<Vec<String>> = StdMutex::new(Vec::new());

/// What is told while these run, one after the other, each in a thread of its own.
fn told(threads: &[&(dyn Fn() + Sync)]) -> usize {
    for thread in threads {
        thread::scope(|scope| drop(scope.spawn(thread)));
    }
    std::mem::take(&mut *TOLD.lock().unwrap()).len()
}

#[test]
fn circles_are_told_once_and_what_cannot_be_one_is_not() {
    set_lock_order_handler(|circle| TOLD.lock().unwrap().push(circle.to_string()));
    let (a, b, c, gate) = (Mutex::new(1), Mutex::new(2), RwLock::new(3), Mutex::new(4));
    let a_b = || drop((a.lock().unwrap(), b.lock().unwrap()));
    let b_c = || drop((b.lock().unwrap(), c.write().unwrap()));
    let c_a = || drop((c.read().unwrap(), a.lock().unwrap()));
    let b_a = || drop((b.lock().unwrap(), a.lock().unwrap()));
    let gated = |inner: &dyn Fn()| {
        let _gate = gate.lock().unwrap();
        inner();
    };
    assert_eq!(told(&[&a_b, &a_b, &b_c]), 0, "all in one order");
    let one_thread = || {
        let (d, e) = (Mutex::new(()), Mutex::new(()));
        drop((d.lock().unwrap(), e.lock().unwrap()));
        drop((e.lock().unwrap(), d.lock().unwrap()));
    };
    assert_eq!(told(&[&one_thread]), 0, "one thread does not wait for itself");
    let (d, e) = (Mutex::new(()), Mutex::new(()));
    let d_e = || gated(&|| drop((d.lock().unwrap(), e.lock().unwrap())));
    let e_d = || gated(&|| drop((e.lock().unwrap(), d.lock().unwrap())));
    assert_eq!(told(&[&d_e, &e_d]), 0, "a lock around both keeps them apart");
    let tries = || drop((e.lock().unwrap(), d.try_lock().unwrap()));
    assert_eq!(told(&[&tries]), 0, "who tries does not wait");
    let e_d = || drop((e.lock().unwrap(), d.lock().unwrap()));
    assert_eq!(told(&[&e_d]), 1, "the lock is around one of them alone");
    assert_eq!(told(&[&c_a]), 1, "a circle of three");
    assert_eq!(told(&[&c_a, &a_b, &b_c]), 0, "it is told once");
    assert_eq!(told(&[&b_a]), 1, "another circle");
    drop((a, b));
    let (a, b) = (Mutex::new(1), Mutex::new(2));
    let b_a = || drop((b.lock().unwrap(), a.lock().unwrap()));
    assert_eq!(told(&[&b_a]), 0, "these are other locks");
    let (f, g, condvar) = (Mutex::new(()), Mutex::new(()), Condvar::new());
    let waits = || {
        let guard = f.lock().unwrap();
        let _other = g.lock().unwrap();
        drop(condvar.wait_timeout(guard, Duration::from_millis(1)).unwrap());
    };
    assert_eq!(told(&[&waits]), 0);
    assert_eq!(told(&[&waits]), 1, "a wait takes its lock again, while another one is held");
}
