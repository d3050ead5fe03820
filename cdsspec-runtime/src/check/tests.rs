use super::{CheckOptions, ExecutionCheck, Finding, ShapeMemo, Verdict, check_execution};
use crate::history::Histories;
use crate::history::toy::{
    DEQ, ENQ, Toy, Values, admitting_queue, ids, method, opaque_queue, queue, register, toy_recording,
    toy_specification,
};
use crate::record::{
    CallId, Ending, Interval, Limit, LimitKind, MemoryFault, MemoryFaultKind, ObjectId, OperationId, Orders,
    Panic, Place, Race, Recording, ScOrder, SourceLocation, SpecificationError, SpecificationErrorKind,
    ThreadId, WaitReason, WaitingThread, operation_name,
};
use crate::relation::sample::sample_recording;
use crate::specification::{ClauseKind, Specification, StateSupport};
use std::any::Any;
use std::rc::Rc;
use std::sync::OnceLock;

fn check(recording: &Recording) -> ExecutionCheck {
    check_execution(recording, &CheckOptions::default())
}

fn call(index: usize) -> CallId {
    CallId::new(index)
}

fn words(check: &ExecutionCheck) -> Vec<&'static str> {
    check.findings.iter().map(|finding| finding.verdict().word()).collect()
}

const ENQ_1: Toy = Toy(ENQ, 1, None);
const DEQ_NONE: Toy = Toy(DEQ, 0, None);
const DEQ_1: Toy = Toy(DEQ, 0, Some(1));

#[test]
fn a_queue_that_behaves_holds_and_its_histories_are_counted() {
    let check = check(&toy_recording(queue(), &[ENQ_1, DEQ_NONE, DEQ_NONE], &[]));
    assert_eq!((check.verdict, check.history_count, check.pointless_call_count), (Verdict::Holds, 6, 0));
}

/// CDSSpec, figure 3: enq(1) on x, then deq on y, beside the same with x and y exchanged; both return empty.
fn figure_3(specification: &'static Specification) -> Recording {
    let calls = vec![ENQ_1.on(0), DEQ_NONE.on(1), ENQ_1.on(1), DEQ_NONE.on(0)];
    sample_recording(&[specification, specification], calls, &[(0, 1), (2, 3)])
}

#[test]
fn figure_3_holds_under_the_nondeterministic_specification() {
    let check = check(&figure_3(queue()));
    assert_eq!((check.verdict, check.history_count), (Verdict::Holds, 4));
}

#[test]
fn figure_3_is_inadmissible_under_the_deterministic_specification() {
    let check = check(&figure_3(admitting_queue()));
    assert_eq!((check.verdict, check.history_count), (Verdict::Inadmissible, 0));
    let [
        Finding::Inadmissible { object: x, rule: 0, first: x1, second: x2, .. },
        Finding::Inadmissible { object: y, .. },
    ] = check.findings[..]
    else {
        panic!("both objects are inadmissible: {:?}", check.findings)
    };
    assert_eq!((x, y), (ObjectId::new(0), ObjectId::new(1)));
    assert_eq!((x1, x2), (call(3), call(0)), "m1 is the deq");
}

#[test]
fn a_way_through_another_object_orders_no_calls() {
    // enq on x, then a call on y, then deq on x: each only knows the one before.
    let calls = vec![ENQ_1.on(0), ENQ_1.on(1), DEQ_NONE.on(0)];
    let check = check(&sample_recording(&[queue(), queue()], calls, &[(0, 1), (1, 2)]));
    assert_eq!((check.verdict, check.history_count), (Verdict::Holds, 3));
}

#[test]
fn violated_comes_before_unjustified_and_both_are_checked() {
    let calls = [ENQ_1, DEQ_NONE, Toy(DEQ, 0, Some(2))];
    let check = check(&toy_recording(queue(), &calls, &[(0, 1)]));
    assert_eq!(words(&check), ["violated", "unjustified"]);
    let Finding::Violated { call: broken, clause, before, state, specified, .. } = &check.findings[0] else {
        unreachable!("it was just compared")
    };
    assert_eq!((*broken, *clause, before), (call(2), ClauseKind::PostCondition, &ids(&[0, 1])));
    assert_eq!((state.as_deref(), specified.as_deref()), (Some("[1]"), Some("Some(1)")));
    let Finding::Unjustified { call: lonely, subhistory_count, example, clause, state, .. } =
        &check.findings[1]
    else {
        unreachable!("it was just compared")
    };
    assert_eq!((*lonely, *subhistory_count, example), (call(1), 1, &ids(&[0])));
    assert_eq!((*clause, state.as_deref()), (ClauseKind::JustifyingPostCondition, Some("[1]")));
}

