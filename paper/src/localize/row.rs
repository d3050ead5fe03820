//! The rows.

use super::objects::{Object, Published, Visitor};
use crate::Outcome;
use cdsspec_runtime::localize::{HistorySource, Localization, Localize};
use cdsspec_runtime::model::Strategy;
use cdsspec_runtime::scenario::Scenario;
use serde_json::json;

/// Histories of objects of table I, whose sizes the paper does not say: threads, calls of each, and how many.
const SIZE: (usize, usize) = (2, 50);
const HISTORIES: usize = 80;
const SEED: u64 = 1;

/// So many changes of priority D-PCT makes for each call of a history.
const CHANGES: usize = 4;

/// Localization may take so long.
const LOCALIZE_MS_MAX: f64 = 100.0;

/// The versions of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    /// Real threads.
    B,
    /// D-PCT.
    D,
    /// D-PCT, and test cases first in which some thread makes one call.
    H,
}

impl Version {
    pub(super) const ALL: [Self; 3] = [Self::B, Self::D, Self::H];

    fn name(self) -> &'static str {
        match self {
            Self::B => "B",
            Self::D => "D",
            Self::H => "H",
        }
    }
}

/// What an object comes to.
pub(super) struct ObjectRow {
    pub(super) name: &'static str,
    pub(super) published: Published,
    size: (usize, usize),
    histories: usize,
    /// By version; `None` of those that were not computed.
    pub(super) versions: [Option<Localization>; 3],
    /// What the object without its fault comes to, in histories of version D.
    correct: Option<Localization>,
}

/// Localizes each object.
pub(super) struct Rows {
    /// The versions that are computed.
    pub(super) versions: &'static [Version],
    pub(super) rows: Vec<ObjectRow>,
}

impl Visitor for Rows {
    fn visit<T: Send + Sync + 'static>(&mut self, object: Object<T>) {
        let (size, histories) = match object.published {
            Published::One { .. } => (SIZE, HISTORIES),
            Published::Two(row) => (row.size, row.histories),
        };
        let of = |scenario: &Scenario<T>| {
            let localize = Localize::of(scenario.clone()).threads(size.0).calls(size.1);
            let localize = localize.runs(histories as u64).seed(SEED).stop_at_first(false);
            localize.set_up(|builder| builder.strategy(Strategy::Dpct { depth: CHANGES * size.0 * size.1 }))
        };
        let correct = object.correct.as_ref().map(|scenario| of(scenario).prove(false).run());
        let localize = |version| {
            let localize = of(&object.scenario);
            let localize = localize.prove(version == Version::D).one_call_first(version == Version::H);
            let is_real = version == Version::B;
            let localize = if is_real { localize.source(HistorySource::RealThreads) } else { localize };
            localize.run()
        };
        let versions =
            Version::ALL.map(|version| self.versions.contains(&version).then(|| localize(version)));
        self.rows.push(ObjectRow {
            name: object.name,
            published: object.published,
            size,
            histories,
            versions,
            correct,
        });
    }
}

/// `-`, where there is nothing.
fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

/// How many calls at once trigger a fault.
fn size_of(localization: &Localization) -> Option<usize> {
    localization.fault.as_ref().map(|fault| fault.concurrent_size())
}

/// The same of the answer of algorithm 1, of which nothing was left out.
fn found_of(localization: &Localization) -> Option<usize> {
    localization.fault.as_ref().map(|fault| fault.found_size())
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.1}", seconds * 1_000.0)
}

impl ObjectRow {
    /// A row for each version.
    pub(super) fn json(&self) -> Vec<serde_json::Value> {
        let of = |version: Version| {
            let found = self.versions[version as usize].as_ref()?;
            let fault = found.fault.as_ref();
            let proof = fault.and_then(|fault| fault.proof.as_ref());
            let published = match self.published {
                Published::One { concurrent, .. } => json!({ "concurrent": concurrent }),
                Published::Two(row) => json!({
                    "nonlinearizable": row.nonlinearizable[version as usize],
                    "concurrent_size": row.concurrent[version as usize],
                }),
            };
            Some(json!({
                "object": self.name,
                "version": version.name(),
                "threads": self.size.0,
                "calls": self.size.1,
                "histories": found.histories,
                "nonlinearizable": found.nonlinearizable,
                "unknown": found.unknown,
                "concurrent_size": size_of(found),
                "found_size": found_of(found),
                "type": fault.map(|fault| fault.reveal() as usize + 1),
                "sufficient": proof.map(|proof| proof.is_sufficient()),
                "minimal": proof.map(|proof| proof.is_minimal()),
                "prefix": found.history.as_ref().map(|history| history.prefix_calls),
                "checks": fault.map(|fault| fault.check_count),
                "limit": found.limit.as_ref().map(ToString::to_string),
                "detect_ms": found.detect_seconds * 1_000.0,
                "localize_ms": fault.map(|_| found.localize_seconds * 1_000.0),
                "shorten_ms": fault.map(|_| found.shorten_seconds * 1_000.0),
                "prove_ms": proof.map(|_| found.prove_seconds * 1_000.0),
                "published": published,
            }))
        };
        Version::ALL.into_iter().filter_map(of).collect()
    }

