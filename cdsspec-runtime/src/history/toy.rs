//! Toy specifications, as the macros would make them: for tests of this room and later ones.

use crate::record::{CallId, MethodId, ObjectId, Recording, SourceLocation};
use crate::relation::OrderRelation;
use crate::relation::sample::{SampleCall, sample_recording};
use crate::specification::{
    AdmissibilityRule, Broken, Clause, ClauseKind, KeySupport, Method, Probe, ProbeKey, ProbeRender,
    Specification, StateSupport, Step, StepMode, ValueSupport,
};
use std::any::Any;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::OnceLock;

/// What a toy call records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Values {
    pub(crate) argument: i32,
    pub(crate) returned: Option<i32>,
}

/// A call of a toy: its method, argument and return value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Toy(pub(crate) usize, pub(crate) i32, pub(crate) Option<i32>);

impl Toy {
    pub(crate) fn on(self, object: usize) -> SampleCall {
        let Toy(method, argument, returned) = self;
        SampleCall { object, method, values: Rc::new(Values { argument, returned }) }
    }
}

/// A recording of calls of one object, under the order that the edges give.
pub(crate) fn toy_recording(
    specification: &'static Specification,
    calls: &[Toy],
    edges: &[(usize, usize)],
) -> Recording {
    sample_recording(&[specification], calls.iter().map(|call| call.on(0)).collect(), edges)
}

/// Its order.
pub(crate) fn order_of(recording: &Recording) -> OrderRelation {
    OrderRelation::of_objects(recording).unwrap().swap_remove(0)
}

pub(crate) fn ids(calls: &[usize]) -> Vec<CallId> {
    calls.iter().map(|&call| CallId::new(call)).collect()
}

pub(crate) fn only_object() -> ObjectId {
    ObjectId::new(0)
}

type StepFunction = fn(&mut Step<'_>) -> Result<(), Broken>;

fn state_of<S: Default + Clone + Eq + std::hash::Hash + std::fmt::Debug + 'static>(
    key: Option<KeySupport>,
) -> StateSupport {
    StateSupport {
        initial: || Box::new(S::default()),
        copy: |state| Box::new(state.downcast_ref::<S>().unwrap().clone()),
        clear: drop::<Box<dyn Any>>,
        render: (&&Probe::<S>::new()).render_any(),
        key,
    }
}

pub(crate) fn method(name: &'static str, kinds: &[ClauseKind], step: StepFunction) -> Method {
    let source = SourceLocation::caller();
    let clauses = kinds.iter().map(|&kind| Clause { kind, text: kind.name(), source }).collect();
    let values = ValueSupport {
        render_arguments: |_| Vec::new(),
        render_return: |_| None,
        key: (&&Probe::<Values>::new()).key(),
    };
    Method { name, source, clauses, step, markers: Vec::new(), values }
}

pub(crate) fn toy_specification(
    name: &'static str,
    state: StateSupport,
    methods: Vec<Method>,
    rules: Vec<AdmissibilityRule>,
) -> Specification {
    Specification { name, source: SourceLocation::caller(), state, methods, rules }
}

/// Runs a condition, if the mode asks for it.
fn check(
    step: &mut Step<'_>,
    kind: ClauseKind,
    specified: Option<String>,
    condition: impl FnOnce() -> bool,
) -> Result<(), Broken> {
    let wanted = match kind {
        ClauseKind::PreCondition | ClauseKind::PostCondition | ClauseKind::SameReturn => StepMode::Sequential,
        ClauseKind::JustifyingPreCondition | ClauseKind::JustifyingPostCondition => StepMode::Justifying,
        ClauseKind::SideEffect => StepMode::EffectOnly,
    };
    step.at(kind);
    if step.mode() != wanted || condition() { Ok(()) } else { Err(Broken { clause: kind, specified }) }
}

use ClauseKind::{JustifyingPostCondition, JustifyingPreCondition, PostCondition, PreCondition, SideEffect};

pub(crate) const ENQ: usize = 0;
pub(crate) const DEQ: usize = 1;

/// The blocking queue, with spurious empty returns that must be justified (CDSSpec, figure 6). Methods: enq, deq.
pub(crate) fn queue() -> &'static Specification {
    static QUEUE: OnceLock<Specification> = OnceLock::new();
    QUEUE.get_or_init(|| queue_with((&&Probe::<VecDeque<i32>>::new()).key(), Vec::new()))
}

/// The same, whose states cannot be compared.
pub(crate) fn opaque_queue() -> &'static Specification {
    static QUEUE: OnceLock<Specification> = OnceLock::new();
    QUEUE.get_or_init(|| queue_with(None, Vec::new()))
}

/// The same, where an empty return must be ordered against each enq.
pub(crate) fn admitting_queue() -> &'static Specification {
    static QUEUE: OnceLock<Specification> = OnceLock::new();
    QUEUE.get_or_init(|| {
        let rule = AdmissibilityRule {
            first: MethodId::new(DEQ),
            second: MethodId::new(ENQ),
            text: "deq <-> enq, m1.c_ret.is_none()",
            source: SourceLocation::caller(),
            must_be_ordered: |m1, _| m1.downcast_ref::<Values>().unwrap().returned.is_none(),
        };
        queue_with(None, vec![rule])
    })
}

