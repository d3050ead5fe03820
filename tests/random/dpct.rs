//! PCT with the number of steps counted from the source of what is called: the first run of a program is as good as any.

use cdsspec::scenario::{Scenario, Value};
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::SeqCst;
use cdsspec::{Builder, Strategy, Verdict};

/// A counter that loses increments.
#[derive(Default)]
struct Counter {
    count: AtomicUsize,
}

#[cdsspec::spec]
#[declare_state(count: usize)]
impl Counter {
    #[side_effect(*count += 1)]
    fn increment(&self) {
        let before = self.before();
        self.count.store(before + 1, SeqCst);
    }

    #[side_effect(*count)]
    #[post_condition(true)]
    fn get(&self) -> usize {
        self.count.load(SeqCst)
    }

    fn before(&self) -> usize {
        for _ in 0..5 {
            self.count.load(SeqCst);
        }
        self.count.load(SeqCst)
    }
}

/// In how many of so many single runs, each with another seed, an increment was lost.
fn hits(runs: u64, strategy: Strategy) -> u64 {
    let scenario = Scenario::new(Counter::default)
        .op("increment()", |counter| {
            counter.increment();
            Value::from(())
        })
        .op("get()", |counter| counter.get().into())
        .op("look", |counter| {
            assert_eq!(counter.get(), 2);
            Value::from(())
        })
        .last(["look"]);
    let calls = ["get()", "get()", "get()", "increment()"];
    let program = scenario.program(&scenario.matrix([calls, calls]));
    let program = std::sync::Arc::new(program);
    let lost = |seed: &u64| {
        let program = program.clone();
        let builder =
            Builder::new().engine("random").memory_model("sc").runs(1).seed(*seed).strategy(strategy);
        builder.check(move || program()).verdict == Verdict::Panic
    };
    (0..runs).filter(lost).count() as u64
}

/// Three threads. An increment does seven operations, three of each other call one, and the last call is taken for one.
#[test]
fn single_runs_find_what_the_bound_says() {
    let runs = 1_500;
    let found = hits(runs, Strategy::Dpct { depth: 2 });
    let expected = runs as f64 / (3.0 * 21.0);
    assert!(expected >= 20.0);
    assert!(found as f64 >= expected - 2.33 * expected.sqrt(), "{found} of {expected}");
    // Nothing is known of the length before the first run: the change comes where the program begins.
    assert_eq!(hits(100, Strategy::Pct { depth: 2 }), 0);
}
