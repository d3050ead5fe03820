//! Inclusion checks, unrolling, limits, counterexamples, and minimal sets of fences.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

mod corner;
mod place;
mod trace;

use cdsspec_fence::explore::{Exploration, GaveUp, Settings, Verdict};
use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::lsl::value::Value;
use cdsspec_fence::lsl::{Program, parse};
use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_fence::observation::{Observation, ObservationSet};
use cdsspec_fence::solver::{Answer, Bit, Limits, Solver};
use std::collections::BTreeSet;
use std::time::Duration;

/// A counter that is raised by compare-and-swap, and tried again: so many rounds as there are threads.
const COUNTER: &str = "
global count = 0
proc raise()(old) {
  yes = 1
  count = &count
  retry: {
    old = *count
    new = add(old, yes)
    atomic {
      now = *count
      is_same = eq(now, old)
      is_other = not(is_same)
      write: { if (is_other) break write *count = new }
    }
    if (is_other) continue retry
  }
}
";

/// Threads that take a lock and add to a location under it.
const LOCKED: &str = "
global lock = 0
global sum = 1
proc add_under_lock(value)(old) {
  held = 1
  free = 0
  lock = &lock
  sum = &sum
  SPIN wait: {
    atomic { is_held = *lock *lock = held }
    if (is_held) continue wait
  }
  fence ll fence ls
  old = *sum
  new = add(old, value)
  *sum = new
  fence ls fence ss
  atomic { is_held = *lock assert (is_held) *lock = free }
}
thread { add_under_lock(1)() }
thread { add_under_lock(2)() }
";

fn counter(threads: usize) -> Program {
    parse(&(COUNTER.to_owned() + &"thread { raise()() }\n".repeat(threads))).unwrap()
}

fn mined(program: &Program, settings: Settings) -> ObservationSet {
    let mined = Exploration::new(program, settings).observations().unwrap();
    assert!(!mined.is_bounded);
    mined.set
}

#[test]
fn loops_are_unrolled_until_no_execution_needs_more_rounds() {
    for (threads, observation_count) in [(1, 1), (2, 2), (3, 6)] {
        let program = counter(threads);
        let serial = mined(&program, Settings::new(MemoryModel::Serial));
        assert_eq!(serial.observations.len(), observation_count);
        let mut exploration = Exploration::new(&program, Settings::new(MemoryModel::Sc));
        assert_eq!(exploration.check_inclusion(&serial), Verdict::Holds);
        // Each round that fails does so since another thread's was right.
        assert_eq!(exploration.statistics().accesses, 3 * threads * threads);
        assert_eq!(mined(&program, Settings::new(MemoryModel::Sc)), serial);
    }
}

#[test]
fn a_bound_on_rounds_is_never_a_pass() {
    let program = counter(2);
    let serial = mined(&program, Settings::new(MemoryModel::Serial));
    let check = |rounds_max| {
        let settings = Settings { rounds_max, ..Settings::new(MemoryModel::Sc) };
        Exploration::new(&program, settings).check_inclusion(&serial)
    };
    assert_eq!(check(0), Verdict::HoldsWithin);
    assert_eq!(check(1), Verdict::HoldsWithin);
    assert_eq!(check(2), Verdict::Holds);
    let settings = Settings { rounds_max: 1, ..Settings::new(MemoryModel::Sc) };
    assert!(Exploration::new(&program, settings).observations().unwrap().is_bounded);
}

/// The second round would write what the first one waits for: no execution of the first round alone needs another one.
#[test]
fn a_loop_that_an_early_store_may_repeat_is_within_a_bound() {
    let program = |is_storing: bool| {
        let store = if is_storing { "*y = one" } else { "" };
        parse(&format!(
            "global x = 0 global y = 0
             proc a()() {{ x = &x y = &y one = 1 c = 0 t: {{ d = *x u: {{ n = not(c) if (n) break u {store} d = 0 }} c = 1 if (d) continue t }} }}
             proc b()(s) {{ x = &x y = &y s = *y *x = s }}
             thread {{ a()() }} thread {{ b()() }}"
        ))
        .unwrap()
    };
    for model in [MemoryModel::Relaxed, MemoryModel::Armv8, MemoryModel::Sc, MemoryModel::Rc11] {
        for is_storing in [true, false] {
            let program = program(is_storing);
            let found = Exploration::new(&program, Settings::new(model)).observations().unwrap();
            assert_eq!(found.is_bounded, is_storing && model.has_early_stores(), "{model:?}");
        }
    }
}

