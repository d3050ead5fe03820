use super::history::SerialHistory;
use super::interval::Boundary;
use super::observation::ObservationSet;
use super::walk::{Orders, precedes_in, refute};
use crate::scenario::{Slot, Value};

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

fn slot(index: usize) -> Slot {
    Slot::new(index)
}

/// All orders of the calls of two or three threads, of which some are serial histories.
fn some_orders(random: &mut Random, threads: &[Vec<usize>]) -> Vec<Vec<Slot>> {
    let mut all = vec![(Vec::new(), vec![0; threads.len()])];
    for _ in 0..threads.iter().map(Vec::len).sum() {
        all = all
            .into_iter()
            .flat_map(|(order, done): (Vec<Slot>, Vec<usize>)| {
                let open = (0..threads.len()).filter(|&thread| done[thread] < threads[thread].len());
                let next = open.map(|thread| {
                    let (mut order, mut done) = (order.clone(), done.clone());
                    order.push(slot(threads[thread][done[thread]]));
                    done[thread] += 1;
                    (order, done)
                });
                next.collect::<Vec<_>>()
            })
            .collect();
    }
    let share = 1 + random.below(all.len().min(6));
    all.into_iter().map(|(order, _)| order).filter(|_| random.below(share) == 0).collect()
}

/// So many calls, each of one of some threads: the calls of each.
fn some_threads(random: &mut Random, calls: usize) -> Vec<Vec<usize>> {
    let mut threads = vec![Vec::new(); 2 + random.below(2)];
    for call in 0..calls {
        let thread = random.below(threads.len());
        threads[thread].push(call);
    }
    threads
}

/// The boundaries of the calls of a thread, in order.
fn boundaries(thread: &[usize]) -> impl Iterator<Item = Boundary> {
    thread.iter().flat_map(|&call| [Boundary::Invocation(slot(call)), Boundary::Return(slot(call))])
}

/// Brute force: whether some serial order keeps the order of time of these boundaries. Shares nothing with what is tested.
fn has_witness(time: &[Boundary], orders: &[Vec<Slot>]) -> bool {
    let at = |boundary: Boundary| time.iter().position(|other| *other == boundary);
    orders.iter().any(|order| {
        (0..order.len()).all(|later| {
            (0..later).all(|earlier| {
                // The later one of the serial order must not have been over before the earlier one began.
                let over = at(Boundary::Return(order[later]));
                let begun = at(Boundary::Invocation(order[earlier]));
                !matches!((over, begun), (Some(over), Some(begun)) if over < begun)
            })
        })
    })
}

#[test]
fn the_walk_agrees_with_brute_force_on_10000_random_histories_of_up_to_8_calls() {
    let mut random = Random(1);
    let mut refuted = 0;
    for _ in 0..10_000 {
        let count = 1 + random.below(8);
        let threads = some_threads(&mut random, count);
        let orders = some_orders(&mut random, &threads);
        let mut open: Vec<Vec<Boundary>> =
            threads.iter().map(|thread| boundaries(thread).collect()).collect();
        let mut time = Vec::new();
        while open.iter().any(|thread| !thread.is_empty()) {
            let thread = random.below(open.len());
            if !open[thread].is_empty() {
                time.push(open[thread].remove(0));
            }
        }
        let found = refute(&time, |first, second| first < second, &Orders::new(&orders), |_| true);
        assert_eq!(found.is_none(), has_witness(&time, &orders), "{time:?} {orders:?}");
        assert!(found.is_none_or(|found| found == time));
        refuted += u32::from(!has_witness(&time, &orders));
    }
    assert!((1_000..9_000).contains(&refuted), "both verdicts are common: {refuted}");
}

#[test]
fn what_is_carried_to_a_down_set_may_be_less_than_what_was_before() {
    use Boundary::{Invocation, Return};
    // Both ways the second call has returned when all but the third have begun: after the first one began, and before.
    let boundaries = [
        Invocation(slot(0)),
        Invocation(slot(1)),
        Return(slot(1)),
        Return(slot(0)),
        Invocation(slot(2)),
        Return(slot(2)),
    ];
    let pairs = [(0, 3), (1, 2), (4, 5), (1, 3)];
    let orders =
        [[0, 1, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map(|order| order.map(slot).to_vec());
    let found = refute(
        &boundaries,
        |first, second| pairs.contains(&(first, second)),
        &Orders::new(&orders),
        |_| true,
    );
    let in_turn = [1, 2, 0, 3, 4, 5].map(|index| boundaries[index]);
    assert_eq!(found.as_deref(), Some(&in_turn[..]));
    assert!(!has_witness(&in_turn, &orders));
}

/// All linear extensions.
fn extensions(count: usize, is_before: &dyn Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                let is_next = |&next: &usize| {
                    !order.contains(&next)
                        && (0..count).all(|first| !is_before(first, next) || order.contains(&first))
                };
                let next: Vec<_> = (0..count).filter(is_next).collect();
                next.into_iter().map(move |next| [order.clone(), vec![next]].concat())
            })
            .collect();
    }
    all
}

