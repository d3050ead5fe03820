//! Many tests at a time, and on several machines.

use super::explored::flag;
use cdsspec::lineup::{Checks, LineUp};
use cdsspec::model::Shard;
use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::{AtomicBool, AtomicU32};
use cdsspec::{Explore, Scenario, Verdict, hint};

/// A stack whose counter of pushes all stacks of an execution share.
#[derive(Default)]
struct Stack(Mutex<Vec<u32>>);

static PUSHES: AtomicU32 = AtomicU32::new(0);

fn stack() -> Scenario<Stack> {
    Scenario::new(Stack::default)
        .op_for("push", [1, 2], |stack, value| {
            stack.0.lock().expect("nobody panics with it").push(value);
            PUSHES.fetch_add(1, SeqCst);
            ().into()
        })
        .op("pop()", |stack| stack.0.lock().expect("nobody panics with it").pop().into())
        // It is not the stack's alone that is asked.
        .op("pushes()", |_| PUSHES.load(SeqCst).into())
        .exempt("pushes()")
}

/// Loses increments.
#[derive(Default)]
struct Counter(AtomicU32);

fn counter() -> Scenario<Counter> {
    Scenario::new(Counter::default).op("get()", |counter| counter.0.load(SeqCst).into()).op(
        "inc()",
        |counter| {
            counter.0.store(counter.0.load(SeqCst) + 1, SeqCst);
            ().into()
        },
    )
}

/// A counter behind a lock that spins: which rounds are left out is decided by stacks.
#[derive(Default)]
struct Spinning(AtomicBool, AtomicU32);

impl Spinning {
    fn inc(&self) -> u32 {
        while self.0.swap(true, Acquire) {
            hint::spin_loop();
        }
        let count = self.1.load(Relaxed) + 1;
        self.1.store(count, Relaxed);
        self.0.store(false, Release);
        count
    }
}

fn spinning() -> Scenario<Spinning> {
    Scenario::new(Spinning::default).op("inc()", |spinning| spinning.inc().into())
}

/// All that is said of tests, but for times.
fn said(checks: &Checks) -> String {
    let Checks { verdict, checked, passed, failed, left_out, .. } = checks;
    format!("{verdict} {checked} {passed} {failed} {left_out:?} {:?}\n{checks}", checks.found)
}

#[test]
fn nothing_but_the_time_depends_on_the_number_of_jobs() {
    let runs: [(&dyn Fn(usize) -> Checks, Verdict); 6] = [
        (&|jobs| LineUp::new(stack()).jobs(jobs).check_every(2, 1), Verdict::HoldsWithin),
        (&|jobs| LineUp::new(counter()).jobs(jobs).check_every(2, 2), Verdict::Violated),
        (
            &|jobs| LineUp::new(counter()).jobs(jobs).stop_at_first(false).random_check(2, 3, 9, 1),
            Verdict::Violated,
        ),
        (&|jobs| LineUp::new(spinning()).jobs(jobs).check_every(2, 2), Verdict::HoldsWithin),
        (&|jobs| LineUp::new(spinning()).jobs(jobs).random_check(3, 1, 2, 1), Verdict::HoldsWithin),
        // Against a specification; the report names the test.
        (&|jobs| Explore::of(flag()).jobs(jobs).run(), Verdict::Violated),
    ];
    for (run, verdict) in runs {
        let one = run(1);
        assert_eq!(one.verdict, verdict, "{one}");
        for jobs in [2, 5] {
            assert_eq!(said(&run(jobs)), said(&one), "{jobs} jobs");
        }
    }
}

#[test]
fn searches_run_beside_each_other_in_one_process() {
    let run = || LineUp::new(stack()).jobs(2).random_check(2, 2, 6, 3);
    let alone = said(&run());
    let beside = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(run)).collect();
        threads.into_iter().map(|thread| said(&thread.join().expect("it does not panic"))).collect::<Vec<_>>()
    });
    assert_eq!(beside, [alone.as_str(); 3]);
}

/// How the tests are made.
type Search<'a> = &'a dyn Fn(&LineUp<Stack>) -> Checks;

#[test]
fn parts_have_every_test_once() {
    let lineup = LineUp::new(stack());
    let searches: [(Search<'_>, u64); 3] = [
        (&|lineup| lineup.check_every(2, 1), 10),
        (&|lineup| lineup.auto_check(2), 11),
        (&|lineup| lineup.random_check(2, 2, 8, 5), 8),
    ];
    for (search, count) in searches {
        let whole = search(&lineup.clone().shard(Shard::WHOLE));
        assert_eq!(whole.checked, count, "{whole}");
        for parts in [2, 3, 12] {
            let part = |index| {
                let shard = Shard::new(index, parts).expect("there is one");
                let checks = search(&lineup.clone().shard(shard));
                assert_eq!((checks.verdict, checks.left_out), (Verdict::HoldsWithin, whole.left_out));
                assert!(
                    checks.to_string().contains(&format!("  bounds  shard {index}/{parts}: ")),
                    "{checks}"
                );
                [checks.checked, checks.passed, checks.serial_histories, checks.concurrent_histories]
            };
            let mut sums = [0; 4];
            for index in 1..=parts {
                sums.iter_mut().zip(part(index)).for_each(|(sum, number)| *sum += number);
            }
            let Checks { checked, passed, serial_histories, concurrent_histories, .. } = whole;
            assert_eq!(sums, [checked, passed, serial_histories, concurrent_histories], "{parts} parts");
        }
    }
}

#[test]
fn what_is_left_out_of_each_size_counts() {
    // Alone, it has nothing before it.
    let scenario = counter().only_after("get()", "inc()");
    let mut matrices = scenario.matrices(2, 2);
    assert!(matrices.by_ref().count() > 0);
    let of_two = matrices.left_out();
    let lineup = LineUp::new(scenario.clone());
    let all = lineup.clone().stop_at_first(false).auto_check(2).left_out;
    assert_eq!((all.excluded, all.repeated), (of_two.excluded + 1, of_two.repeated));
    // Up to the first that fails as well.
    let found = lineup.auto_check(2);
    let mut matrices = scenario.matrices(2, 2);
    assert!(matrices.by_ref().any(|matrix| Some(matrix) == found.found), "{found}");
    let (before, up_to) = (matrices.left_out(), found.left_out);
    assert_eq!((up_to.excluded, up_to.repeated), (before.excluded + 1, before.repeated));
}
