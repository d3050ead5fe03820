//! A verdict for people.

use super::drawing;
use cdsspec_linearize::file::FileHistory;
use cdsspec_linearize::{CallId, Limit, Refusal, Stopped, Verdict};
use std::fmt::Write;

/// So wide is what is printed at most, but for a word that is wider; and what a row says begins here.
pub(super) const COLUMNS: usize = 100;
const INDENT: usize = 9;
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

/// A row: what it is about, and what is to be said. It goes on in lines below.
fn row(text: &mut String, name: &str, value: &str) {
    let mut begin = format!("\n  {name:<7}");
    let mut column = begin.chars().count() - 1;
    for word in value.split(' ') {
        let length = word.chars().count() + 1;
        if column + length > COLUMNS && column > INDENT {
            write!(text, "{begin}").expect("a text takes it");
            (begin, column) = (format!("\n{:INDENT$}", ""), INDENT);
        }
        write!(begin, " {word}").expect("a text takes it");
        column += length;
    }
    write!(text, "{begin}").expect("a text takes it");
}

fn refuse(text: &mut String, history: &FileHistory, refusal: &Refusal) {
    let call = format!("#{} {}", refusal.call.0, history.text(refusal.call));
    let (events, verb) =
        (counted(refusal.event_count, "event"), if refusal.event_count == 1 { "is" } else { "are" });
    text.push('\n');
    row(text, "call", &format!("{call} of thread {}", history.thread(refusal.call)));
    if refusal.is_smallest {
        row(
            text,
            "prefix",
            &format!("the {events} before its return {verb} linearizable, with the return not"),
        );
    } else {
        let events = refusal.event_count + 1;
        row(
            text,
            "prefix",
            &format!(
                "the first {events} events are not linearizable; a shorter prefix may be at fault: a limit was reached"
            ),
        );
    }
    if refusal.part.len() < history.call_count() {
        row(
            text,
            "part",
            &format!("{} are of one key, and judged by themselves", counted(refusal.part.len(), "call")),
        );
    }
    row(text, "order", &order(history, &refusal.prefix, refusal.moment));
    if !refusal.prefix.contains(&refusal.call) {
        attempts(text, history, refusal);
    }
    row(text, "tried", &format!("{}, and no order explains it", counted_steps(refusal.step_count)));
    text.push_str("\n\n");
    let drawing = drawing::of(history, &refusal.part, refusal.call, refusal.moment);
    text.push_str(&drawing);
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
        row(text, "state", &format!("{state}: there the call {results}"));
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
    text.push('\n');
    row(text, "limit", &limit);
    let count = stopped.part.len();
    if count < history.call_count() {
        row(text, "part", &format!("{} are of one key, and judged by themselves", counted(count, "call")));
    }
    row(text, "where", &format!("{} of {count} could be placed", counted(stopped.furthest.len(), "call")));
    if let Some(moment) = stopped.moment {
        row(text, "prefix", &format!("what returned before moment {moment} is linearizable"));
    }
    row(text, "order", &order(history, &stopped.furthest, u64::MAX));
    text.push('\n');
}
