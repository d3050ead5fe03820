//! Programs that the strongest orders break: `SeqCst` orders calls, so that a justification fails, and release and acquire are enough.

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicBool;
use cdsspec::sync::atomic::Ordering::{self, Relaxed, SeqCst};
use cdsspec::thread;
use cdsspec::weaken::{Advice, Goal, Programs};

/// Taken once. Who does not get it may say so before it is done, if somebody else takes it meanwhile.
struct Latch {
    taken: AtomicBool,
    done: AtomicBool,
    order: Ordering,
}

#[cdsspec::spec]
#[declare_state(is_done: bool)]
impl Latch {
    #[pre_condition(!c_ret || !*is_done)]
    #[justifying_pre_condition(c_ret || *is_done || concurrent.take().any(|other| other.c_ret))]
    #[side_effect(*is_done |= c_ret;)]
    fn take(&self) -> bool {
        #[op_define]
        let was = self.taken.swap(true, Relaxed);
        if was {
            return false;
        }
        if self.order == SeqCst {
            #[op_clear_define]
            self.done.store(true, SeqCst);
        } else {
            #[op_clear_define]
            self.done.store(true, Relaxed);
        }
        true
    }

    #[side_effect(*is_done)]
    #[post_condition(!c_ret || s_ret)]
    #[justifying_post_condition(c_ret || !s_ret)]
    fn is_done(&self) -> bool {
        #[op_define]
        let is_done = if self.order == SeqCst { self.done.load(SeqCst) } else { self.done.load(Relaxed) };
        is_done
    }
}

fn latch(order: Ordering) -> (Arc<Latch>, Arc<Latch>) {
    let latch = Arc::new(Latch { taken: AtomicBool::default(), done: AtomicBool::default(), order });
    (latch.clone(), latch)
}

fn take__is_done(order: Ordering) {
    let (latch, other) = latch(order);
    let thread = thread::spawn(move || other.take());
    latch.is_done();
    thread.join().expect("no thread panics");
}

fn take__take_is_done(order: Ordering) {
    let (latch, other) = latch(order);
    let thread = thread::spawn(move || other.take());
    latch.take();
    latch.is_done();
    thread.join().expect("no thread panics");
}

fn advise(order: Ordering) -> Advice {
    let programs = Programs::new("latch")
        .program("take__is_done", move || take__is_done(order))
        .program("take__take_is_done", move || take__take_is_done(order));
    cdsspec::advise(programs.progress(false))
}

#[test]
fn release_and_acquire_are_found_where_the_strongest_orders_break_the_programs() {
    let advice = advise(Relaxed);
    assert!(matches!(advice.goal, Goal::Strengthen) && advice.is_complete(), "{advice}");
    assert_eq!(
        super::needed(&advice),
        ["take: done.store: Relaxed -> Release", "is_done: done.load: Relaxed -> Acquire"],
        "{advice}"
    );
    assert!(
        advice.text(100).contains("\nlatch: 2 of 3 orders must be stronger, and 0 fences are missing\n"),
        "{advice}"
    );
    assert_eq!(advice.patch.lines().filter(|line| line.starts_with('+')).count(), 3, "{advice}");
}

#[test]
fn what_is_written_too_strong_is_weakened_where_that_breaks_the_programs() {
    let advice = advise(SeqCst);
    assert!(matches!(advice.goal, Goal::Strengthen) && advice.is_complete(), "{advice}");
    assert_eq!(super::needed(&advice), ["take: done.store: SeqCst -> Release"], "{advice}");
    let text = advice.text(100);
    let summary = "\nlatch: 0 of 3 orders must be stronger, 1 weaker, and 0 fences are missing\n";
    assert!(text.contains(summary), "{text}");
    assert!(
        text.contains("is_done: done.load  SeqCst   not examined\n"),
        "with the store weaker it may stay:\n{text}"
    );
}
