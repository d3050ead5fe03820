//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::hashmap::HashMap;
use cdsspec::Scenario;
use cdsspec::thread;

/// Each of two threads sets a key, and gets that of the other.
fn put_get__put_get(map: &HashMap) {
    thread::scope(|scope| {
        scope.spawn(|| {
            map.put(1, 10);
            map.get(3);
        });
        scope.spawn(|| {
            map.put(3, 30);
            map.get(1);
        });
    });
}

/// The keys are new.
pub(crate) fn empty() {
    put_get__put_get(&HashMap::new());
}

/// The keys are there already.
pub(crate) fn filled() {
    let map = HashMap::new();
    map.put(1, 1);
    map.put(3, 1);
    put_get__put_get(&map);
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<HashMap> {
    Scenario::new(HashMap::new)
        .op_for("put", [(1, 10), (1, 20), (2, 30)], |map, (key, value)| map.put(key, value).into())
        .op_for("get", [1, 2], |map, key| map.get(key).into())
}
