//! Ends that are dropped: `Drop` impls in one specification, objects behind pointers, return values that nothing mentions.

use crate::by_hand;

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU8;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire};
use cdsspec::{Builder, Outcome, Verdict};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

const SENDER: u8 = 1;
const RECEIVER: u8 = 2;

/// Which ends are there.
#[cdsspec::specification]
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
#[admit(Sender::drop <-> Receiver::drop)]
#[admit(<Receiver as Drop>::drop <-> is_open, m2.c_ret)]
struct Ends {
    gone: u8,
}

struct Sender {
    gone: Arc<AtomicU8>,
}

struct Receiver {
    gone: Arc<AtomicU8>,
}

fn pair() -> (Sender, Receiver) {
    let gone = Arc::new(AtomicU8::new(0));
    (Sender { gone: gone.clone() }, Receiver { gone })
}

#[cdsspec::spec(for = Ends, object = self.gone)]
impl Sender {
    #[side_effect(state.gone & RECEIVER == 0)]
    #[post_condition(c_ret == s_ret)]
    fn is_open(&self) -> bool {
        #[op_define]
        let gone = self.gone.load(Acquire);
        gone & RECEIVER == 0
    }
}

#[cdsspec::spec(for = Ends, object = self.gone)]
impl Drop for Sender {
    #[pre_condition(state.gone & SENDER == 0)]
    #[side_effect(state.gone |= SENDER)]
    fn drop(&mut self) {
        #[op_define]
        self.gone.fetch_or(SENDER, AcqRel);
    }
}

#[cdsspec::spec(for = Ends, object = self.gone)]
impl Drop for Receiver {
    #[pre_condition(state.gone & RECEIVER == 0)]
    #[side_effect(state.gone |= RECEIVER)]
    fn drop(&mut self) {
        #[op_define]
        self.gone.fetch_or(RECEIVER, AcqRel);
    }
}

fn check(name: &str, program: impl Fn() + Send + Sync + 'static) -> Outcome {
    Builder::new().name(name).check(program)
}

#[test]
fn methods_of_one_name_are_told_apart_by_their_types() {
    let ends = by_hand::specification("Ends");
    let names: Vec<_> = ends.methods.iter().take(3).map(|method| method.name).collect();
    assert_eq!(names, ["is_open", "Sender::drop", "Receiver::drop"]);
    let rules: Vec<_> = ends.rules.iter().map(|rule| (rule.first.index(), rule.second.index())).collect();
    assert_eq!(rules, [(1, 2), (2, 0)]);
}

#[test]
fn two_ends_are_dropped_in_both_orders() {
    let outcome = check("is_open_drop__drop", || {
        let (sender, receiver) = pair();
        let other = cdsspec::thread::spawn(move || drop(receiver));
        sender.is_open();
        drop(sender);
        other.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.shapes), (Verdict::Holds, 3), "{}", outcome.report());
}

#[test]
fn an_end_that_is_dropped_twice_is_named_by_its_type() {
    let outcome = check("drop_drop", || {
        let (sender, receiver) = pair();
        let again = Receiver { gone: receiver.gone.clone() };
        drop((sender, receiver));
        drop(again);
    });
    assert_eq!(outcome.verdict, Verdict::Violated);
    let report = outcome.report().to_string();
    assert!(report.contains("`Receiver::drop` breaks its pre_condition"), "{report}");
}

#[test]
fn an_end_that_is_dropped_by_a_panic_or_never_leaves_the_verdict_as_it_is() {
    let panics = check("panic", || {
        let (_sender, receiver) = pair();
        drop(receiver);
        panic!("with an end that is there");
    });
    assert_eq!(panics.verdict, Verdict::Panic, "{}", panics.report());
    let waits = check("park", || {
        let (sender, receiver) = pair();
        drop(receiver);
        cdsspec::thread::park();
        drop(sender);
    });
    assert_eq!(waits.verdict, Verdict::Deadlock, "{}", waits.report());
}

/// An end in a box of its own.
struct Boxed {
    end: Receiver,
}

