//! Structures and tests that were judged wrongly once.

use super::PRECEDENCES;
use cdsspec::lineup::{Checks, Failure, LineUp, ObservationSet, Precedence};
use cdsspec::sync::atomic::{AtomicI32, AtomicU32, Ordering::SeqCst};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{Scenario, Verdict, hint};
use std::time::Duration;

/// A semaphore, one way to take a permit of which gives up after a while.
#[derive(Default)]
struct Semaphore(Mutex<u32>, Condvar);

impl Semaphore {
    fn release(&self) {
        *self.0.lock().expect("nobody panics with it") += 1;
        self.1.notify_all();
    }

    fn acquire(&self) {
        let mut count = self.0.lock().expect("nobody panics with it");
        while *count == 0 {
            count = self.1.wait(count).expect("nobody panics with it");
        }
        *count -= 1;
    }

    fn try_acquire(&self) -> bool {
        let mut count = self.0.lock().expect("nobody panics with it");
        if *count == 0 {
            count = self.1.wait_timeout(count, Duration::from_secs(1)).expect("nobody panics with it").0;
        }
        let is_there = *count > 0;
        *count -= u32::from(is_there);
        is_there
    }
}

#[test]
fn a_wait_with_a_timeout_ends_serially_as_it_did_before() {
    let scenario = Scenario::new(Semaphore::default)
        .op("release()", |semaphore| semaphore.release().into())
        .op("acquire()", |semaphore| semaphore.acquire().into())
        .op("try_acquire()", |semaphore| semaphore.try_acquire().into());
    for precedence in PRECEDENCES {
        let lineup = LineUp::new(scenario.clone()).precedence(precedence);
        for columns in [["try_acquire()", "acquire()"], ["try_acquire()", "release()"]] {
            let check = lineup.check(&scenario.matrix([vec!["try_acquire()"], columns.to_vec()]));
            assert_eq!(check.verdict, Verdict::HoldsWithin, "{check}");
        }
    }
}

#[derive(Default)]
struct Locked(Mutex<u32>);

#[test]
fn what_a_thread_keeps_at_its_end_stays_so_in_both_phases() {
    let scenario = Scenario::new(Locked::default)
        .op_keeping("lock()", |locked, kept| {
            kept.hold(locked.0.lock().expect("nobody panics with it"));
            ().into()
        })
        .op_keeping("try_lock()", |locked, kept| {
            let guard = locked.0.try_lock().ok();
            let is_there = guard.is_some();
            kept.hold(guard);
            is_there.into()
        });
    for precedence in PRECEDENCES {
        let checks = LineUp::new(scenario.clone()).precedence(precedence).check_every(2, 1);
        assert_eq!((checks.verdict, checks.passed), (Verdict::HoldsWithin, 3), "{checks}");
    }
}

/// Two words; who puts something into the one puts 7 into the other as well, for a moment.
#[derive(Default)]
struct Two([AtomicI32; 2]);

#[test]
fn arguments_are_not_alike_unless_somebody_says_so() {
    let scenario = Scenario::new(Two::default)
        .op_for("put", [(0, 1), (1, 1)], |two, (key, value): (usize, i32)| {
            two.0[1 - key].store(7, SeqCst);
            two.0[1 - key].store(0, SeqCst);
            two.0[key].store(value, SeqCst).into()
        })
        .op_for("get", [0, 1], |two, key: usize| two.0[key].load(SeqCst).into());
    let checks = LineUp::new(scenario).precedence(Precedence::RealTime).check_every(2, 1);
    assert_eq!(checks.verdict, Verdict::Violated, "{checks}");
}

/// Loses increments, and hangs where it sees one.
#[derive(Default)]
struct Hangs(AtomicU32);

#[test]
fn a_test_that_is_made_smaller_fails_in_the_same_way() {
    let scenario = Scenario::new(Hangs::default)
        .op("inc()", |hangs| hangs.0.store(hangs.0.load(SeqCst) + 1, SeqCst).into())
        .op("hang()", |hangs| {
            if hangs.0.load(SeqCst) == 1 {
                while hangs.0.load(SeqCst) != 3 {
                    hint::spin_loop();
                }
            }
            ().into()
        });
    let lineup = LineUp::new(scenario.clone());
    let check = lineup.check(&scenario.matrix([["inc()", "hang()"]; 2]));
    let is_stuck = |check: &cdsspec::lineup::Check| {
        matches!(check.failure, Some(Failure::NoWitness { pending: Some(_), .. }))
    };
    assert_eq!(check.verdict, Verdict::Violated, "{check}");
    let was_stuck = is_stuck(&check);
    let smallest = lineup.smallest(check);
    assert_eq!((smallest.verdict, is_stuck(&smallest)), (Verdict::Violated, was_stuck), "{smallest}");
}

