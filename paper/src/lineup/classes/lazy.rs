//! Lazy initialization.

use super::Monitor;
use cdsspec_runtime::scenario::Scenario;

type Lazy = Monitor<Option<u32>>;

/// A value that is made when it is first asked for.
pub(in super::super) fn lazy_initialization() -> Scenario<Lazy> {
    Scenario::new(|| Lazy::new(None))
        .name("Lazy Initialization")
        .op("value()", |lazy| lazy.change(|value| *value.get_or_insert(42)).into())
        .op("to_string()", |lazy| lazy.look(|value| value.map(|value| value.to_string())).into())
        .op("is_value_created()", |lazy| lazy.look(Option::is_some).into())
}
