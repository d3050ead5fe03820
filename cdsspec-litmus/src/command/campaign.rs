//! Random programs with loops, on rc11 and under the naive twin: as many as are wanted.

use crate::judge::{Judgement, Question, judge_and_shrink, judge_calls_and_shrink, judge_stuck_and_shrink};
use crate::random::{Random, looping_program, program_with_calls};
use crate::run::Loops;
use crate::syntax::Litmus;
use std::io::Write;

/// How many differences are printed.
const SHOWN_MAX: u64 = 3;

/// What rc11 and the twin are asked about.
#[derive(Clone, Copy)]
pub(super) enum Topic {
    /// The outcomes.
    Outcomes,
    /// The order of the calls with each outcome.
    Calls,
    /// Whether some execution goes on for ever.
    Stuck,
}

impl Topic {
    /// The topic of this name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name {
            "outcomes" => Some(Self::Outcomes),
            "calls" => Some(Self::Calls),
            "stuck" => Some(Self::Stuck),
            _ => None,
        }
    }

    fn draw(self, random: &mut Random, name: String) -> Litmus {
        match self {
            Self::Calls => program_with_calls(random, name),
            Self::Outcomes | Self::Stuck => looping_program(random, name),
        }
    }

    fn judge(self, test: &Litmus, question: &Question) -> Judgement {
        match self {
            Self::Outcomes => judge_and_shrink(test, question),
            Self::Calls => judge_calls_and_shrink(test, question),
            Self::Stuck => judge_stuck_and_shrink(test, question),
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) struct Campaign {
    pub(super) count: u64,
    pub(super) seed: u64,
    /// `None`: 1, 2 and 3 rounds; 3 for what is stuck.
    pub(super) rounds: Option<usize>,
    /// Whether the rounds are written out, so that rc11 sees no loop.
    pub(super) is_written_out: bool,
    pub(super) topic: Topic,
}

/// Judges the programs; the first on which rc11 and the twin differ are printed, made as small as they can be.
///
/// # Errors
/// If there are any.
pub(super) fn run(campaign: &Campaign) -> Result<(), String> {
    // What a panicking program says is in the judgement.
    std::panic::set_hook(Box::new(|_| {}));
    let (mut drawn, mut different, mut too_large) = (Random::new(campaign.seed), 0, 0);
    for index in 0..campaign.count {
        let test = campaign.topic.draw(&mut drawn, format!("seed {} program {index}", campaign.seed));
        let schedule = drawn.number();
        match judge(&test, campaign, index, schedule) {
            Judgement::Same => {}
            Judgement::TooLarge | Judgement::Unfinished => too_large += 1,
            Judgement::Different(text) => {
                different += 1;
                if different <= SHOWN_MAX {
                    show(&text)?;
                }
            }
        }
    }
    show(&format!(
        "seed {}: {} programs, {too_large} of them too large in some number of rounds, {different} different",
        campaign.seed, campaign.count
    ))?;
    if different == 0 { Ok(()) } else { Err(format!("{different} programs differ")) }
}

/// The worst of all numbers of rounds.
fn judge(test: &Litmus, campaign: &Campaign, index: u64, schedule: u64) -> Judgement {
    // Two numbers of rounds are compared to see whether more would say something else.
    let usual = if matches!(campaign.topic, Topic::Stuck) { 3..=3 } else { 1..=3 };
    let all = campaign.rounds.map_or(usual, |rounds| rounds..=rounds);
    let mut worst = Judgement::Same;
    for rounds in all {
        let loops = match (campaign.is_written_out, index % 3) {
            (true, _) => Loops::Unrolled(rounds),
            (false, 0) => Loops::Bare,
            (false, _) => Loops::Hinted,
        };
        let seed = (index % 2 == 1).then_some(schedule);
        match campaign.topic.judge(test, &Question { rounds, loops, seed }) {
            Judgement::Same => {}
            Judgement::Different(text) => return Judgement::Different(text),
            unknown => worst = unknown,
        }
    }
    worst
}

fn show(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| format!("stdout: {error}"))
}