#[test]
fn a_thread_that_waits_for_what_comes_behind_a_loop_hides_no_round() {
    // The first thread leaves its loop after two rounds, and only then the second one can end.
    let program = parse(
        "global x = 0 global y = 0
         proc a()() { x = &x y = &y one = 1 t: { v = *x n = not(v) *x = one if (n) continue t } *y = one }
         proc b()() { y = &y v = *y assume (v) }
         thread { a()() } thread { b()() }",
    );
    let program = program.unwrap();
    let found = mined(&program, Settings::new(MemoryModel::Sc));
    assert_eq!(found.observations.len(), 1);
    assert_eq!(found, enumerate(&program, Axioms::SequentialConsistency, 2).all);
}

#[test]
fn rounds_of_a_spin_loop_can_be_left_out() {
    let [spun, unrolled] = ["spin", ""].map(|word| parse(&LOCKED.replace("SPIN", word)).unwrap());
    for (model, axioms) in
        [(MemoryModel::Sc, Axioms::SequentialConsistency), (MemoryModel::Relaxed, Axioms::Relaxed)]
    {
        let found = mined(&spun, Settings::new(model));
        assert_eq!(found.observations.len(), 2);
        assert!(!found.has_error);
        let settings = Settings { rounds_max: 2, ..Settings::new(model) };
        assert_eq!(Exploration::new(&unrolled, settings).observations().unwrap().set, found);
        if model == MemoryModel::Sc {
            assert_eq!(enumerate(&unrolled, axioms, 2).all, found);
        }
    }
}

/// What the loop waits for comes after what it must not see, which it sees in a round that does not end it.
#[test]
fn an_error_in_a_repeated_round_is_one() {
    let text = |word: &str| {
        format!(
            "global x = 0
             proc wait()() {{
               x = &x one = 1 two = 2
               {word} t: {{ v = *x is_right = ne(v, two) assert (is_right) is_on = ne(v, one) if (is_on) continue t }}
             }}
             proc set()() {{ x = &x one = 1 two = 2 *x = two *x = one }}
             thread {{ wait()() }} thread {{ set()() }}"
        )
    };
    let [spun, unrolled] = ["spin", ""].map(|word| parse(&text(word)).unwrap());
    let found = mined(&spun, Settings::new(MemoryModel::Sc));
    assert!(found.has_error);
    assert_eq!(found, enumerate(&unrolled, Axioms::SequentialConsistency, 3).all);
}

#[test]
fn primed_operations_do_not_retry() {
    let program = parse(&(COUNTER.to_owned() + "thread { raise'()() } thread { raise'()() }")).unwrap();
    let mut exploration = Exploration::new(&program, Settings::new(MemoryModel::Sc));
    assert_eq!(exploration.observations().unwrap().set.observations.len(), 2);
    assert_eq!(exploration.statistics().accesses, 6);
    assert_eq!(enumerate(&program, Axioms::SequentialConsistency, 5).all.observations.len(), 2);
}

#[test]
fn a_solver_that_gives_up_is_inconclusive() {
    let program = counter(3);
    let serial = mined(&program, Settings::new(MemoryModel::Serial));
    let conflicts = Limits { conflicts_max: Some(1), ..Limits::default() };
    let time = Limits { duration_max: Some(Duration::ZERO), ..Limits::default() };
    for limits in [conflicts, time] {
        let settings = Settings { limits, ..Settings::new(MemoryModel::Sc) };
        let verdict = Exploration::new(&program, settings.clone()).check_inclusion(&serial);
        assert_eq!(verdict, Verdict::Inconclusive);
        assert_eq!(Exploration::new(&program, settings).observations(), Err(GaveUp));
    }
}

