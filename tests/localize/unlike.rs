//! What is told of structures whose specification says other things than serial runs, or than the values that a scenario compares; and of scenarios with constraints.

use cdsspec::localize::{HistorySource, Localize, Obstacle, linearize};
use cdsspec::sync::atomic::{AtomicU32, Ordering::SeqCst};
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, Scenario, Strategy, Verdict};
use std::collections::VecDeque;

#[derive(Default)]
struct Queue(Mutex<VecDeque<u32>>);

#[cdsspec::spec]
#[declare_state(q: VecDeque<u32>)]
impl Queue {
    #[side_effect(q.push_back(value))]
    fn enq(&self, value: u32) {
        self.0.lock().expect("nobody panics with it").push_back(value);
    }

    #[side_effect(q.pop_front())]
    fn deq(&self) -> Option<u32> {
        self.0.lock().expect("nobody panics with it").pop_front()
    }
}

fn queue() -> Scenario<Queue> {
    let enq = |queue: &Queue, value| {
        queue.enq(value);
        cdsspec::scenario::Value::from(())
    };
    let scenario = Scenario::new(Queue::default);
    scenario.op("enq(1)", move |queue| enq(queue, 1)).op("enq(2)", move |queue| enq(queue, 2))
}

#[test]
fn a_call_is_judged_by_its_own_record() {
    let scenario = queue().op("deq()", |queue| queue.deq().is_some().into());
    let localization = Localize::of(scenario).calls(6).run();
    assert_eq!(localization.verdict, Verdict::HoldsWithin, "{localization}");
}

/// Counts, and may give up; loses increments but the first one.
#[derive(Default)]
struct Contended(Mutex<()>, AtomicU32);

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(count: u32)]
impl Contended {
    #[side_effect(if c_ret.is_some() { *count += 1 })]
    #[post_condition(c_ret.is_none_or(|count_now| count_now == *count))]
    #[scenario]
    fn inc(&self) -> Option<u32> {
        let Ok(_guard) = self.0.try_lock() else {
            let before = self.1.load(SeqCst);
            if before == 0 {
                return None;
            }
            self.1.store(before + 1, SeqCst);
            return Some(before + 1);
        };
        Some(self.1.fetch_add(1, SeqCst) + 1)
    }
}

/// Giving up is no fault, whatever serial runs do: the test case needs an increment before the two that are at once.
#[test]
fn what_the_specification_allows_is_no_test_case() {
    let localization = Localize::new(Contended::default).calls(4).run();
    let fault = localization.fault.as_ref().expect("increments are lost");
    assert!(fault.smallest.initial.len() + fault.concurrent_size() > 2, "{localization}");
    let proof = fault.proof.as_ref().expect("it is explored");
    assert!(proof.is_sufficient(), "{localization}");
    assert!(proof.history.iter().all(|call| !call.ends_with("None")), "{localization}");
}

/// Must be begun with.
struct Begun(AtomicU32);

#[cdsspec::spec]
#[declare_state(count: u32)]
impl Begun {
    #[side_effect(*count += 0)]
    fn init(&self) {
        let _ = self.0.compare_exchange(1000, 0, SeqCst, SeqCst);
    }

    #[side_effect({ *count += 1; *count })]
    fn inc(&self) -> u32 {
        let before = self.0.load(SeqCst);
        if before == 1000 {
            return before;
        }
        self.0.store(before + 1, SeqCst);
        before + 1
    }
}

fn begun() -> Scenario<Begun> {
    let scenario = Scenario::new(|| Begun(AtomicU32::new(1000)));
    let scenario = scenario.op("init()", |begun| {
        begun.init();
        cdsspec::scenario::Value::from(())
    });
    scenario.op("inc()", |begun| begun.inc().into())
}

#[test]
fn a_test_case_keeps_to_the_constraints_and_begins_as_all_tests_do() {
    let by_constraint = begun().only_after("inc()", "init()");
    for scenario in [by_constraint, begun().initial(["init()"])] {
        let localization = Localize::of(scenario).calls(4).run();
        let fault = localization.fault.as_ref().expect("increments are lost");
        let all = fault.smallest.to_string();
        assert!(all.contains("init()") && fault.concurrent_size() == 2, "{localization}");
        // What a closure makes cannot be printed.
        assert!(localization.to_string().contains("make it as the scenario does"), "{localization}");
    }
}

