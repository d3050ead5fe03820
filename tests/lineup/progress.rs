//! Calls that are declared to wait for nobody.

use cdsspec::lineup::{Check, Failure, LineUp, StuckCall};
use cdsspec::model::MemoryModel;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{Scenario, Verdict, hint};
use std::ptr::null_mut;

/// What a check of progress found.
#[track_caller]
fn stuck(check: &Check) -> &StuckCall {
    assert_eq!(check.verdict, Verdict::Stuck, "{check}");
    let Some(Failure::Stuck(stuck)) = &check.failure else { panic!("{check}") };
    stuck
}

/// A counter behind a lock that spins.
#[derive(Default)]
pub(super) struct Spinning(AtomicBool, AtomicU32);

impl Spinning {
    pub(super) fn inc(&self) -> u32 {
        while self.0.swap(true, Acquire) {
            hint::spin_loop();
        }
        let count = self.1.load(Relaxed) + 1;
        self.1.store(count, Relaxed);
        self.0.store(false, Release);
        count
    }

    fn try_inc(&self) -> Option<u32> {
        (!self.0.swap(true, Acquire)).then(|| {
            let count = self.1.load(Relaxed) + 1;
            self.1.store(count, Relaxed);
            self.0.store(false, Release);
            count
        })
    }

    fn get(&self) -> u32 {
        self.1.load(Acquire)
    }
}

pub(super) fn spinning() -> Scenario<Spinning> {
    Scenario::new(Spinning::default)
        .op("inc()", |spinning| spinning.inc().into())
        .op("try_inc()", |spinning| spinning.try_inc().into())
        .op("get()", |spinning| spinning.get().into())
}

#[test]
fn a_lock_is_waited_for_where_its_holder_stands_still() {
    let scenario = spinning().nonblocking("inc()");
    let matrix = scenario.matrix([["inc()"], ["inc()"]]);
    let check = LineUp::new(scenario).check(&matrix);
    let found = stuck(&check);
    assert_eq!((found.call.index(), found.waits_for, found.steps_max), (0, Some(1), None), "{check}");
    assert_eq!(found.still.len(), 1);
    let text = check.to_string();
    assert!(
        text.starts_with(
            "stuck: #0 inc() of `Spinning` waits for thread 2, and is declared to wait for nobody\n"
        ),
        "{text}"
    );
    assert!(
        text.contains("\n  thread 2 stands still before load(Relaxed) at tests/lineup/progress.rs:"),
        "{text}"
    );
    assert!(text.contains("        .nonblocking(\"inc()\");\n"), "{text}");
    assert!(text.contains(".check_progress(&matrix).into()\n"), "{text}");
}

#[test]
fn a_call_that_fails_or_only_looks_waits_for_nobody() {
    let scenario =
        spinning().nonblocking("try_inc()").wait_free("get()", 1).exempt("try_inc()").exempt("get()");
    let lineup = LineUp::new(scenario.clone());
    for columns in [["try_inc()", "inc()"], ["get()", "inc()"], ["try_inc()", "try_inc()"]] {
        let check = lineup.check_progress(&scenario.matrix(columns.map(|call| [call])));
        assert_eq!((check.verdict, check.failure.is_none()), (Verdict::HoldsWithin, true), "{check}");
    }
}

/// The same with std's lock, and a call that waits for another.
#[derive(Default)]
struct Locked(Mutex<u32>, Condvar);

#[test]
fn a_blocking_wait_is_one_also_where_nobody_stands_still() {
    let scenario = Scenario::new(Locked::default)
        .op("put()", |locked| {
            *locked.0.lock().expect("nobody panics with it") += 1;
            locked.1.notify_all();
            ().into()
        })
        .op("take()", |locked| {
            let count = locked.0.lock().expect("nobody panics with it");
            let mut count = locked.1.wait_while(count, |count| *count == 0).expect("nobody panics with it");
            *count -= 1;
            ().into()
        });
    let put = scenario.clone().nonblocking("put()");
    let check = LineUp::new(put.clone()).check(&put.matrix([["put()"], ["put()"]]));
    assert_eq!(stuck(&check).waits_for, Some(1), "{check}");
    // Alone, it waits for ever, and serially as well.
    let take = scenario.nonblocking("take()");
    let check = LineUp::new(take.clone()).check(&take.matrix([["take()"]]));
    assert_eq!((stuck(&check).waits_for, stuck(&check).still.len()), (None, 0), "{check}");
}

