//! Breaks the engine and the check one condition at a time: each mutant must turn some test red.
//!
//! The workspace is copied into the target folder and changed there. A mutant names the tests that must notice it, narrowest first: only
//! these are built and run, in turn, until one is red. A test that takes longer than [`suite::TEST_DURATION_MAX`] is red as well: what is
//! broken may have no end.

mod suite;
mod table;

use crate::Outcome;
use crate::copy::Copy;
use std::time::{Instant, SystemTime};
use suite::{Suite, Test};

/// A condition, and how it is broken.
struct Mutant {
    /// In lower case, words joined by hyphens.
    name: &'static str,
    /// What is broken.
    text: &'static str,
    /// Its path under `cdsspec-runtime/src`.
    file: &'static str,
    /// Texts that are there, once each, with what takes their place.
    changes: &'static [(&'static str, &'static str)],
    /// The tests that must notice it, narrowest first. It is enough that one does.
    tests: &'static [Test],
}

/// How many parts of the table there are, of which `--today` runs one each day.
const PART_COUNT: usize = 3;

/// Does what the arguments say: tests all mutants, those named, or a third of them; or lists them.
///
/// # Errors
/// The mutants that no test notices; or that a test fails without any, that a mutant cannot be made, or does not build.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    if arguments == ["--today"] {
        return run_part_of_today();
    }
    let mutants = select(arguments)?;
    if arguments == ["--list"] {
        for (index, mutant) in mutants.iter().enumerate() {
            println!("{}  {:38} {}", index % PART_COUNT, mutant.name, mutant.text);
        }
        return Ok(());
    }
    test(&mutants)
}

/// Tests the third of the mutants whose turn it is today, and says which it is.
///
/// # Errors
/// As [`run`].
fn run_part_of_today() -> Outcome {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let day = day_of_year(since_1970.map_err(|error| error.to_string())?.as_secs() / 86_400);
    let part = day as usize % PART_COUNT;
    println!("day {day} of the year: `cargo xtask mutants --third {part}`");
    test(&table::part(part))
}

fn select(arguments: &[&str]) -> Result<Vec<&'static Mutant>, String> {
    match *arguments {
        [] | ["--list"] => Ok(table::all().collect()),
        ["--third", part] => {
            let part = part.parse().ok().filter(|&part| part < PART_COUNT);
            part.map(table::part)
                .ok_or_else(|| format!("--third takes a number from 0 to {}", PART_COUNT - 1))
        }
        _ => arguments.iter().map(|name| table::find(name)).collect(),
    }
}

/// The day of the year, from 1 on, that is so many days after the first of January 1970.
fn day_of_year(mut days: u64) -> u64 {
    let length = |year: u64| {
        let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        if is_leap { 366 } else { 365 }
    };
    let mut year = 1970;
    while days >= length(year) {
        days -= length(year);
        year += 1;
    }
    days + 1
}

/// So many work side by side, each with a copy and a build of its own: to compile a mutant, and to test it, keeps one processor busy.
const WORKERS: usize = 2;

fn test(mutants: &[&Mutant]) -> Outcome {
    let start = Instant::now();
    println!("| mutant | broken | noticed by | seconds |\n|---|---|---|---|");
    let parts = (0..WORKERS).map(|worker| mutants.iter().skip(worker).step_by(WORKERS).copied().collect());
    let parts: Vec<Vec<&Mutant>> = parts.filter(|part: &Vec<_>| !part.is_empty()).collect();
    let mistakes: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..).zip(&parts).map(|(worker, part)| scope.spawn(move || test_part(worker, part))).collect();
        let results = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err("a worker panicked".to_owned())));
        results.filter_map(Result::err).collect()
    });
    println!("{} mutants in {:.0?}", mutants.len(), start.elapsed());
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

/// Tests some of them, one after the other.
fn test_part(worker: usize, mutants: &[&Mutant]) -> Outcome {
    let copy = Copy::new(&format!("mutants/{worker}/source"))?;
    let suite = Suite::new(&copy, worker);
    let tests: Vec<Test> = mutants.iter().flat_map(|mutant| mutant.tests).copied().collect();
    suite.check_unbroken(&tests)?;
    let mistakes: Vec<String> =
        mutants.iter().filter_map(|mutant| mutant.test(&copy, &suite).err()).collect();
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

impl Mutant {
    /// Prints its row of the table.
    fn test(&self, copy: &Copy, suite: &Suite<'_>) -> Outcome {
        let start = Instant::now();
        let Self { name, text, .. } = self;
        let red = self.first_red(copy, suite).map_err(|error| format!("{name}: {error}"))?;
        let noticed = red.as_deref().unwrap_or("NOTHING");
        println!("| {name} | {text} | {noticed} | {:.1} |", start.elapsed().as_secs_f64());
        red.map(|_| ()).ok_or_else(|| format!("no test notices {name}"))
    }

    /// The first of its tests that fails with it.
    fn first_red(&self, copy: &Copy, suite: &Suite<'_>) -> Result<Option<String>, String> {
        let path = format!("cdsspec-runtime/src/{}", self.file);
        let original = copy.read(&path)?;
        copy.write(&path, &self.broken(&original)?)?;
        let red = suite.first_red(self.tests);
        copy.write(&path, &original)?;
        red
    }

    /// The text of its file, broken.
    fn broken(&self, original: &str) -> Result<String, String> {
        self.changes.iter().try_fold(original.to_owned(), |text, (from, to)| {
            match text.matches(from).count() {
                1 => Ok(text.replace(from, to)),
                count => Err(format!("this is in {} {count} times, not once: {from}", self.file)),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::root;
    use std::collections::BTreeSet;

    #[test]
    fn every_mutant_changes_a_text_that_is_in_its_file_once() {
        let broken = |mutant: &Mutant| {
            let path = root().join("cdsspec-runtime/src").join(mutant.file);
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            mutant.broken(&text).map(|broken| assert_ne!(broken, text, "{}", mutant.name))
        };
        let mistake = |mutant| broken(mutant).err().map(|error| format!("{}: {error}", mutant.name));
        let mistakes: Vec<String> = table::all().filter_map(mistake).collect();
        assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    }

    #[test]
    fn mutants_have_names_of_their_own_in_lower_case_with_hyphens_and_tests() {
        let mut names = BTreeSet::new();
        for Mutant { name, tests, .. } in table::all() {
            assert!(name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{name}");
            assert!(!tests.is_empty(), "{name}");
            assert!(names.insert(name), "{name} is there twice");
        }
    }

    #[test]
    fn every_mutant_is_in_one_third() {
        let parts: Vec<usize> = (0..PART_COUNT).map(|part| table::part(part).len()).collect();
        assert_eq!(parts.iter().sum::<usize>(), table::all().count());
        assert!(parts.iter().all(|&count| count >= table::all().count() / PART_COUNT), "{parts:?}");
    }

    #[test]
    fn days_of_the_year_begin_with_1_and_know_leap_years() {
        // The first and the last day of 1970, of 1972, of 2000 and of 2100.
        let days = [0, 364, 730, 1_095, 10_957, 11_322, 47_482, 47_846];
        assert_eq!(days.map(day_of_year), [1, 365, 1, 366, 1, 366, 1, 365]);
    }

    #[test]
    fn an_unknown_name_and_a_fourth_third_are_refused() {
        assert!(select(&["no-such-mutant"]).is_err());
        assert!(select(&["--third", "3"]).is_err());
        assert!(select(&["--third"]).is_err());
    }
}
