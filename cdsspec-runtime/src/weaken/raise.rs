//! Finds the orders that must be stronger, or the fences that are missing (CheckFence, section 4.2).

use super::found::{Found, Goal};
use super::pool::Pool;
use super::site::{Change, FencePosition, Level, Site, is_below};
use super::subject::{Answer, Subject};
use crate::record::Place;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// Sets of up to so many members are tried before the search turns greedy.
const MEMBERS_MAX: usize = 3;

/// Strengthening may bring operations into reach that nobody came to before; it does not go on for ever.
const ROUNDS_MAX: usize = 8;

/// What ends a search that has no time left.
const NO_TIME: &str = "the time was over before it was known\n";

/// Where there is nothing to strengthen.
const NO_MEANS: &str = "the programs reach no operation whose order could be stronger\n";

/// A way to strengthen.
#[derive(Clone, Copy, PartialEq)]
enum Means {
    Order(Site),
    Fence(Place, FencePosition),
}

impl Means {
    /// The strongest that it can be.
    fn apply(self, change: &Change) -> Change {
        self.at(change, Level::Order(SeqCst))
    }

    /// What it is in an assignment.
    fn level(self, change: &Change) -> Level {
        match self {
            Self::Order(site) => change.level(&site),
            Self::Fence(place, position) => change.fence(place, position).map_or(Level::Absent, Level::Order),
        }
    }

    /// What is begun from.
    fn undo(self, change: &Change) -> Change {
        self.at(change, self.base())
    }

    fn at(self, change: &Change, level: Level) -> Change {
        match (self, level) {
            (Self::Order(site), level) => change.with(site, level),
            (Self::Fence(place, position), Level::Order(order)) => {
                change.with_fence(place, position, Some(order))
            }
            (Self::Fence(place, position), Level::Absent) => change.with_fence(place, position, None),
        }
    }

    fn base(self) -> Level {
        match self {
            Self::Order(site) => site.base,
            Self::Fence(..) => Level::Absent,
        }
    }

    /// Every level of it below the one that it has, from what is begun from up.
    fn below(self, change: &Change) -> Vec<Level> {
        match self {
            Self::Order(site) => site.between(change.level(&site), site.base),
            Self::Fence(..) => {
                let level = self.level(change);
                let all = [Release, Acquire, AcqRel].map(|order: Ordering| Level::Order(order));
                let all = std::iter::once(Level::Absent).chain(all);
                all.filter(|below| is_below(*below, level)).collect()
            }
        }
    }
}

/// Strengthens programs of which some do not hold: from the strongest orders down. If the programs do not hold with these, since stronger orders
/// also order more calls: from those that are written, where it was begun from others; from release and acquire everywhere, beside the
/// `SeqCst` that is begun from, and in its place; and at last with fences, too.
pub(super) fn search(mut subject: Subject, pool: &Pool) -> Found {
    let all = explore(&mut subject, pool);
    let orders: Vec<Means> = all.iter().copied().map(Means::Order).collect();
    let with_fences: Vec<Means> = orders.iter().copied().chain(fences(&all)).collect();
    let written = all.iter().fold(Change::default(), |change, site| change.with(*site, site.written_level()));
    let weaker =
        all.iter().fold(Change::default(), |change, site| change.with(*site, site.release_acquire()));
    let beside_sc = all.iter().filter(|site| site.base != Level::Order(SeqCst));
    let beside_sc =
        beside_sc.fold(Change::default(), |change, site| change.with(*site, site.release_acquire()));
    let tops = [
        (&orders, apply(&orders), Begin::Top),
        (&orders, written, Begin::Written),
        (&orders, beside_sc, Begin::Top),
        (&orders, weaker, Begin::Top),
        (&with_fences, apply(&with_fences), Begin::Top),
    ];
    let (mut proof, mut asked) = (None, vec![Change::default()]);
    for (means, top, begin) in tops {
        if asked.contains(&top) {
            continue;
        }
        asked.push(top.clone());
        let goal = match subject.ask_on(pool, &top) {
            Answer::Hold { .. } => return lower(&subject, pool, all, means, (top, begin)),
            Answer::Fails(found) => {
                proof = Some(found);
                continue;
            }
            Answer::Open { report, .. } => Goal::Open(report),
            Answer::NotReached => Goal::Open(NO_TIME.to_owned()),
        };
        return Found::nothing(goal, all);
    }
    let goal = proof.map_or_else(|| Goal::Open(NO_MEANS.to_owned()), Goal::Hopeless);
    Found::nothing(goal, all)
}

