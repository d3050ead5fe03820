//! Specifications as the macro makes them: their clauses, rules, rendering and recorded values, run by hand.

use crate::by_hand;

use by_hand::{record, specification};
use cdsspec::__private as private;
use cdsspec_runtime::record::{CallId, MethodCall, MethodId};
use cdsspec_runtime::specification::{Broken, Concurrent, ConcurrentCall};
use private::{ClauseKind, Specification, Step, StepMode};
use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

/// What a queue of the tests does, so that calls of its methods can be made without an engine.
#[derive(Default)]
struct Queue {
    items: RefCell<VecDeque<i32>>,
}

#[cdsspec::spec]
#[declare_state(q: VecDeque<i32>)]
#[admit(deq <-> enq, m1.c_ret.is_none())]
#[admit(deq <-> deq)]
impl Queue {
    /// Puts a value in.
    #[side_effect(q.push_back(val))]
    fn enq(&self, val: i32) {
        self.items.borrow_mut().push_back(val);
    }

    /// Takes a value out.
    #[side_effect({
        let front = q.front().copied();
        if front.is_some() && c_ret.is_some() {
            q.pop_front();
        }
        front
    })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    fn deq(&self) -> Option<i32> {
        self.items.borrow_mut().pop_front()
    }
}

#[test]
fn the_queue_is_registered_with_its_clauses_and_rules() {
    let queue = specification("Queue");
    let methods: Vec<_> = queue.methods.iter().map(|method| method.name).collect();
    assert_eq!(methods, ["enq", "deq"]);
    let clauses: Vec<_> =
        queue.methods.iter().flat_map(|method| &method.clauses).map(|one| (one.kind, one.text)).collect();
    assert_eq!(
        clauses,
        [
            (ClauseKind::SideEffect, "q.push_back(val)"),
            (ClauseKind::SameReturn, "q.push_back(val)"),
            (
                ClauseKind::SideEffect,
                "{ let front = q.front().copied(); if front.is_some() && c_ret.is_some() { q.pop_front(); } front }"
            ),
            (ClauseKind::JustifyingPostCondition, "c_ret.is_some() || s_ret.is_none()"),
            (ClauseKind::PostCondition, "c_ret.is_none() || c_ret == s_ret"),
        ]
    );
    assert!(queue.methods[1].is_justified());
    let rules: Vec<_> =
        queue.rules.iter().map(|rule| (rule.first.index(), rule.second.index(), rule.text)).collect();
    assert_eq!(rules, [(1, 0, "deq <-> enq, m1.c_ret.is_none()"), (1, 1, "deq <-> deq")]);
}

/// Runs a call of a program on a state.
fn step(
    specification: &Specification,
    state: &mut dyn Any,
    call: &MethodCall,
    concurrent: &[ConcurrentCall<'_>],
    mode: StepMode,
) -> Result<(), Broken> {
    let mut step = Step::new(state, &*call.values, Concurrent::new(concurrent), mode);
    (specification.method(call.method).step)(&mut step)
}

fn run(
    specification: &Specification,
    state: &mut Box<dyn Any>,
    call: &MethodCall,
    mode: StepMode,
) -> Result<(), Broken> {
    step(specification, &mut **state, call, &[], mode)
}

fn shown(specification: &Specification, state: &dyn Any) -> String {
    specification.state.render.expect("it can be shown")(state)
}

/// A call as a report shows it.
fn call_text(specification: &Specification, call: &MethodCall) -> String {
    let method = specification.method(call.method);
    let arguments = (method.values.render_arguments)(&*call.values).join(", ");
    let returned = (method.values.render_return)(&*call.values);
    let returned = returned.map(|value| format!(" -> {value}")).unwrap_or_default();
    format!("{}({arguments}){returned}", method.name)
}

fn broken(clause: ClauseKind, specified: Option<&str>) -> Result<(), Broken> {
    Err(Broken { clause, specified: specified.map(str::to_owned) })
}

#[test]
fn calls_are_recorded_with_their_values_and_run_on_a_state() {
    let queue = specification("Queue");
    let program = || {
        let queue = Queue::default();
        queue.enq(1);
        queue.deq();
        queue.deq();
    };
    record(program, |recording| {
        let [enq, full, empty] = &recording.calls[..] else { panic!("there are three calls") };
        let texts: Vec<_> = recording.calls.iter().map(|call| call_text(queue, call)).collect();
        assert_eq!(texts, ["enq(1)", "deq() -> Some(1)", "deq() -> None"]);

        let mut state = (queue.state.initial)();
        assert_eq!(
            run(queue, &mut state, full, StepMode::Sequential),
            broken(ClauseKind::PostCondition, Some("None"))
        );
        assert_eq!(run(queue, &mut state, enq, StepMode::Sequential), Ok(()));
        assert_eq!(shown(queue, &*state), "[1]");
        let copy = (queue.state.copy)(&*state);
        // Not empty, and still allowed to return nothing; only no justifying subhistory may end so.
        assert_eq!(run(queue, &mut state, empty, StepMode::Sequential), Ok(()));
        assert_eq!(
            run(queue, &mut state, empty, StepMode::Justifying),
            broken(ClauseKind::JustifyingPostCondition, Some("Some(1)"))
        );
        assert_eq!(run(queue, &mut state, full, StepMode::EffectOnly), Ok(()));
        assert_eq!(run(queue, &mut state, empty, StepMode::Justifying), Ok(()));
        assert_eq!((shown(queue, &*state), shown(queue, &*copy)), ("[]".to_owned(), "[1]".to_owned()));

        let key = queue.state.key.expect("a VecDeque<i32> has Eq and Hash");
        assert!(!(key.is_equal)(&*state, &*copy));
        let key = queue.methods[1].values.key.expect("so has the record");
        assert!(
            (key.is_equal)(&*full.values, &*full.values) && !(key.is_equal)(&*full.values, &*empty.values)
        );
        (queue.state.clear)(state);
        (queue.state.clear)(copy);

        let rule = |rule: usize, first: &MethodCall, second: &MethodCall| {
            (queue.rules[rule].must_be_ordered)(&*first.values, &*second.values)
        };
        assert!(rule(0, empty, enq) && !rule(0, full, enq));
        assert!(rule(1, full, full));
    });
}

/// Neither `Eq` nor `Hash`, nor `Clone`.
#[derive(Debug, PartialEq)]
struct Token(f64);

struct Store;

#[cdsspec::spec]
#[declare_state(map: BTreeMap<String, i32>, count: usize)]
#[initial((BTreeMap::from([("zero".to_owned(), 0)]), 1))]
#[copy((map.clone(), *count))]
#[clear({
    map.clear();
    *count = 0;
})]
impl Store {
    #[pre_condition(!key.is_empty())]
    #[side_effect(map.insert(key.to_owned(), value); *count += 1;)]
    #[post_condition(*found == value && *count == map.len())]
    fn put(&self, key: &str, value: i32, found: &mut i32, _unmentioned: Token) -> Token {
        *found = value;
        Token(0.5)
    }

