//! What a search over many tests goes by: what it was told, then the environment, then the defaults.

use super::Shard;
use super::environment::{self, Lookup, SettingError, refuse_unknown};
use std::path::PathBuf;

/// The type that a setting of some kind is kept in.
macro_rules! kept {
    (Size) => {
        usize
    };
    (Path) => {
        PathBuf
    };
    ($other:ident) => {
        $other
    };
}

/// The settings that are in the vocabulary.
macro_rules! settings {
    ($($(#[$text:meta])* $name:ident: $kind:ident $variable:literal $default:literal;)*) => {
        /// What a search was told.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct ChosenSearch {
            $(pub(crate) $name: Option<kept!($kind)>,)*
        }

        impl ChosenSearch {
            /// Takes what was not said from the environment.
            ///
            /// # Errors
            /// A variable that cannot be read.
            fn complete(&mut self, lookup: Lookup<'_>) -> Result<(), SettingError> {
                $(if self.$name.is_none() {
                    self.$name = environment::read($variable, &environment::$kind, lookup)?;
                })*
                Ok(())
            }
        }
    };
}

cdsspec_vocabulary::search_settings!(settings);

/// What a search goes by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SearchSettings {
    /// How many tests are checked at a time.
    pub(crate) jobs: usize,
    /// Which of the tests.
    pub(crate) shard: Shard,
    /// Where the results go.
    pub(crate) results: Option<PathBuf>,
}

impl ChosenSearch {
    /// What the search goes by.
    ///
    /// # Errors
    /// In words: a variable that cannot be read, or none of ours; variables that do not go together; a setting that needs what is not compiled in.
    pub(crate) fn resolve(&self) -> Result<SearchSettings, String> {
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        let lookup = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let settings = refuse_unknown(names).and_then(|()| self.resolve_with(&lookup, is_beside_others()));
        settings.map_err(|error| error.to_string())
    }

    /// The same, with the environment as an argument, and whether a harness runs tests beside this one.
    fn resolve_with(
        &self,
        lookup: Lookup<'_>,
        is_beside_others: bool,
    ) -> Result<SearchSettings, SettingError> {
        let mut chosen = self.clone();
        chosen.complete(lookup)?;
        if cfg!(not(feature = "json")) && chosen.results.is_some() {
            return Err(SettingError::MissingFeature { setting: "results", feature: "json" });
        }
        let runs_alone = lookup("RUST_TEST_THREADS").is_some_and(|count| count.trim() == "1");
        let jobs = chosen.jobs.unwrap_or(usize::from(is_beside_others && !runs_alone));
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(SearchSettings {
            jobs: if jobs == 0 { cores() } else { jobs },
            shard: shard(&chosen, lookup)?,
            results: chosen.results,
        })
    }
}

/// Whether this is a thread of a test harness, which runs tests side by side, and names its threads after them.
fn is_beside_others() -> bool {
    std::thread::current().name().is_some_and(|name| name != "main")
}

/// The part of the tests that was asked for, else that which the environment says.
fn shard(chosen: &ChosenSearch, lookup: Lookup<'_>) -> Result<Shard, SettingError> {
    if let Some(whole) = chosen.shard.filter(|shard| shard.is_whole()) {
        return Ok(whole);
    }
    let Some(shards) = chosen.shards else {
        let found = chosen.shard.map(Ok).or_else(|| of_environment(lookup).transpose());
        return found.unwrap_or(Ok(Shard::WHOLE));
    };
    let (found, variable) = match chosen.shard {
        Some(shard) => (Some(shard), "CDSSPEC_SHARD"),
        None => match of_environment(lookup)? {
            Some(shard) => (Some(shard), "the environment"),
            None => (of_kubernetes(shards, lookup)?, KUBERNETES),
        },
    };
    let found = found.ok_or(SettingError::Missing { variable: KUBERNETES, beside: "CDSSPEC_SHARDS" })?;
    match found.count() {
        count if count == shards => Ok(found),
        count => Err(SettingError::OtherTotal { given: shards, found: count, variable }),
    }
}

const KUBERNETES: &str = "JOB_COMPLETION_INDEX";

/// Jobs with `completionMode: Indexed` count from 0, and do not say how far.
fn of_kubernetes(shards: usize, lookup: Lookup<'_>) -> Result<Option<Shard>, SettingError> {
    let form = "a whole number below CDSSPEC_SHARDS";
    let Some(index) = number(KUBERNETES, form, lookup)? else { return Ok(None) };
    in_range(Shard::new(index.saturating_add(1), shards), (KUBERNETES, form), lookup).map(Some)
}

/// Those that say how many there are, the more particular ones first: a runner of tests runs in a job of a cluster, which a pipeline started.
fn of_environment(lookup: Lookup<'_>) -> Result<Option<Shard>, SettingError> {
    let sources = [of_nextest, of_slurm, of_pipeline];
    sources.into_iter().find_map(|source| source(lookup).transpose()).transpose()
}

