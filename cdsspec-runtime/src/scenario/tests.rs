use super::*;
use std::collections::BTreeSet;

fn scenario() -> Scenario<()> {
    Scenario::new(|| ()).op("a()", |()| ().into()).op("b()", |()| ().into())
}

fn with_arguments() -> Scenario<()> {
    let scenario = Scenario::new(|| ()).op_for("put", [1, 2], |(), value| value.into());
    scenario.op("take()", |()| ().into()).alike_arguments()
}

fn columns(matrix: &Matrix) -> String {
    let column = |column: &Vec<Entry>| column.iter().map(|entry| &*entry.name).collect::<Vec<_>>().join(" ");
    matrix.columns.iter().map(column).collect::<Vec<_>>().join(" | ")
}

fn count<T: Send + Sync + 'static>(scenario: &Scenario<T>, threads: usize, calls: usize) -> (usize, LeftOut) {
    let mut matrices = scenario.matrices(threads, calls);
    let count = matrices.by_ref().count();
    (count, matrices.left_out())
}

#[test]
fn all_matrices_come_in_order_each_order_of_threads_once() {
    let shown: Vec<_> = scenario().matrices(2, 1).map(|matrix| columns(&matrix)).collect();
    assert_eq!(shown, ["a() | a()", "a() | b()", "b() | b()"]);
    // Multisets of three of the eight columns, of 512 in all.
    assert_eq!(count(&scenario(), 3, 3), (120, LeftOut { repeated: 392, excluded: 0 }));
    assert_eq!(count(&scenario(), 0, 0).0, 1);
    assert_eq!(count(&Scenario::new(|| ()), 1, 1).0, 0);
}

#[test]
fn renamed_arguments_come_once() {
    let shown: Vec<_> = with_arguments().matrices(1, 2).map(|matrix| columns(&matrix)).collect();
    assert_eq!(shown, ["put(1) put(1)", "put(1) put(2)", "put(1) take()", "take() put(1)", "take() take()"]);
    // Burnside: with both renamings of the values and both orders of the columns, (81 + 9 + 1 + 9) / 4.
    assert_eq!(count(&with_arguments(), 2, 2), (25, LeftOut { repeated: 56, excluded: 0 }));
    // An initial call tells the arguments apart: multisets of two of nine columns.
    assert_eq!(count(&with_arguments().initial(["put(1)"]), 2, 2).0, 45);
}

#[test]
fn constraints_exclude_matrices() {
    let all = |scenario: Scenario<()>| -> Vec<String> {
        scenario.matrices(2, 1).map(|matrix| columns(&matrix)).collect()
    };
    assert_eq!(all(scenario().once("a()")), ["a() | b()", "b() | b()"]);
    assert_eq!(all(scenario().one_thread(["a()"])), ["a() | b()", "b() | b()"]);
    assert_eq!(all(scenario().never_parallel("a()", "b()")), ["a() | a()", "b() | b()"]);
    assert_eq!(all(scenario().only_after("b()", "a()")), ["a() | a()"]);
    assert_eq!(all(scenario().only_after("b()", "a()").initial(["a()"])).len(), 3);
    assert_eq!(count(&scenario().once("a()"), 2, 1).1, LeftOut { repeated: 1, excluded: 1 });
}

#[test]
fn sequences_stand_where_a_call_does() {
    let scenario = scenario().sequence(["a()", "b()"]);
    let shown: Vec<_> = scenario.matrices(1, 1).map(|matrix| columns(&matrix)).collect();
    assert_eq!(shown, ["a()", "b()", "a() b()"]);
}

#[test]
fn a_sequence_that_is_another_entry_makes_no_test_twice() {
    let of = |scenario: Scenario<()>| -> Vec<String> {
        scenario.matrices(2, 1).map(|matrix| columns(&matrix)).collect()
    };
    assert_eq!(of(scenario().sequence(["a()"]).sequence(["b()"])), of(scenario()));
    // The pairs of three entries.
    let twice = scenario().sequence(["a()", "b()"]).sequence(["a()", "b()"]);
    let tests =
        ["a() | a()", "a() | b()", "a() | a() b()", "b() | b()", "a() b() | b()", "a() b() | a() b()"];
    assert_eq!(of(twice).into_iter().collect::<BTreeSet<_>>(), tests.map(str::to_owned).into());
    assert_eq!(of(scenario().sequence(["a()", "b()"]).sequence(["a()", "b()"])).len(), 6);
}

#[test]
fn arguments_are_not_renamed_to_some_that_no_test_has() {
    let scenario = Scenario::new(|| ()).op("take()", |()| ().into());
    let scenario = scenario.op_for("put", [1, 2, 3], |(), value| value.into()).alike_arguments();
    let first = |count| -> Vec<String> {
        scenario.matrices_of_first(2, 1, count).map(|matrix| columns(&matrix)).collect()
    };
    assert_eq!(first(2), ["take() | take()", "take() | put(1)", "put(1) | put(1)"]);
    // One of the two values first, whichever it is.
    let two = ["take() | take()", "take() | put(1)", "put(1) | put(1)", "put(1) | put(2)"];
    assert_eq!(
        (first(3).as_slice(), first(4).as_slice()),
        (&two.map(str::to_owned)[..], &two.map(str::to_owned)[..])
    );
}

#[test]
fn a_sample_depends_on_its_seed_alone_and_a_test_on_its_number() {
    let scenario = with_arguments();
    let shown = |count: u64, seed: u64| -> Vec<String> {
        scenario.sample(2, 2, count, seed).matrices.iter().map(columns).collect()
    };
    assert_eq!(shown(10, 1), shown(10, 1));
    assert_ne!(shown(10, 1), shown(10, 2));
    let (few, many) = (shown(5, 7), shown(20, 7));
    assert_eq!(few, many[..few.len()]);
    // So many that each of the 25 is drawn.
    let sample = scenario.sample(2, 2, 1_000, 3);
    assert_eq!((sample.matrices.len(), sample.drawn, sample.left_out.repeated), (25, 1_000, 975));
}

#[test]
fn a_constraint_that_nothing_keeps_draws_nothing() {
    let scenario = scenario().only_after("a()", "b()").only_after("b()", "a()");
    let sample = scenario.sample(1, 1, 3, 0);
    assert_eq!((sample.matrices.len(), sample.drawn, sample.left_out.excluded), (0, 0, 3_000));
}

#[test]
#[should_panic(expected = "the scenario has no call `c()`: it has `a()`, `b()`")]
fn an_unknown_call_is_named() {
    let _ = scenario().matrix([["c()"]]);
}

#[test]
#[should_panic(expected = "the scenario has two calls `a()`: give each a name of its own")]
fn two_calls_of_one_name_are_refused() {
    let _ = scenario().op("a()", |()| ().into());
}