struct Node(u32, AtomicPtr<Node>);

/// A stack without locks, whose nodes are never freed.
struct Stack(AtomicPtr<Node>);

impl Stack {
    fn push(&self, value: u32) {
        let node = Box::into_raw(Box::new(Node(value, AtomicPtr::new(null_mut()))));
        loop {
            let head = self.0.load(Acquire);
            // SAFETY: nodes are never freed.
            unsafe { &*node }.1.store(head, Relaxed);
            if self.0.compare_exchange(head, node, Release, Relaxed).is_ok() {
                return;
            }
        }
    }

    fn pop(&self) -> Option<u32> {
        loop {
            let head = self.0.load(Acquire);
            if head.is_null() {
                return None;
            }
            // SAFETY: nodes are never freed.
            let Node(value, next) = unsafe { &*head };
            if self.0.compare_exchange(head, next.load(Relaxed), Acquire, Relaxed).is_ok() {
                return Some(*value);
            }
        }
    }
}

fn stack() -> Scenario<Stack> {
    Scenario::new(|| Stack(AtomicPtr::new(null_mut())))
        .op("push(1)", |stack| stack.push(1).into())
        .op("pop()", |stack| stack.pop().into())
}

#[test]
fn a_stack_without_locks_is_nonblocking_and_not_wait_free() {
    let scenario = stack().nonblocking("push(1)").nonblocking("pop()");
    let checks = LineUp::new(scenario).check_every(2, 1);
    assert_eq!((checks.verdict, checks.checked), (Verdict::HoldsWithin, 3), "{checks}");

    // A push that nobody is beside has three steps; each other one may cost it three more.
    let verdict = |steps, threads: usize| {
        let scenario = stack().wait_free("push(1)", steps);
        let matrix = scenario.matrix(vec![["push(1)"]; threads]);
        LineUp::new(scenario).check_progress(&matrix).verdict
    };
    for (steps, threads, expected) in [
        (3, 1, Verdict::HoldsWithin),
        (2, 1, Verdict::Stuck),
        (3, 2, Verdict::Stuck),
        (5, 2, Verdict::Stuck),
        (6, 2, Verdict::HoldsWithin),
    ] {
        assert_eq!(verdict(steps, threads), expected, "{steps} steps, {threads} threads");
    }
}

#[test]
fn a_counter_of_one_operation_is_wait_free() {
    let verdict = |steps| {
        let scenario = Scenario::new(AtomicU32::default)
            .op("fetch_add(1, Relaxed)", |count| count.fetch_add(1, Relaxed).into())
            .wait_free("fetch_add", steps);
        LineUp::new(scenario).check_every(2, 2)
    };
    assert_eq!(verdict(1).verdict, Verdict::HoldsWithin);
    let none = verdict(0);
    assert_eq!(none.verdict, Verdict::Stuck);
    let text = none.to_string();
    assert!(text.contains("takes 1 steps, and is declared to end within 0"), "{text}");
    // Made as small as possible.
    assert_eq!(none.failure.expect("it failed").matrix.dimension(), (1, 1));
}

/// The end of a list that is moved in two steps: who comes between them waits, or helps.
struct Tail {
    helps: bool,
    last: AtomicU32,
    tail: AtomicU32,
}

impl Tail {
    fn advance(&self) {
        loop {
            let tail = self.tail.load(SeqCst);
            if self.last.compare_exchange(tail, tail + 1, SeqCst, SeqCst).is_ok() {
                // Whoever helps may have done it already.
                let _ = self.tail.compare_exchange(tail, tail + 1, SeqCst, SeqCst);
                return;
            }
            if self.helps {
                let _ = self.tail.compare_exchange(tail, tail + 1, SeqCst, SeqCst);
            }
        }
    }
}

#[test]
fn who_waits_for_the_second_step_of_another_is_stuck_and_who_helps_is_not() {
    let check = |helps, threads: usize| {
        let make = move || Tail { helps, last: AtomicU32::new(0), tail: AtomicU32::new(0) };
        let scenario =
            Scenario::new(make).op("advance()", |tail| tail.advance().into()).nonblocking("advance()");
        let matrix = scenario.matrix(vec![["advance()"]; threads]);
        LineUp::new(scenario).check_progress(&matrix)
    };
    assert_eq!(check(false, 1).verdict, Verdict::HoldsWithin);
    let waits = check(false, 2);
    assert_eq!(stuck(&waits).waits_for, Some(1), "{waits}");
    let helps = check(true, 2);
    assert_eq!(helps.verdict, Verdict::HoldsWithin, "{helps}");
}