/// What an assignment that holds is.
#[derive(Clone, Copy, PartialEq)]
enum Begin {
    /// One with the same for every means: a few of these may be enough.
    Top,
    /// The one that is written.
    Written,
}

/// The sites that the programs reach as they are begun from, and with stronger orders.
fn explore(subject: &mut Subject, pool: &Pool) -> Vec<Site> {
    subject.explore(pool, &Change::default());
    let mut all = subject.sites();
    for _ in 0..ROUNDS_MAX {
        if pool.deadline.is_over() {
            break;
        }
        subject.explore(pool, &apply(&all.iter().copied().map(Means::Order).collect::<Vec<_>>()));
        let more = subject.sites();
        if more.len() == all.len() {
            break;
        }
        all = more;
    }
    all
}

fn apply(means: &[Means]) -> Change {
    means.iter().fold(Change::default(), |change, means| means.apply(&change))
}

/// Some means of an assignment, the others as they are begun from.
fn part(top: &Change, means: &[Means]) -> Change {
    means.iter().fold(Change::default(), |change, means| means.at(&change, means.level(top)))
}

/// A fence on either side of every operation; not of a fence, which can be strengthened.
fn fences(all: &[Site]) -> Vec<Means> {
    let mut places: Vec<Place> =
        all.iter().map(|site| site.place).filter(|place| !place.is_fence()).collect();
    places.dedup();
    let sides = |place| [FencePosition::Before, FencePosition::After].map(|side| Means::Fence(place, side));
    places.into_iter().flat_map(sides).collect()
}

/// A small set of means, each lowered as far as it goes beside the others.
fn lower(
    subject: &Subject,
    pool: &Pool,
    all: Vec<Site>,
    means: &[Means],
    (top, begin): (Change, Begin),
) -> Found {
    let small = (begin == Begin::Top).then(|| smallest(subject, pool, means, &top)).flatten();
    let mut change = small.unwrap_or(top);
    change = pool.follow("lowering", means.len(), |progress| {
        means.iter().fold(change, |change, means| {
            let next = lowered(subject, pool, *means, &change);
            progress.step();
            next.unwrap_or(change)
        })
    });
    settle(subject, pool, all, change)
}

/// A smallest set of up to three means of an assignment with which all programs hold. Sets that lack one without which not even all others are enough
/// are passed over: without it, the set could hold only if to strengthen the others broke it.
fn smallest(subject: &Subject, pool: &Pool, means: &[Means], top: &Change) -> Option<Change> {
    let is_changed = |means: &&Means| means.level(top) != means.base();
    let means: Vec<Means> = means.iter().filter(is_changed).copied().collect();
    let answers = pool.run("required ones", &means, |means| subject.ask(&means.undo(top)));
    let (mut required, mut others) = (Vec::new(), Vec::new());
    for (means, answer) in means.iter().zip(answers) {
        if matches!(answer, Some(Answer::Fails(_))) { required.push(*means) } else { others.push(*means) }
    }
    for count in 0..=MEMBERS_MAX.checked_sub(required.len())? {
        let candidates: Vec<Change> = subsets(&others, count)
            .into_iter()
            .map(|chosen| part(top, &[required.as_slice(), &chosen].concat()))
            .collect();
        // A few at a time, so that the search ends soon after the first; which is the first does not depend on how many.
        let phase = format!("sets of {}", required.len() + count);
        let first = pool.follow(&phase, candidates.len(), |progress| {
            candidates.chunks(8 * pool.jobs).find_map(|some| {
                let ask = |change: &Change| {
                    let answer = subject.ask(change);
                    progress.step();
                    answer
                };
                let holds = |answer: &Answer| matches!(answer, Answer::Hold { .. });
                let answers = pool.run_until(some, ask, holds);
                let first = answers.iter().position(|answer| answer.as_ref().is_some_and(holds));
                first.map(|first| some[first].clone())
            })
        });
        if first.is_some() {
            return first;
        }
    }
    None
}