    /// The cells of the page.
    pub(super) fn cells(&self) -> Vec<String> {
        let each = |show: &dyn Fn(&Localization) -> Option<String>| -> Vec<String> {
            self.versions.iter().map(|found| or_dash(found.as_ref().and_then(show))).collect()
        };
        let published = |show: &dyn Fn(usize) -> String| match self.published {
            Published::One { .. } => "-".to_owned(),
            Published::Two(_) => (0..3).map(show).collect::<Vec<_>>().join(" "),
        };
        let row = |index: usize| match self.published {
            Published::One { .. } => None,
            Published::Two(row) => Some((row.nonlinearizable[index], row.concurrent[index])),
        };
        let published_size = match self.published {
            Published::One { concurrent, .. } => concurrent.iter().sum::<usize>().to_string(),
            Published::Two(_) => {
                published(&|index| or_dash(row(index).and_then(|(_, size)| Some(size?.to_string()))))
            }
        };
        let d = self.versions[Version::D as usize].as_ref();
        let fault = d.and_then(|found| found.fault.as_ref());
        let proof = fault.and_then(|fault| fault.proof.as_ref());
        let kind = fault.map(|fault| (fault.reveal() as usize + 1).to_string());
        let shown = proof.map(|proof| match (proof.is_sufficient(), proof.is_minimal()) {
            (true, true) => "sufficient, each necessary",
            (true, false) => "sufficient",
            _ => "not under both",
        });
        let mut cells = vec![
            self.name.to_owned(),
            format!("{}*{}", self.size.0, self.size.1),
            self.histories.to_string(),
        ];
        cells.extend(each(&|found| Some(found.nonlinearizable.to_string())));
        cells.push(published(&|index| or_dash(row(index).map(|(count, _)| count.to_string()))));
        cells.extend(each(&|found| size_of(found).map(|size| size.to_string())));
        cells.push(published_size);
        cells.push(or_dash(d.and_then(found_of).map(|size| size.to_string())));
        cells.extend([or_dash(kind), or_dash(shown.map(str::to_owned))]);
        let time = |found: &Localization| found.fault.as_ref().map(|_| milliseconds(found.localize_seconds));
        cells.extend(each(&time));
        cells.push(or_dash(d.filter(|_| proof.is_some()).map(|found| milliseconds(found.prove_seconds))));
        cells
    }

    /// What the object without its fault should not have come to.
    fn alarm(&self) -> Option<String> {
        let correct = self.correct.as_ref().filter(|correct| !correct.holds())?;
        Some(format!("{} without its fault: {}", self.name, correct.headline()))
    }

    /// What is not as it should be: of versions D and H, whose histories are the same each time.
    fn mistakes(&self) -> Vec<String> {
        let mut mistakes = Vec::new();
        mistakes.extend(self.alarm());
        for version in [Version::D, Version::H] {
            let Some(found) = &self.versions[version as usize] else { continue };
            let size_max = self.published.concurrent_max();
            let mut add = |text: String| mistakes.push(format!("{} {}: {text}", self.name, version.name()));
            if let Some(limit) = &found.limit {
                add(limit.to_string());
            }
            match (size_of(found), size_max) {
                (None, Some(_)) => add(format!("no test case in {} histories", found.histories)),
                (Some(_), None) => add("is correct, and a test case fails".to_owned()),
                (Some(size), Some(max)) if size > max => add(format!("{size} calls at once, and not {max}")),
                _ => {}
            }
            let milliseconds = found.localize_seconds * 1_000.0;
            if milliseconds > LOCALIZE_MS_MAX {
                add(format!("localization took {milliseconds:.1} ms"));
            }
        }
        mistakes
    }
}

/// Whether each fault is found, with no more calls at once than in the paper, and in time.
///
/// # Errors
/// What is not so, a line each.
pub(super) fn check(rows: &[ObjectRow]) -> Outcome {
    let mistakes: Vec<String> = rows.iter().flat_map(ObjectRow::mistakes).collect();
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

/// Whether no object without its fault is refused.
///
/// # Errors
/// Those that are, a line each.
pub(super) fn check_correct(rows: &[ObjectRow]) -> Outcome {
    let alarms: Vec<String> = rows.iter().filter_map(ObjectRow::alarm).collect();
    if alarms.is_empty() { Ok(()) } else { Err(alarms.join("\n")) }
}
