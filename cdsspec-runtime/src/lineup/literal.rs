//! Values and settings as they are written in Rust.

use crate::check::SeqCstOrder;
use crate::history::Histories;
use crate::model::{Builder, ChosenValue};
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
pub(super) fn settings(builder: &Builder) -> String {
    let call = |(name, value): (&str, ChosenValue)| match value {
        ChosenValue::Name(text) => format!(".{name}({text:?})"),
        ChosenValue::Number(number) => format!(".{name}({number})"),
        ChosenValue::Milliseconds(time) => format!(".{name}(std::time::Duration::from_millis({time}))"),
        ChosenValue::Switch(is_on) => format!(".{name}({is_on})"),
        ChosenValue::Histories(Histories::All) => format!(".{name}(cdsspec::model::Histories::All)"),
        ChosenValue::Histories(Histories::Random(count)) => {
            format!(".{name}(cdsspec::model::Histories::Random({count}))")
        }
        ChosenValue::SeqCstOrder(SeqCstOrder::Total) => format!(".{name}(cdsspec::check::SeqCstOrder::Total)"),
        ChosenValue::SeqCstOrder(SeqCstOrder::Partial) => format!(".{name}(cdsspec::check::SeqCstOrder::Partial)"),
    };
    builder.chosen().into_iter().map(call).collect()
}
