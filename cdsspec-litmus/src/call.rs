//! The order of the calls of a test.

use cdsspec_runtime::check::{CheckOptions, SeqCstOrder, check_execution};
use cdsspec_runtime::record::{MethodCall, Recording, SourceLocation};
use cdsspec_runtime::specification::{
    Broken, Clause, ClauseKind, Method, Specification, StateSupport, StepMode, ValueSupport,
};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A call: its thread, and which of the thread's calls it is.
pub type CallName = (usize, usize);

/// The pairs of calls that r orders.
pub type CallOrder = BTreeSet<(CallName, CallName)>;

/// An outcome, and the order of the calls.
pub type Observed = (String, CallOrder);

/// An outcome, and the verdict on the calls.
pub type Checked = (String, &'static str);

/// The pairs, and those that follow from them.
pub fn close(mut order: CallOrder) -> CallOrder {
    loop {
        let more: CallOrder = order
            .iter()
            .flat_map(|&(a, b)| order.iter().filter(move |pair| pair.0 == b).map(move |pair| (a, pair.1)))
            .filter(|pair| !order.contains(pair))
            .collect();
        if more.is_empty() {
            return order;
        }
        order.extend(more);
    }
}

/// The order of the calls of a recording, all of them calls of tests.
///
/// # Panics
/// If one is none.
pub fn recorded_order(recording: &Recording) -> CallOrder {
    let name = |call: &MethodCall| *call.values.downcast_ref::<CallName>().expect("it is a call of a test");
    let is_before = |one: &MethodCall, other: &MethodCall| {
        one.points.iter().any(|x| {
            let (x, ys) = (x.operation, other.points.iter().map(|point| point.operation));
            ys.into_iter().any(|y| recording.happens_before(x, y) || recording.sc_before(x, y))
        })
    };
    let calls = &recording.calls;
    let pairs = calls.iter().flat_map(|one| calls.iter().map(move |other| (one, other)));
    let edges = pairs.filter(|(one, other)| one.id != other.id && is_before(one, other));
    close(edges.map(|(one, other)| (name(one), name(other))).collect())
}

/// What the calls are specified by: where two of them follow each other, the later one is not of a thread with a lower number. The state is the
/// last call.
pub(crate) fn specification() -> &'static Specification {
    static HANDED_ON: OnceLock<Specification> = OnceLock::new();
    HANDED_ON.get_or_init(|| Specification {
        name: "Litmus",
        source: SourceLocation::caller(),
        state: StateSupport {
            initial: || Box::new(None::<CallName>),
            copy: |state| Box::new(*state.downcast_ref::<Option<CallName>>().expect("it is the last call")),
            clear: |_| {},
            render: None,
            key: None,
        },
        methods: vec![method()],
        rules: Vec::new(),
    })
}

/// Whether a call may follow another one, or none.
pub fn may_follow(last: Option<CallName>, call: CallName) -> bool {
    last.is_none_or(|(thread, _)| thread <= call.0)
}

fn method() -> Method {
    let source = SourceLocation::caller();
    let condition = Clause { kind: ClauseKind::PreCondition, text: "last.thread <= thread", source };
    Method {
        name: "call",
        source,
        clauses: vec![condition],
        step: |step| {
            let mode = step.mode();
            let (last, &call, _) = step.parts::<Option<CallName>, CallName>();
            let is_right = mode != StepMode::Sequential || may_follow(*last, call);
            *last = Some(call);
            let broken = Broken { clause: ClauseKind::PreCondition, specified: None };
            if is_right { Ok(()) } else { Err(broken) }
        },
        markers: Vec::new(),
        values: ValueSupport { render_arguments: |_| Vec::new(), render_return: |_| None, key: None },
    }
}

/// The verdict on a recording, in a word: conditions are looked at in all histories that r allows.
pub fn recorded_verdict(recording: &Recording) -> &'static str {
    let mut options = CheckOptions::default();
    // The twin has the partial order. Conditions say the same under all total ones; cycles do not.
    options.sc_order = SeqCstOrder::Partial;
    check_execution(recording, &options).verdict.word()
}
