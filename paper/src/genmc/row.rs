//! A row of the table: what a program takes here, beside what it takes under GenMC.

use super::published::{Measured, Program};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::model::{Builder, EngineKind, Outcome};
use serde_json::{Value, json};

/// A program, explored.
pub(super) struct Row {
    pub(super) program: &'static str,
    pub(super) genmc: Measured,
    pub(super) ours: Explored,
    /// With `spin_assume`: as GenMC does it.
    pub(super) assumed: Explored,
}

/// What an exploration came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Explored {
    /// Whether every execution was explored, and none has a fault; if not, the counts are those up to the limit.
    pub(super) state: State,
    /// Executions that ran to their end.
    pub(super) complete: u64,
    /// Those of them in which a thread went round a loop without an effect before it went on.
    pub(super) delayed: u64,
    /// By-products: executions that ended early, since what a thread waits for is in another one.
    pub(super) blocked: u64,
    pub(super) seconds: f64,
}

/// How far an exploration came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// All is explored, and there is no fault.
    Whole,
    /// A limit ended it.
    Stopped,
    /// There is a fault, so the counts mean nothing.
    Faulty,
}

/// How the executions of a program compare with the complete ones of GenMC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    /// At most those and half of them.
    Within,
    /// More; without delayed ones at most those and half of them.
    OverByDelayed,
    /// More; a limit came before it was known whether without delayed ones, too.
    OverAtLeast,
    /// More, without delayed ones, too.
    Over,
    /// A limit came before there were more.
    Open,
}

impl Row {
    /// Explores a program on rc11, up to so many executions, and with `spin_assume` up to twice as many.
    pub(super) fn of(program: &Program, executions_max: u64) -> Self {
        let explore = |assumes_spins, executions_max| {
            let builder = Builder::new().name(program.name).engine(EngineKind::Rc11);
            let builder = builder.executions_max(executions_max).spin_assume(assumes_spins);
            Explored::of(&builder.check(program.run))
        };
        let [ours, assumed] = [explore(false, executions_max), explore(true, 2 * executions_max)];
        Self { program: program.name, genmc: program.genmc, ours, assumed }
    }

    /// The kind of program: its name without its threads.
    pub(super) fn kind(&self) -> &'static str {
        let threads = self.program.find(|letter: char| letter.is_ascii_digit());
        self.program[..threads.unwrap_or(self.program.len())].trim_end_matches('_')
    }

    pub(super) fn comparison(&self) -> Comparison {
        self.compare(self.ours)
    }

    pub(super) fn assumed_comparison(&self) -> Comparison {
        self.compare(self.assumed)
    }

    fn compare(&self, Explored { state, complete, delayed, .. }: Explored) -> Comparison {
        let is_over = |count: u64| 2 * count > 3 * self.genmc.complete;
        match (is_over(complete), is_over(complete - delayed), state) {
            (_, true, _) => Comparison::Over,
            (true, _, State::Stopped) => Comparison::OverAtLeast,
            (true, ..) => Comparison::OverByDelayed,
            (_, _, State::Stopped) => Comparison::Open,
            _ => Comparison::Within,
        }
    }

    /// One JSON object.
    pub(super) fn json(&self) -> Value {
        json!({
            "program": self.program,
            "complete": self.ours.complete,
            "delayed": self.ours.delayed,
            "blocked": self.ours.blocked,
            "seconds": self.ours.seconds,
            "explored": self.ours.state.word(),
            "assumed_complete": self.assumed.complete,
            "assumed_blocked": self.assumed.blocked,
            "assumed_seconds": self.assumed.seconds,
            "assumed_comparison": self.assumed_comparison().word(),
            "genmc_complete": self.genmc.complete,
            "genmc_blocked": self.genmc.blocked,
            "genmc_blocked_plain": self.genmc.blocked_plain,
            "genmc_seconds": self.genmc.seconds,
            "comparison": self.comparison().word(),
        })
    }
}