#[test]
fn the_first_unjustified_call_with_justified_predecessors_is_named() {
    // Invoked in the order 1, 2; ordered 0, 2, 1.
    let calls = [ENQ_1, DEQ_NONE, DEQ_NONE];
    let check = check(&toy_recording(queue(), &calls, &[(0, 2), (2, 1)]));
    let [Finding::Unjustified { call: root, .. }] = check.findings[..] else {
        panic!("{:?}", check.findings)
    };
    assert_eq!(root, call(2));
}

#[test]
fn a_concurrent_write_justifies_a_read() {
    let calls = [Toy(0, 1, None), Toy(0, 2, None), Toy(1, 0, Some(1))];
    let overwritten = [(0, 1), (1, 2)];
    assert_eq!(check(&toy_recording(register(), &calls, &overwritten)).verdict, Verdict::Unjustified);
    assert_eq!(check(&toy_recording(register(), &calls, &[(1, 2)])).verdict, Verdict::Holds);
}

#[test]
fn a_cycle_ends_the_check() {
    let mut recording = toy_recording(queue(), &[ENQ_1, Toy(DEQ, 0, Some(7))], &[(0, 1)]);
    recording.sc = ScOrder::from_pairs([(OperationId::new(1), OperationId::new(0))]);
    let check = check(&recording);
    assert_eq!((words(&check), check.history_count), (vec!["cyclic"], 0));
    assert!(matches!(check.findings[0], Finding::Cyclic { is_memory_model: true, .. }));
}

#[test]
fn broken_memory_ends_the_check_and_a_leak_does_not() {
    let faulty = |kind| {
        let mut recording = toy_recording(queue(), &[Toy(DEQ, 0, Some(7))], &[]);
        recording.memory_faults.push(MemoryFault { kind, bytes: 8, allocated: None });
        recording
    };
    let usage = OperationId::new(0);
    let freed = Interval { thread: ThreadId::new(0), after: None, before: None };
    let rows = [
        (MemoryFaultKind::Unallocated { usage }, vec!["uninitialised"]),
        (MemoryFaultKind::Freed { usage, freed }, vec!["freed"]),
        (MemoryFaultKind::FreedTwice { first: freed, second: freed }, vec!["freed"]),
        (MemoryFaultKind::Leaked { blocks: 1 }, vec!["violated", "leak"]),
    ];
    for (kind, expected) in rows {
        let recording = faulty(kind);
        assert_eq!(words(&check(&recording)), expected);
        let mut memo = ShapeMemo::new(CheckOptions::default());
        for _ in 0..2 {
            assert_eq!(words(&memo.check(&recording).check), expected, "a fault is no matter of shape");
        }
    }
}

#[test]
fn a_cut_execution_says_nothing_about_its_calls() {
    let panic = Panic { thread: ThreadId::new(0), message: "no".to_owned(), after: None };
    let race = Race { first: OperationId::new(0), second: OperationId::new(0) };
    let limit = Limit { kind: LimitKind::Branches, value: 9 };
    let endings = [
        (Ending::Panic(panic), "panic"),
        (Ending::Race(race), "race"),
        (Ending::Limit(limit), "inconclusive"),
        (Ending::Nondeterministic("other".to_owned()), "nondeterministic"),
        (Ending::EngineFailed("why".to_owned()), "inconclusive"),
    ];
    for (ending, word) in endings {
        let mut recording = toy_recording(queue(), &[DEQ_1], &[]);
        recording.ending = ending;
        assert_eq!(words(&check(&recording)), [word]);
    }
    let mut recording = toy_recording(queue(), &[DEQ_1], &[]);
    recording.ending = Ending::ByProduct { reached: None };
    assert_eq!(check(&recording).verdict, Verdict::Holds);
}

fn blocked(reason: WaitReason) -> Ending {
    let place = Place::here(operation_name!("lock"), Orders::None);
    Ending::Blocked(vec![WaitingThread { thread: ThreadId::new(1), place, location: None, reason }])
}

#[test]
fn a_blocked_execution_is_checked_except_for_objects_with_a_call_pending_past_a_point() {
    let calls = vec![DEQ_1.on(0), DEQ_1.on(1), ENQ_1.on(1)];
    let mut recording = sample_recording(&[queue(), queue()], calls, &[]);
    recording.ending = blocked(WaitReason::Spinning);
    recording.calls[2].response = None;
    let check = check(&recording);
    assert_eq!(words(&check), ["livelock", "violated"]);
    assert!(matches!(&check.findings[1], Finding::Violated { object, .. } if object.index() == 0));
    assert_eq!(check.unchecked_objects, [ObjectId::new(1)]);
}