    #[justifying_pre_condition(keys.iter().all(|key| map.contains_key(*key)))]
    #[side_effect(keys.iter().filter_map(|key| map.get(*key)).sum::<i32>())]
    fn sum(&self, keys: &[&'static str]) -> i32 {
        keys.len().try_into().expect("it is small")
    }

    #[side_effect(map.get("zero").copied())]
    #[post_condition(c_ret.len() == 3 && s_ret == Some(0))]
    fn name(&self) -> &str {
        "abc"
    }

    #[side_effect(())]
    fn token(&mut self) -> Token {
        Token(1.0)
    }

    #[returns(|token| -> bool { token.0 > 0.0 })]
    #[side_effect(c_ret)]
    fn take(self) -> Token {
        Token(1.0)
    }
}

#[test]
fn values_are_kept_as_owned_copies_and_seen_as_written() {
    let store = specification("Store");
    let program = || {
        let mut store = Store;
        store.put("a", 3, &mut 0, Token(0.0));
        store.put("", 3, &mut 0, Token(0.0));
        store.sum(&["a"]);
        store.name();
        store.token();
        store.take();
    };
    record(program, |recording| {
        let texts: Vec<_> = recording.calls.iter().map(|call| call_text(store, call)).collect();
        assert_eq!(
            texts,
            [
                "put(\"a\", 3, 3, _)",
                "put(\"\", 3, 3, _)",
                "sum([\"a\"]) -> 1",
                "name() -> \"abc\"",
                "token()",
                "take() -> true"
            ]
        );
        let mut state = (store.state.initial)();
        assert_eq!(shown(store, &*state), "map = {\"zero\": 0}, count = 1");
        let mut results =
            recording.calls.iter().map(|call| run(store, &mut state, call, StepMode::Sequential));
        assert_eq!(results.next(), Some(Ok(())));
        assert_eq!(results.next(), Some(broken(ClauseKind::PreCondition, None)));
        assert_eq!(results.next(), Some(broken(ClauseKind::SameReturn, Some("3"))));
        assert_eq!(results.collect::<Vec<_>>(), [Ok(()), Ok(()), Ok(())]);
        assert_eq!(shown(store, &*state), "map = {\"a\": 3, \"zero\": 0}, count = 2");
        let sum = &recording.calls[2];
        assert_eq!(run(store, &mut state, sum, StepMode::Justifying), Ok(()));
        let mut initial = (store.state.initial)();
        assert_eq!(
            run(store, &mut initial, sum, StepMode::Justifying),
            broken(ClauseKind::JustifyingPreCondition, None)
        );
        (store.state.clear)((store.state.copy)(&*state));
    });
}

/// A state of the user's own, without `Debug`, `Eq` and `Hash`.
#[derive(Clone, Default)]
struct Own {
    sum: i32,
}

struct Deque;

#[cdsspec::spec(state = Own)]
impl Deque {
    #[side_effect(state.sum += value)]
    fn push(&self, value: i32) {
        let _ = value;
    }

