//! Examples of this repository, explored against their specifications.

use cdsspec::{Explore, Scenario, Verdict};

#[path = "../../examples/hashmap/hashmap.rs"]
mod hashmap;
#[path = "../../examples/treiber_stack/treiber_stack.rs"]
mod treiber_stack;

fn stack() -> Scenario<treiber_stack::TreiberStack<i32>> {
    Scenario::new(treiber_stack::TreiberStack::<i32>::new)
        .op_for("push", [1, 2], |stack, item| stack.push(item).into())
        .op("pop()", |stack| stack.pop().into())
}

/// An open finding of these tests: a `pop` may take an item from under one that is pushed after it looked, and is not ordered before that `push`.
#[test]
fn a_treiber_stack_is_violated_on_a_test_of_two_by_two() {
    let explore = Explore::of(stack());
    assert!(explore.is_specified());
    let checks = explore.run();
    assert_eq!(checks.verdict, Verdict::Violated, "{checks}");
    let check = checks.failure.expect("it failed");
    let columns = "| push(1)  | push(2)  |\n| pop()    | pop()    |\n";
    assert!(check.matrix.to_string().ends_with(columns), "{check}");
    assert!(check.source.contains("let object = TreiberStack::<i32>::new();"), "{check}");
}

#[test]
fn a_hash_map_holds_on_all_tests_of_two_by_two() {
    let scenario = Scenario::new(hashmap::HashMap::new)
        .op("put(1, 10)", |map| map.put(1, 10).into())
        .op("put(1, 20)", |map| map.put(1, 20).into())
        .op("get(1)", |map| map.get(1).into());
    let explore = Explore::of(scenario);
    assert!(explore.is_specified());
    let checks = explore.run();
    assert!(checks.holds(), "{checks}");
}
