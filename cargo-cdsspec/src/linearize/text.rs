//! A verdict for people.

use super::drawing;
use cdsspec_linearize::file::FileHistory;
use cdsspec_linearize::{CallId, Limit, Refusal, Stopped, Verdict};
use std::fmt::Write;

/// So many calls of an order are shown at most, the last ones.
const CALLS_MAX: usize = 8;
/// So many states are shown at most, and so many characters of each.
const STATES_MAX: usize = 3;
const STATE_LENGTH_MAX: usize = 60;

/// The first line says the verdict.
pub(crate) fn of(number: usize, history: &FileHistory, verdict: &Verdict) -> String {
    let word = match verdict {
        Verdict::Linearizable(_) => "linearizable",
        Verdict::NotLinearizable(_) => "not linearizable",
        Verdict::Inconclusive(_) => "inconclusive",
    };
    let mut text = format!(
        "{word}: history {number}, of a {}, line {}, {}",
        history.model(),
        history.line(),
        counted(history.call_count(), "call")
    );
    match verdict {
        Verdict::Linearizable(_) => {}
        Verdict::NotLinearizable(refusal) => refuse(&mut text, history, refusal),
        Verdict::Inconclusive(stopped) => stop(&mut text, history, stopped),
    }
    text
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn line(text: &mut String, line: &str) {
    write!(text, "\n{line}").expect("a text takes it");
}

fn refuse(text: &mut String, history: &FileHistory, refusal: &Refusal) {
    let call = format!("#{} {}", refusal.call.0, history.text(refusal.call));
    let (events, verb) = (counted(refusal.event_count, "event"), if refusal.event_count == 1 { "is" } else { "are" });
    line(text, "");
    line(text, &format!("  call     {call} of thread {}", history.thread(refusal.call)));
    if refusal.is_smallest {
        line(text, &format!("  prefix   the {events} before its return {verb} linearizable, with the return not"));
    } else {
        let events = refusal.event_count + 1;
        line(text, &format!("  prefix   the first {events} events are not linearizable; a shorter prefix may be at fault: a limit was reached"));
    }
    if refusal.part.len() < history.call_count() {
        line(text, &format!("  part     {} are of one key, and judged by themselves", counted(refusal.part.len(), "call")));
    }
    line(text, &format!("  order    {}", order(history, &refusal.prefix, refusal.moment)));
    if !refusal.prefix.contains(&refusal.call) {
        attempts(text, history, refusal);
    }
    line(text, &format!("  tried    {}, and no order explains it", counted_steps(refusal.step_count)));
    line(text, "");
    let drawing = drawing::of(history, &refusal.part, refusal.call, refusal.moment);
    line(text, &drawing);
}

fn counted_steps(count: u64) -> String {
    format!("{count} step{}", if count == 1 { "" } else { "s" })
}

/// What the call could do after the order that is shown.
fn attempts(text: &mut String, history: &FileHistory, refusal: &Refusal) {
    let attempts = history.attempts(&refusal.prefix, refusal.moment, refusal.call);
    for attempt in attempts.iter().take(STATES_MAX) {
        let state: String = match attempt.state.chars().count() {
            0..=STATE_LENGTH_MAX => attempt.state.clone(),
            _ => attempt.state.chars().take(STATE_LENGTH_MAX).chain("…".chars()).collect(),
        };
        let results = match attempt.results.as_slice() {
            [] => "cannot take effect".to_owned(),
            results => format!("returns {}", results.join(" or ")),
        };
        line(text, &format!("  state    {state}: there the call {results}"));
    }
}

/// The last calls of an order.
fn order(history: &FileHistory, calls: &[CallId], end: u64) -> String {
    if calls.is_empty() {
        return "no call need have taken effect before".to_owned();
    }
    // What has not returned by then may have done something else.
    let text = |call: CallId| match history.interval(call).1 {
        Some(returned) if returned >= end => {
            let text = history.text(call);
            format!("#{} {} pending", call.0, text.split(" -> ").next().unwrap_or(text))
        }
        _ => format!("#{} {}", call.0, history.text(call)),
    };
    let (hidden, shown) = calls.split_at(calls.len().saturating_sub(CALLS_MAX));
    let shown: Vec<_> = shown.iter().map(|&call| text(call)).collect();
    let shown = shown.join(", ");
    if hidden.is_empty() { shown } else { format!("{}, then {shown}", counted(hidden.len(), "call")) }
}

fn stop(text: &mut String, history: &FileHistory, stopped: &Stopped) {
    let limit = match stopped.limit {
        Limit::Steps(steps) => format!("{} (--steps-max)", counted_steps(steps)),
        Limit::Bytes(bytes) => format!("{} MiB of memory (--memory-max-mib)", bytes >> 20),
        _ => "one".to_owned(),
    };
    line(text, "");
    line(text, &format!("  limit    {limit}"));
    let count = stopped.part.len();
    if count < history.call_count() {
        line(text, &format!("  part     {} are of one key, and judged by themselves", counted(count, "call")));
    }
    line(text, &format!("  where    {} of {count} could be placed", counted(stopped.furthest.len(), "call")));
    if let Some(moment) = stopped.moment {
        line(text, &format!("  prefix   what returned before moment {moment} is linearizable"));
    }
    line(text, &format!("  order    {}\n", order(history, &stopped.furthest, u64::MAX)));
}
