//! Puts an engine before the naive twin, on a test with loops; or before the operational twin of a memory model.

mod machine;

pub use machine::{Ask, judge_machine, judge_traces, judge_within};

use crate::explore::plain_limits;
use crate::naive::{
    Effort, Stuck, Unrolled, enumerate_calls, enumerate_rounds, enumerate_verdicts, find_stuck,
};
use crate::random::Random;
use crate::run::{LitmusResult, Loops, Setup, run, run_checking, run_observing};
use crate::shrink::shrink;
use crate::syntax::{BLOCKED, Instruction, Litmus};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::Limits;
use cdsspec_runtime::engine::graph::{GraphEngine, Options};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the twin looks at before it calls a test too large: some milliseconds.
pub const EFFORT: Effort = Effort { traces_max: 2_000, steps_max: 4_000 };

/// How many executions an engine may look at.
const EXECUTIONS_MAX: u64 = 5_000;

/// How an engine is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// How many rounds of each loop there are.
    pub rounds: usize,
    /// How loops are run.
    pub loops: Loops,
    /// The order of the threads' creation, and of their operations, is drawn from it; `None`: as it comes.
    pub seed: Option<u64>,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Both say the same.
    Same,
    /// The test is too large for the twin.
    TooLarge,
    /// The engine came to its limit, and what it found until then is right.
    Unfinished,
    /// They differ: in what, and on which test.
    Different(String),
}

impl Question {
    /// The limits of a run: rounds; and what keeps an engine that does not find an end from looking for one for ever.
    pub fn limits(&self) -> Limits {
        let mut limits = plain_limits();
        limits.loop_rounds_max = Some(self.rounds);
        limits.branches_max = 300;
        limits.executions_max = Some(EXECUTIONS_MAX);
        limits
    }

    /// How the test is run.
    pub fn setup(&self, test: &Litmus) -> Setup {
        let creation_order = self.seed.map(|seed| Random::new(seed).permutation(test.threads.len()));
        Setup { limits: self.limits(), creation_order, loops: self.loops }
    }

    /// The engine.
    pub fn engine(&self) -> GraphEngine {
        GraphEngine::with_options(Options { scheduling_seed: self.seed, ..Options::default() })
    }
}

/// Whether rc11 finds the outcomes of a test with loops that the twin finds, and whether there are executions with more rounds. Where the
/// rounds are written out, as many executions of each outcome, too.
pub fn judge(test: &Litmus, question: &Question) -> Judgement {
    let Ok(expected) = enumerate_rounds(test, question.rounds, EFFORT) else { return Judgement::TooLarge };
    let run = || run(test, &question.engine(), &question.setup(test));
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(found) => compare(test, question, &expected, &found),
        Err(_) => Judgement::Different("the engine panicked".to_owned()),
    }
}

/// The same; a test on which they differ is made as small as it can be.
pub fn judge_and_shrink(test: &Litmus, question: &Question) -> Judgement {
    judge_and_shrink_by(test, |test| judge(test, question))
}

/// [`judge_stuck`]; a test on which they differ is made as small as it can be.
pub fn judge_stuck_and_shrink(test: &Litmus, question: &Question) -> Judgement {
    judge_and_shrink_by(test, |test| judge_stuck(test, question))
}

/// Judges a test, and makes one on which the judgement is `Different` as small as it can be.
pub fn judge_and_shrink_by(test: &Litmus, judge: impl Fn(&Litmus) -> Judgement) -> Judgement {
    let first = judge(test);
    if !matches!(first, Judgement::Different(_)) {
        return first;
    }
    let small = shrink(test, |test| matches!(judge(test), Judgement::Different(_)));
    match judge(&small) {
        Judgement::Different(text) => Judgement::Different(format!("{small}{text}\nfrom\n{test}")),
        other => other,
    }
}

fn compare(test: &Litmus, question: &Question, expected: &Unrolled, found: &LitmusResult) -> Judgement {
    let all = |outcomes: Vec<&str>| outcomes.into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
    let (wanted, seen) = (all(expected.outcomes()), found.outcomes.iter().cloned().collect());
    let missing: Vec<_> = wanted.difference(&seen).collect();
    let too_many: Vec<_> = seen.difference(&wanted).collect();
    let counts = expected.counts.iter().filter(|(outcome, _)| *outcome != BLOCKED);
    let is_same_count = !matches!(question.loops, Loops::Unrolled(_)) || found.counts.iter().eq(counts);
    // With locks, an execution may not end for another reason than a loop.
    let is_same_cut = found.cut == expected.is_cut || has_lock(test);
    if missing.is_empty() && too_many.is_empty() && is_same_count && is_same_cut {
        return Judgement::Same;
    }
    if found.is_limited && too_many.is_empty() {
        return Judgement::Unfinished;
    }
    Judgement::Different(format!(
        "{question:?}, {:?}\ncut: {} instead of {}\nmissing {missing:?}\ntoo many {too_many:?}\ntwin   {:?}\nengine {:?}",
        found.verdict, found.cut, expected.is_cut, expected.counts, found.counts,
    ))
}

