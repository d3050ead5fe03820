//! Rounds of loops in calls: the calls are ordered by what the rounds acquire.

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, Verdict, hint, thread};

struct Flag(AtomicUsize);

#[cdsspec::spec]
#[declare_state(value: usize)]
impl Flag {
    fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    #[side_effect(*value = 1)]
    fn set(&self) {
        #[op_define]
        self.0.store(1, Release);
    }

    #[side_effect(*value)]
    fn wait(&self) -> usize {
        loop {
            #[op_define]
            let value = self.0.load(Acquire);
            if value != 0 {
                return value;
            }
            hint::spin_loop();
        }
    }
}

#[test]
fn a_round_that_is_known_is_compared_with_a_new_one() {
    // A loop that is followed to its bound costs some hundred executions before it is known.
    let outcome = Builder::new().executions_max(20).check(|| {
        let flag = Arc::new(Flag::new());
        let word = Arc::new(AtomicUsize::new(0));
        let (set, other) = (flag.clone(), word.clone());
        let setter = thread::spawn(move || {
            let _ = other.load(Relaxed);
            set.set();
        });
        let write = thread::spawn({
            let word = word.clone();
            move || word.store(1, Relaxed)
        });
        flag.wait();
        setter.join().expect("it does not panic");
        write.join().expect("it does not panic");
    });
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Holds, 4), "{outcome}");
}
