//! What a check came to, in words.

use super::check::{Check, Failure};
use super::checks::Checks;
use super::history::Names;
use super::interval::Boundary;
use super::phase::Precedence;
use super::progress::StuckCall;
use super::summary::Summary;
use crate::model::{Outcome, Shard};
use crate::report::{Text, paragraph};
use std::fmt;

/// The columns of a text that is kept.
const COLUMNS: usize = 100;

impl Check {
    /// What is wrong, in a line.
    pub fn headline(&self) -> String {
        let (title, word) = (&self.title, self.verdict.word());
        match &self.failure {
            None => match &self.limit {
                Some(limit) => format!("{word}: stopped at {limit}"),
                None if self.observations.call_count() == 0 => format!("{word}: `{title}`"),
                None => format!("{word}: each history of `{title}` has a serial witness"),
            },
            Some(Failure::Nondeterministic { .. }) => {
                format!(
                    "{word}: `{title}` is nondeterministic: a call has two results after the same serial calls"
                )
            }
            Some(Failure::NoWitness { history, pending: Some(call) }) => {
                let call = Names::of(&self.matrix).short(*call);
                let others = history.pending().count() - 1;
                let beside = if others == 0 { String::new() } else { format!(" (nor do {others} others)") };
                format!("{word}: {call} of `{title}` never returns{beside}, and serially it does")
            }
            Some(Failure::Stuck(stuck)) => {
                format!(
                    "{word}: {} of `{title}` {}",
                    Names::of(&self.matrix).short(stuck.call),
                    stuck.reason()
                )
            }
            Some(Failure::NoWitness { .. }) => {
                format!(
                    "{word}: `{title}` is not linearizable: no serial execution explains what was returned"
                )
            }
            Some(Failure::Fault { outcome }) => {
                outcome.report().lines().next().unwrap_or_default().to_owned()
            }
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = match &self.failure {
            Some(Failure::Fault { outcome }) => outcome.report().lines().map(str::to_owned).collect(),
            _ => vec![self.headline()],
        };
        lines.push(String::new());
        lines.extend(self.matrix.to_string().lines().map(str::to_owned));
        match &self.failure {
            None | Some(Failure::Fault { .. }) => {}
            Some(Failure::Stuck(stuck)) => {
                let call = Names::of(&self.matrix).call(stuck.call);
                lines.extend(block("where it does not end", stuck.lines(&call)));
            }
            Some(Failure::Nondeterministic { first, second }) => {
                lines.extend(block("one serial execution", first.lines(&self.matrix)));
                lines.extend(block("another one", second.lines(&self.matrix)));
            }
            Some(Failure::NoWitness { history, pending }) => {
                let title = match pending {
                    None => "a history without a serial witness",
                    Some(_) => "a stuck history without a serial witness",
                };
                lines.extend(block(title, history.lines(&self.matrix)));
                if !history.boundaries.is_empty() {
                    lines.extend(["".to_owned(), format!("  in time  {}", timeline(&history.boundaries))]);
                }
                lines.extend(self.nearest(&history.results_with(*pending)));
            }
        }
        lines.push(String::new());
        lines.extend(self.coverage());
        if self.verdict.is_fault() {
            lines.extend([String::new(), "to see it again, paste".to_owned(), String::new()]);
            lines.extend(self.source.lines().map(str::to_owned));
        }
        lines
    }

    /// The serial executions with the same results, none of which keeps the order.
    fn nearest(&self, results: &super::Results) -> Vec<String> {
        let orders = self.observations.orders(results);
        if orders.is_empty() {
            return block("serially", vec!["no execution has these results together".to_owned()]);
        }
        let names = Names::of(&self.matrix);
        let line = |order: &Vec<crate::scenario::Slot>| {
            order.iter().map(|slot| names.short(*slot)).collect::<Vec<_>>().join(", ")
        };
        let shown = orders.iter().take(SERIAL_MAX).map(line);
        let more = orders.len().saturating_sub(SERIAL_MAX);
        let more = (more > 0).then(|| format!("and {more} more"));
        block("serially, with these results, but not in such an order", shown.chain(more).collect())
    }

    /// How far it looked.
    fn coverage(&self) -> Vec<String> {
        if self.observations.call_count() == 0 {
            return vec![format!("  looked  {} executions", self.executions)];
        }
        let serial = format!(
            "{} full and {} stuck serial histories; {} full and {} stuck concurrent ones in {} executions, {}",
            self.observations.full_count(),
            self.observations.stuck_count(),
            self.full_histories,
            self.stuck_histories,
            self.executions,
            match self.precedence {
                Precedence::HappensBefore => "ordered by happens-before",
                Precedence::RealTime => "ordered by real time",
            },
        );
        let mut lines = vec![paragraph(&format!("  looked  {serial}"), COLUMNS)];
        if self.still_executions > 0 {
            let text = format!(
                "  looked  {} executions in which threads stand still, for calls that are declared to wait for nobody",
                self.still_executions
            );
            lines.push(paragraph(&text, COLUMNS));
        }
        lines.extend(self.bounds.iter().map(|bound| paragraph(&format!("  bounds  {bound}"), COLUMNS)));
        lines
    }
}

impl StuckCall {
    /// What is wrong with it, behind its name.
    fn reason(&self) -> String {
        match (self.steps_max, self.waits_for) {
            (Some(max), _) => format!("takes {} steps, and is declared to end within {max}", self.steps),
            (None, Some(column)) => {
                format!("waits for thread {}, and is declared to wait for nobody", column + 1)
            }
            (None, None) => "waits for others, and is declared to wait for nobody".to_owned(),
        }
    }