#[test]
fn a_call_left_past_its_point_in_an_execution_that_ran_to_its_end_is_no_pass() {
    let mut recording = toy_recording(queue(), &[ENQ_1, DEQ_1], &[(0, 1)]);
    recording.calls[0].response = None;
    let check = check(&recording);
    assert_eq!(words(&check), ["inconclusive"]);
    assert!(matches!(&check.findings[0], Finding::Unfinished { call, .. } if call.index() == 0));
    assert_eq!(check.unchecked_objects, [ObjectId::new(0)]);
}

#[test]
fn a_call_pending_before_its_points_is_left_out() {
    let mut recording = toy_recording(queue(), &[ENQ_1, DEQ_1], &[(0, 1)]);
    recording.ending = blocked(WaitReason::Blocking);
    recording.calls[0].response = None;
    recording.calls[0].points.clear();
    let check = check(&recording);
    assert_eq!(words(&check), ["deadlock", "violated"]);
    assert_eq!((check.pointless_call_count, check.unchecked_objects.len()), (0, 0));
}

#[test]
fn a_call_that_a_panic_left_before_its_points_is_left_out_and_counted() {
    let mut recording = toy_recording(queue(), &[ENQ_1, DEQ_NONE], &[]);
    recording.calls[0].response = None;
    recording.calls[0].points.clear();
    let check = check(&recording);
    assert_eq!((check.verdict, check.history_count, check.left_call_count), (Verdict::Holds, 1, 1));
}

#[test]
fn calls_without_points_are_counted_and_named() {
    let mut recording = toy_recording(queue(), &[ENQ_1, DEQ_NONE], &[(0, 1)]);
    recording.calls[1].points.clear();
    let check = check(&recording);
    assert_eq!((check.verdict, check.history_count), (Verdict::Holds, 2));
    assert_eq!((check.pointless_call_count, check.pointless_calls), (1, ids(&[1])));
}

#[test]
fn mistakes_of_the_specification_that_were_recorded_come_first() {
    let mut recording = toy_recording(queue(), &[DEQ_1], &[]);
    recording.ending = blocked(WaitReason::Blocking);
    let kind = SpecificationErrorKind::MarkerOutsideCall { marker: "op_define" };
    let error = SpecificationError { kind, marker: SourceLocation::caller(), thread: ThreadId::new(0) };
    recording.errors.push(error);
    let check = check(&recording);
    assert_eq!((check.verdict, words(&check)), (Verdict::SpecError, vec!["spec_error", "deadlock"]));
}

#[test]
fn a_sample_never_says_more_than_holds_within() {
    let mut options = CheckOptions::default();
    options.search.histories = Histories::Random(3);
    let holds = check_execution(&toy_recording(queue(), &[ENQ_1, ENQ_1], &[]), &options);
    assert_eq!((holds.verdict, holds.history_count), (Verdict::HoldsWithin, 3));
    let unjustified = check_execution(&toy_recording(queue(), &[ENQ_1, DEQ_NONE], &[(0, 1)]), &options);
    assert_eq!(words(&unjustified), ["unjustified"]);
}

#[test]
fn a_limit_is_never_a_pass() {
    let options = CheckOptions { histories_max: Some(5), ..CheckOptions::default() };
    let calls = [Toy(ENQ, 1, None), Toy(ENQ, 2, None), Toy(ENQ, 3, None)];
    let check = check_execution(&toy_recording(queue(), &calls, &[]), &options);
    assert_eq!(check.verdict, Verdict::Inconclusive);
    let [Finding::Limit(limit)] = check.findings[..] else { panic!("one limit, told once") };
    assert_eq!(limit, Limit { kind: LimitKind::Histories, value: 5 });
}

mod panics {
    use super::*;
    use crate::record::MethodId;
    use crate::specification::{AdmissibilityRule, Broken, KeySupport};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    fn boxed_unit() -> Box<dyn Any> {
        Box::new(())
    }

    const QUIET: StateSupport =
        StateSupport { initial: boxed_unit, copy: |_| boxed_unit(), clear: |_| {}, render: None, key: None };