#[cdsspec::spec(for = Ends, object = self.end.gone)]
impl Boxed {
    /// The body mentions nothing, and still drops the end.
    #[side_effect(state.gone |= RECEIVER)]
    fn close(self) {}

    /// The body mentions a part.
    #[side_effect(state.gone |= RECEIVER)]
    fn close_late(self) -> u8 {
        self.end.gone.load(Acquire)
    }

    #[side_effect(state.gone |= RECEIVER)]
    fn close_other(&self, (end, _): (Receiver, u8)) {}
}

#[test]
fn what_a_body_owns_is_dropped_inside_the_call() {
    fn close(close: fn(Boxed)) -> Outcome {
        check("close_is_open", move || {
            let (sender, end) = pair();
            close(Boxed { end });
            sender.is_open();
        })
    }
    let outcomes = [
        close(Boxed::close),
        close(|boxed| {
            boxed.close_late();
        }),
        close(|boxed| {
            let end = Receiver { gone: boxed.end.gone.clone() };
            boxed.close_other((end, 0));
            std::mem::forget(boxed);
        }),
    ];
    for outcome in outcomes {
        assert_eq!(
            (outcome.verdict, outcome.calls_without_points),
            (Verdict::Holds, 0),
            "{}",
            outcome.report()
        );
    }
}

/// How many handles there are.
#[cdsspec::specification]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[initial(Handles(1))]
struct Handles(usize);

/// A handle that is neither `Debug` nor `PartialEq`; its copies are counted outside of the model.
struct Handle {
    count: NonNull<cdsspec::sync::atomic::AtomicUsize>,
}

static COPIES: AtomicUsize = AtomicUsize::new(0);

impl Handle {
    fn new() -> Self {
        Self { count: NonNull::from(Box::leak(Box::new(cdsspec::sync::atomic::AtomicUsize::new(1)))) }
    }

    fn count(&self) -> &cdsspec::sync::atomic::AtomicUsize {
        // SAFETY: it is freed with the last handle.
        unsafe { self.count.as_ref() }
    }
}

#[cdsspec::spec(for = Handles, object = self.count)]
impl Clone for Handle {
    #[side_effect(state.0 += 1)]
    fn clone(&self) -> Self {
        COPIES.fetch_add(1, SeqCst);
        #[op_define]
        self.count().fetch_add(1, AcqRel);
        Self { count: self.count }
    }
}

#[cdsspec::spec(for = Handles, object = self.count)]
impl Drop for Handle {
    #[pre_condition(state.0 > 0)]
    #[side_effect(state.0 -= 1)]
    fn drop(&mut self) {
        #[op_define]
        let count = self.count().fetch_sub(1, AcqRel);
        if count == 1 {
            // SAFETY: it was made by `new`, and this was the last handle.
            drop(unsafe { Box::from_raw(self.count.as_ptr()) });
        }
    }
}

#[test]
fn of_a_return_value_that_nothing_mentions_nothing_is_kept() {
    let outcome = check("clone_drop_drop", || drop(Handle::new().clone()));
    assert_eq!((outcome.verdict, outcome.executions, outcome.shapes), (Verdict::Holds, 1, 1));
    assert_eq!(COPIES.load(SeqCst), 1);
}

/// A type without equality: its values are neither compared nor in the way of remembering shapes.
#[derive(Clone)]
struct Opaque;

struct Source(AtomicU8);

#[cdsspec::spec]
#[declare_state(count: u8)]
impl Source {
    #[side_effect(*count += 1)]
    fn next(&self) -> Opaque {
        #[op_define]
        self.0.fetch_add(1, AcqRel);
        Opaque
    }
}

#[test]
fn a_value_that_is_not_kept_does_not_tell_shapes_apart() {
    let outcome = check("next__next", || {
        let source = Arc::new(Source(AtomicU8::new(0)));
        let other = source.clone();
        let other = cdsspec::thread::spawn(move || {
            other.next();
        });
        source.next();
        other.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.executions, outcome.shapes), (Verdict::Holds, 2, 2));
}
