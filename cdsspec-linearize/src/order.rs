//! Which calls may come next.
//!
//! What was linearized is a *cut*: a set of calls that has with each call those that precede it. It is kept as the calls that are *enabled*, the minimal ones of the
//! rest. They determine it, in every partial order: the rest is what is above them. So the key of the cache is as short as the calls that overlap, however long the history is, and exact, where a hash of the
//! linearized set is not; and since a cut is a value, nothing has to be undone. (Lowe keeps a bit set of all calls, and a linked list of the events that are left, from which a call is
//! lifted, and put back.)

use crate::history::{History, Precedence};
use fixedbitset::FixedBitSet;
use smallvec::SmallVec;

/// The calls of a cut that may come next, by their number in the problem, ascending.
pub(crate) type Enabled = SmallVec<[u32; 8]>;

/// The moment of a return that never comes.
pub(crate) const NEVER: u64 = u64::MAX;

/// The precedence of the calls of a problem.
pub(crate) enum Order {
    /// In the order of their invocations, with the moments.
    Intervals { invoked: Vec<u64>, returned: Vec<u64> },
    /// For each call those that precede it, and those that it precedes, both closed.
    Partial { before: Vec<FixedBitSet>, after: Vec<Vec<u32>>, returned: Vec<u64> },
}

impl Order {
    /// That of these calls of a history, which have these moments of return, in this order.
    pub(crate) fn of<O, R>(history: &History<O, R>, ids: &[usize], returned: Vec<u64>) -> Self {
        match &history.precedence {
            Precedence::RealTime => {
                let invoked = ids.iter().map(|&id| history.calls[id].invoked).collect();
                Self::Intervals { invoked, returned }
            }
            Precedence::Partial(rows) => {
                Self::partial(ids.len(), returned, |one, other| rows[ids[other]].contains(ids[one]))
            }
        }
    }

    /// That of some of the calls alone, which are given in their order.
    pub(crate) fn restricted(&self, kept: &[u32]) -> Self {
        let of = |moments: &[u64]| kept.iter().map(|&call| moments[call as usize]).collect();
        match self {
            Self::Intervals { invoked, returned } => {
                Self::Intervals { invoked: of(invoked), returned: of(returned) }
            }
            Self::Partial { before, returned, .. } => {
                let precedes = |one: u32, other: u32| before[other as usize].contains(one as usize);
                Self::partial(kept.len(), of(returned), |one, other| precedes(kept[one], kept[other]))
            }
        }
    }

    /// A partial order.
    fn partial(count: usize, returned: Vec<u64>, precedes: impl Fn(usize, usize) -> bool) -> Self {
        let mut before = vec![FixedBitSet::with_capacity(count); count];
        let mut after = vec![Vec::new(); count];
        for (later, before) in before.iter_mut().enumerate() {
            for earlier in (0..count).filter(|&earlier| precedes(earlier, later)) {
                before.insert(earlier);
                after[earlier].push(later as u32);
            }
        }
        Self::Partial { before, after, returned }
    }

    fn returned(&self) -> &[u64] {
        match self {
            Self::Intervals { returned, .. } | Self::Partial { returned, .. } => returned,
        }
    }

    /// When the call returned.
    pub(crate) fn return_of(&self, call: u32) -> u64 {
        self.returned()[call as usize]
    }

    /// Whether the call precedes none.
    pub(crate) fn is_last(&self, call: u32) -> bool {
        match self {
            Self::Intervals { returned, .. } => returned[call as usize] == NEVER,
            Self::Partial { after, .. } => after[call as usize].is_empty(),
        }
    }

    /// The first return that a cut lacks. Everything that returned before it is in the cut: a call that precedes another one returns before it, so the first one is enabled.
    pub(crate) fn first_return(&self, enabled: &[u32]) -> u64 {
        enabled.iter().map(|&call| self.return_of(call)).min().unwrap_or(NEVER)
    }

    /// The calls that nothing precedes.
    pub(crate) fn start(&self) -> Enabled {
        match self {
            Self::Intervals { .. } => {
                let mut enabled = Enabled::new();
                self.extend(&mut enabled, 0);
                enabled
            }
            Self::Partial { before, .. } => {
                (0..before.len()).filter(|&call| before[call].is_clear()).map(|call| call as u32).collect()
            }
        }
    }

    /// How many calls, in the order of invocations, are in the cut or enabled in it; of intervals.
    pub(crate) fn begun(&self, enabled: &[u32]) -> usize {
        let first = self.first_return(enabled);
        match self {
            Self::Intervals { invoked, .. } => invoked.partition_point(|&moment| moment <= first),
            Self::Partial { .. } => unreachable!("only calls in real time are asked for"),
        }
    }

    /// The enabled calls after one of them was linearized.
    pub(crate) fn after(&self, enabled: &[u32], call: u32) -> Enabled {
        let mut rest: Enabled = enabled.iter().copied().filter(|&other| other != call).collect();
        match self {
            Self::Intervals { .. } => self.extend(&mut rest, self.begun(enabled)),
            Self::Partial { before, after, .. } => {
                let precedes = |one: u32, other: u32| before[other as usize].contains(one as usize);
                let free = |later: &u32| !rest.iter().any(|&other| precedes(other, *later));
                let free: Enabled = after[call as usize].iter().copied().filter(free).collect();
                let is_minimal = |later: &u32| !free.iter().any(|&other| precedes(other, *later));
                rest.extend(free.iter().copied().filter(is_minimal));
                rest.sort_unstable();
            }
        }
        rest
    }

    /// Adds the calls from `begun` on that were invoked before any call returned that is left.
    fn extend(&self, enabled: &mut Enabled, begun: usize) {
        let Self::Intervals { invoked, returned } = self else {
            unreachable!("only calls in real time are extended")
        };
        let mut first = self.first_return(enabled);
        for call in begun..invoked.len() {
            if invoked[call] > first {
                break;
            }
            first = first.min(returned[call]);
            enabled.push(call as u32);
        }
    }
}
