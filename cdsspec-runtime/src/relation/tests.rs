use super::sample::{bare_recording, distances, edge_sets, point, push_operation};
use super::{Cycle, EdgeReason, OrderRelation, Precedence, has_earlier_tick};
use crate::record::{
    CallId, Moment, Object, ObjectId, OperationId, Recording, ScOrder, ThreadId, operation_name,
};

fn call(index: usize) -> CallId {
    CallId::new(index)
}

/// The order of the calls of the only object.
fn relation_of(recording: &Recording) -> Result<OrderRelation, Cycle> {
    OrderRelation::of_objects(recording).map(|mut relations| relations.swap_remove(0))
}

fn operation(index: usize) -> OperationId {
    OperationId::new(index)
}

#[test]
fn closure_and_cycles_agree_with_floyd_and_warshall_on_all_digraphs_of_up_to_four_calls() {
    let mut acyclic_counts = Vec::new();
    let mut graph_count = 0;
    for count in 0..=4 {
        let mut acyclic_count = 0;
        for edges in edge_sets(count) {
            graph_count += 1;
            acyclic_count += usize::from(agrees_with_twin(count, &edges));
        }
        acyclic_counts.push(acyclic_count);
    }
    assert_eq!(acyclic_counts, [1, 1, 3, 25, 543]);
    assert_eq!(graph_count, 1 + 1 + 4 + 64 + 4096);
}

/// Compares one graph; whether it is acyclic.
fn agrees_with_twin(count: usize, edges: &[(usize, usize)]) -> bool {
    let distance = distances(count, edges);
    let recording = bare_recording(count, edges);
    let pairs = edges.iter().map(|&(a, b)| (call(a), call(b)));
    let from_pairs = OrderRelation::from_pairs((0..count).map(call).collect(), pairs);
    match relation_of(&recording) {
        Ok(order) => {
            for (a, ways) in distance.iter().enumerate() {
                for (b, way) in ways.iter().enumerate() {
                    assert_eq!(order.is_ordered(call(a), call(b)), way.is_some());
                }
                let before: Vec<_> = (0..count).filter(|&b| distance[b][a].is_some()).map(call).collect();
                assert_eq!(order.predecessors(call(a)).collect::<Vec<_>>(), before);
                let is_apart = |b: &usize| *b != a && ways[*b].is_none() && distance[*b][a].is_none();
                let apart: Vec<_> = (0..count).filter(is_apart).map(call).collect();
                assert_eq!(order.concurrent(call(a)).collect::<Vec<_>>(), apart);
            }
            let is_total = (0..count).all(|a| order.concurrent(call(a)).next().is_none());
            assert_eq!(order.is_total(), is_total);
            assert_eq!(from_pairs, Some(order));
            true
        }
        Err(cycle) => {
            assert_eq!(from_pairs, None);
            let shortest = (0..count).filter_map(|a| distance[a][a].map(|length| (length, a))).min();
            assert_eq!(Some((cycle.edges.len(), cycle.edges[0].from.index())), shortest);
            for (index, edge) in cycle.edges.iter().enumerate() {
                assert!(edges.contains(&(edge.from.index(), edge.to.index())));
                assert_eq!(edge.to, cycle.edges[(index + 1) % cycle.edges.len()].from);
                assert_eq!(edge.reason, EdgeReason::HappensBefore);
                let points = (operation(edge.from.index()), operation(edge.to.index()));
                assert_eq!((edge.first, edge.second), points);
            }
            assert!(cycle.is_memory_model);
            false
        }
    }
}

#[test]
fn a_restriction_keeps_what_goes_by_calls_left_out() {
    let order = relation_of(&bare_recording(4, &[(0, 1), (1, 2)])).unwrap();
    let restricted = order.restrict(vec![call(0), call(2), call(3)]);
    assert!(restricted.is_ordered(call(0), call(2)));
    assert!(!restricted.is_ordered(call(0), call(1)));
    assert_eq!(restricted.concurrent(call(3)).collect::<Vec<_>>(), [call(0), call(2)]);
}

#[test]
fn restrictions_agree_with_the_whole_on_all_orders_of_four_calls() {
    for edges in edge_sets(4) {
        let Ok(order) = relation_of(&bare_recording(4, &edges)) else { continue };
        for set in 0..16_usize {
            let calls: Vec<_> = (0..4).filter(|bit| set >> bit & 1 == 1).map(call).collect();
            let restricted = order.restrict(calls.clone());
            for (&a, &b) in calls.iter().flat_map(|a| calls.iter().map(move |b| (a, b))) {
                assert_eq!(restricted.is_ordered(a, b), order.is_ordered(a, b));
            }
        }
    }
}

