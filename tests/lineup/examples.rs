//! Examples of this repository, explored against their specifications.

use cdsspec::lineup::LineUp;
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
fn a_constructor_of_a_generic_type_is_written_as_an_expression() {
    let scenario = stack();
    let check = LineUp::new(scenario.clone()).check(&scenario.matrix([["push(1)"], ["pop()"]]));
    assert!(check.holds() && check.source.contains("Scenario::new(TreiberStack::<i32>::new)"), "{check}");
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
