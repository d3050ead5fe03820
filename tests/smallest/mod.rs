//! Tests that fail are made smaller.

use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use cdsspec::thread;
use expect_test::expect_file;
use std::collections::VecDeque;
use std::panic::catch_unwind;
use std::sync::Arc;

/// A queue whose `len` is what it was before the last calls, and whose `deq` takes the newest value if there are three.
#[derive(Default)]
struct Queue {
    values: Mutex<VecDeque<u32>>,
    len: AtomicUsize,
}

#[cdsspec::spec]
#[declare_state(q: VecDeque<u32>)]
impl Queue {
    #[side_effect(q.push_back(value))]
    fn enq(&self, value: u32) {
        let mut values = self.values.lock().expect("nobody panics with it");
        values.push_back(value);
        cdsspec::op_define!();
        self.len.store(values.len(), SeqCst);
    }

    #[side_effect(q.pop_front())]
    fn deq(&self) -> Option<u32> {
        let mut values = self.values.lock().expect("nobody panics with it");
        cdsspec::op_define!();
        if values.len() > 2 { values.pop_back() } else { values.pop_front() }
    }
}

/// What a test that fails says.
fn message_of(test: fn()) -> String {
    let payload = catch_unwind(test).expect_err("it fails");
    *payload.downcast::<String>().expect("a report is a text")
}

#[cdsspec::test]
#[should_panic(expected = "4 of 7 statements")]
fn enq_enq_deq__deq__enq_enq_deq() {
    let queue = Arc::new(Queue::default());
    let (first, second) = (queue.clone(), queue.clone());
    let other = thread::spawn(move || {
        let _ = first.deq();
    });
    // The one that matters.
    let third = thread::spawn(move || {
        second.enq(7);
        second.enq(11);
        let _ = second.deq();
    });
    queue.enq(5);
    queue.enq(9);
    let _ = queue.deq();
    other.join().expect("it does not panic");
    third.join().expect("it does not panic");
}

#[test]
fn a_test_is_printed_without_what_it_does_not_need() {
    let message = message_of(enq_enq_deq__deq__enq_enq_deq);
    let (_, smallest) = message.split_once("\nsmallest").expect("it is made smaller");
    expect_file!["smallest.txt"].assert_eq(smallest);
    let source = smallest.split("\n\n").find(|part| part.starts_with("#[cdsspec::test]"));
    let source = source.expect("it is there").replace("::test]", "::test(verdict = Violated)]");
    expect_file!["pasted.rs"].assert_eq(&format!("{source}\n"));
}

/// What was printed, with the verdict that it has.
mod pasted {
    #![allow(unused_variables, reason = "what a thread had that is gone")]

    use super::{Arc, Queue, thread};

    include!("pasted.rs");
}

/// A gate that counts who passed, up to one.
#[derive(Default)]
struct Gate {
    passed: AtomicUsize,
}

#[cdsspec::spec]
#[declare_state(is_open: bool, passed: usize)]
impl Gate {
    #[side_effect({ *is_open = true; })]
    fn open(&self) {
        self.passed.load(SeqCst);
        cdsspec::op_define!();
    }

    #[pre_condition(*is_open)]
    #[side_effect({ *passed += 1; })]
    fn pass(&self) {
        self.passed.store(1, SeqCst);
        cdsspec::op_define!();
    }

    #[side_effect(*passed)]
    fn passed(&self) -> usize {
        let passed = self.passed.load(SeqCst);
        cdsspec::op_define!();
        passed
    }
}

#[rustfmt::skip]
#[cdsspec::test]
#[should_panic(expected = "4 of 6 statements")]
fn open_pass_pass_passed() {
    let gate = Gate::default();
    gate.passed(); gate.open(); gate.pass(); /* again */ gate.pass(); let _ = gate.passed(); gate.open();
}

#[test]
fn a_test_that_breaks_another_condition_does_not_fail_alike() {
    let message = message_of(open_pass_pass_passed);
    assert!(message.contains("`passed` returned 1"), "{message}");
    let line = "\n     gate.open(); gate.pass(); /* again */ gate.pass(); let _ = gate.passed(); \n";
    assert!(message.contains(line), "{message}");
}

#[cdsspec::test(shrink = false)]
#[should_panic(expected = "violated")]
fn open_pass_pass_passed__not_made_smaller() {
    let gate = Gate::default();
    gate.open();
    gate.open();
    gate.pass();
    gate.pass();
    gate.passed();
}

#[cdsspec::test]
#[should_panic(expected = "panic")]
fn add__add() {
    let counter = Arc::new(AtomicUsize::new(0));
    let other = counter.clone();
    let adding = thread::spawn(move || {
        other.fetch_add(1, SeqCst);
    });
    counter.fetch_add(1, SeqCst);
    adding.join().expect("it does not panic");
    assert_eq!(counter.load(SeqCst), 3);
}

macro_rules! program {
    ($name:ident, $($call:ident)*) => {
        #[cdsspec::test]
        #[should_panic(expected = "violated")]
        fn $name() {
            let gate = Gate::default();
            $(gate.$call();)*
        }
    };
}

program!(open_pass_pass_passed__of_a_macro, open pass pass passed);

#[test]
fn what_was_switched_off_is_a_panic_or_is_made_by_a_macro_is_not_made_smaller() {
    for test in [open_pass_pass_passed__not_made_smaller, add__add, open_pass_pass_passed__of_a_macro] {
        assert!(!message_of(test).contains("\nsmallest"));
    }
}

/// A sum that is wrong where something was added after more than one, or two things were.
#[derive(Default)]
struct Sum {
    sum: AtomicUsize,
    calls: AtomicUsize,
}

#[cdsspec::spec]
#[declare_state(sum: usize)]
impl Sum {
    #[side_effect({ *sum += more; })]
    fn add(&self, more: usize) {
        self.calls.fetch_add(1, SeqCst);
        self.sum.fetch_add(more, SeqCst);
        cdsspec::op_define!();
    }

    #[side_effect(*sum)]
    fn get(&self, digits: usize) -> usize {
        let (sum, calls) = (self.sum.load(SeqCst), self.calls.load(SeqCst));
        cdsspec::op_define!();
        if digits == 0 || calls > 1 { sum + 1 } else { sum }
    }
}

#[cdsspec::test]
#[should_panic(expected = "1 of 3 statements")]
fn add_add_get() {
    let sum = Sum::default();
    sum.add(5);
    sum.add(7);
    // With 0 neither of the two is needed.
    let _ = sum.get(9);
}