/// An instruction of a small machine with two words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Store(usize, u32),
    /// Goes on when the word has this value.
    Await(usize, u32),
    /// Swaps 1 in until there was 0.
    Lock(usize),
}

#[derive(Default)]
struct Words([AtomicU32; 2]);

impl Words {
    fn run(&self, script: &[Step], order: Ordering) {
        for step in script {
            match *step {
                Step::Store(word, value) => self.0[word].store(value, order),
                Step::Await(word, value) => {
                    while self.0[word].load(order) != value {
                        hint::spin_loop();
                    }
                }
                Step::Lock(word) => {
                    while self.0[word].swap(1, order) != 0 {
                        hint::spin_loop();
                    }
                }
            }
        }
    }
}

/// Whether the first script is stuck somewhere if the other threads stand still: all states of the machine, from each of which it runs alone.
fn is_stuck_somewhere(scripts: &[&[Step]]) -> bool {
    type State = (Vec<usize>, [u32; 2]);
    let step = |(at, words): &State, thread: usize| -> Option<State> {
        let (mut at, mut words) = (at.clone(), *words);
        match *scripts[thread].get(at[thread])? {
            Step::Store(word, value) => words[word] = value,
            Step::Await(word, value) if words[word] != value => return None,
            Step::Await(..) => {}
            Step::Lock(word) if words[word] != 0 => return None,
            Step::Lock(word) => words[word] = 1,
        }
        at[thread] += 1;
        Some((at, words))
    };
    let mut known: Vec<State> = vec![(vec![0; scripts.len()], [0, 0])];
    let mut next = 0;
    while next < known.len() {
        for thread in 0..scripts.len() {
            let after = step(&known[next], thread).filter(|after| !known.contains(after));
            known.extend(after);
        }
        next += 1;
    }
    known.into_iter().any(|mut state| {
        while let Some(after) = step(&state, 0) {
            state = after;
        }
        state.0[0] < scripts[0].len()
    })
}

const STEPS: [Step; 5] =
    [Step::Store(0, 1), Step::Store(1, 1), Step::Await(0, 1), Step::Await(1, 1), Step::Lock(0)];

/// All scripts of so many steps.
fn scripts(length: usize) -> Vec<Vec<Step>> {
    let longer = |all: Vec<Vec<Step>>| {
        let with = |script: &Vec<Step>| STEPS.map(|step| [&script[..], &[step]].concat());
        all.iter().flat_map(with).collect()
    };
    (0..length).fold(vec![Vec::new()], |all, _| longer(all))
}