/// Loses increments that are made at once.
#[derive(Default)]
struct Loses {
    count: AtomicU32,
    turns: AtomicU32,
}

#[test]
fn what_a_synchronisation_orders_has_no_witness_in_another_order() {
    let scenario = Scenario::new(Loses::default)
        .op("inc()", |loses| loses.count.store(loses.count.load(SeqCst) + 1, SeqCst).into())
        .op("sync()", |loses| {
            loses.turns.fetch_add(1, SeqCst);
            ().into()
        })
        .op("get()", |loses| loses.count.load(SeqCst).into());
    let test = scenario.matrix([vec!["inc()", "sync()"], vec!["inc()", "sync()", "get()"]]);
    for precedence in PRECEDENCES {
        let check = LineUp::new(scenario.clone()).precedence(precedence).check(&test);
        // It gets 1, as it does before the other thread does anything, and after that.
        assert_eq!(check.verdict, Verdict::Violated, "{precedence:?}: {check}");
    }
}

/// Waits a hundred rounds for nothing.
#[derive(Default)]
struct Slow(AtomicU32);

impl Slow {
    fn wait(&self) {
        for _ in 0..100 {
            if self.0.load(SeqCst) == 1 {
                break;
            }
            hint::spin_loop();
        }
    }
}

#[test]
fn a_bound_that_every_execution_reaches_is_no_pass() {
    let scenario = Scenario::new(Slow::default).op("wait()", |slow| slow.wait().into());
    let lineup = LineUp::new(scenario.clone()).set_up(|builder| builder.loop_rounds_max(2));
    let matrix = scenario.matrix([["wait()"]]);
    // In the serial phase, and in the other one.
    let model = ObservationSet::of_model(&matrix, (), |(), _| Some(().into()));
    for check in [lineup.check(&matrix), lineup.check_against(&matrix, &model)] {
        assert_eq!(check.verdict, Verdict::Inconclusive, "{check}");
        assert!(check.limit.is_some(), "{check}");
    }
}

#[test]
fn what_was_passed_over_is_counted_behind_a_failure_too() {
    let scenario = || {
        Scenario::new(Loses::default)
            .op("inc()", |loses| loses.count.store(loses.count.load(SeqCst) + 1, SeqCst).into())
            .op("get()", |loses| loses.count.load(SeqCst).into())
    };
    // The same tests of something that does nothing.
    let idle = || Scenario::new(|| ()).op("inc()", |()| ().into()).op("get()", |()| ().into());
    let counts = |checks: &Checks| (checks.checked, checks.left_out);
    let all = LineUp::new(scenario()).shrink(false).stop_at_first(false);
    let (failed, passed) = (all.auto_check(2), LineUp::new(idle()).auto_check(2));
    assert_eq!((failed.verdict, passed.verdict), (Verdict::Violated, Verdict::HoldsWithin));
    assert_eq!(counts(&failed), counts(&passed));
}

#[test]
fn a_call_that_is_not_judged_may_be_nondeterministic() {
    // Not of the model: it goes on from execution to execution.
    static TOSSED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let tossed = Scenario::new(|| ()).op("toss()", |()| (TOSSED.fetch_add(1, SeqCst) % 2).into());
    let of = |scenario: Scenario<()>| LineUp::new(scenario.clone()).check(&scenario.matrix([["toss()"]; 3]));
    let (judged, not) = (of(tossed.clone()), of(tossed.not_linearizable("toss()")));
    assert!(matches!(judged.failure, Some(Failure::Nondeterministic { .. })), "{judged}");
    assert_eq!(not.verdict, Verdict::HoldsWithin, "{not}");
}

#[test]
fn what_is_exempt_is_read_back_from_a_file() {
    let scenario = Scenario::new(Semaphore::default)
        .op("release()", |semaphore| semaphore.release().into())
        .op("acquire()", |semaphore| semaphore.acquire().into())
        .op("try_acquire()", |semaphore| semaphore.try_acquire().into())
        .exempt("release()")
        .exempt_result("try_acquire()", false);
    let matrix = scenario.matrix([vec!["release()", "acquire()"], vec!["try_acquire()"]]);
    let lineup = LineUp::new(scenario);
    let observed = lineup.observe(&matrix).expect("it ends");
    assert!(observed.stuck_count() > 0 && observed.full_count() > 0);
    let read = ObservationSet::from_xml(&observed.to_xml(&matrix), &matrix).expect("it is well-formed");
    assert_eq!(read, observed.as_texts());
    for set in [&observed, &read] {
        let check = lineup.check_against(&matrix, set);
        assert!(check.holds(), "{check}");
    }
}
