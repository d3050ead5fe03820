//! The only place that formats: findings and coverage, in words.
//!
//! A report has no address, no time and no order of a hash map in it: the same run gives the same bytes. No line is wider than
//! 100 columns.

mod coverage;
mod example_table;
mod fact;
mod headline;
mod interleaving;
mod limit;
mod name;
mod order;
mod page;
mod table;
mod thread_table;

#[cfg(test)]
pub(crate) mod scene;
#[cfg(test)]
mod tests;

pub use coverage::{Coverage, unusable, whole};
pub use example_table::{ExampleRow, example_table};

use crate::check::Finding;
use crate::record::{CallId, Recording};
use name::Names;
use order::Order;
use page::{Page, Row};

/// All that can be said of one execution: its worst finding in full, the others in a line each. Nothing, if there is none.
pub fn describe(recording: &Recording, findings: &[Finding]) -> String {
    let Some((worst, others)) = findings.split_first() else { return String::new() };
    let names = Names::new(recording);
    let mut page = Page::new();
    page.headline(&headline::text(&names, worst));
    page.rows(&fact::rows(&names, worst));
    page.block(thread_table::lines(&names, &fact::marked(worst)));
    page.rows(&order_rows(&names, worst));
    page.titled("interleaving, `#0*` is an ordering point of #0", interleaving::lines(&names));
    let also: Vec<_> = others.iter().map(|other| format!("  {}", headline::text(&names, other))).collect();
    page.titled("also", also);
    page.to_string()
}

/// A finding in a line.
pub fn brief(recording: &Recording, finding: &Finding) -> String {
    headline::text(&Names::new(recording), finding)
}

/// Why the calls are ordered that a finding puts one after the other, and which are concurrent.
fn order_rows(names: &Names<'_>, finding: &Finding) -> Vec<Row> {
    let order = Order::of(names.recording);
    let mut rows = Vec::new();
    let why = |first: CallId, second: CallId| {
        Row::new(format!("{first:?} before {second:?}"), order.why(names, first, second))
    };
    match finding {
        Finding::Violated { before, call, .. } => {
            let history: Vec<_> = before.iter().copied().chain([*call]).collect();
            let is_linked = |pair: &&[CallId]| order.is_ordered(pair[0], pair[1]);
            // From the last gap on, the history is a chain that ends with the call; what is before may be ordered all the same.
            let gap = history.windows(2).rposition(|pair| !is_linked(&pair)).map_or(0, |gap| gap + 1);
            let earlier = history[..gap].iter().filter(|&&first| order.is_ordered(first, *call));
            rows.extend(history.windows(2).filter(is_linked).map(|pair| why(pair[0], pair[1])));
            rows.extend(earlier.map(|&first| why(first, *call)));
        }
        Finding::Unjustified { example, call, .. } => {
            rows.extend(example.iter().map(|&first| why(first, *call)));
        }
        Finding::Inadmissible { first, .. } => {
            return concurrent_row(names, &order, *first).into_iter().collect();
        }
        _ => return rows,
    }
    for call in fact::marked(finding) {
        rows.extend(concurrent_row(names, &order, call));
    }
    rows.extend(pointless_row(names));
    rows
}

fn concurrent_row(names: &Names<'_>, order: &Order, call: CallId) -> Option<Row> {
    let object = names.recording.call(call).object;
    let others: Vec<_> = names
        .recording
        .calls
        .iter()
        .filter(|other| other.object == object && order.is_concurrent(call, other.id))
        .map(|other| other.id)
        .collect();
    (!others.is_empty()).then(|| Row::new(format!("{call:?} concurrent with"), names.calls(&others)))
}

/// Calls without an ordering point are unordered with all others: often a forgotten annotation.
fn pointless_row(names: &Names<'_>) -> Option<Row> {
    let calls = names.recording.calls.iter();
    let pointless: Vec<_> = calls.filter(|call| call.points.is_empty()).map(|call| call.id).collect();
    (!pointless.is_empty()).then(|| Row::new("no ordering point", names.calls(&pointless)))
}