#[test]
fn a_limit_beyond_all_time_is_none() {
    let limits = Limits { duration_max: Some(Duration::MAX), ..Limits::default() };
    let settings = Settings { limits, ..Settings::new(MemoryModel::Sc) };
    assert_eq!(mined(&counter(2), settings).observations.len(), 2);
}

#[test]
fn gates_have_the_truth_tables_of_their_names() {
    let bits = [Bit::FALSE, Bit::TRUE];
    for code in 0..8 {
        let values = [0, 1, 2].map(|place| code >> place & 1 == 1);
        let mut solver = Solver::new();
        let inputs = [0; 3].map(|_| solver.variable());
        for (input, value) in inputs.into_iter().zip(values) {
            solver.clause(&[if value { input } else { !input }]);
        }
        let [a, b, c] = inputs;
        let outputs = [
            (solver.and(a, b), values[0] && values[1]),
            (solver.or(a, b), values[0] || values[1]),
            (solver.xor(a, b), values[0] != values[1]),
            (solver.select(a, b, c), if values[0] { values[1] } else { values[2] }),
            (solver.all(&inputs), values.iter().all(|&value| value)),
            (solver.any(&inputs), values.iter().any(|&value| value)),
            (solver.and(a, bits[1]), values[0]),
            (solver.xor(a, bits[1]), !values[0]),
        ];
        assert_eq!(solver.solve(&[], Limits::default()), Answer::Satisfiable);
        for (index, (output, expected)) in outputs.into_iter().enumerate() {
            assert_eq!(solver.is_true(output), expected, "{values:?}: gate {index}");
        }
    }
}

#[test]
fn an_execution_with_an_error_is_a_violation_though_it_shows_nothing_else() {
    let program = parse(
        "global x = 0
         proc write()() { x = &x one = 1 *x = one }
         proc read()(v) { x = &x v = *x w = *x le = le(v, w) assert (le) v = 0 }
         thread { write()() } thread { read()() }",
    );
    let program = program.unwrap();
    let serial = mined(&program, Settings::new(MemoryModel::Serial));
    let check = |model| Exploration::new(&program, Settings::new(model)).check_inclusion(&serial);
    assert_eq!(check(MemoryModel::Sc), Verdict::Holds);
    let Verdict::Violated(trace) = check(MemoryModel::Relaxed) else { panic!("loads may be turned round") };
    assert_eq!(trace.faults.len(), 1);
}

#[test]
fn what_initial_operations_may_leave_unset_may_be_undefined() {
    let program = parse(
        "global x = 0
         proc begin(v)() { x = &x n = 1 y = offset(x, n) t: { if (v) break t *y = v } }
         proc read()(v) { x = &x n = 1 y = offset(x, n) v = *y }
         initial { begin(choose {0, 1})() } thread { read()() }",
    );
    let program = program.unwrap();
    let found = mined(&program, Settings::new(MemoryModel::Relaxed));
    assert_eq!(found.observations.len(), 2);
    assert_eq!(found, enumerate(&program, Axioms::Relaxed, 0).all);
}

#[test]
fn objects_are_told_apart_and_begin_undefined() {
    let program = parse(
        "global list = 0
         proc push(value)() { list = &list node = new n = 1 field = offset(node, n) *field = value fence ss *list = node }
         proc pop()(value) { list = &list none = 0 n = 1 value = 7 node = *list is_none = eq(node, none) t: { if (is_none) break t fence ll field = offset(node, n) value = *field } }
         thread { push(choose {0, 1})() push(5)() } thread { pop()() } last { pop()() }",
    );
    let program = program.unwrap();
    for has_range_analysis in [true, false] {
        for (model, axioms) in
            [(MemoryModel::Sc, Axioms::SequentialConsistency), (MemoryModel::Relaxed, Axioms::Relaxed)]
        {
            let found = mined(&program, Settings { has_range_analysis, ..Settings::new(model) });
            assert_eq!(found, enumerate(&program, axioms, 0).all);
            assert_eq!(found.observations.len(), 6);
        }
    }
}

