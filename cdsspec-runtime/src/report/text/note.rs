//! What makes a run say less than it seems to.

use super::super::data::Report;
use super::phrase::number;
use crate::check::Note;

/// A note of the run of this program, for whoever does not read its report.
pub fn note(program: &str, note: &Note) -> String {
    format!("cdsspec: note: {program}: {note}")
}

/// What makes a check say less than it seems to.
pub(super) fn texts(report: &Report) -> Vec<String> {
    let counts = &report.coverage.counts;
    let mut notes: Vec<_> = report.notes.iter().map(ToString::to_string).collect();
    let is_said = report.notes.iter().any(|note| matches!(note, Note::OnlyUnspecified | Note::NoCall { .. }));
    if counts.calls == 0 && counts.events == 0 && counts.executions > 0 && !is_said {
        notes.push(
            "no annotated method was called: only races, panics and blocking were looked for".to_owned(),
        );
    }
    let calls_of = |note: &Note| match note {
        Note::NoOrderingPoint { calls, .. } => *calls,
        _ => 0,
    };
    if counts.calls_without_points > report.notes.iter().map(calls_of).sum() {
        let calls = number(counts.calls_without_points, "call");
        notes.push(format!("{calls} had no ordering point, over all executions: concurrent with all others"));
    }
    if counts.left_calls > 0 {
        let calls = number(counts.left_calls, "call");
        notes.push(format!(
            "{calls}, over all executions, had no ordering point yet when a panic left them: taken as not made"
        ));
    }
    if counts.left_blocks > 0 {
        let (blocks, bytes) = (number(counts.left_blocks, "block"), number(counts.left_bytes, "byte"));
        notes.push(format!(
            "{blocks} of memory, {bytes}, over all executions, stay allocated: what the program had not freed where an \
             execution was cut, and what it leaked (`Builder::leaks` looks for that)"
        ));
    }
    if counts.unchecked_objects > 0 {
        let objects = number(counts.unchecked_objects, "object");
        notes.push(format!(
            "the histories of {objects}, over all executions, were not checked: a call was pending past its ordering point"
        ));
    }
    if counts.forgotten_states > 0 {
        let states = number(counts.forgotten_states, "state");
        notes.push(format!(
            "{states} of the search for histories, over all shapes, were forgotten, since they took too much memory: to look at \
             some of them again takes time, and changes nothing else"
        ));
    }
    notes
}