    #[side_effect(if c_ret.is_none() { None } else { Some(state.sum) })]
    #[post_condition(
        c_ret == s_ret
            || concurrent.steal().any(|steal| steal.c_ret == c_ret)
            || concurrent.all().count() > 1 && concurrent.push().next().is_none()
    )]
    fn take(&self) -> Option<i32> {
        Some(1)
    }

    #[side_effect(())]
    fn steal(&self) -> Option<i32> {
        Some(1)
    }
}

#[test]
fn the_concurrent_calls_are_seen_by_method_with_their_values() {
    let deque = specification("Deque");
    assert!(deque.state.render.is_none() && deque.state.key.is_none());
    let program = || {
        Deque.push(3);
        Deque.take();
        Deque.steal();
    };
    record(program, |recording| {
        let [push, take, steal] = &recording.calls[..] else { panic!("there are three calls") };
        let as_concurrent = |call: &'static str| {
            let call = match call {
                "push" => push,
                "steal" => steal,
                _ => take,
            };
            ConcurrentCall { method: call.method, call: call.id, values: &*call.values }
        };
        let run = |concurrent: &[ConcurrentCall<'_>]| {
            let mut state = (deque.state.initial)();
            step(deque, &mut *state, take, concurrent, StepMode::Sequential)
        };
        let broken = broken(ClauseKind::PostCondition, Some("Some(0)"));
        assert_eq!(run(&[]), broken);
        assert_eq!(run(&[as_concurrent("push")]), broken);
        assert_eq!(run(&[as_concurrent("push"), as_concurrent("steal")]), Ok(()));
        assert_eq!(run(&[as_concurrent("take"), as_concurrent("take")]), Ok(()));
        assert_eq!((steal.method, steal.id), (MethodId::new(2), CallId::new(2)));
    });
}

/// Methods with names that `concurrent` has for all calls.
struct Bag;

#[cdsspec::spec]
impl Bag {
    #[post_condition(
        concurrent.len() == concurrent.all().count()
            && concurrent.is_empty() == concurrent.all().next().is_none()
            && concurrent.of_len().all(|len| len.c_ret == concurrent.len())
            && concurrent.of_is_empty().all(|is_empty| is_empty.c_ret == concurrent.is_empty())
            && concurrent.of_all().count() < 2
    )]
    fn len(&self) -> usize {
        1
    }

    #[side_effect(())]
    fn is_empty(&self) -> bool {
        true
    }

    #[side_effect(())]
    fn all(&self) {}
}

#[test]
fn what_concurrent_says_of_all_calls_is_not_hidden_by_a_method_of_the_same_name() {
    let bag = specification("Bag");
    let program = || {
        Bag.len();
        Bag.is_empty();
        Bag.all();
    };
    record(program, |recording| {
        let calls: Vec<ConcurrentCall<'_>> = recording
            .calls
            .iter()
            .map(|call| ConcurrentCall { method: call.method, call: call.id, values: &*call.values })
            .collect();
        let run = |indices: &[usize]| {
            let concurrent: Vec<_> = indices.iter().map(|index| calls[*index]).collect();
            let mut state = (bag.state.initial)();
            step(bag, &mut *state, &recording.calls[0], &concurrent, StepMode::Sequential).is_ok()
        };
        // One `len` that returned 1 is right beside one call, and not beside two; an `is_empty` that returned true is wrong beside any.
        assert_eq!(
            [&[][..], &[0], &[0, 0], &[1], &[2], &[2, 2]].map(run),
            [true, true, false, false, true, false]
        );
    });
}

/// A type whose name goes on with `+`.
trait Bell {
    fn rings(&self) -> u32;
}

struct Small;

impl Bell for Small {
    fn rings(&self) -> u32 {
        1
    }
}

#[cdsspec::spec(state = Vec<Option<fn(Box<Self>) -> u32>>)]
impl dyn Bell + Send {
    #[side_effect(if !state.is_empty() { state.push(how) })]
    #[post_condition(how.is_some() && c_ret == 2)]
    fn ring(&self, how: Option<fn(Box<Self>) -> u32>) -> u32 {
        self.rings() + how.map_or(0, |how| how(Box::new(Small)))
    }
}

#[test]
fn a_trait_object_of_several_bounds_is_specified_as_any_type() {
    let bell = specification("dyn Bell + Send");
    let object: Box<dyn Bell + Send> = Box::new(Small);
    let program = || _ = (object.ring(Some(|bell| bell.rings())), object.ring(None));
    record(program, |recording| {
        let mut state = (bell.state.initial)();
        let mut results =
            recording.calls.iter().map(|call| run(bell, &mut state, call, StepMode::Sequential));
        assert_eq!(results.next(), Some(Ok(())));
        assert_eq!(results.next(), Some(broken(ClauseKind::PostCondition, None)));
        assert_eq!(results.next(), None);
    });
}
