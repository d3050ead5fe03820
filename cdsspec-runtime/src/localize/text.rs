//! What a localization came to, in words.

use super::judge::TimedCall;
use super::linearize::{Linearization, RefusedCall};
use super::localization::{Localization, LocalizedFault, Obstacle, Reveal};
use super::prove::CaseProof;
use super::run::HistorySource;
use crate::lineup::Check;
use crate::model::Outcome;
use crate::report::{Text, paragraph};
use crate::scenario::{Entry, Matrix};
use std::fmt;

/// The columns of a text that is kept.
const COLUMNS: usize = 100;

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exempt(name) => {
                write!(f, "the result of `{name}` does not count, and histories are judged by all results")
            }
            Self::NothingToInvoke => f.write_str("there is no call to make"),
            Self::TooManyCalls => f.write_str("a history has at most 60,000 calls"),
            Self::NoCaseFails(count) => {
                write!(f, "none of {count} test cases of the history failed when it was run again")
            }
            Self::Runs(why) | Self::Specification(why) => f.write_str(why),
        }
    }
}

impl Localization {
    /// What is wrong, in a line.
    pub fn headline(&self) -> String {
        let (word, title) = (self.verdict.word(), &self.title);
        match (&self.fault, &self.history) {
            (Some(fault), _) => match (fault.smallest.columns.len(), fault.concurrent_size()) {
                (0 | 1, _) => format!("{word}: `{title}` is not linearizable: one thread alone shows it"),
                (_, count) => {
                    format!("{word}: `{title}` is not linearizable: {count} calls at once trigger it")
                }
            },
            (None, Some(_)) => {
                format!("{word}: `{title}` is not linearizable: a history has no linearization")
            }
            (None, None) => match &self.limit {
                Some(limit) => format!("{word}: {limit}"),
                None if self.unknown + self.unended > 0 => {
                    let count = self.unknown + self.unended;
                    format!("{word}: {count} histories of `{title}` were not judged")
                }
                None => format!("{word}: {} histories of `{title}` are linearizable", self.histories),
            },
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.headline(), String::new()];
        if let Some(fault) = &self.fault {
            lines.extend(fault.lines());
            lines.push(String::new());
        }
        lines.extend(self.coverage().iter().map(|row| paragraph(row, COLUMNS)));
        if let Some(fault) = &self.fault {
            if let Some(proof) = &fault.proof {
                lines.extend([
                    String::new(),
                    "a history of it, by what began first".to_owned(),
                    String::new(),
                ]);
                lines.extend(proof.history.iter().map(|call| format!("  {call}")));
            }
            if let Some(source) = &fault.source {
                lines.extend([String::new(), "to see it again, paste".to_owned(), String::new()]);
                lines.extend(source.lines().map(str::to_owned));
            }
        }
        lines
    }

    /// How far it looked.
    fn coverage(&self) -> Vec<String> {
        let source = match self.source {
            HistorySource::Drawn => "drawn",
            HistorySource::RealThreads => "of real threads",
        };
        let mut rows = vec![format!(
            "  looked  {} histories of {} threads with {} calls each, {source}, seed {}: {} have no linearization, {} were not judged",
            self.histories, self.threads, self.calls, self.seed, self.nonlinearizable, self.unknown
        )];
        if self.unended > 0 {
            rows.push(format!(
                "  looked  {} of them did not come to their end: calls that do not return, and faults like these, `cdsspec::explore` shows",
                self.unended
            ));
        }
        if let Some(history) = &self.history {
            rows.push(format!(
                "  found   in history {}: the first {} of its {} calls have none",
                history.run, history.prefix_calls, history.calls
            ));
        }
        if let Some(fault) = &self.fault {
            let case = &fault.matrix;
            rows.push(format!(
                "  case    {} test cases of it were run; {} calls to prepare, {} at once and {} to reveal were left",
                fault.check_count,
                case.initial.len(),
                fault.found_size(),
                case.last.len()
            ));
            match &fault.proof {
                Some(proof) => rows.extend(proof.rows()),
                None if self.proves => rows.push(
                    "  shown   by runs alone: Line-Up, which explores all executions of at most 64 calls and takes serial runs for the specification, does not find it"
                        .to_owned(),
                ),
                None => rows.push("  shown   by runs alone".to_owned()),
            }
        }
        if let Some(call) = &self.unspecified {
            rows.push(format!("  limit   no recorded run has a call that came to `{call}`"));
        }
        if self.history.is_some() {
            rows.extend(self.limit.iter().map(|limit| format!("  limit   {limit}")));
        }
        rows
    }
}

