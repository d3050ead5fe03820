//! The naive twin of the total orders: every permutation of all SeqCst operations.

use super::sample::{bare_recording, distances, edge_sets, point, push_operation};
use super::{OrderRelation, TotalOrders, sc_points_in_order, under_sc_points};
use crate::record::{Clock, OperationId, Recording, ScOrder, ThreadId};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::SeqCst;

/// For each operation the call whose ordering point it is. One that is no point is on a thread of its own.
type Layout = &'static [Option<usize>];

/// For each call the calls before it.
type Rows = Vec<Vec<usize>>;

/// A recording with these points, of which those of one call follow one another, and these edges of happens-before and psc.
fn recording(layout: Layout, is_sc: &[bool], hb: &[(usize, usize)], psc: &[(usize, usize)]) -> Recording {
    let calls = 1 + layout.iter().flatten().max().unwrap();
    let mut recording = bare_recording(calls, &[]);
    recording.operations.clear();
    recording.calls.iter_mut().for_each(|call| call.points.clear());
    let mut clocks: Vec<Clock> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = psc.to_vec();
    for (index, of_call) in layout.iter().enumerate() {
        let same = |other: usize| of_call.is_some() && layout[other] == *of_call;
        let earlier = (0..index).filter(|&other| same(other)).collect::<Vec<_>>();
        let thread = ThreadId::new(of_call.unwrap_or(calls + index));
        let mut clock = Clock::new();
        clock.include(thread, 1 + u32::try_from(earlier.len()).unwrap());
        clocks.push(clock);
        pairs.extend(earlier.into_iter().map(|other| (other, index)));
    }
    let program_order: Vec<_> = pairs[psc.len()..].to_vec();
    for (index, of_call) in layout.iter().enumerate() {
        let thread = ThreadId::new(of_call.unwrap_or(calls + index));
        let mut clock = clocks[index].clone();
        let known = |pairs: &[(usize, usize)]| {
            pairs.iter().filter(|pair| pair.1 == index).map(|pair| pair.0).collect::<Vec<_>>()
        };
        let before = known(&program_order);
        let of_before = hb.iter().filter(|pair| before.contains(&pair.1)).map(|pair| pair.0);
        for first in known(hb).into_iter().chain(of_before) {
            let first_thread = ThreadId::new(layout[first].unwrap_or(calls + first));
            clock.include(first_thread, clocks[first].get(first_thread));
        }
        push_operation(&mut recording, thread, clock);
        recording.operations[index].order = is_sc[index].then_some(SeqCst);
        if let Some(call) = of_call {
            recording.calls[*call].points.push(point(index));
        }
    }
    let of_sc = pairs.into_iter().filter(|&(first, second)| is_sc[first] && is_sc[second]);
    recording.sc = ScOrder::from_pairs(of_sc.map(|(a, b)| (OperationId::new(a), OperationId::new(b))));
    recording
}

