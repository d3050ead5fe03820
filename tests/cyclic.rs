//! hb ∪ sc of a legal execution may be cyclic: then no specification is to blame, and the report says so.

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{self, Relaxed, Release, SeqCst};
use cdsspec::{Builder, EngineKind, Verdict, thread};
use std::sync::Arc;

/// A number whose every access orders its call.
struct Register(AtomicUsize);

#[cdsspec::spec]
#[declare_state(value: usize)]
impl Register {
    #[side_effect(*value = new)]
    fn write(&self, new: usize, order: Ordering) {
        #[op_define]
        self.0.store(new, order);
    }

    #[side_effect(*value)]
    #[post_condition(true)]
    fn add(&self, order: Ordering) -> usize {
        #[op_define]
        let old = self.0.fetch_add(1, order);
        old
    }

    #[side_effect(*value)]
    #[post_condition(true)]
    fn read(&self, order: Ordering) -> usize {
        #[op_define]
        let seen = self.0.load(order);
        seen
    }
}

/// Z6.U: the calls of its accesses can make a circle of hb and sc that the model allows.
fn z6_u() {
    let x = Arc::new(Register(AtomicUsize::new(0)));
    let y = Arc::new(Register(AtomicUsize::new(0)));
    let (x1, y1, y2) = (x.clone(), y.clone(), y.clone());
    let first = thread::spawn(move || {
        x1.write(1, SeqCst);
        y1.write(1, Release);
    });
    let second = thread::spawn(move || {
        y2.add(SeqCst);
        y2.read(Relaxed);
    });
    y.write(3, SeqCst);
    x.read(SeqCst);
    first.join().expect("no thread panics");
    second.join().expect("no thread panics");
}

#[test]
fn a_circle_that_the_memory_model_allows_is_not_the_specifications() {
    let outcome = Builder::new().engine(EngineKind::Rc11).stop_at_first(false).check(z6_u);
    assert_eq!(outcome.verdict, Verdict::Cyclic, "{outcome}");
    let report = outcome.report().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains("memory model"), "{report}");
    assert!(outcome.counts[&Verdict::Holds] > 0, "{outcome}");
}