    fn one_method(state: StateSupport, panics_at: Option<ClauseKind>) -> &'static Specification {
        let step = match panics_at {
            None => |_: &mut crate::specification::Step<'_>| Ok(()),
            Some(_) => |step: &mut crate::specification::Step<'_>| {
                step.at(ClauseKind::PreCondition);
                if step.mode() == crate::specification::StepMode::Sequential {
                    panic!("division by {}", "zero");
                }
                Ok(())
            },
        };
        let methods = vec![method("touch", &[ClauseKind::PreCondition], step)];
        Box::leak(Box::new(toy_specification("Panics", state, methods, Vec::new())))
    }

    fn clause_of(specification: &'static Specification) -> (&'static str, String) {
        let touch = Toy(0, 0, None);
        let check = check(&toy_recording(specification, &[touch, touch, touch], &[]));
        let [Finding::SpecError(error)] = &check.findings[..] else { panic!("{:?}", check.findings) };
        assert_eq!(check.verdict, Verdict::SpecError);
        match &error.kind {
            SpecificationErrorKind::ClausePanicked { clause, message } => (clause, message.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_clause_that_panics_is_named_with_its_message() {
        let specification = one_method(QUIET, Some(ClauseKind::PreCondition));
        assert_eq!(clause_of(specification), ("pre_condition", "division by zero".to_owned()));
    }

    #[test]
    fn initial_copy_and_clear_may_panic_too() {
        let initial = StateSupport { initial: || panic!("no start"), ..QUIET };
        assert_eq!(clause_of(one_method(initial, None)), ("initial", "no start".to_owned()));
        let copy = StateSupport { copy: |_| panic!("no copy"), ..QUIET };
        assert_eq!(clause_of(one_method(copy, None)), ("copy", "no copy".to_owned()));
        let clear = StateSupport { clear: |_| panic!("no end"), ..QUIET };
        assert_eq!(clause_of(one_method(clear, None)), ("clear", "no end".to_owned()));
    }

    #[test]
    fn a_hash_of_the_state_may_panic_too() {
        let key = KeySupport { is_equal: |_, _| true, hash: |_, _| panic!("no hash") };
        let state = StateSupport { key: Some(key), ..QUIET };
        assert_eq!(clause_of(one_method(state, None)), ("Hash of the state", "no hash".to_owned()));
        let key = KeySupport { is_equal: |_, _| panic!("no equality"), hash: |_, _| {} };
        let state = StateSupport { key: Some(key), ..QUIET };
        assert_eq!(clause_of(one_method(state, None)), ("Eq of the state", "no equality".to_owned()));
    }

    #[test]
    fn a_rule_that_panics_is_named() {
        let rule = AdmissibilityRule {
            first: MethodId::new(0),
            second: MethodId::new(0),
            text: "touch <-> touch, m1.x.unwrap()",
            source: SourceLocation::caller(),
            must_be_ordered: |_, _| panic!("no x"),
        };
        let touch = method("touch", &[], |_| Ok(()));
        let specification = toy_specification("Panics", QUIET, vec![touch], vec![rule]);
        let found = clause_of(Box::leak(Box::new(specification)));
        assert_eq!(found, ("touch <-> touch, m1.x.unwrap()", "no x".to_owned()));
    }

    #[test]
    fn a_clause_with_a_memory_of_its_own_is_a_mistake_of_the_specification() {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let touch = method("touch", &[ClauseKind::PostCondition], |_| {
            let is_first = RUNS.fetch_add(1, Relaxed) == 0;
            let broken = Broken { clause: ClauseKind::PostCondition, specified: None };
            if is_first { Err(broken) } else { Ok(()) }
        });
        let specification = toy_specification("Unstable", QUIET, vec![touch], Vec::new());
        let recording = toy_recording(Box::leak(Box::new(specification)), &[Toy(0, 0, None)], &[]);
        let check = check(&recording);
        let [Finding::SpecError(error)] = &check.findings[..] else { panic!("{:?}", check.findings) };
        assert_eq!(error.kind, SpecificationErrorKind::ClauseUnstable { clause: "post_condition" });
    }
}

mod shape {
    use super::*;

    fn memo() -> ShapeMemo {
        ShapeMemo::new(CheckOptions::default())
    }

    #[test]
    fn executions_of_one_shape_are_checked_once() {
        let mut memo = memo();
        let checks: Vec<_> =
            (0..3).map(|_| memo.check(&toy_recording(queue(), &[ENQ_1, DEQ_NONE], &[(0, 1)]))).collect();
        assert_eq!(checks.iter().map(|check| check.is_new).collect::<Vec<_>>(), [true, false, false]);
        assert!(checks.iter().all(|check| check.check.verdict == Verdict::Unjustified));
        assert_eq!(memo.shape_count(), 1);
    }

    #[test]
    fn anything_that_a_check_looks_at_makes_another_shape() {
        let mut memo = memo();
        let base = || toy_recording(queue(), &[ENQ_1, DEQ_1], &[(0, 1)]);
        assert!(memo.check(&base()).is_new);
        let mut others = vec![
            toy_recording(queue(), &[ENQ_1, DEQ_1], &[]),
            toy_recording(queue(), &[ENQ_1, DEQ_1], &[(1, 0)]),
            toy_recording(queue(), &[ENQ_1, DEQ_NONE], &[(0, 1)]),
            toy_recording(queue(), &[Toy(ENQ, 2, None), DEQ_1], &[(0, 1)]),
            toy_recording(queue(), &[DEQ_1, ENQ_1], &[(0, 1)]),
            toy_recording(queue(), &[ENQ_1], &[]),
            toy_recording(admitting_queue(), &[ENQ_1, DEQ_1], &[(0, 1)]),
            sample_recording(&[queue(), queue()], vec![ENQ_1.on(0), DEQ_1.on(1)], &[(0, 1)]),
        ];
        let changes: [fn(&mut Recording); 3] = [
            |recording| recording.calls[1].response = None,
            |recording| recording.calls[1].thread = ThreadId::new(0),
            |recording| {
                recording.calls[0].points.clear();
                recording.calls[1].points.clear();
            },
        ];
        for change in changes {
            let mut recording = base();
            change(&mut recording);
            others.push(recording);
        }
        for other in &others {
            assert!(memo.check(other).is_new);
            assert!(!memo.check(other).is_new);
        }
        assert!(!memo.check(&base()).is_new);
        assert_eq!(memo.shape_count(), 1 + others.len());
    }

    #[test]
    fn the_order_in_which_threads_are_run_makes_no_other_shape() {
        let mut memo = memo();
        let two = [queue(), admitting_queue()];
        assert!(memo.check(&sample_recording(&two, vec![ENQ_1.on(0), DEQ_1.on(1)], &[(0, 1)])).is_new);
        let mut swapped = sample_recording(&[two[1], two[0]], vec![DEQ_1.on(0), ENQ_1.on(1)], &[(1, 0)]);
        assert!(memo.check(&swapped).is_new, "other threads make the calls");
        swapped.calls[0].thread = ThreadId::new(1);
        swapped.calls[1].thread = ThreadId::new(0);
        assert!(!memo.check(&swapped).is_new);
        assert_eq!(memo.shape_count(), 2);
    }

    #[test]
    fn remembered_checks_are_those_that_would_be_made() {
        let mut memo = memo();
        let calls = [ENQ_1, DEQ_NONE, DEQ_1];
        for edges in crate::relation::sample::edge_sets(3) {
            let recording = toy_recording(queue(), &calls, &edges);
            let remembered = memo.check(&recording).check;
            assert_eq!(format!("{remembered:?}"), format!("{:?}", check(&recording)));
        }
        assert_eq!(memo.shape_count(), 19, "the orders on three calls");
    }

    #[test]
    fn values_that_cannot_be_compared_and_other_endings_are_checked_each_time() {
        let mut memo = memo();
        let mut recording = toy_recording(values_without_key(), &[Toy(0, 0, None)], &[]);
        assert!(memo.check(&recording).is_new && memo.check(&recording).is_new);
        recording = toy_recording(queue(), &[ENQ_1], &[]);
        recording.ending = blocked(WaitReason::Blocking);
        assert!(memo.check(&recording).is_new && memo.check(&recording).is_new);
        recording = toy_recording(queue(), &[ENQ_1, ENQ_1], &[(0, 1), (1, 0)]);
        assert!(memo.check(&recording).is_new && memo.check(&recording).is_new);
        assert_eq!(memo.shape_count(), 0);
    }

    fn values_without_key() -> &'static Specification {
        static SPECIFICATION: OnceLock<Specification> = OnceLock::new();
        SPECIFICATION.get_or_init(|| {
            let mut touch = method("touch", &[], |_| Ok(()));
            touch.values.key = None;
            let state = StateSupport { key: None, ..opaque_queue().state };
            toy_specification("NoKey", state, vec![touch], Vec::new())
        })
    }

    #[test]
    fn a_memo_outlives_the_recordings() {
        let mut memo = memo();
        let recording = toy_recording(queue(), &[ENQ_1], &[]);
        let values = Rc::clone(&recording.calls[0].values);
        memo.check(&recording);
        drop(recording);
        assert_eq!(Rc::strong_count(&values), 2);
        assert_eq!(values.downcast_ref::<Values>().map(|values| values.argument), Some(1));
        memo.clear();
        assert_eq!((Rc::strong_count(&values), memo.shape_count()), (1, 0));
    }
}
