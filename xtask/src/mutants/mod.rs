//! Breaks the engine and the check one condition at a time: each mutant must turn some test red.
//!
//! The workspace is copied into the target folder and changed there. All mutants are put into one copy, which is built once ([`merge`]); an
//! environment variable says which one is on. A mutant names the tests that must notice it, narrowest first: these are run, in turn, until one
//! is red. A test that takes longer than [`suite::TEST_DURATION_MAX`] is red as well: what is
//! broken may have no end. What notices a mutant must be green without any.

mod merge;
mod suite;
mod table;

use crate::Outcome;
use crate::copy::Copy;
use crate::source::root;
use merge::NOTHING;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Instant, SystemTime};
use suite::{Suite, Test};

/// A condition, and how it is broken.
struct Mutant {
    /// In lower case, words joined by hyphens.
    name: &'static str,
    /// What is broken.
    text: &'static str,
    /// Its path under `cdsspec-runtime/src`; that of a file of another crate begins with the crate's folder.
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
        for (part, mutant) in
            (0..PART_COUNT).flat_map(|part| table::part(part).into_iter().map(move |one| (part, one)))
        {
            println!("{part}  {:38} {}", mutant.name, mutant.text);
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

/// So many tests run side by side: each keeps one processor busy.
const WORKERS: usize = 2;

/// The crate that most mutants break.
const SOURCES: &str = "cdsspec-runtime/src";

/// The roots of the crates that mutants break, as mutants name files.
const ROOTS: [&str; 5] = [
    "lib.rs",
    "cdsspec-contracts/src/lib.rs",
    "cdsspec-fence/src/lib.rs",
    "cdsspec-front/src/lib.rs",
    "cdsspec-linearize/src/lib.rs",
];

/// Where a file is that a mutant names.
fn path_of(file: &str) -> PathBuf {
    if file.starts_with("cdsspec-") { PathBuf::from(file) } else { Path::new(SOURCES).join(file) }
}

fn test(mutants: &[&'static Mutant]) -> Outcome {
    let start = Instant::now();
    let merged = Merged::new()?;
    let copy = Copy::changed("mutants/source", &merged.texts)?;
    let tests = mutants.iter().flat_map(|mutant| mutant.tests).copied().collect();
    let suite = Suite::build(&copy, &tests)?;
    println!(
        "built in {:.0?}\n| mutant | broken | noticed by | seconds |\n|---|---|---|---|",
        start.elapsed()
    );
    let results = side_by_side(mutants, |mutant| mutant.test(&suite, merged.numbers[mutant.name]));
    let (noticed, mut mistakes) = take_apart(results);
    let noticed: BTreeSet<Test> = noticed.into_iter().collect();
    let noticed: Vec<Test> = noticed.into_iter().collect();
    mistakes.extend(take_apart(side_by_side(&noticed, |test| suite.check_unbroken(test))).1);
    println!("{} mutants in {:.0?}", mutants.len(), start.elapsed());
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

/// What is done for each of these, by some workers, in any order.
fn side_by_side<T: Clone + Sync, R: Send>(
    items: &[T],
    run: impl Fn(T) -> Result<R, String> + Sync,
) -> Vec<Result<R, String>> {
    let left = Mutex::new(items.iter());
    let work = || {
        let next = || left.lock().ok().and_then(|mut left| left.next().cloned());
        std::iter::from_fn(next).map(&run).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|worker| worker.join());
        results
            .flat_map(|result| result.unwrap_or_else(|_| vec![Err("a worker panicked".to_owned())]))
            .collect()
    })
}

/// Results, and errors.
fn take_apart<R>(results: Vec<Result<R, String>>) -> (Vec<R>, Vec<String>) {
    let (good, bad): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    (good.into_iter().filter_map(Result::ok).collect(), bad.into_iter().filter_map(Result::err).collect())
}

/// The version that the packages of the copy have. Without one of its own cargo takes what is built there for what is built here.
const VERSION: &str = "0.1.0+mutants";

/// The files that say the version, with that of the copy.
fn versioned() -> Result<BTreeMap<PathBuf, String>, String> {
    let changes = [
        ("Cargo.toml", "\nversion = \"0.1.0\"\n".to_owned(), format!("\nversion = \"{VERSION}\"\n")),
        (
            "src/lib.rs",
            "__private_0_1_0".to_owned(),
            format!("__private_{}", VERSION.replace(['.', '+'], "_")),
        ),
    ];
    let changed = |(file, before, after): (&str, String, String)| {
        let text = std::fs::read_to_string(root().join(file)).map_err(|error| format!("{file}: {error}"))?;
        match text.matches(&before).count() {
            1 => Ok((PathBuf::from(file), text.replace(&before, &after))),
            count => Err(format!("{file}: `{}` is there {count} times", before.trim())),
        }
    };
    changes.into_iter().map(changed).collect()
}

/// The texts that have all mutants in them.
struct Merged {
    texts: BTreeMap<PathBuf, String>,
    /// By name.
    numbers: BTreeMap<&'static str, usize>,
}

impl Merged {
    fn new() -> Result<Self, String> {
        let numbers = (NOTHING + 1..).zip(table::all()).map(|(number, mutant)| (mutant.name, number));
        let numbers: BTreeMap<&str, usize> = numbers.collect();
        let mut of_files: BTreeMap<&str, Vec<merge::Numbered<'_>>> =
            ROOTS.into_iter().map(|file| (file, Vec::new())).collect();
        for mutant in table::all() {
            let of_file = of_files.entry(mutant.file).or_default();
            of_file.push(merge::Numbered { number: numbers[mutant.name], changes: mutant.changes });
        }
        let mut texts = versioned()?;
        for (file, mutants) in of_files {
            let path = path_of(file);
            let describe = |error: String| format!("{file}: {error}");
            let text =
                std::fs::read_to_string(root().join(&path)).map_err(|error| describe(error.to_string()))?;
            let mut text = merge::merge(&text, &mutants).map_err(describe)?;
            if ROOTS.contains(&file) {
                text.push_str(merge::SWITCH);
            }
            texts.insert(path, text);
        }
        Ok(Self { texts, numbers })
    }
}

impl Mutant {
    /// Prints its row of the table: which test notices it.
    fn test(&self, suite: &Suite<'_>, number: usize) -> Result<Test, String> {
        let start = Instant::now();
        let Self { name, text, .. } = self;
        let red = suite.first_red(self.tests, number).map_err(|error| format!("{name}: {error}"))?;
        let noticed = red.as_ref().map_or("NOTHING", |(_, how)| how);
        println!("| {name} | {text} | {noticed} | {:.1} |", start.elapsed().as_secs_f64());
        red.map(|(test, _)| test).ok_or_else(|| format!("no test notices {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_can_be_put_into_the_copy() {
        let merged = Merged::new().expect("each changes bodies of functions, by texts that are there once");
        let files: BTreeSet<PathBuf> = table::all().map(|mutant| path_of(mutant.file)).collect();
        // With the roots of the crates, which have the switch, and the files that say the version.
        assert_eq!(merged.texts.len(), files.len() + ROOTS.len() + 2);
        let count = |number: usize| {
            let arm = format!("\n{number} => {{");
            merged.texts.values().map(|text| text.matches(&arm).count()).sum::<usize>()
        };
        for mutant in table::all() {
            let bodies = count(merged.numbers[mutant.name]);
            assert!((1..=mutant.changes.len()).contains(&bodies), "{}: {bodies}", mutant.name);
        }
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
