//! The order of the calls of a test.

use cdsspec_runtime::record::{MethodCall, Recording, SourceLocation};
use cdsspec_runtime::specification::{Specification, StateSupport};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A call: its thread, and which of the thread's calls it is.
pub type CallName = (usize, usize);

/// The pairs of calls that r orders.
pub type CallOrder = BTreeSet<(CallName, CallName)>;

/// An outcome, and the order of the calls.
pub type Observed = (String, CallOrder);

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

/// What the calls are specified by: nothing.
pub(crate) fn specification() -> &'static Specification {
    static NOTHING: OnceLock<Specification> = OnceLock::new();
    NOTHING.get_or_init(|| Specification {
        name: "Litmus",
        source: SourceLocation::caller(),
        state: StateSupport {
            initial: || Box::new(()),
            copy: |_| Box::new(()),
            clear: |_| {},
            render: None,
            key: None,
        },
        methods: Vec::new(),
        rules: Vec::new(),
    })
}
