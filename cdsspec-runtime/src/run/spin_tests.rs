//! What other threads have done, seen from a thread that spins.

use super::rounds::Head;
use super::spin::{Spin, SpinReason, is_cell_settled, is_in_round};
use crate::graph::{Action, Event, EventId, Graph, Label, LocationEvents, ThreadIndex};
use crate::record::{Orders, Place, SourceLocation};

fn place() -> Place {
    let source = SourceLocation { file: "loop.rs", line: 1, column: 1 };
    Place { source, name: crate::record::operation_name!("load", Load), orders: Orders::None }
}

/// A round of the events with these indices.
fn head(start: usize, index: usize, is_quiet: bool) -> Head {
    Head { index, start, fingerprint: None, is_quiet, hinted_count: 0, count: 1, equal_count: 0 }
}

#[test]
fn an_event_is_in_a_round_that_others_need_not_look_at() {
    let heads = [head(1, 3, true), head(3, 5, false), head(5, 7, true)];
    let in_rounds =
        |spin: Option<&Spin>| (0..9).map(|index| is_in_round(spin, &heads, index)).collect::<Vec<_>>();
    let mut expected = [false, true, true, false, false, true, true, false, false];
    assert_eq!(in_rounds(None), expected);
    let spin = |comes_back| Spin { from: 7, place: place(), comes_back, reason: SpinReason::Bounded };
    // It writes in its last round, but does so again and again.
    assert_eq!(in_rounds(Some(&spin(false))), expected);
    expected[7..].fill(true);
    assert_eq!(in_rounds(Some(&spin(true))), expected);
}

/// An access of the one cell that there is.
fn access(graph: &mut Graph, thread: ThreadIndex, is_write: bool) -> EventId {
    graph.push(Event::new(thread, Label::Access(Action::BeginCell { is_write }), place(), Some(0)))
}

/// The main thread writes to a cell, if it does, and creates two threads. One does, and the other one reads.
fn is_read_settled(is_written_before: bool, other_writes: Option<bool>) -> bool {
    let mut graph = Graph::new();
    graph.locations = vec![LocationEvents::default()];
    if is_written_before {
        access(&mut graph, 0, true);
    }
    let [reader, other] = [(); 2].map(|()| {
        let child = graph.new_thread();
        graph.push(Event::new(0, Label::Create { child }, place(), None));
        child
    });
    let read = access(&mut graph, reader, false);
    if let Some(is_write) = other_writes {
        access(&mut graph, other, is_write);
    }
    is_cell_settled(&graph, read)
}

#[test]
fn a_read_of_a_cell_sees_the_same_again_if_nobody_has_written_since() {
    assert!(is_read_settled(false, None));
    assert!(is_read_settled(true, None));
    assert!(is_read_settled(true, Some(false)));
    assert!(!is_read_settled(false, Some(true)));
    assert!(!is_read_settled(true, Some(true)));
}

#[test]
fn a_write_to_a_cell_is_not_done_again_with_the_same_result() {
    let mut graph = Graph::new();
    graph.locations = vec![LocationEvents::default()];
    let write = access(&mut graph, 0, true);
    assert!(!is_cell_settled(&graph, write));
}
