//! A test as source, to be pasted.

use super::literal;
use super::phase::Precedence;
use crate::model::Builder;
use crate::scenario::{Entry, Exemption, Guarantee, Matrix, STEPS_MAX, Scenario};
use std::collections::BTreeSet;

/// What a test that is printed needs beside the matrix.
pub(super) struct SetUp<'a, T> {
    pub(super) scenario: &'a Scenario<T>,
    pub(super) builder: &'a Builder,
    pub(super) precedence: Precedence,
}

/// A `#[cdsspec::test]` that checks one matrix, and comes to what this check comes to.
pub(super) fn source<T: Send + Sync + 'static>(set_up: &SetUp<'_, T>, matrix: &Matrix) -> String {
    checked_by(set_up, matrix, "check", &[])
}

/// The same of a test case that was localized, which says what each part of it is for.
#[cfg(feature = "localize")]
pub(super) fn triple<T: Send + Sync + 'static>(set_up: &SetUp<'_, T>, matrix: &Matrix) -> String {
    let notes = [("initial", "prepared here"), ("last", "revealed there"), ("matrix", "triggered here")];
    checked_by(set_up, matrix, "check", &notes)
}

/// The same, of calls that do not end as they are declared to.
pub(super) fn progress<T: Send + Sync + 'static>(set_up: &SetUp<'_, T>, matrix: &Matrix) -> String {
    checked_by(set_up, matrix, "check_progress", &[])
}

/// `notes` are remarks that stand above the initial calls, the last ones, and the matrix.
fn checked_by<T: Send + Sync + 'static>(
    set_up: &SetUp<'_, T>,
    matrix: &Matrix,
    method: &str,
    notes: &[(&str, &str)],
) -> String {
    let note = |part: &str, indent: &str| {
        let text = notes.iter().find(|(known, _)| *known == part);
        text.map(|(_, text)| format!("{indent}// {text}"))
    };
    let scenario = set_up.scenario;
    let mut lines = vec![
        "#[cdsspec::test]".to_owned(),
        format!("fn {}() -> cdsspec::Outcome {{", name(matrix)),
        format!("    let scenario = cdsspec::Scenario::new({})", scenario.constructor_text()),
    ];
    let used: BTreeSet<&Entry> = matrix.calls().map(|(_, _, entry)| entry).collect();
    let (keeping, plain): (Vec<&Entry>, Vec<&Entry>) =
        used.iter().copied().partition(|entry| scenario.is_keeping(entry.invocation));
    // What such a call does beside the call of a method, only the user knows.
    lines.extend(keeping.iter().map(|Entry { name, .. }| {
        format!("        // {name:?} keeps something for its thread: its `op_keeping` goes here.")
    }));
    lines.extend(
        plain
            .iter()
            .map(|Entry { name, .. }| format!("        .op({name:?}, |object| object.{name}.into())")),
    );
    lines.extend(used.iter().filter_map(|entry| declared(entry, scenario.progress(entry.invocation))));
    lines.extend(used.iter().filter_map(|entry| exempted(entry, scenario.exemption(entry.invocation))));
    for (method, entries) in [("initial", &matrix.initial), ("last", &matrix.last)] {
        if !entries.is_empty() {
            lines.extend(note(method, "        "));
            lines.push(format!("        .{method}([{}])", list(entries)));
        }
    }
    if let Some(last) = lines.last_mut() {
        last.push(';');
    }
    let columns: Vec<_> = matrix.columns.iter().map(|column| format!("vec![{}]", list(column))).collect();
    lines.extend(note("matrix", "    "));
    lines.push(format!("    let matrix = scenario.matrix([{}]);", columns.join(", ")));
    let settings = literal::calls(set_up.builder);
    let settings = (!settings.is_empty()).then(|| format!(".set_up(|builder| builder{settings})"));
    let precedence = match set_up.precedence {
        Precedence::HappensBefore => None,
        Precedence::RealTime => Some(".precedence(cdsspec::lineup::Precedence::RealTime)".to_owned()),
    };
    let calls: Vec<String> = settings.into_iter().chain(precedence).collect();
    if calls.is_empty() {
        lines.push(format!("    cdsspec::lineup::LineUp::new(scenario).{method}(&matrix).into()"));
    } else {
        lines.push("    cdsspec::lineup::LineUp::new(scenario)".to_owned());
        lines.extend(calls.iter().map(|call| format!("        {call}")));
        lines.extend([format!("        .{method}(&matrix)"), "        .into()".to_owned()]);
    }
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

/// A `#[cdsspec::test]` whose threads make the calls of a matrix, for a structure with a specification.
pub(super) fn program<T: Send + Sync + 'static>(set_up: &SetUp<'_, T>, matrix: &Matrix) -> String {
    let scenario = set_up.scenario;
    let mut lines = vec![
        format!("#[cdsspec::test{}]", literal::arguments(set_up.builder)),
        format!("fn {}() {{", name(matrix)),
        format!("    let object = {}();", scenario.constructor_text()),
    ];
    lines.extend(matrix.initial.iter().map(|entry| statement(1, entry)));
    lines.push("    cdsspec::thread::scope(|scope| {".to_owned());
    for column in &matrix.columns {
        lines.push("        scope.spawn(|| {".to_owned());
        lines.extend(column.iter().map(|entry| statement(3, entry)));
        lines.push("        });".to_owned());
    }
    lines.push("    });".to_owned());
    lines.extend(matrix.last.iter().map(|entry| statement(1, entry)));
    lines.push("}".to_owned());
    lines.join("\n") + "\n"
}

/// What of a call does not count.
fn exempted(Entry { name, .. }: &Entry, exemption: &Exemption) -> Option<String> {
    match exemption {
        Exemption::None => None,
        Exemption::Result => Some(format!("        .exempt({name:?})")),
        Exemption::Call => Some(format!("        .not_linearizable({name:?})")),
        Exemption::Returned(value) => {
            Some(format!("        .exempt_result({name:?}, {})", literal::value(value)))
        }
    }
}

/// What a call needs of others.
fn declared(Entry { name, .. }: &Entry, progress: Guarantee) -> Option<String> {
    match progress {
        Guarantee::Unknown => None,
        Guarantee::Nonblocking(STEPS_MAX) => Some(format!("        .nonblocking({name:?})")),
        Guarantee::Nonblocking(steps) => Some(format!("        .nonblocking_within({name:?}, {steps})")),
        Guarantee::WaitFree(steps) => Some(format!("        .wait_free({name:?}, {steps})")),
    }
}

fn statement(depth: usize, entry: &Entry) -> String {
    format!("{}let _ = object.{};", "    ".repeat(depth), entry.name)
}

fn list(entries: &[Entry]) -> String {
    entries.iter().map(|entry| format!("{:?}", entry.name)).collect::<Vec<_>>().join(", ")
}

/// A name that spells what the threads do: `enq_1_deq__deq`.
fn name(matrix: &Matrix) -> String {
    let word = |entry: &Entry| -> String {
        let words = entry.name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
    };
    let column = |column: &Vec<Entry>| column.iter().map(word).collect::<Vec<_>>().join("_");
    matrix.columns.iter().map(column).collect::<Vec<_>>().join("__")
}