fn queue_with(key: Option<KeySupport>, rules: Vec<AdmissibilityRule>) -> Specification {
    let enq = method("enq", &[SideEffect], |step| {
        step.at(SideEffect);
        let (state, values, _) = step.parts::<VecDeque<i32>, Values>();
        state.push_back(values.argument);
        Ok(())
    });
    let deq = method("deq", &[SideEffect, JustifyingPostCondition, PostCondition], |step| {
        step.at(SideEffect);
        let (state, values, _) = step.parts::<VecDeque<i32>, Values>();
        let front = state.front().copied();
        if front.is_some() && values.returned.is_some() {
            state.pop_front();
        }
        let (returned, shown) = (values.returned, Some(format!("{front:?}")));
        check(step, JustifyingPostCondition, shown.clone(), || returned.is_some() || front.is_none())?;
        check(step, PostCondition, shown, || returned.is_none() || returned == front)
    });
    toy_specification("Queue", state_of::<VecDeque<i32>>(key), vec![enq, deq], rules)
}

/// A register of relaxed atomics: a read returns the last write before it, or a concurrent one (CDSSpec, section 2.2).
/// Methods: write, read.
pub(crate) fn register() -> &'static Specification {
    static REGISTER: OnceLock<Specification> = OnceLock::new();
    REGISTER.get_or_init(|| {
        let write = method("write", &[SideEffect], |step| {
            step.at(SideEffect);
            let (state, values, _) = step.parts::<i32, Values>();
            *state = values.argument;
            Ok(())
        });
        let read = method("read", &[JustifyingPostCondition], |step| {
            let (state, values, concurrent) = step.parts::<i32, Values>();
            let (state, returned) = (*state, values.returned);
            check(step, JustifyingPostCondition, None, || {
                returned == Some(state)
                    || concurrent.of::<Values>(MethodId::new(0)).any(|write| Some(write.argument) == returned)
            })
        });
        let key = (&&Probe::<i32>::new()).key();
        toy_specification("Register", state_of::<i32>(key), vec![write, read], Vec::new())
    })
}

/// A number that must not be touched beside so many other calls: a condition that looks at `concurrent`. Methods: touch.
pub(crate) fn crowd() -> &'static Specification {
    static CROWD: OnceLock<Specification> = OnceLock::new();
    CROWD.get_or_init(|| {
        let mut touch = method("touch", &[PostCondition], |step| {
            let (_, values, concurrent) = step.parts::<i32, Values>();
            let (wanted, beside) = (values.argument, concurrent.len());
            check(step, PostCondition, None, || i32::try_from(beside).is_ok_and(|beside| beside >= wanted))
        });
        touch.clauses[0].text = "concurrent.len() >= wanted";
        let key = (&&Probe::<i32>::new()).key();
        toy_specification("Crowd", state_of::<i32>(key), vec![touch], Vec::new())
    })
}

/// Counts the calls beside each touch, in its side effect. Methods: touch, get, whose answer must be justified.
pub(crate) fn company() -> &'static Specification {
    static COMPANY: OnceLock<Specification> = OnceLock::new();
    COMPANY.get_or_init(|| {
        let mut touch = method("touch", &[SideEffect], |step| {
            let (state, _, concurrent) = step.parts::<i32, Values>();
            *state += i32::try_from(concurrent.len()).unwrap();
            Ok(())
        });
        touch.clauses[0].text = "*count += concurrent.len()";
        let get = method("get", &[JustifyingPreCondition], |step| {
            let (state, values, _) = step.parts::<i32, Values>();
            let is_it = values.returned == Some(*state);
            check(step, JustifyingPreCondition, None, || is_it)
        });
        let key = (&&Probe::<i32>::new()).key();
        toy_specification("Company", state_of::<i32>(key), vec![touch, get], Vec::new())
    })
}

/// A number with effects that do not commute. Methods: add, double, halve (which wants an even number, before and justified), get.
pub(crate) fn number() -> &'static Specification {
    static NUMBER: OnceLock<Specification> = OnceLock::new();
    NUMBER.get_or_init(|| {
        let add = method("add", &[SideEffect], |step| {
            let (state, values, _) = step.parts::<i32, Values>();
            *state += values.argument;
            Ok(())
        });
        let double = method("double", &[SideEffect], |step| {
            *step.parts::<i32, Values>().0 *= 2;
            Ok(())
        });
        let halve = method("halve", &[PreCondition, JustifyingPreCondition, SideEffect], |step| {
            let is_even = *step.parts::<i32, Values>().0 % 2 == 0;
            check(step, PreCondition, None, || is_even)?;
            check(step, JustifyingPreCondition, None, || is_even)?;
            step.at(SideEffect);
            *step.parts::<i32, Values>().0 /= 2;
            Ok(())
        });
        let get = method("get", &[SideEffect, ClauseKind::SameReturn], |step| {
            let (state, values, _) = step.parts::<i32, Values>();
            let (state, returned) = (*state, values.returned);
            check(step, ClauseKind::SameReturn, Some(state.to_string()), || returned == Some(state))
        });
        let key = (&&Probe::<i32>::new()).key();
        toy_specification("Number", state_of::<i32>(key), vec![add, double, halve, get], Vec::new())
    })
}
