//! Values and settings as they are written in Rust.

use crate::check::SeqCstOrder;
use crate::engine::random::Strategy;
use crate::model::{Builder, ChosenValue, Histories};
use crate::scenario::Value;

/// A value as an expression.
pub(super) fn value(value: &Value) -> String {
    let list = |values: &[Value]| values.iter().map(self::value).collect::<Vec<_>>().join(", ");
    let variant = match value {
        Value::Bool(value) => format!("Bool({value})"),
        Value::Number(value) => format!("Number({value})"),
        Value::Text(text) => format!("Text({text:?}.to_owned())"),
        Value::Inside(variant, inside) => format!("Inside({variant:?}, Box::new({}))", self::value(inside)),
        Value::Absent => "Absent".to_owned(),
        Value::List(values) => format!("List(vec![{}])", list(values)),
        Value::Tuple(values) => format!("Tuple(vec![{}])", list(values)),
        Value::Shown(text) => format!("Shown({text:?}.to_owned())"),
        Value::Exempt => "Exempt".to_owned(),
        Value::Unmade => "Unmade".to_owned(),
    };
    format!("cdsspec::scenario::Value::{variant}")
}

/// What was set, as calls of a builder.
pub(super) fn calls(builder: &Builder) -> String {
    builder.chosen().iter().map(|(name, value)| format!(".{name}({})", setting(value))).collect()
}

/// What was set, as the arguments of `test`, in parentheses; nothing, if nothing was.
pub(super) fn arguments(builder: &Builder) -> String {
    let argument = |(name, value): &(&str, ChosenValue)| format!("{name} = {}", setting(value));
    let all: Vec<String> = builder.chosen().iter().map(argument).collect();
    if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
}

fn setting(value: &ChosenValue) -> String {
    match value {
        ChosenValue::Name(text) => format!("{text:?}"),
        ChosenValue::Number(number) => number.to_string(),
        ChosenValue::Milliseconds(time) => format!("std::time::Duration::from_millis({time})"),
        ChosenValue::Switch(is_on) => is_on.to_string(),
        ChosenValue::Histories(Histories::All) => "cdsspec::model::Histories::All".to_owned(),
        ChosenValue::Histories(Histories::Random(count)) => {
            format!("cdsspec::model::Histories::Random({count})")
        }
        ChosenValue::ContractLevel(level) => format!("cdsspec::model::ContractLevel::{level:?}"),
        ChosenValue::Strategy(Strategy::Pct { depth }) => {
            format!("cdsspec::model::Strategy::Pct {{ depth: {depth} }}")
        }
        ChosenValue::Strategy(strategy) => format!("cdsspec::model::Strategy::{strategy:?}"),
        ChosenValue::SeqCstOrder(SeqCstOrder::Total) => "cdsspec::check::SeqCstOrder::Total".to_owned(),
        ChosenValue::SeqCstOrder(SeqCstOrder::Partial) => "cdsspec::check::SeqCstOrder::Partial".to_owned(),
    }
}