/// Whether rc11 finds a deadlock, or a livelock, where the twin finds one. A test of which two and three rounds say different things is too
/// large: what is there with three may be there with more.
pub fn judge_stuck(test: &Litmus, question: &Question) -> Judgement {
    let found = |rounds| find_stuck(test, rounds, EFFORT);
    let (Ok(before), Ok(expected)) = (found(question.rounds.saturating_sub(1)), found(question.rounds))
    else {
        return Judgement::TooLarge;
    };
    if before != expected {
        return Judgement::TooLarge;
    }
    let run = || run(test, &question.engine(), &question.setup(test));
    let Ok(result) = catch_unwind(AssertUnwindSafe(run)) else {
        return Judgement::Different("the engine panicked".to_owned());
    };
    let stuck = |verdict| match verdict {
        Verdict::Deadlock | Verdict::Livelock => Some(verdict),
        _ => None,
    };
    match stuck(result.verdict) == verdict_of(expected) {
        true => Judgement::Same,
        // What goes on for ever by writing again what is there has no bound that is enough.
        false if result.is_limited || result.is_bounded && stuck(result.verdict).is_none() => {
            Judgement::Unfinished
        }
        false => Judgement::Different(format!("{question:?}\ntwin   {expected:?}\nengine {result:?}")),
    }
}

/// Whether rc11 finds the orders of the calls that the twin finds, with each outcome.
pub fn judge_calls(test: &Litmus, question: &Question) -> Judgement {
    let Ok(expected) = enumerate_calls(test, question.rounds, EFFORT) else { return Judgement::TooLarge };
    compare_seen(question, &expected, || run_observing(test, &question.engine(), &question.setup(test)))
}

/// Whether rc11 comes to the verdicts on the calls that the twin comes to, with each outcome.
pub fn judge_verdicts(test: &Litmus, question: &Question) -> Judgement {
    let Ok(expected) = enumerate_verdicts(test, question.rounds, EFFORT) else { return Judgement::TooLarge };
    compare_seen(question, &expected, || run_checking(test, &question.engine(), &question.setup(test)))
}

fn compare_seen<T: Ord + Debug>(
    question: &Question,
    expected: &BTreeSet<T>,
    run: impl FnOnce() -> (LitmusResult, BTreeSet<T>),
) -> Judgement {
    let Ok((result, found)) = catch_unwind(AssertUnwindSafe(run)) else {
        return Judgement::Different("the engine panicked".to_owned());
    };
    let missing: Vec<_> = expected.difference(&found).collect();
    let too_many: Vec<_> = found.difference(expected).collect();
    match (missing.is_empty(), too_many.is_empty()) {
        (true, true) => Judgement::Same,
        (false, true) if result.is_limited => Judgement::Unfinished,
        _ => Judgement::Different(format!(
            "{question:?}\nmissing {missing:?}\ntoo many {too_many:?}\n{result:?}"
        )),
    }
}

/// [`judge_calls`]; a test on which they differ is made as small as it can be.
pub fn judge_calls_and_shrink(test: &Litmus, question: &Question) -> Judgement {
    judge_and_shrink_by(test, |test| judge_calls(test, question))
}

/// [`judge_verdicts`]; a test on which they differ is made as small as it can be.
pub fn judge_verdicts_and_shrink(test: &Litmus, question: &Question) -> Judgement {
    judge_and_shrink_by(test, |test| judge_verdicts(test, question))
}

/// The verdict on a test that is stuck; a deadlock is the worse one.
fn verdict_of(stuck: Stuck) -> Option<Verdict> {
    match (stuck.has_deadlock, stuck.has_livelock) {
        (true, _) => Some(Verdict::Deadlock),
        (false, true) => Some(Verdict::Livelock),
        (false, false) => None,
    }
}

/// Whether a test has locks.
pub fn has_lock(test: &Litmus) -> bool {
    fn has_lock(code: &[Instruction]) -> bool {
        code.iter().any(|one| matches!(one, Instruction::Lock { .. }) || has_lock(one.body()))
    }
    test.threads.iter().any(|code| has_lock(code))
}