#[test]
fn an_execution_is_refuted_iff_one_of_its_orders_is() {
    let mut random = Random(2);
    let (mut refuted, mut orders_of_time) = (0, 0);
    for _ in 0..1_000 {
        let count = 1 + random.below(4);
        let threads = some_threads(&mut random, count);
        let orders = some_orders(&mut random, &threads);
        let list: Vec<Boundary> = threads.iter().flat_map(|thread| boundaries(thread)).collect();
        let thread_of = |index: usize| match list[index] {
            Boundary::Invocation(call) | Boundary::Return(call) => {
                threads.iter().position(|thread| thread.contains(&call.index()))
            }
        };
        let mut before = vec![vec![false; list.len()]; list.len()];
        for (first, row) in before.iter_mut().enumerate() {
            for (second, is_before) in row.iter_mut().enumerate().skip(first + 1) {
                *is_before = thread_of(first) == thread_of(second) || random.below(5) == 0;
            }
        }
        for via in 0..list.len() {
            for first in 0..list.len() {
                for second in 0..list.len() {
                    before[first][second] |= before[first][via] && before[via][second];
                }
            }
        }
        let is_before = |first: usize, second: usize| before[first][second];
        let all = extensions(list.len(), &is_before);
        orders_of_time += all.len();
        let in_time = |order: &Vec<usize>| order.iter().map(|&index| list[index]).collect::<Vec<_>>();
        let expected = all.iter().any(|order| !has_witness(&in_time(order), &orders));
        let found = refute(&list, is_before, &Orders::new(&orders), |_| true);
        assert_eq!(found.is_some(), expected, "{list:?} {before:?} {orders:?}");
        if let Some(found) = found {
            refuted += 1;
            assert!(!has_witness(&found, &orders) && all.iter().any(|order| in_time(order) == found));
            let set = histories_of(&orders, count);
            let results = set.histories().first().map(|history| history.results(count)).unwrap_or_default();
            assert_eq!(set.witness(&results, &precedes_in(&found, count)), None);
        }
    }
    assert_eq!((refuted, orders_of_time), (290, 9_921));
}

/// Serial histories with these orders, in which each call returns nothing.
fn histories_of(orders: &[Vec<Slot>], count: usize) -> ObservationSet {
    let calls = |order: &Vec<Slot>| order.iter().map(|&slot| (slot, Some(Value::from(())))).collect();
    ObservationSet::new(count, orders.iter().map(|order| SerialHistory { calls: calls(order) }))
}

/// A history of calls with what they returned; the last one may not have.
fn history(calls: &[(usize, Option<i32>)]) -> SerialHistory {
    SerialHistory { calls: calls.iter().map(|&(call, value)| (slot(call), value.map(Value::from))).collect() }
}

fn nondeterminism(histories: &[SerialHistory]) -> bool {
    ObservationSet::new(3, histories.iter().cloned()).nondeterminism().is_some()
}

#[test]
fn histories_that_differ_right_after_a_call_are_nondeterministic() {
    let first = history(&[(0, Some(1)), (1, Some(2))]);
    assert!(!nondeterminism(std::slice::from_ref(&first)));
    // They differ in who calls next.
    assert!(!nondeterminism(&[first.clone(), history(&[(1, Some(9)), (0, Some(8))])]));
    assert!(nondeterminism(&[first.clone(), history(&[(0, Some(1)), (1, Some(3))])]));
    assert!(nondeterminism(&[first.clone(), history(&[(0, Some(1)), (1, None)])]));
    // Others stand between the two.
    let between = history(&[(0, Some(1)), (2, Some(5)), (1, Some(2))]);
    assert!(nondeterminism(&[between, history(&[(0, Some(2)), (1, Some(2))]), first]));
}

#[test]
fn exempt_results_are_no_nondeterminism_and_waiting_is() {
    let of = |value| SerialHistory { calls: vec![(slot(0), Some(value))] };
    let (exempt, unmade) = (of(Value::Exempt), of(Value::Unmade));
    assert!(!nondeterminism(&[history(&[(0, Some(1))]), unmade.clone()]));
    assert!(!nondeterminism(&[history(&[(0, None)]), unmade.clone()]));
    assert!(!nondeterminism(&[exempt.clone(), exempt.clone()]));
    assert!(nondeterminism(&[history(&[(0, Some(1))]), unmade, history(&[(0, Some(2))])]));
    assert!(nondeterminism(&[history(&[(0, None)]), exempt]));
}