/// `count:2/3`, `hash:2/3`, `slice:2/3`: what is given to `cargo nextest run --partition`. nextest itself tells its tests nothing.
fn of_nextest(lookup: Lookup<'_>) -> Result<Option<Shard>, SettingError> {
    const VARIABLE: &str = "NEXTEST_PARTITION";
    let form = "`count:i/n`, `hash:i/n` or `slice:i/n`";
    let Some(value) = lookup(VARIABLE).filter(|value| !value.trim().is_empty()) else { return Ok(None) };
    let part = value.split_once(':').map_or(value.as_str(), |(_, part)| part);
    in_range(part.parse().ok(), (VARIABLE, form), lookup).map(Some)
}

/// `--array=5-9:2`: the tasks 5, 7 and 9. A list with gaps of other sizes is none of these.
fn of_slurm(lookup: Lookup<'_>) -> Result<Option<Shard>, SettingError> {
    const ID: &str = "SLURM_ARRAY_TASK_ID";
    const COUNT: &str = "SLURM_ARRAY_TASK_COUNT";
    const MIN: &str = "SLURM_ARRAY_TASK_MIN";
    let form = "the number of a task of `--array=first-last:step`; for other lists set CDSSPEC_SHARD";
    let needed = |variable| {
        number(variable, "a whole number", lookup)?.ok_or(SettingError::Missing { variable, beside: ID })
    };
    let Some(id) = number(ID, form, lookup)? else { return Ok(None) };
    let (count, min) = (needed(COUNT)?, needed(MIN)?);
    let step = number("SLURM_ARRAY_TASK_STEP", "a whole number", lookup)?.unwrap_or(1).max(1);
    let last = number("SLURM_ARRAY_TASK_MAX", "a whole number", lookup)?;
    let is_even = last.is_none_or(|last| last.checked_sub(min).map(|span| span / step + 1) == Some(count));
    let offset = id.checked_sub(min).filter(|offset| is_even && offset % step == 0);
    let shard = offset.and_then(|offset| Shard::new(offset / step + 1, count));
    in_range(shard, (ID, form), lookup).map(Some)
}

/// GitLab's `parallel: n`, which counts from 1.
fn of_pipeline(lookup: Lookup<'_>) -> Result<Option<Shard>, SettingError> {
    const INDEX: &str = "CI_NODE_INDEX";
    const TOTAL: &str = "CI_NODE_TOTAL";
    let form = "a whole number from 1 to CI_NODE_TOTAL; else set CDSSPEC_SHARD";
    let Some(index) = number(INDEX, form, lookup)? else { return Ok(None) };
    let total = number(TOTAL, "a whole number", lookup)?;
    let total = total.ok_or(SettingError::Missing { variable: TOTAL, beside: INDEX })?;
    in_range(Shard::new(index, total), (INDEX, form), lookup).map(Some)
}

/// A variable that is set to a number; an empty one is not set.
fn number(
    variable: &'static str,
    form: &'static str,
    lookup: Lookup<'_>,
) -> Result<Option<usize>, SettingError> {
    let Some(value) = lookup(variable).filter(|value| !value.trim().is_empty()) else { return Ok(None) };
    match value.trim().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(SettingError::Malformed { variable, value, form }),
    }
}