impl LocalizedFault {
    fn lines(&self) -> Vec<String> {
        let Matrix { initial, columns, last, .. } = &self.smallest;
        let mut lines = Vec::new();
        if !initial.is_empty() {
            lines.push(paragraph(&format!("  prepared   {}", names(initial)), COLUMNS));
        }
        let at_once = Matrix { initial: Vec::new(), last: Vec::new(), columns: columns.clone() };
        let threads = at_once.to_string();
        let mut titles = std::iter::once("  triggered  ").chain(std::iter::repeat("             "));
        lines.extend(threads.lines().zip(&mut titles).map(|(line, title)| format!("{title}{line}")));
        lines.push(match self.reveal() {
            Reveal::AtOnce => "  revealed   at once (type 1)".to_owned(),
            Reveal::Later => paragraph(&format!("  revealed   {} (type 2)", names(last)), COLUMNS),
        });
        lines
    }
}

impl CaseProof {
    fn rows(&self) -> Vec<String> {
        let count = |model: usize, answer: Option<bool>| {
            self.necessary.iter().filter(|both| both[model] == answer).count()
        };
        let needed = |model: usize| {
            let limits = count(model, None);
            let beside = if limits == 0 { String::new() } else { format!(" ({limits} reached a limit)") };
            let all = self.necessary.len();
            format!("{} of {all} calls at once are necessary{beside}", count(model, Some(true)))
        };
        let row = |under: &str, check: &Check, model: usize| {
            let verdict = check.verdict;
            match (verdict.is_fault(), check.holds()) {
                (true, _) => format!(
                    "  shown   in all executions under {under}: it is sufficient ({verdict}), {}",
                    needed(model)
                ),
                (false, true) => {
                    format!("  shown   in all executions under {under}: it does not fail ({verdict})")
                }
                (false, false) => format!("  shown   under {under}: nothing ({verdict})"),
            }
        };
        vec![row("Sc, in real time", &self.sc, 0), row("RC11, by happens-before", &self.rc11, 1)]
    }
}

fn names(entries: &[Entry]) -> String {
    entries.iter().map(|entry| &*entry.name).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Localization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// What `#[cdsspec::test]` looks at: the verdict, and the report.
impl From<Localization> for Outcome {
    fn from(localization: Localization) -> Self {
        let title = localization.title.clone();
        let text = Text::of(|_| localization.to_string());
        Self::of_search(title, localization.verdict, localization.histories, text)
    }
}

impl Linearization {
    /// What is wrong, in a line.
    pub fn headline(&self) -> String {
        let word = self.verdict.word();
        match (&self.failure, &self.limit) {
            (Some(refused), _) => format!("{word}: `{}` is not linearizable", refused.object),
            (None, Some(limit)) => format!("{word}: {limit}"),
            (None, None) => format!("{word}: {} histories are linearizable", self.histories),
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.headline(), String::new()];
        if let Some(refused) = &self.failure {
            for (place, call) in refused.calls.iter().enumerate() {
                let here = if place == refused.last { "  <- no order explains what it returned" } else { "" };
                lines.push(format!("  {}{here}", call.line(place)));
            }
            let order: Vec<String> = refused.witness.iter().map(|place| format!("#{place}")).collect();
            let order = format!("  before that return the order {} explains all", order.join(" "));
            lines.extend([paragraph(&order, COLUMNS), String::new()]);
        }
        lines.push(format!(
            "  looked  {} histories in {} executions; {} have a call that did not return, and were not judged",
            self.histories, self.executions, self.pending
        ));
        lines
    }
}

impl TimedCall {
    /// `thread 1: deq() -> None`; `first` and `last` calls are of the thread 0.
    pub(super) fn line(&self) -> String {
        let Self { thread, name, value, .. } = self;
        let returned = if value.is_unit() { String::new() } else { format!(" -> {value}") };
        format!("thread {thread}, {} to {}: {name}{returned}", self.invoked, self.returned)
    }
}

impl RefusedCall {
    /// `#3 thread 2, 5 to 9: deq() -> 1`
    fn line(&self, place: usize) -> String {
        let Self { thread, method, invocation, response, .. } = self;
        let returned = self.returned.as_ref().map(|value| format!(" -> {value}")).unwrap_or_default();
        let arguments = self.arguments.join(", ");
        format!("#{place} thread {thread}, {invocation} to {response}: {method}({arguments}){returned}")
    }
}

impl fmt::Display for Linearization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// What `#[cdsspec::test]` looks at: the verdict, and the report.
impl From<Linearization> for Outcome {
    fn from(linearization: Linearization) -> Self {
        let title = linearization.failure.as_ref().map_or("program", |refused| refused.object);
        let text = Text::of(|_| linearization.to_string());
        Self::of_search(title.to_owned(), linearization.verdict, linearization.executions, text)
    }
}