/// All subsets with so many members, in order.
fn subsets(all: &[Means], count: usize) -> Vec<Vec<Means>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let with_first = |(index, first): (usize, &Means)| {
        let rest = subsets(&all[index + 1..], count - 1);
        rest.into_iter().map(|rest| [&[*first], rest.as_slice()].concat()).collect::<Vec<_>>()
    };
    all.iter().enumerate().flat_map(with_first).collect()
}

/// With one means at the first level below with which all programs hold; `None`: there is none.
fn lowered(subject: &Subject, pool: &Pool, means: Means, change: &Change) -> Option<Change> {
    let below = means.below(change).into_iter().map(|level| means.at(change, level));
    below.into_iter().find(|below| matches!(subject.ask_on(pool, below), Answer::Hold { .. }))
}

/// Lowers until every means, at every level below the one that it has, fails or cannot be told; and runs all programs with the whole.
fn settle(subject: &Subject, pool: &Pool, all: Vec<Site>, begin: Change) -> Found {
    let mut change = begin;
    let last = loop {
        let steps = steps(&change);
        let ask = |(means, level): &(Means, Level)| subject.ask(&means.at(&change, *level));
        let answers = pool.run("last steps", &steps, ask);
        let asked: Vec<_> = steps.into_iter().zip(answers).collect();
        let holding = asked.iter().find(|(_, answer)| matches!(answer, Some(Answer::Hold { .. })));
        match holding {
            Some(((means, level), _)) => change = means.at(&change, *level),
            None => break asked,
        }
    };
    let hold = subject.ask_on(pool, &change).hold();
    let is_confirmed = hold.is_some();
    let fence_proofs = vec![None; change.fences.len()];
    let scope = hold.unwrap_or_default();
    let begun = Found::nothing(Goal::Strengthen, all);
    conclude(Found { change, fence_proofs, is_confirmed, scope, ..begun }, last)
}

/// Every means that is used, at every level below the one that it has.
fn steps(change: &Change) -> Vec<(Means, Level)> {
    let orders = change.levels.iter().map(|(site, _)| Means::Order(*site));
    let fences = change.fences.iter().map(|(place, position, _)| Means::Fence(*place, *position));
    let below = |means: Means| means.below(change).into_iter().map(move |level| (means, level));
    orders.chain(fences).flat_map(below).collect()
}

/// What the last steps prove, and what they leave open.
fn conclude(mut found: Found, last: Vec<((Means, Level), Option<Answer>)>) -> Found {
    let (mut open, mut not_reached) = (Vec::new(), Vec::new());
    for ((means, level), answer) in last {
        match (answer, means) {
            (Some(Answer::Fails(proof)), Means::Order(site)) => found.proofs.push((site, level, proof)),
            (Some(Answer::Fails(proof)), Means::Fence(place, position)) => {
                let is_this = |(known, side, _): &_| (known, side) == (&place, &position);
                let index = found.change.fences.iter().position(is_this);
                if let (Some(index), Level::Absent) = (index, level) {
                    found.fence_proofs[index] = Some(proof);
                }
            }
            (Some(Answer::Hold { .. }), _) => unreachable!("cdsspec bug: a step that holds is taken"),
            (Some(Answer::Open { .. }), means) => open.push(means),
            (Some(Answer::NotReached) | None, means) => not_reached.push(means),
        }
    }
    open.dedup();
    not_reached.dedup();
    (found.open_count, found.not_reached_count) = (open.len(), not_reached.len());
    found
}