/// The calls of `bare_recording`, the second on an object of its own.
fn second_on_another_object(edges: &[(usize, usize)]) -> Recording {
    let mut recording = bare_recording(3, edges);
    recording.objects.push(Object { specification: recording.objects[0].specification });
    recording.calls[1].object = ObjectId::new(1);
    recording
}

#[test]
fn a_way_through_calls_of_another_object_orders_no_calls() {
    let recording = second_on_another_object(&[(0, 1), (1, 2)]);
    let relations = OrderRelation::of_objects(&recording).unwrap();
    assert_eq!(relations.iter().map(|order| order.calls().len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(relations[0].concurrent(call(0)).collect::<Vec<_>>(), [call(2)]);
    let relations = OrderRelation::of_objects(&second_on_another_object(&[(0, 2), (1, 2)])).unwrap();
    assert!(relations[0].is_ordered(call(0), call(2)));
}

#[test]
fn a_cycle_through_calls_of_another_object_is_one() {
    let mut recording = second_on_another_object(&[(0, 1), (1, 2)]);
    recording.sc = ScOrder::from_pairs([(operation(2), operation(0))]);
    let cycle = OrderRelation::of_objects(&recording).unwrap_err();
    assert_eq!((cycle.edges.len(), cycle.is_memory_model), (3, true));
}

#[test]
fn relations_wider_than_a_word_are_closed() {
    let edges: Vec<_> = (0..129).map(|a| (a, a + 1)).collect();
    let order = relation_of(&bare_recording(130, &edges)).unwrap();
    assert!(order.is_total());
    assert!(order.is_ordered(call(0), call(129)) && !order.is_ordered(call(129), call(0)));
    assert_eq!(order.predecessors(call(100)).count(), 100);
}

#[test]
fn a_call_without_points_is_concurrent_with_all_others() {
    let mut recording = bare_recording(3, &[(0, 1), (1, 2)]);
    recording.calls[1].points.clear();
    let order = relation_of(&recording).unwrap();
    assert_eq!(order.concurrent(call(1)).collect::<Vec<_>>(), [call(0), call(2)]);
    assert!(!order.is_ordered(call(0), call(2)));
}

#[test]
fn hb_and_sc_can_contradict_each_other_and_the_memory_model_is_named() {
    let mut recording = bare_recording(2, &[(0, 1)]);
    recording.sc = ScOrder::from_pairs([(operation(1), operation(0))]);
    let cycle = relation_of(&recording).unwrap_err();
    assert!(cycle.is_memory_model);
    let reasons: Vec<_> = cycle.edges.iter().map(|edge| edge.reason).collect();
    assert_eq!(reasons, [EdgeReason::HappensBefore, EdgeReason::Sc]);
    assert_eq!((cycle.edges[1].from, cycle.edges[1].to), (call(1), call(0)));
}

/// Z6.U: W(x) hb W(y) on the first thread is sc-after the last thread's read of x by way of R(y); all that is kept here is the
/// shape, an edge of hb and two of sc in a circle.
#[test]
fn a_longer_circle_of_hb_and_sc_is_the_memory_models() {
    let mut recording = bare_recording(3, &[(0, 1)]);
    recording.sc =
        ScOrder::Pairs([(operation(1), vec![operation(2)]), (operation(2), vec![operation(0)])].into());
    let cycle = relation_of(&recording).unwrap_err();
    assert!(cycle.is_memory_model);
    let reasons: Vec<_> = cycle.edges.iter().map(|edge| edge.reason).collect();
    assert_eq!(reasons, [EdgeReason::HappensBefore, EdgeReason::Sc, EdgeReason::Sc]);
}

#[test]
fn two_points_of_one_call_can_make_a_cycle_that_is_not_the_memory_models() {
    // The points of call 0 are on both sides of that of call 1.
    let mut recording = bare_recording(2, &[(0, 1)]);
    let mut clock = recording.operations[1].clock.clone();
    clock.include(ThreadId::new(0), 2);
    push_operation(&mut recording, ThreadId::new(0), clock);
    recording.calls[0].points.push(point(2));
    let cycle = relation_of(&recording).unwrap_err();
    assert!(!cycle.is_memory_model);
    let points: Vec<_> = cycle.edges.iter().map(|edge| (edge.first, edge.second)).collect();
    assert_eq!(points, [(operation(0), operation(1)), (operation(1), operation(2))]);
}

mod precedence {
    use super::*;
    use crate::record::{CallEntry, CallTicket, MethodId, Orders, Place, Recorder, StoreId, ValueKind};
    use crate::relation::sample::empty_specification;
    use std::sync::atomic::Ordering::Relaxed;

    fn main_thread() -> ThreadId {
        ThreadId::new(0)
    }

    fn place() -> Place {
        Place::here(operation_name!("load"), Orders::None)
    }

    fn enter(recorder: &mut Recorder, thread: ThreadId) -> CallTicket {
        let entry = CallEntry {
            specification: empty_specification(),
            method: MethodId::new(0),
            address: 64,
            size: 8,
            fields: Vec::new(),
            values: Box::new(()),
            tick: None,
        };
        recorder.enter_call(thread, entry)
    }

    fn finish(recorder: &mut Recorder, ticket: CallTicket) {
        let values = recorder.take_values(ticket);
        recorder.finish_call(ticket, values);
    }

    fn call_with_store(
        recorder: &mut Recorder,
        thread: ThreadId,
        order: std::sync::atomic::Ordering,
    ) -> StoreId {
        let location = recorder.new_location(ValueKind::Unsigned("u32"), 0);
        let ticket = enter(recorder, thread);
        let store = recorder.store(thread, place(), order, location, 1);
        finish(recorder, ticket);
        store
    }

    #[test]
    fn reading_from_inside_a_call_does_not_see_its_return() {
        let mut recorder = Recorder::new();
        recorder.begin();
        let child = recorder.create(main_thread(), place(), None);
        let store = call_with_store(&mut recorder, main_thread(), Relaxed);
        recorder.load(child, place(), Relaxed, store);
        call_with_store(&mut recorder, child, Relaxed);
        let precedence = Precedence::of(recorder.recording());
        assert!(!precedence.precedes(call(0), call(1)));
        assert!(!precedence.precedes(call(1), call(0)));
    }

    #[test]
    fn reading_from_after_the_return_sees_it_even_relaxed() {
        let mut recorder = Recorder::new();
        recorder.begin();
        let child = recorder.create(main_thread(), place(), None);
        call_with_store(&mut recorder, main_thread(), Relaxed);
        let location = recorder.new_location(ValueKind::Bool, 0);
        let flag = recorder.store(main_thread(), place(), Relaxed, location, 1);
        recorder.load(child, place(), Relaxed, flag);
        call_with_store(&mut recorder, child, Relaxed);
        let precedence = Precedence::of(recorder.recording());
        assert!(precedence.precedes(call(0), call(1)));
        assert!(!precedence.precedes(call(1), call(0)));
    }

    #[test]
    fn creation_and_join_and_program_order_count() {
        let mut recorder = Recorder::new();
        recorder.begin();
        call_with_store(&mut recorder, main_thread(), Relaxed);
        let child = recorder.create(main_thread(), place(), None);
        call_with_store(&mut recorder, child, Relaxed);
        recorder.join(main_thread(), place(), child);
        call_with_store(&mut recorder, main_thread(), Relaxed);
        let precedence = Precedence::of(recorder.recording());
        let pairs: Vec<_> = (0..3)
            .flat_map(|a| (0..3).map(move |b| (a, b)))
            .filter(|&(a, b)| precedence.precedes(call(a), call(b)))
            .collect();
        assert_eq!(pairs, [(0, 1), (0, 2), (1, 2)]);
    }
}

#[test]
fn ticks_order_calls_only_where_both_are_known() {
    let mut recording = bare_recording(2, &[]);
    assert_eq!(has_earlier_tick(&recording, call(0), call(1)), None);
    let moment = |tick| Moment { position: 0, operation_count: 0, tick: Some(tick) };
    recording.calls[0].response = Some(moment(3));
    recording.calls[1].invocation = moment(4);
    assert_eq!(has_earlier_tick(&recording, call(0), call(1)), Some(true));
    recording.calls[1].invocation = moment(2);
    assert_eq!(has_earlier_tick(&recording, call(0), call(1)), Some(false));
}