    /// Where everybody stands.
    fn lines(&self, call: &str) -> Vec<String> {
        let still = self.still.iter();
        let still = still.map(|(column, place)| format!("thread {} stands still before {place}", column + 1));
        let steps = format!("{call} has done {} steps", self.steps);
        let waits = match &self.place {
            Some(place) => format!("{steps}, and waits in {place}"),
            None => steps,
        };
        still.chain([waits]).collect()
    }
}

/// So many serial executions are shown.
const SERIAL_MAX: usize = 3;

fn block(title: &str, lines: Vec<String>) -> Vec<String> {
    let lines = lines.into_iter().map(|line| paragraph(&format!("  {line}"), COLUMNS));
    [String::new(), title.to_owned()].into_iter().chain(lines).collect()
}

/// `1[ 3[ ]1`, as figure 7 of the paper has it.
fn timeline(boundaries: &[Boundary]) -> String {
    let word = |boundary: &Boundary| match boundary {
        Boundary::Invocation(slot) => format!("{}[", slot.index()),
        Boundary::Return(slot) => format!("]{}", slot.index()),
    };
    boundaries.iter().map(word).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}

/// What bounds a part of the tests.
pub(super) fn part(shard: Shard) -> String {
    format!("shard {shard}: the other tests are checked elsewhere, or not at all")
}

impl Summary {
    /// What there is to say of all tests, if nothing is of one.
    fn headline(&self) -> String {
        let (word, title) = (self.verdict.word(), &self.title);
        match &self.limit {
            Some(limit) => format!("{word}: {limit}"),
            None if self.checked == 0 && self.holds() => {
                format!("{word}: no test of `{title}` is in the shard {}", self.shard)
            }
            None if self.checked == 0 => format!("{word}: there is no test of `{title}`"),
            None => format!("{word}: no test of `{title}` fails"),
        }
    }

    fn rows(&self) -> Vec<String> {
        let mut rows = vec![
            format!(
                "  tests   {}: {} checked, {} passed, {} failed",
                self.tests, self.checked, self.passed, self.failed
            ),
            format!(
                "  left    {} differ from another one only in the order of threads or the names of arguments, {} are excluded by a constraint",
                self.left_out.repeated, self.left_out.excluded
            ),
            format!(
                "  looked  {} serial histories, {} concurrent ones",
                self.serial_histories, self.concurrent_histories
            ),
        ];
        let part = (!self.shard.is_whole()).then(|| part(self.shard));
        rows.extend(part.iter().chain(&self.bounds).map(|bound| format!("  bounds  {bound}")));
        if self.report.is_some() {
            rows.extend(self.limit.iter().map(|limit| format!("  limit   {limit}")));
        }
        rows
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.report {
            Some(report) => writeln!(f, "{report}")?,
            None => writeln!(f, "{}\n", self.headline())?,
        }
        self.rows().iter().try_for_each(|row| writeln!(f, "{}", paragraph(row, COLUMNS)))
    }
}

/// What `#[cdsspec::test]` looks at: the verdict, and the report.
impl From<Check> for Outcome {
    fn from(check: Check) -> Self {
        let title = check.title.clone();
        Self::of_search(title, check.verdict, check.executions, Text::of(|_| check.to_string()))
    }
}

/// As of a single check.
impl From<Checks> for Outcome {
    fn from(checks: Checks) -> Self {
        let title = checks.title.clone();
        Self::of_search(title, checks.verdict, 0, Text::of(|_| checks.to_string()))
    }
}
