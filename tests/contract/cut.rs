//! Executions that are cut: what was done up to there was done, and is looked at.

use cdsspec::Verdict::{Holds, HoldsWithin, Misused};
use cdsspec::contract::Sets;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, Outcome, hint, thread};

/// One producer at a time.
#[derive(Default)]
struct Quiet {
    word: AtomicU32,
    flag: AtomicU32,
    contract: Sets,
}

#[cdsspec::contract(event_sets(prod))]
impl Quiet {
    #[expects(!prod.concurrent(now), says = "two")]
    #[add_current(prod)]
    fn push(&self) {}

    // Longer than a bound on loops allows.
    fn wait(&self) {
        let mut rounds = 0;
        while self.word.load(Relaxed) == 0 && rounds < 200 {
            rounds += 1;
            hint::spin_loop();
        }
    }
}

fn beside(first: fn(&Quiet), second: fn(&Quiet)) -> Outcome {
    Builder::new().check(move || {
        let quiet = Arc::new(Quiet::default());
        let other = quiet.clone();
        let child = thread::spawn(move || first(&other));
        second(&quiet);
        child.join().expect("it does not panic");
    })
}

#[test]
fn a_misuse_before_a_bound_on_loops_is_one() {
    let publishes: fn(&Quiet) = |quiet| {
        quiet.push();
        quiet.flag.store(1, Release);
    };
    let outcome = beside(
        |quiet| {
            if quiet.flag.load(Acquire) == 0 {
                quiet.push();
                quiet.wait();
            }
        },
        publishes,
    );
    assert_eq!(outcome.verdict, Misused, "{outcome}");
    // The same wait, after a push that is ordered.
    let outcome = beside(
        |quiet| {
            if quiet.flag.load(Acquire) == 1 {
                quiet.push();
                quiet.wait();
            }
        },
        publishes,
    );
    assert_eq!(outcome.verdict, HoldsWithin, "{outcome}");
}

#[test]
fn a_misuse_before_a_limit_of_operations_is_one() {
    let outcome = beside(
        |quiet| {
            quiet.push();
            for _ in 0..3000 {
                quiet.flag.load(Relaxed);
            }
        },
        Quiet::push,
    );
    assert_eq!(outcome.verdict, Misused, "{outcome}");
}

/// Who waits for something by a call under a contract, and who does so by another call.
#[derive(Default)]
struct Polled {
    word: AtomicU32,
    contract: Sets,
}

#[cdsspec::contract(event_sets(used))]
impl Polled {
    #[add_current(used)]
    fn poll(&self) -> bool {
        self.is_there()
    }

    fn is_there(&self) -> bool {
        self.word.load(Acquire) == 1
    }
}

#[test]
fn a_loop_that_calls_under_a_contract_is_explored_within_a_bound() {
    let wait = |is_there: fn(&Polled) -> bool| {
        let program = move || {
            let polled = Arc::new(Polled::default());
            let other = polled.clone();
            let child = thread::spawn(move || other.word.store(1, Release));
            while !is_there(&polled) {
                hint::spin_loop();
            }
            polled.poll();
            child.join().expect("it does not panic");
        };
        Builder::new().loop_rounds_max(3).check(program).verdict
    };
    assert_eq!([wait(Polled::poll), wait(Polled::is_there)], [HoldsWithin, Holds]);
}
