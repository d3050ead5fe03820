//! Finds the orders that must be stronger, or the fences that are missing (CheckFence, section 4.2).

use super::advice::{Found, Goal};
use super::pool::Pool;
use super::scope::Scope;
use super::site::{Change, FencePosition, Site, sites};
use super::subject::{Answer, Subject};
use crate::record::Place;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// Sets of up to so many members are all tried before the search turns greedy.
const MEMBERS_MAX: usize = 3;

/// Strengthening may bring operations into reach that nobody came to before; it does not go on for ever.
const ROUNDS_MAX: usize = 8;

/// A way to strengthen.
#[derive(Clone, Copy, PartialEq)]
enum Means {
    Order(Site),
    Fence(Place, FencePosition),
}

impl Means {
    /// The strongest that it can be.
    fn apply(self, change: &Change) -> Change {
        match self {
            Self::Order(site) => change.with(site, site.strongest()),
            Self::Fence(place, position) => change.with_fence(place, position, Some(SeqCst)),
        }
    }

    /// What is written.
    fn undo(self, change: &Change) -> Change {
        match self {
            Self::Order(site) => change.with(site, site.written_level()),
            Self::Fence(place, position) => change.with_fence(place, position, None),
        }
    }

    /// Every weaker form of it, from what is written up.
    fn levels(self, change: &Change) -> Vec<Change> {
        let forms: Vec<Change> = match self {
            Self::Order(site) => site
                .stronger(site.written_level())
                .into_iter()
                .map(|level| change.with(site, level))
                .collect(),
            Self::Fence(place, position) => [Release, Acquire, AcqRel, SeqCst]
                .map(|order: Ordering| change.with_fence(place, position, Some(order)))
                .into(),
        };
        std::iter::once(self.undo(change)).chain(forms).collect()
    }
}

/// Strengthens programs of which some do not hold.
pub(super) fn search(mut subject: Subject, pool: Pool<'_>) -> Found {
    let all = explore(&mut subject);
    let orders: Vec<Means> = all.iter().copied().map(Means::Order).collect();
    let strong = apply(&orders);
    let (means, top) = match subject.ask(&strong) {
        Answer::Hold { .. } => (orders, strong),
        Answer::Open { report, .. } => return Found::nothing(Goal::Open(report), all),
        Answer::Fails(_) => {
            let means: Vec<Means> = orders.into_iter().chain(fences(&all)).collect();
            let top = apply(&means);
            match subject.ask(&top) {
                Answer::Hold { .. } => (means, top),
                Answer::Open { report, .. } => return Found::nothing(Goal::Open(report), all),
                Answer::Fails(proof) => return Found::nothing(Goal::Hopeless(proof), all),
            }
        }
    };
    let begin = smallest(&subject, pool, &means, &top).unwrap_or(top);
    let mut search = Search { change: begin, not_reached: Vec::new(), open: Vec::new() };
    for means in means {
        search.lower(&subject, pool, means);
    }
    conclude(&subject, pool, all, search)
}

/// The sites that the programs reach as they are written, and with stronger orders.
fn explore(subject: &mut Subject) -> Vec<Site> {
    subject.explore(&Change::default());
    let mut all = sites(&subject.reached());
    for _ in 0..ROUNDS_MAX {
        subject.explore(&apply(&all.iter().copied().map(Means::Order).collect::<Vec<_>>()));
        let more = sites(&subject.reached());
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

/// A fence on either side of every operation; not of a fence, which can be strengthened.
fn fences(all: &[Site]) -> Vec<Means> {
    let mut places: Vec<Place> =
        all.iter().map(|site| site.place).filter(|place| !place.is_fence()).collect();
    places.dedup();
    let sides = |place| [FencePosition::Before, FencePosition::After].map(|side| Means::Fence(place, side));
    places.into_iter().flat_map(sides).collect()
}

/// A smallest set of up to three means with which all programs hold. Those without which not even all others are enough are in every such
/// set: so if they are more, there is none.
fn smallest(subject: &Subject, pool: Pool<'_>, means: &[Means], top: &Change) -> Option<Change> {
    let answers = pool.run(means, |means| matches!(subject.ask(&means.undo(top)), Answer::Hold { .. }));
    let (mut required, mut others) = (Vec::new(), Vec::new());
    for (means, answer) in means.iter().zip(answers) {
        if answer == Some(false) { required.push(*means) } else { others.push(*means) }
    }
    for count in 0..=MEMBERS_MAX.checked_sub(required.len())? {
        let candidates: Vec<Change> = subsets(&others, count)
            .into_iter()
            .map(|chosen| apply(&[required.as_slice(), &chosen].concat()))
            .collect();
        // A few at a time, so that the search ends soon after the first; which is the first does not depend on how many.
        for some in candidates.chunks(8 * pool.jobs) {
            let answers = pool.run(some, |change| matches!(subject.ask(change), Answer::Hold { .. }));
            if let Some(first) = answers.iter().position(|answer| *answer == Some(true)) {
                return Some(some[first].clone());
            }
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

/// How far the lowering has come.
struct Search {
    change: Change,
    /// What the time did not suffice for.
    not_reached: Vec<Means>,
    /// What a limit of a run leaves open.
    open: Vec<Means>,
}

impl Search {
    /// Lowers one means as far as it goes beside the others.
    fn lower(&mut self, subject: &Subject, pool: Pool<'_>, means: Means) {
        if means.undo(&self.change) == self.change {
            return;
        }
        for form in means.levels(&self.change) {
            if pool.is_over() {
                self.not_reached.push(means);
                return;
            }
            match subject.ask(&form) {
                Answer::Hold { .. } => {
                    self.change = form;
                    return;
                }
                Answer::Open { .. } => self.add_open(means),
                Answer::Fails(_) => {}
            }
        }
    }

    fn add_open(&mut self, means: Means) {
        if !self.open.contains(&means) {
            self.open.push(means);
        }
    }

    fn add_not_reached(&mut self, means: Means) {
        if !self.not_reached.contains(&means) {
            self.not_reached.push(means);
        }
    }
}

/// Runs all programs with the whole of it, and without each part of it.
fn conclude(subject: &Subject, pool: Pool<'_>, all: Vec<Site>, mut search: Search) -> Found {
    let change = search.change.clone();
    let (is_confirmed, scope) =
        subject.ask(&change).hold().map_or((false, Scope::default()), |scope| (true, scope));
    let parts: Vec<Means> = change
        .levels
        .iter()
        .map(|(site, _)| Means::Order(*site))
        .chain(change.fences.iter().map(|(place, position, _)| Means::Fence(*place, *position)))
        .collect();
    let answers = pool.run(&parts, |means| subject.ask(&means.undo(&change)));
    let mut proofs = Vec::new();
    let mut fence_proofs = Vec::new();
    for (means, answer) in parts.into_iter().zip(answers) {
        let proof = match answer {
            Some(Answer::Fails(proof)) => Some(proof),
            Some(Answer::Hold { .. }) => None,
            Some(Answer::Open { .. }) => {
                search.add_open(means);
                None
            }
            None => {
                search.add_not_reached(means);
                None
            }
        };
        match (means, proof) {
            (Means::Order(site), Some(proof)) => proofs.push((site, site.written_level(), proof)),
            (Means::Order(_), None) => {}
            (Means::Fence(..), proof) => fence_proofs.push(proof),
        }
    }
    Found {
        goal: Goal::Strengthen,
        sites: all,
        change,
        proofs,
        fence_proofs,
        is_confirmed,
        not_reached_count: search.not_reached.len(),
        open_count: search.open.len(),
        scope,
    }
}