fn in_range(
    shard: Option<Shard>,
    (variable, form): (&'static str, &'static str),
    lookup: Lookup<'_>,
) -> Result<Shard, SettingError> {
    shard.ok_or_else(|| SettingError::Malformed {
        variable,
        value: lookup(variable).unwrap_or_default(),
        form,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of the tests under such an environment, or what is wrong with it.
    fn shard_of(variables: &[(&str, &str)]) -> Result<String, String> {
        let lookup = |name: &str| {
            let row = variables.iter().find(|(known, _)| *known == name);
            row.map(|(_, value)| (*value).to_owned())
        };
        let resolved = ChosenSearch::default().resolve_with(&lookup, true);
        resolved.map(|settings| settings.shard.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_environment_says_which_part_it_is() {
        let slurm = |id, count, min, max, step| {
            [
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_COUNT", count),
                ("SLURM_ARRAY_TASK_MIN", min),
                ("SLURM_ARRAY_TASK_MAX", max),
                ("SLURM_ARRAY_TASK_STEP", step),
            ]
        };
        let rows: &[(&[(&str, &str)], &str)] = &[
            (&[], "1/1"),
            (&[("CDSSPEC_SHARD", "2/3")], "2/3"),
            (&[("NEXTEST_PARTITION", "count:2/3")], "2/3"),
            (&[("NEXTEST_PARTITION", "hash:3/3")], "3/3"),
            (&[("NEXTEST_PARTITION", "")], "1/1"),
            (&slurm("0", "4", "0", "3", "1"), "1/4"),
            (&slurm("4", "4", "1", "4", "1"), "4/4"),
            (&slurm("7", "3", "5", "9", "2"), "2/3"),
            (&slurm("7", "3", "5", "10", "2"), "2/3"),
            (&slurm("2", "2", "1", "", ""), "2/2"),
            (&[("JOB_COMPLETION_INDEX", "0"), ("CDSSPEC_SHARDS", "2")], "1/2"),
            (&[("JOB_COMPLETION_INDEX", "1"), ("CDSSPEC_SHARDS", "2")], "2/2"),
            // Nobody says how many there are.
            (&[("JOB_COMPLETION_INDEX", "1")], "1/1"),
            (&[("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "5")], "3/5"),
            // GitLab says it of every job.
            (&[("CI_NODE_TOTAL", "1")], "1/1"),
            (&[("CDSSPEC_SHARD", "1/1"), ("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "5")], "1/1"),
            (&[("NEXTEST_PARTITION", "1/2"), ("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "5")], "1/2"),
            (&[("CDSSPEC_SHARDS", "5"), ("CI_NODE_INDEX", "3"), ("CI_NODE_TOTAL", "5")], "3/5"),
            (&[("CDSSPEC_SHARDS", "5"), ("CDSSPEC_SHARD", "1/1")], "1/1"),
        ];
        for (variables, expected) in rows {
            assert_eq!(shard_of(variables).as_deref(), Ok(*expected), "{variables:?}");
        }
    }

    #[test]
    fn what_does_not_go_together_is_no_part() {
        let rows: &[(&[(&str, &str)], &str)] = &[
            (&[("CDSSPEC_SHARD", "0/3")], "CDSSPEC_SHARD is \"0/3\""),
            (&[("CDSSPEC_SHARD", "4/3")], "CDSSPEC_SHARD is \"4/3\""),
            (&[("CDSSPEC_SHARD", "2")], "CDSSPEC_SHARD is \"2\""),
            (&[("NEXTEST_PARTITION", "count:0/3")], "NEXTEST_PARTITION is \"count:0/3\""),
            (&[("CI_NODE_INDEX", "0"), ("CI_NODE_TOTAL", "3")], "CI_NODE_INDEX is \"0\""),
            (&[("CI_NODE_INDEX", "1")], "CI_NODE_INDEX is set, and CI_NODE_TOTAL is not"),
            (&[("SLURM_ARRAY_TASK_ID", "1")], "SLURM_ARRAY_TASK_COUNT is not"),
            (&[("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_ARRAY_TASK_COUNT", "3")], "SLURM_ARRAY_TASK_MIN is not"),
            (
                // --array=1,3,7
                &[
                    ("SLURM_ARRAY_TASK_ID", "1"),
                    ("SLURM_ARRAY_TASK_COUNT", "3"),
                    ("SLURM_ARRAY_TASK_MIN", "1"),
                    ("SLURM_ARRAY_TASK_MAX", "7"),
                ],
                "SLURM_ARRAY_TASK_ID is \"1\"",
            ),
            (&[("JOB_COMPLETION_INDEX", "2"), ("CDSSPEC_SHARDS", "2")], "JOB_COMPLETION_INDEX is \"2\""),
            (&[("CDSSPEC_SHARDS", "2")], "CDSSPEC_SHARDS is set, and JOB_COMPLETION_INDEX is not"),
            (&[("CDSSPEC_SHARDS", "2"), ("CDSSPEC_SHARD", "1/3")], "CDSSPEC_SHARD says that there are 3"),
        ];
        for (variables, expected) in rows {
            let error = shard_of(variables).expect_err("it is refused");
            assert!(error.contains(expected), "{variables:?}: {error}");
        }
    }

    #[test]
    fn a_test_beside_others_is_one_job() {
        let jobs = |chosen: Option<usize>, variables: &[(&str, &str)], is_beside_others| {
            let row = |name: &str| variables.iter().find(|(known, _)| *known == name);
            let lookup = |name: &str| row(name).map(|(_, value)| (*value).to_owned());
            let chosen = ChosenSearch { jobs: chosen, ..ChosenSearch::default() };
            chosen.resolve_with(&lookup, is_beside_others).expect("it can be read").jobs
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!(jobs(None, &[], true), 1);
        assert_eq!(jobs(None, &[], false), cores);
        assert_eq!(jobs(None, &[("RUST_TEST_THREADS", "1")], true), cores);
        assert_eq!(jobs(None, &[("RUST_TEST_THREADS", "2")], true), 1);
        assert_eq!(jobs(None, &[("CDSSPEC_JOBS", "3")], true), 3);
        assert_eq!(jobs(Some(5), &[("CDSSPEC_JOBS", "3")], true), 5);
        assert_eq!(jobs(Some(0), &[], true), cores);
        assert!(is_beside_others(), "a thread of the harness has the name of the test");
    }

    #[test]
    fn every_test_is_in_one_part() {
        for count in 1..8 {
            for test in 0..30 {
                let parts = (1..=count).filter_map(|index| Shard::new(index, count));
                assert_eq!(parts.filter(|shard| shard.has(test)).count(), 1);
            }
        }
        assert_eq!((Shard::new(0, 3), Shard::new(4, 3), Shard::new(1, 0)), (None, None, None));
    }
}
