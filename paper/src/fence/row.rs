//! The rows.

use super::implementations::{Implementation, NamedTest, QUEUE_TESTS};
use cdsspec_fence::explore::{Exploration, Settings, Statistics};
use cdsspec_fence::flat::Site;
use cdsspec_fence::lsl::Program;
use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_fence::observation::ObservationSet;
use cdsspec_fence::solver::Limits;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A question of the solver takes so long at most.
const DURATION_MAX: Duration = Duration::from_secs(600);

/// The memory models, and whether the fences are there.
const FORMS: [(MemoryModel, bool); 5] = [
    (MemoryModel::Sc, false),
    (MemoryModel::Tso, false),
    (MemoryModel::Pso, false),
    (MemoryModel::Relaxed, false),
    (MemoryModel::Relaxed, true),
];

/// What a test comes to.
pub(super) struct Row {
    implementation: &'static str,
    test: &'static str,
    memory_model: &'static str,
    has_fences: bool,
    expected: &'static str,
    verdict: &'static str,
    statistics: Statistics,
    observations: usize,
    seconds: f64,
}

/// A test that can be checked: with what may be observed.
struct Subject {
    program: Program,
    observations: ObservationSet,
}

fn subject(implementation: &Implementation, test: &str) -> Result<Subject, String> {
    let program = implementation.data_type().test(test).map_err(|error| error.to_string())?;
    let mined = Exploration::new(&program, settings(MemoryModel::Serial)).observations();
    let mined = mined.map_err(|error| error.to_string())?;
    if mined.set.has_error || mined.is_bounded {
        return Err(format!("{} {test}: a serial execution fails, or does not end", implementation.name));
    }
    Ok(Subject { program, observations: mined.set })
}

fn settings(memory_model: MemoryModel) -> Settings {
    let limits = Limits { duration_max: Some(DURATION_MAX), ..Limits::default() };
    Settings { limits, ..Settings::new(memory_model) }
}

/// The rows of one test.
///
/// # Errors
/// That a serial execution fails.
pub(super) fn rows(implementation: &Implementation, test: &NamedTest) -> Result<Vec<Row>, String> {
    let subject = subject(implementation, test.text)?;
    let row = |(memory_model, has_fences): (MemoryModel, bool)| {
        let start = Instant::now();
        let mut exploration = Exploration::new(&subject.program, settings(memory_model));
        if has_fences {
            exploration.set_fences(exploration.candidates());
        }
        let verdict = exploration.check_inclusion(&subject.observations);
        let is_violated = memory_model == MemoryModel::Relaxed
            && !has_fences
            && !implementation.holds_unfenced.contains(&test.name);
        Row {
            implementation: implementation.name,
            test: test.name,
            memory_model: memory_model.name(),
            has_fences,
            expected: if is_violated { "violated" } else { "holds" },
            verdict: verdict.name(),
            statistics: exploration.statistics(),
            observations: subject.observations.observations.len(),
            seconds: start.elapsed().as_secs_f64(),
        }
    };
    Ok(FORMS.into_iter().map(row).collect())
}

impl Row {
    pub(super) const HEADER: [&'static str; 10] = [
        "implementation",
        "test",
        "memory model",
        "fences",
        "verdict",
        "accesses",
        "variables",
        "clauses",
        "observations",
        "seconds",
    ];

    pub(super) fn cells(&self) -> Vec<String> {
        let Statistics { accesses, variables, clauses, .. } = self.statistics;
        let numbers = [accesses, variables, clauses, self.observations].map(|number| number.to_string());
        let fences = if self.has_fences { "yes" } else { "no" };
        let words = [self.implementation, self.test, self.memory_model, fences, self.verdict];
        let seconds = format!("{:.3}", self.seconds);
        words.map(str::to_owned).into_iter().chain(numbers).chain([seconds]).collect()
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "implementation": self.implementation,
            "test": self.test,
            "memory_model": self.memory_model,
            "fences": self.has_fences,
            "expected": self.expected,
            "verdict": self.verdict,
            "accesses": self.statistics.accesses,
            "variables": self.statistics.variables,
            "clauses": self.statistics.clauses,
            "observations": self.observations,
            "seconds": self.seconds,
        })
    }

    /// What is wrong with it.
    pub(super) fn mistake(&self) -> Option<String> {
        let Self { implementation, test, memory_model, expected, verdict, .. } = self;
        let mistake =
            format!("{implementation} {test} {memory_model}: expected `{expected}`, got `{verdict}`");
        // What is not seen behind the rounds that were needed is a bound, and no fault.
        let is_within = *expected == "holds" && *verdict == "holds_within" && *memory_model == "relaxed";
        (expected != verdict && !is_within).then_some(mistake)
    }
}

/// A fence, and whether its test fails without it alone.
pub(super) struct FenceRow {
    implementation: &'static str,
    fence: &'static str,
    test: &'static str,
    verdict: &'static str,
}

/// Whether each fence of an implementation is necessary: its test fails without it.
///
/// # Errors
/// That a serial execution fails, or that there are not as many fences as the table says.
pub(super) fn fences(implementation: &Implementation) -> Result<Vec<FenceRow>, String> {
    let mut rows = Vec::new();
    for (index, &(fence, name)) in implementation.fences.iter().enumerate() {
        let test = QUEUE_TESTS.iter().find(|test| test.name == name);
        let test = test.ok_or_else(|| format!("{name} is no test"))?;
        let subject = subject(implementation, test.text)?;
        let mut exploration = Exploration::new(&subject.program, settings(MemoryModel::Relaxed));
        let all: Vec<Site> = exploration.candidates().into_iter().collect();
        if all.len() != implementation.fences.len() {
            return Err(format!("{} has {} candidate fences", implementation.name, all.len()));
        }
        let others: BTreeSet<Site> = all.iter().copied().filter(|&other| other != all[index]).collect();
        exploration.set_fences(others);
        let verdict = exploration.check_inclusion(&subject.observations).name();
        rows.push(FenceRow { implementation: implementation.name, fence, test: test.name, verdict });
    }
    Ok(rows)
}

impl FenceRow {
    pub(super) const HEADER: [&'static str; 4] = ["implementation", "fence", "test", "without it alone"];

    pub(super) fn cells(&self) -> Vec<String> {
        [self.implementation, self.fence, self.test, self.verdict].map(str::to_owned).to_vec()
    }

    /// What is wrong with it.
    pub(super) fn mistake(&self) -> Option<String> {
        let Self { implementation, fence, test, verdict } = self;
        let mistake =
            format!("{implementation} without {fence}: {test} expected `violated`, got `{verdict}`");
        (*verdict != "violated").then_some(mistake)
    }
}