#[test]
fn a_test_without_an_execution_is_no_pass() {
    let texts = [
        "",
        "thread { }",
        "proc p()() { } initial { p()() } last { p()() }",
        "proc p()() { no = 0 assume (no) } thread { p()() }",
        "proc p()() { yes = 1 spin t: { if (yes) continue t } } thread { p()() }",
        "proc p()() { yes = 1 t: { if (yes) continue t } } thread { p()() }",
        "global x = 0 proc p()() { x = &x v = *x assume (v) } thread { p()() }",
    ];
    for text in texts {
        let program = parse(text).unwrap();
        for model in MemoryModel::ALL {
            let set = Exploration::new(&program, Settings::new(model)).observations().unwrap().set;
            let verdict = Exploration::new(&program, Settings::new(model)).check_inclusion(&set);
            assert_eq!(verdict, Verdict::NoExecution, "{text}");
        }
    }
}

#[test]
fn an_object_has_the_same_name_in_whichever_round_it_is_made() {
    let program = parse(
        "global x = 0
         proc a()() { p = &x one = 1 t: { o = new *p = one q = *p c = ne(q, one) if (c) continue t } }
         proc b()(o) { p = &x two = 2 o = new *p = two }
         proc c()(o, p, q, n) { n = [7] o = new i = 1 q = offset(o, i) p = new }
         thread { a()() c()() } thread { b()() }",
    );
    let program = program.unwrap();
    let serial = mined(&program, Settings::new(MemoryModel::Serial));
    // Behind `[7]`, in the order of results: two of c, of which a field, and that of b.
    let [o, p, q] = [[8].as_slice(), &[9], &[8, 1]].map(Value::pointer);
    let expected = Observation(vec![o, p, q, Value::pointer(&[7]), Value::pointer(&[10])]);
    assert_eq!(serial.observations, BTreeSet::from([expected]));
    for (model, expected) in [
        (MemoryModel::Sc, Verdict::Holds),
        (MemoryModel::Tso, Verdict::Holds),
        // A loop in a thread that stores.
        (MemoryModel::Relaxed, Verdict::HoldsWithin),
    ] {
        let found = Exploration::new(&program, Settings::new(model)).observations().unwrap();
        assert_eq!((found.set, found.is_bounded), (serial.clone(), expected == Verdict::HoldsWithin));
        let verdict = Exploration::new(&program, Settings::new(model)).check_inclusion(&serial);
        assert_eq!(verdict, expected);
    }
    assert_eq!(enumerate(&program, Axioms::SequentialConsistency, 3).all, serial);
}

#[test]
fn objects_that_are_the_same_are_not_two() {
    let text = "proc p()(o, q) { o = new q = OTHER } thread { p()() }";
    let [same, two] = ["copy(o)", "new"].map(|other| parse(&text.replace("OTHER", other)).unwrap());
    let set = mined(&same, Settings::new(MemoryModel::Sc));
    let verdict = Exploration::new(&two, Settings::new(MemoryModel::Sc)).check_inclusion(&set);
    assert_eq!(verdict.name(), "violated");
}

#[test]
fn an_undefined_assumption_is_an_error_as_an_undefined_condition_is() {
    // Also if another thread waits for what comes behind it.
    let text = "global p global y = 0
         proc a()() { p = &p y = &y one = 1 CONDITION *y = one }
         proc b()() { y = &y v = *y assume (v) }
         thread { a()() } thread { b()() }";
    for condition in ["v = *p assume (v)", "assume (v)", "v = *p t: { if (v) break t }"] {
        let program = parse(&text.replace("CONDITION", condition)).unwrap();
        let expected = enumerate(&program, Axioms::SequentialConsistency, 0).all;
        assert!(expected.has_error && expected.observations.is_empty(), "{condition}");
        for model in MemoryModel::ALL {
            for has_range_analysis in [true, false] {
                let settings = Settings { has_range_analysis, ..Settings::new(model) };
                assert_eq!(mined(&program, settings), expected, "{condition}, {}", model.name());
            }
        }
    }
}
