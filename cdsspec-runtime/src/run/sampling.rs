//! Samples of executions: how many, and how they are drawn.

use crate::explore::Reading;
use crate::random::Random;
use std::fmt;

/// How the executions of a sample are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Strategy {
    /// A uniform walk: each thread that can go on does so with the same chance at each operation, and each store that it may read is read with the
    /// same chance.
    #[default]
    Uniform,
    /// Threads have priorities, which change `depth - 1` times in an execution; reads read the newest store but for `depth - 1` of them. A fault
    /// that takes `depth` such steps is found with a chance of at least 1/(n·k^(depth-1)) under `Sc`, for n threads and k operations.
    ///
    /// # Paper
    /// Burckhardt, Kothari, Musuvathi, Nagarakatte, *A randomized scheduler with probabilistic guarantees of finding bugs*, ASPLOS 2010.
    Pct {
        /// At least 1.
        depth: usize,
    },
    /// The same, but that the number of operations is not what earlier runs had: it is counted from the source of the annotated methods that are called, with
    /// one round for each loop and the longest of branches, and counted again when a run does more. Operations outside of annotated methods do
    /// not count. So the first run is as good as any, and a run may be the only one of its program.
    ///
    /// # Paper
    /// D-PCT: Zhang, Wu, Zhang, *Localization of linearizability faults on the coarse-grained level* (CGVT), III.B.
    Dpct {
        /// At least 1.
        depth: usize,
    },
    /// The operation that comes next has the highest priority of those that can; priorities are drawn for each, and again if an operation that
    /// conflicts with it came before it.
    ///
    /// # Paper
    /// Yuan, Yang, Gu, *Partial order aware concurrency sampling*, CAV 2018.
    Pos,
}

/// Most faults take no more.
const DEPTH: usize = 3;

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("uniform"),
            Self::Pct { depth } => write!(f, "pct:{depth}"),
            Self::Dpct { depth } => write!(f, "dpct:{depth}"),
            Self::Pos => f.write_str("pos"),
        }
    }
}

/// A sample of executions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// How many.
    pub runs: u64,
    /// What they are drawn by.
    pub seed: u64,
    /// How.
    pub strategy: Strategy,
}

/// How long executions are: so many steps of threads, and choices between stores. The longest counts.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Length {
    pub(super) steps: u64,
    pub(super) choices: u64,
    /// What the calls of annotated methods were expected to do.
    pub(super) expected: u64,
}

impl Length {
    pub(super) fn include(&mut self, other: Self) {
        self.steps = self.steps.max(other.steps);
        self.choices = self.choices.max(other.choices);
        self.expected = self.expected.max(other.expected);
    }
}

impl Strategy {
    /// The strategy of this name, which reports and settings have: `uniform`, `pos`, `pct:3`, `dpct:3`; `pct` is `pct:3`, and so is `dpct`.
    pub fn by_name(name: &str) -> Option<Self> {
        let (kind, depth) = match name.split_once(':') {
            None => (name, None),
            Some((kind, depth)) => (kind, Some(depth.parse().ok().filter(|&depth| depth > 0)?)),
        };
        match (kind, depth) {
            ("uniform", None) => Some(Self::Uniform),
            ("pos", None) => Some(Self::Pos),
            ("pct", depth) => Some(Self::Pct { depth: depth.unwrap_or(DEPTH) }),
            ("dpct", depth) => Some(Self::Dpct { depth: depth.unwrap_or(DEPTH) }),
            _ => None,
        }
    }

    /// How choices between stores are drawn.
    pub(super) fn reading(self, random: &mut Random, length: Length) -> Reading {
        match self {
            Self::Uniform | Self::Pos => Reading::Any,
            Self::Pct { depth } | Self::Dpct { depth } => {
                let mut points: Vec<u64> = points(random, depth, length.choices).collect();
                points.sort_unstable();
                Reading::NewestBut(points)
            }
        }
    }
}

/// `depth - 1` of so many numbers; one may come twice, as in the paper.
pub(super) fn points(random: &mut Random, depth: usize, count: u64) -> impl Iterator<Item = u64> {
    let count = usize::try_from(count).unwrap_or(usize::MAX).max(1);
    (1..depth).map(move |_| random.below(count) as u64)
}
