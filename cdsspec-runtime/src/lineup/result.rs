//! What each test of a search came to, as a line of a file: so several machines that do not talk can share a search.

use super::check::Check;
use super::checks::Checks;
use super::source::Placed;
use crate::check::Verdict;
use crate::model::Shard;
use crate::scenario::LeftOut;

/// What one part of a search came to: a line of JSON, in the order of the fields. It has no time, no path and no address in it: the same search gives the same
/// bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct SearchResult {
    /// Which form the line has: [`FORMAT`](Self::FORMAT).
    pub format: u32,
    /// The package whose test it was, as cargo calls it; empty if cargo did not run it.
    pub package: String,
    /// The program: its file, without the folder, and without the hash that cargo puts behind it.
    pub program: String,
    /// The `#[test]`; empty if there is none.
    pub test: String,
    /// What the structure is called.
    pub title: String,
    /// Which tests there are in all parts, in words, with the seed that they are drawn from.
    pub tests: String,
    /// All else that decides what comes of them, a phrase each.
    pub set_up: Vec<String>,
    /// Whether the first test that fails ends the search.
    pub stops_at_first: bool,
    /// Which part of the tests it is.
    pub shard: Shard,
    /// How many tests there are in all parts; `None` if a failure ended the search before that was known.
    pub total: Option<u64>,
    /// How many tests were passed over.
    pub left_out: LeftOut,
    /// What each test came to, in their order.
    pub results: Vec<TestResult>,
}

/// What one test of a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct TestResult {
    /// Its place among the tests of all parts, from 0 on.
    pub place: u64,
    /// The test: the calls of the main thread before, of each thread, and of the main thread after.
    pub matrix: Vec<Vec<String>>,
    /// What it came to.
    pub verdict: Verdict,
    /// How many tests were passed over up to it.
    pub left_out: LeftOut,
    /// How many serial histories it has.
    pub serial_histories: u64,
    /// How many different concurrent ones.
    pub concurrent_histories: u64,
    /// What bounds it, a phrase each.
    pub bounds: Vec<String>,
    /// The report, of the first test of the part that failed, when it had been made as small as possible, and of the first that was inconclusive.
    pub report: Option<String>,
}

impl TestResult {
    pub(super) fn new(placed: &Placed, check: &Check) -> Self {
        let matrix = &placed.matrix;
        let sequences = std::iter::once(&matrix.initial).chain(&matrix.columns).chain([&matrix.last]);
        let names = |sequence: &Vec<crate::scenario::Entry>| {
            sequence.iter().map(|entry| entry.name.to_string()).collect()
        };
        Self {
            place: placed.place,
            matrix: sequences.map(names).collect(),
            verdict: check.verdict,
            left_out: placed.left_out,
            serial_histories: check.observations.histories().len() as u64,
            concurrent_histories: check.full_histories + check.stuck_histories,
            bounds: check.bounds.clone(),
            report: None,
        }
    }
}

impl SearchResult {
    /// The form that lines have.
    pub const FORMAT: u32 = 1;

    /// The part that the checks are, of so many tests in all.
    pub(super) fn new(
        checks: &Checks,
        mut results: Vec<TestResult>,
        total: Option<u64>,
        set_up: Vec<String>,
        stops_at_first: bool,
    ) -> Self {
        let is_fault = |result: &&mut TestResult| result.verdict.is_fault();
        let is_open = |result: &&mut TestResult| !result.verdict.is_fault() && !result.verdict.is_pass();
        if let (Some(result), Some(check)) = (results.iter_mut().find(is_fault), &checks.failure) {
            result.report = Some(check.to_string());
        }
        if let (Some(result), Some(check)) = (results.iter_mut().find(is_open), &checks.inconclusive) {
            result.report = Some(check.to_string());
        }
        let thread = std::thread::current();
        Self {
            format: Self::FORMAT,
            package: std::env::var("CARGO_PKG_NAME").unwrap_or_default(),
            program: program(),
            test: thread.name().filter(|name| *name != "main").unwrap_or_default().to_owned(),
            title: checks.title.clone(),
            tests: checks.tests.clone(),
            set_up,
            stops_at_first,
            shard: checks.shard,
            total,
            left_out: checks.left_out,
            results,
        }
    }

    /// Adds the line to a file, which is made if it is not there.
    ///
    /// # Errors
    /// In words: that it could not be written.
    #[cfg(feature = "json")]
    pub(super) fn add_to(&self, path: &std::path::Path) -> Result<(), String> {
        use std::io::Write;
        use std::sync::{Mutex, PoisonError};
        static FILES: Mutex<()> = Mutex::new(());
        let mut line = serde_json::to_string(self).expect("it has texts and numbers alone");
        line.push('\n');
        let _turn = FILES.lock().unwrap_or_else(PoisonError::into_inner);
        let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
        // All at once, since other processes may add theirs.
        let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
        written.map_err(|error| format!("the results could not be added to {}: {error}", path.display()))
    }

    #[cfg(not(feature = "json"))]
    pub(super) fn add_to(&self, _path: &std::path::Path) -> Result<(), String> {
        // Such a setting is refused before.
        Ok(())
    }
}

/// The file of this program, without the folder, and without the hash that cargo puts behind it.
fn program() -> String {
    let path = std::env::current_exe().unwrap_or_default();
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    without_hash(&name).to_owned()
}

fn without_hash(name: &str) -> &str {
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.rsplit_once('-').filter(|(_, hash)| is_hash(hash)).map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::without_hash;

    #[test]
    fn the_hash_that_cargo_puts_behind_a_name_is_none_of_it() {
        assert_eq!(without_hash("line_up-0123456789abcdef"), "line_up");
        assert_eq!(without_hash("line-up"), "line-up");
        assert_eq!(without_hash("line_up"), "line_up");
    }
}