/// Compares both on threads with all scripts of these lengths: how many programs there are, and how many of them are stuck.
fn compare(lengths: &[usize]) -> (u32, u32) {
    let with_next = |all: Vec<Vec<Vec<Step>>>, length: &usize| {
        let with = |program: Vec<Vec<Step>>| {
            scripts(*length).into_iter().map(move |script| [&program[..], &[script]].concat())
        };
        all.into_iter().flat_map(with).collect()
    };
    let programs: Vec<Vec<Vec<Step>>> = lengths.iter().fold(vec![Vec::new()], with_next);
    let (mut count, mut stuck_count) = (0, 0);
    for program in programs {
        let add = |scenario: Scenario<Words>, thread: usize| {
            let script = program[thread].clone();
            scenario.op(format!("call_{thread}()"), move |words| words.run(&script, SeqCst).into())
        };
        let scenario = (0..program.len()).fold(Scenario::new(Words::default), add).nonblocking("call_0()");
        let columns: Vec<[String; 1]> =
            (0..program.len()).map(|thread| [format!("call_{thread}()")]).collect();
        let matrix = scenario.matrix(columns);
        let lineup = LineUp::new(scenario).set_up(|builder| builder.memory_model(MemoryModel::Sc));
        let check = lineup.check_progress(&matrix);
        let expected = is_stuck_somewhere(&program.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let is_stuck = check.verdict == Verdict::Stuck;
        assert_eq!((is_stuck, check.holds()), (expected, !expected), "{program:?}\n{check}");
        count += 1;
        stuck_count += u32::from(expected);
    }
    (count, stuck_count)
}

#[test]
fn a_machine_that_visits_all_states_is_stuck_in_the_same_programs() {
    assert_eq!(compare(&[2, 2]), (625, 425));
    assert_eq!(compare(&[1, 1, 2]), (625, 338));
}

/// Counts for ever.
#[derive(Default)]
struct Runaway(AtomicU32);

#[test]
fn a_loop_without_end_has_too_many_steps() {
    let scenario = Scenario::new(Runaway::default)
        .op("run()", |runaway| {
            while runaway.0.fetch_add(1, Relaxed) < u32::MAX {}
            ().into()
        })
        .nonblocking("run()");
    let check = LineUp::new(scenario.clone()).check_progress(&scenario.matrix([["run()"]]));
    assert_eq!((stuck(&check).steps_max, stuck(&check).waits_for), (Some(100), None), "{check}");
}

#[test]
fn a_failure_in_vain_is_a_step() {
    let scenario = Scenario::new(AtomicU32::default).op("inc()", |count| {
        count.fetch_update(Relaxed, Relaxed, |count| Some(count + 1)).expect("it goes on").into()
    });
    for (steps, verdict) in [(2, Verdict::Stuck), (3, Verdict::HoldsWithin)] {
        let scenario = scenario.clone().wait_free("inc()", steps);
        let check = LineUp::new(scenario.clone()).check_progress(&scenario.matrix([["inc()"]; 2]));
        assert_eq!(check.verdict, verdict, "{check}");
    }
}

#[test]
fn steps_of_a_nonblocking_call_are_counted_from_a_point_on() {
    // Alone from anywhere, one of two additions finds an odd number; beside another thread it may take three.
    let scenario = Scenario::new(AtomicU32::default).op("odd()", |count| {
        while count.fetch_add(1, Relaxed).is_multiple_of(2) {}
        ().into()
    });
    let check = |scenario: Scenario<AtomicU32>| {
        LineUp::new(scenario.clone()).check_progress(&scenario.matrix([["odd()"]; 2])).verdict
    };
    assert_eq!(check(scenario.clone().nonblocking_within("odd()", 2)), Verdict::HoldsWithin);
    assert_eq!(check(scenario.clone().nonblocking_within("odd()", 1)), Verdict::Stuck);
    assert_eq!(check(scenario.wait_free("odd()", 2)), Verdict::Stuck);
}

#[test]
fn where_nothing_is_declared_nothing_is_found() {
    let scenario = spinning().nonblocking("inc()");
    let check = LineUp::new(scenario.clone()).check_progress(&scenario.matrix([["get()"]; 2]));
    assert_eq!(check.verdict, Verdict::Inconclusive, "{check}");
}

/// What is said in an attribute is what the builder is told.
#[derive(Default)]
struct Flag(AtomicBool);

#[cdsspec::scenarios]
impl Flag {
    #[scenario(nonblocking)]
    fn set(&self) {
        while self.0.swap(true, SeqCst) {
            hint::spin_loop();
        }
    }

    #[scenario(wait_free(steps = 1))]
    fn clear(&self) {
        self.0.store(false, SeqCst);
    }

    #[scenario(wait_free(steps = 1))]
    fn clear_twice(&self) {
        self.clear();
        self.clear();
    }
}

#[test]
fn an_attribute_says_it_as_well() {
    use cdsspec::lineup::Invoked;
    let scenario = Flag::invoked(Scenario::new(Flag::default));
    let lineup = LineUp::new(scenario.clone());
    let check = |columns: [[&str; 1]; 2]| lineup.check_progress(&scenario.matrix(columns)).verdict;
    assert_eq!(check([["set()"], ["clear()"]]), Verdict::HoldsWithin);
    assert_eq!(check([["clear()"], ["clear()"]]), Verdict::HoldsWithin);
    assert_eq!(check([["set()"], ["set()"]]), Verdict::Stuck);
    let twice = lineup.check_progress(&scenario.matrix([["clear_twice()"]]));
    assert_eq!((stuck(&twice).steps, stuck(&twice).steps_max), (2, Some(1)), "{twice}");
}
