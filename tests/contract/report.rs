//! What a report says of a contract that is broken.

use crate::contract::queue::Spsc;
use cdsspec::contract::Sets;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::{Builder, Verdict, cell::UnsafeCell, thread};

#[test]
fn a_report_names_both_calls_why_neither_is_before_the_other_and_what_would_order_them() {
    let outcome = Builder::new().check(|| {
        let queue = Arc::new(Spsc::new());
        let other = queue.clone();
        let child = thread::spawn(move || other.push());
        queue.push();
        child.join().expect("it does not panic");
    });
    let report = outcome.report();
    for text in [
        "misused: two producers at once (Req. 1): e2 push beside e1 push\n",
        "  object  Spsc\n",
        "  rule    !prod.concurrent(now)",
        "  why     nothing orders the return of e1 push before e2 push, nor that of e2 push before e1 push",
        "a lock around both calls, or e1 push before thread 1 is started",
        "  order   e0 new, e1 push, e2 push",
        "t1  e2 push begins",
    ] {
        assert!(report.contains(text), "{text}\n{report}");
    }
}

#[test]
fn a_long_interleaving_has_both_calls() {
    let outcome = Builder::new().check(|| {
        let word = AtomicU32::new(0);
        let count = |count: u32| (0..count).for_each(|_| _ = word.load(Relaxed));
        let queue = Arc::new(Spsc::new());
        let other = queue.clone();
        let child = thread::spawn(move || other.push());
        count(3);
        queue.push();
        child.join().expect("it does not panic");
        count(300);
    });
    let expected = "
  … 4 operations more
       t0  e1 push begins
  … 2 operations more
       t0  e1 push returns
       t1  e2 push begins
  … 2 operations more
       t1  e2 push returns
  … 101 operations more
";
    let without_margin = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let report = without_margin(outcome.report());
    assert!(report.contains(&without_margin(expected)), "{report}");
}

#[test]
fn a_report_names_the_object_and_the_set_that_is_empty() {
    let outcome = Builder::new().check(|| {
        let (first, second) = (Spsc::new(), Spsc::bare());
        first.push();
        second.push();
    });
    for text in [
        "misused: a producer that no init happens before (Req. 1): e2 push\n",
        "  object  Spsc, number 2 of 2 under contracts: the first call of it is e2 push",
        "  why     no `init` has happened in this order of the calls: nothing orders an event of that set",
    ] {
        assert!(outcome.report().contains(text), "{text}\n{outcome}");
    }
}

/// A queue of one slot, which two producers race for.
struct Slot {
    item: UnsafeCell<u32>,
    contract: Sets,
}

// SAFETY: one producer at a time: the contract says so.
unsafe impl Sync for Slot {}

#[cdsspec::contract(event_sets(prod))]
impl Slot {
    #[expects(!prod.concurrent(now), says = "two producers at once")]
    #[add_current(prod)]
    fn push(&self) {
        // SAFETY: one producer at a time.
        self.item.with_mut(|item| unsafe { *item = 1 });
    }
}

/// The same, which answers for its accesses itself.
struct Checked {
    slot: UnsafeCell<u32>,
    contract: Sets,
}

// SAFETY: one producer at a time: the contract says so.
unsafe impl Sync for Checked {}

#[cdsspec::contract(event_sets(prod), checked)]
impl Checked {
    #[expects(!prod.concurrent(now), says = "two producers at once")]
    #[add_current(prod)]
    fn push(&self) {
        // SAFETY: one producer at a time.
        self.slot.with_mut(|item| unsafe { *item = 1 });
    }

    fn peek(&self) -> u32 {
        // SAFETY: nobody pushes.
        self.slot.with(|item| unsafe { *item })
    }
}

#[test]
fn accesses_of_a_checked_contract_are_no_races_in_its_methods_and_that_is_said() {
    let check = |then: fn(&Checked)| {
        Builder::new().check(move || {
            let slot = Arc::new(Checked { slot: UnsafeCell::new(0), contract: Sets::new() });
            let other = slot.clone();
            slot.peek();
            let child = thread::spawn(move || other.push());
            then(&slot);
            child.join().expect("it does not panic");
            slot.push();
            slot.peek();
        })
    };
    let outcome = check(Checked::push);
    assert_eq!(outcome.verdict, Verdict::Misused, "{outcome}");
    let phrase = "data races in the methods of contracts that are `checked`: Checked";
    assert!(outcome.not_modelled.iter().any(|known| known == phrase), "{outcome}");
    assert_eq!(check(|_| ()).verdict, Verdict::Holds);
    // What is in no method of the contract is looked at, but there is nobody left to race with.
    assert_eq!(check(|slot| _ = slot.peek()).verdict, Verdict::Holds);
}

#[test]
fn a_race_is_worse_and_the_report_says_that_the_contract_was_broken() {
    let outcome = Builder::new().check(|| {
        let slot = Arc::new(Slot { item: UnsafeCell::new(0), contract: Sets::new() });
        let other = slot.clone();
        let child = thread::spawn(move || other.push());
        slot.push();
        child.join().expect("it does not panic");
    });
    assert_eq!(outcome.verdict, Verdict::Race);
    assert!(
        outcome.report().contains("also:\n  misused: two producers at once: e1 push beside e0 push"),
        "{outcome}"
    );
}