/// All permutations of these numbers.
fn permutations(numbers: &[usize]) -> Vec<Vec<usize>> {
    if numbers.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |&first: &usize| {
        let rest: Vec<usize> = numbers.iter().copied().filter(|&other| other != first).collect();
        permutations(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    numbers.iter().flat_map(with_first).collect()
}

/// The relation over the calls that happens-before and a total order give, closed; `None` if it has a cycle.
fn naive_relation(recording: &Recording, total: &[usize]) -> Option<Rows> {
    let count = recording.calls.len();
    let place = |operation: OperationId| total.iter().position(|&other| other == operation.index());
    let is_before = |x: OperationId, y: OperationId| {
        recording.happens_before(x, y) || place(x).zip(place(y)).is_some_and(|(x, y)| x < y)
    };
    let mut edges = Vec::new();
    for (a, first) in recording.calls.iter().enumerate() {
        for (b, second) in recording.calls.iter().enumerate().filter(|(b, _)| *b != a) {
            let mut pairs = first.points.iter().flat_map(|x| second.points.iter().map(move |y| (x, y)));
            if pairs.any(|(x, y)| is_before(x.operation, y.operation)) {
                edges.push((a, b));
            }
        }
    }
    let distance = distances(count, &edges);
    let before = |call: usize| (0..count).filter(|&other| distance[other][call].is_some()).collect();
    let rows: Rows = (0..count).map(before).collect();
    rows.iter().enumerate().all(|(call, row)| !row.contains(&call)).then_some(rows)
}

fn rows_of(relation: &OrderRelation) -> Rows {
    let row = |&call| relation.predecessors(call).map(|earlier| earlier.index()).collect();
    relation.calls().iter().map(row).collect()
}

/// Whether a total order of some operations extends psc⁺ on them.
fn extends_psc(recording: &Recording, total: &[usize]) -> bool {
    let ids: Vec<OperationId> = total.iter().map(|&index| OperationId::new(index)).collect();
    (0..ids.len()).all(|later| (0..later).all(|first| !recording.sc_before(ids[later], ids[first])))
}

/// What was compared: recordings whose r is an order; those with more than one relation; relations.
#[derive(Default, PartialEq, Eq, Debug)]
struct Tally(usize, usize, usize);

fn compare(recording: &Recording, tally: &mut Tally) {
    let Ok(relations) = OrderRelation::of_objects(recording) else { return };
    let operations = recording.operations.iter();
    let sc: Vec<usize> = operations.filter(|one| one.is_sc()).map(|one| one.id.index()).collect();
    if sc.iter().any(|&one| recording.sc_before(OperationId::new(one), OperationId::new(one))) {
        return;
    }
    let orders = permutations(&sc).into_iter().filter(|total| extends_psc(recording, total));
    let expected: BTreeSet<Rows> = orders.filter_map(|total| naive_relation(recording, &total)).collect();
    let mut found = Vec::new();
    match TotalOrders::of(recording, &relations[0]) {
        None => found.push(rows_of(&relations[0])),
        Some(orders) => {
            let end = orders.visit(|relation| {
                let points = sc_points_in_order(recording, &relation);
                assert_eq!(under_sc_points(recording, &relations[0], &points), relation);
                let total: Vec<usize> = points.iter().map(|point| point.index()).collect();
                assert!(extends_psc(recording, &total), "{recording:?}");
                assert_eq!(naive_relation(recording, &total), Some(rows_of(&relation)));
                found.push(rows_of(&relation));
                ControlFlow::<()>::Continue(())
            });
            assert!(end.is_continue());
        }
    }
    let distinct: BTreeSet<Rows> = found.iter().cloned().collect();
    assert_eq!(distinct.len(), found.len(), "each relation comes once");
    assert_eq!(distinct, expected, "{recording:?}");
    tally.0 += 1;
    tally.1 += usize::from(found.len() > 1);
    tally.2 += found.len();
}

#[test]
fn the_relations_are_those_of_all_permutations_on_all_inputs_of_three_operations() {
    let layouts: [Layout; 3] =
        [&[Some(0), Some(1), Some(2)], &[Some(0), Some(0), Some(1)], &[Some(0), Some(1), None]];
    let tallies = layouts.map(|layout| {
        let mut tally = Tally::default();
        for set in 0..8 {
            let is_sc: Vec<bool> = (0..3).map(|bit| set >> bit & 1 == 1).collect();
            for hb in edge_sets(3) {
                for psc in edge_sets(3).filter(|psc| psc.iter().all(|&(a, b)| is_sc[a] && is_sc[b])) {
                    compare(&recording(layout, &is_sc, &hb, &psc), &mut tally);
                }
            }
        }
        tally
    });
    assert_eq!(tallies, [Tally(560, 94, 676), Tally(660, 24, 684), Tally(1504, 128, 1632)]);
}

#[test]
fn the_relations_are_those_of_all_permutations_of_four_operations_under_hb_or_psc_alone() {
    let layouts: [Layout; 4] = [
        &[Some(0), Some(1), Some(2), Some(3)],
        &[Some(0), Some(0), Some(1), Some(1)],
        &[Some(0), Some(1), Some(1), Some(2)],
        &[Some(0), Some(1), Some(2), None],
    ];
    let tallies = layouts.map(|layout| {
        let mut tally = Tally::default();
        for edges in edge_sets(4) {
            compare(&recording(layout, &[true; 4], &edges, &[]), &mut tally);
            compare(&recording(layout, &[true; 4], &[], &edges), &mut tally);
        }
        tally
    });
    let expected =
        [Tally(1086, 702, 3072), Tally(1304, 104, 1408), Tally(1068, 412, 1664), Tally(2143, 1087, 4032)];
    assert_eq!(tallies, expected);
}
