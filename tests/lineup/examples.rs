//! Examples of this repository, explored against their specifications.

use cdsspec::{Explore, Scenario};

#[path = "../../examples/hashmap/hashmap.rs"]
mod hashmap;
#[path = "../../examples/treiber_stack/treiber_stack.rs"]
mod treiber_stack;

fn stack() -> Scenario<treiber_stack::TreiberStack<i32>> {
    Scenario::new(treiber_stack::TreiberStack::<i32>::new)
        .op_for("push", [1, 2], |stack, item| stack.push(item).into())
        .op("pop()", |stack| stack.pop().into())
}

#[test]
fn a_treiber_stack_holds_on_all_tests_of_two_by_two() {
    let explore = Explore::of(stack());
    assert!(explore.is_specified());
    let checks = explore.run();
    assert!(checks.holds(), "{checks}");
    assert_eq!((checks.checked, checks.left_out.repeated), (25, 56));
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