impl Explored {
    fn of(outcome: &Outcome) -> Self {
        let state = match outcome.verdict {
            Verdict::Holds | Verdict::HoldsWithin => State::Whole,
            Verdict::Inconclusive => State::Stopped,
            _ => State::Faulty,
        };
        let &Outcome { complete_executions, delayed_executions, by_products, seconds, .. } = outcome;
        Self {
            state,
            complete: complete_executions,
            delayed: delayed_executions,
            blocked: by_products,
            seconds,
        }
    }
}

impl State {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Whole => "all",
            Self::Stopped => "stopped",
            Self::Faulty => "faulty",
        }
    }
}

impl Comparison {
    /// All of them, in the order of the text.
    pub(super) const ALL: [Self; 5] =
        [Self::Within, Self::OverByDelayed, Self::OverAtLeast, Self::Over, Self::Open];

    /// Whether there are more than is wanted.
    pub(super) fn is_over(self) -> bool {
        matches!(self, Self::OverByDelayed | Self::OverAtLeast | Self::Over)
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Within => "within",
            Self::OverByDelayed => "over_by_delayed",
            Self::OverAtLeast => "over_at_least",
            Self::Over => "over",
            Self::Open => "open",
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use cdsspec_runtime::sync::atomic::AtomicUsize;
    use cdsspec_runtime::sync::atomic::Ordering::Relaxed;

    /// A row with these counts.
    pub(in super::super) fn row(program: &'static str, state: State, [complete, delayed]: [u64; 2]) -> Row {
        let genmc = Measured { complete: 10, blocked: Some(4), blocked_plain: 5, seconds: Some(0.5) };
        let ours = Explored { state, complete, delayed, blocked: 7, seconds: 0.25 };
        let assumed = Explored { complete: complete - delayed, delayed: 0, blocked: 9, ..ours };
        Row { program, genmc, ours, assumed }
    }

    #[test]
    fn half_on_is_within_and_one_more_is_over() {
        use Comparison::*;
        let rows = [
            (State::Whole, [15, 0], Within),
            (State::Whole, [16, 0], Over),
            (State::Whole, [16, 1], OverByDelayed),
            (State::Whole, [400, 385], OverByDelayed),
            (State::Whole, [400, 384], Over),
            (State::Stopped, [15, 0], Open),
            (State::Stopped, [16, 0], Over),
            (State::Stopped, [16, 1], OverAtLeast),
        ];
        for (state, counts, expected) in rows {
            assert_eq!(row("p", state, counts).comparison(), expected, "{counts:?}");
        }
    }

    #[test]
    fn the_kind_of_a_program_has_no_threads() {
        let kind = |program| row(program, State::Whole, [1, 0]).kind();
        assert_eq!(
            [kind("mcs_lock_2"), kind("seqlock_2w_1r"), kind("word")],
            ["mcs_lock", "seqlock", "word"]
        );
    }

    #[test]
    fn a_row_is_one_object_with_these_fields() {
        let json = row("p", State::Whole, [16, 1]).json();
        let expected = r#"{"assumed_blocked":9,"assumed_comparison":"within","assumed_complete":15,"assumed_seconds":0.25,"blocked":7,"comparison":"over_by_delayed","complete":16,"delayed":1,"explored":"all","genmc_blocked":4,"genmc_blocked_plain":5,"genmc_complete":10,"genmc_seconds":0.5,"program":"p","seconds":0.25}"#;
        assert_eq!(json.to_string(), expected);
    }

    #[test]
    fn a_limit_and_a_fault_are_told_from_all() {
        static WORD: AtomicUsize = AtomicUsize::new(0);
        let explored = |run: fn(), max| {
            let genmc = Measured { complete: 1, blocked: None, blocked_plain: 0, seconds: None };
            Row::of(&Program { name: "p", run, genmc }, max).ours
        };
        let adds: fn() = || super::super::programs::fetch_add(3, Relaxed);
        let all = explored(adds, 6);
        assert_eq!((all.state, all.complete, all.blocked), (State::Whole, 6, 0));
        let stopped = explored(adds, 5);
        assert_eq!((stopped.state, stopped.complete), (State::Stopped, 5));
        assert_eq!(explored(|| assert_eq!(WORD.load(Relaxed), 1), 5).state, State::Faulty);
    }
}
