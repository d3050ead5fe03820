//! A verdict as a line of JSON.

use cdsspec_linearize::file::FileHistory;
use cdsspec_linearize::{CallId, Limit, Verdict};
use serde_json::{Value, json};

/// One object. Calls are numbers: their places in the history, from 0.
pub(crate) fn of(history: &FileHistory, verdict: &Verdict) -> Value {
    let numbers = |calls: &[CallId]| calls.iter().map(|call| call.0).collect::<Vec<_>>();
    let common = |linearizable: Option<bool>| {
        json!({
            "linearizable": linearizable,
            "line": history.line(),
            "model": history.model().to_string(),
            "calls": history.call_count(),
        })
    };
    let (mut object, more) = match verdict {
        Verdict::Linearizable(witness) => {
            (common(Some(true)), json!({ "witness": numbers(&witness.order), "steps": witness.step_count }))
        }
        Verdict::NotLinearizable(refusal) => (
            common(Some(false)),
            json!({
                "call": refusal.call.0,
                "prefix_events": refusal.event_count,
                "prefix_is_longest": refusal.is_smallest,
                "prefix_witness": numbers(&refusal.prefix),
                "part": numbers(&refusal.part),
                "steps": refusal.step_count,
            }),
        ),
        Verdict::Inconclusive(stopped) => {
            let (limit, limit_value) = match stopped.limit {
                Limit::Steps(steps) => ("steps", steps),
                Limit::Bytes(bytes) => ("bytes", bytes as u64),
                _ => ("unknown", 0),
            };
            let more = json!({
                "limit": limit,
                "limit_value": limit_value,
                "linearized": numbers(&stopped.furthest),
                "linearizable_before": stopped.moment,
                "part": numbers(&stopped.part),
                "steps": stopped.step_count,
            });
            (common(None), more)
        }
    };
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}
