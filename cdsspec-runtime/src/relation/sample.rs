//! Recordings made by hand, and naive twins: for tests of this room and later ones.

use crate::record::{
    CallId, Clock, MethodCall, MethodId, Moment, Object, ObjectId, Operation, OperationId, OperationKind,
    OrderingPoint, Orders, Place, Recording, SourceLocation, Thread, ThreadId, operation_name,
};
use crate::specification::{Specification, StateSupport};
use std::any::Any;
use std::rc::Rc;
use std::sync::OnceLock;

/// A call to be put in a recording.
#[derive(Clone)]
pub(crate) struct SampleCall {
    pub(crate) object: usize,
    pub(crate) method: usize,
    pub(crate) values: Rc<dyn Any>,
}

/// A recording with these calls, each on a thread of its own with one operation, its ordering point. The operation of `b` knows
/// that of `a`, and not what it knows, for each edge (a, b).
pub(crate) fn sample_recording(
    objects: &[&'static Specification],
    calls: Vec<SampleCall>,
    edges: &[(usize, usize)],
) -> Recording {
    let mut recording = Recording {
        objects: objects.iter().map(|&specification| Object { specification }).collect(),
        threads: vec![Thread::default(); calls.len()],
        ..Recording::default()
    };
    for (index, call) in calls.into_iter().enumerate() {
        let mut clock = Clock::new();
        clock.include(ThreadId::new(index), 1);
        for (first, _) in edges.iter().filter(|(_, second)| *second == index) {
            clock.include(ThreadId::new(*first), 1);
        }
        push_operation(&mut recording, ThreadId::new(index), clock);
        let moment = |position, operation_count| Moment { position, operation_count, tick: None };
        recording.calls.push(MethodCall {
            id: CallId::new(index),
            object: ObjectId::new(call.object),
            method: MethodId::new(call.method),
            thread: ThreadId::new(index),
            invocation: moment(0, index),
            response: Some(moment(1, index + 1)),
            values: call.values,
            points: vec![point(index)],
        });
    }
    recording
}

/// A fence with this clock, which must include it.
pub(crate) fn push_operation(recording: &mut Recording, thread: ThreadId, clock: Clock) -> OperationId {
    let id = OperationId::new(recording.operations.len());
    recording.operations.push(Operation {
        id,
        thread,
        position: clock.get(thread),
        place: Place::here(operation_name!("fence"), Orders::None),
        kind: OperationKind::Fence,
        order: None,
        location: None,
        read: None,
        written: None,
        clock,
    });
    id
}

pub(crate) fn point(operation: usize) -> OrderingPoint {
    OrderingPoint { operation: OperationId::new(operation), marker: SourceLocation::caller() }
}

/// A specification that says nothing.
pub(crate) fn empty_specification() -> &'static Specification {
    static EMPTY: OnceLock<Specification> = OnceLock::new();
    EMPTY.get_or_init(|| Specification {
        name: "Empty",
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

/// A recording of calls that only have ordering points.
pub(crate) fn bare_recording(call_count: usize, edges: &[(usize, usize)]) -> Recording {
    let call = SampleCall { object: 0, method: 0, values: Rc::new(()) };
    sample_recording(&[empty_specification()], vec![call; call_count], edges)
}

/// All sets of edges between `count` nodes, in a fixed order: 2^(count·(count-1)) of them.
pub(crate) fn edge_sets(count: usize) -> impl Iterator<Item = Vec<(usize, usize)>> {
    let pairs: Vec<(usize, usize)> =
        (0..count).flat_map(|a| (0..count).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
    (0_u64..1 << pairs.len())
        .map(move |set| (0..pairs.len()).filter(|&bit| set >> bit & 1 == 1).map(|bit| pairs[bit]).collect())
}

/// The lengths of shortest ways, by Floyd and Warshall: the naive twin of closure and cycles. `distance[a][a]` is that of a cycle.
pub(crate) fn distances(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<Option<usize>>> {
    let mut distance = vec![vec![None; count]; count];
    for &(a, b) in edges {
        distance[a][b] = Some(1);
    }
    for k in 0..count {
        for a in 0..count {
            for b in 0..count {
                let by_k = distance[a][k].zip(distance[k][b]).map(|(one, two)| one + two);
                distance[a][b] = match (distance[a][b], by_k) {
                    (Some(old), Some(new)) => Some(usize::min(old, new)),
                    (old, new) => old.or(new),
                };
            }
        }
    }
    distance
}