#[test]
fn scenarios_whose_tests_are_few_are_drawn_call_by_call() {
    let scenario = queue().op("deq()", |queue| queue.deq().into());
    let scenarios = [
        scenario.clone().one_thread(["deq()"]),
        scenario.clone().never_parallel("enq(1)", "deq()"),
        scenario.clone().once("enq(1)"),
    ];
    for scenario in scenarios {
        let localization = Localize::of(scenario).calls(10).run();
        assert_eq!(localization.verdict, Verdict::HoldsWithin, "{localization}");
    }
    let none = Localize::of(scenario.clone()).calls(0).run();
    assert_eq!((none.verdict, none.limit), (Verdict::Inconclusive, Some(Obstacle::NothingToInvoke)));
    let many = Localize::of(scenario).calls(40_000).run();
    assert_eq!((many.verdict, many.limit), (Verdict::Inconclusive, Some(Obstacle::TooManyCalls)));
}

/// Two locks, taken in either order.
#[derive(Default)]
struct TwoLocks([Mutex<u32>; 2]);

#[cdsspec::spec]
#[declare_state(count: u32)]
impl TwoLocks {
    #[side_effect({ *count += 1; *count })]
    fn one(&self) -> u32 {
        let mut first = self.0[0].lock().expect("nobody panics with it");
        let _second = self.0[1].lock().expect("nobody panics with it");
        *first += 1;
        *first
    }

    #[side_effect({ *count += 1; *count })]
    fn other(&self) -> u32 {
        let _second = self.0[1].lock().expect("nobody panics with it");
        let mut first = self.0[0].lock().expect("nobody panics with it");
        *first += 1;
        *first
    }
}

#[test]
fn runs_that_deadlock_are_no_pass() {
    let linearization = linearize(Builder::new().runs(50), || {
        let locks = Arc::new(TwoLocks::default());
        let others = locks.clone();
        let thread = cdsspec::thread::spawn(move || others.one());
        locks.other();
        thread.join().expect("it does not panic");
    });
    assert_eq!(linearization.verdict, Verdict::Inconclusive, "{linearization}");
}

const RECORDED: u64 = 3;

#[test]
fn real_threads_of_which_no_run_was_recorded_are_no_pass() {
    let scenario = Scenario::new(TwoLocks::default).op("one()", |locks| locks.one().into());
    // Recorded runs come first.
    let count = std::sync::atomic::AtomicU64::new(0);
    let scenario = scenario.op("fail()", move |_| {
        assert!(count.fetch_add(1, SeqCst) >= RECORDED, "in recorded runs alone");
        0.into()
    });
    let localize = Localize::of(scenario.initial(["fail()"])).source(HistorySource::RealThreads);
    let localization = localize.runs(RECORDED).calls(1).run();
    assert_eq!(localization.verdict, Verdict::Inconclusive, "{localization}");
}

#[test]
fn histories_with_a_call_that_did_not_return_are_no_pass() {
    let linearization = linearize(Builder::new().runs(5), || {
        let (queue, broken) = (Queue::default(), Queue::default());
        queue.enq(1);
        let _ = std::panic::catch_unwind(|| {
            let _guard = broken.0.lock();
            panic!("with the lock");
        });
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| broken.enq(1)));
    });
    assert_eq!(linearization.verdict, Verdict::Inconclusive, "{linearization}");
    assert!(linearization.pending > 0, "{linearization}");
}

/// Reads so often that nobody can count it.
#[derive(Default)]
struct Endless(AtomicU32);

#[cdsspec::spec]
#[declare_state(count: u32)]
impl Endless {
    #[side_effect(*count)]
    fn get(&self) -> u32 {
        for _ in 0..4_000_000_000_u32 {
            for _ in 0..4_000_000_000_u32 {
                if self.0.load(SeqCst) == 0 {
                    return 0;
                }
            }
        }
        1
    }
}

#[test]
fn a_call_that_may_do_more_than_can_be_counted_is_expected_to_do_very_much() {
    let builder = Builder::new().runs(5).strategy(Strategy::Dpct { depth: 3 });
    let linearization = linearize(builder, || {
        let endless = Arc::new(Endless::default());
        let other = endless.clone();
        let thread = cdsspec::thread::spawn(move || other.get());
        endless.get();
        thread.join().expect("it does not panic");
    });
    assert_eq!(linearization.verdict, Verdict::HoldsWithin, "{linearization}");
}
