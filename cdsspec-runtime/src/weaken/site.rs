//! The orders that are written in a program, one by one, and what is weaker.

use crate::port::{Overrides, ReachedPlace, Replacement};
use crate::record::{OperationForm, Orders, Place};
use std::fmt;
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

/// Which of the orders of a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The only one.
    Only,
    /// That of a compare-exchange that succeeds.
    Success,
    /// That of a compare-exchange that fails.
    Failure,
}

/// An order as it is written at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// Where.
    pub place: Place,
    /// Which of the orders there.
    pub part: Part,
    /// The order written.
    pub written: Ordering,
    /// What is begun from: the order written, unless [`Programs::orders`](super::Programs::orders) says otherwise.
    pub base: Level,
}

/// The order in force at a site, or that a fence is left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// This order.
    Order(Ordering),
    /// No fence at all.
    Absent,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(order) => write!(f, "{order:?}"),
            Self::Absent => f.write_str("none"),
        }
    }
}

impl Level {
    /// The strongest level that is no stronger than either.
    pub(super) fn meet(self, other: Self) -> Self {
        let (Self::Order(one), Self::Order(other)) = (self, other) else { return Self::Absent };
        Self::Order(match strength(one) & strength(other) {
            0b001 => Release,
            0b010 => Acquire,
            0b011 => AcqRel,
            0b111 => SeqCst,
            _ => Relaxed,
        })
    }
}

/// What an operation does to memory, as far as orders go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Update,
    Fence,
}

/// The sites of the places that were reached, those of a failure only where one happened; where `base` is begun from.
pub(super) fn sites(reached: &[ReachedPlace], base: &Overrides) -> Vec<Site> {
    let mut sites = Vec::new();
    for ReachedPlace { place, has_succeeded, has_failed } in reached.iter().copied() {
        let mut push = |part, written| {
            let base = base_level(&base.at(&place), part);
            sites.push(Site { place, part, written, base });
        };
        match place.orders {
            Orders::None => {}
            Orders::One(written) => push(Part::Only, written),
            Orders::Two(success, failure) => {
                if has_succeeded {
                    push(Part::Success, success);
                }
                if has_failed {
                    push(Part::Failure, failure);
                }
            }
        }
    }
    sites
}

fn base_level(replacement: &Replacement, part: Part) -> Level {
    match replacement.orders {
        Some(Orders::One(order)) => Level::Order(order),
        Some(Orders::Two(success, failure)) => {
            Level::Order(if part == Part::Failure { failure } else { success })
        }
        Some(Orders::None) | None => Level::Absent,
    }
}

/// Puts sites in the order of the source.
pub(super) type SiteKey = (crate::record::SourceLocation, &'static str, [u8; 2], Part);

impl Site {
    /// Which it is.
    pub(super) fn key(&self) -> SiteKey {
        let orders = match self.place.orders {
            Orders::None => [0, 0],
            Orders::One(order) => [strength(order), 0],
            Orders::Two(success, failure) => [strength(success), strength(failure)],
        };
        (self.place.source, self.place.name.spelling(), orders, self.part)
    }

    /// The order as it is written.
    pub fn written_level(&self) -> Level {
        Level::Order(self.written)
    }

    /// The order that is written, and what is begun from, where that is another one.
    pub(super) fn written_text(&self) -> String {
        match self.base == self.written_level() {
            true => self.base.to_string(),
            false => format!("{:?}, from {}", self.written, self.base),
        }
    }

    fn kind(&self) -> Kind {
        match (self.place.name.form(), self.part) {
            (OperationForm::Load, _) | (_, Part::Failure) => Kind::Load,
            (OperationForm::Store, _) => Kind::Store,
            (OperationForm::Fence, _) => Kind::Fence,
            _ => Kind::Update,
        }
    }

    /// The levels next below one (CDSSpec, section 6.4.2): one step, or two apart, as from `AcqRel`. A fence may also be left out.
    pub(super) fn weaker(&self, level: Level) -> Vec<Level> {
        let Level::Order(order) = level else { return Vec::new() };
        let weaker: &[Ordering] = match (self.kind(), order) {
            (Kind::Load, SeqCst) => &[Acquire],
            (Kind::Store, SeqCst) => &[Release],
            (Kind::Update | Kind::Fence, SeqCst) => &[AcqRel],
            (_, AcqRel) => &[Release, Acquire],
            (Kind::Load | Kind::Store | Kind::Update, Acquire | Release) => &[Relaxed],
            _ => &[],
        };
        let absent = (self.kind() == Kind::Fence).then_some(Level::Absent);
        weaker.iter().copied().map(Level::Order).chain(absent).collect()
    }

    /// The strongest level that is no stronger than any of these. A fence that neither releases nor acquires is none.
    pub(super) fn meet(&self, one: Level, other: Level) -> Level {
        match one.meet(other) {
            Level::Order(Relaxed) if self.kind() == Kind::Fence => Level::Absent,
            level => level,
        }
    }

    /// Every level below the first that is not below the second, the weakest first; if the second is not below the first, every one
    /// below the first.
    pub(super) fn between(&self, level: Level, base: Level) -> Vec<Level> {
        let weakest = if self.kind() == Kind::Fence { Level::Absent } else { Level::Order(Relaxed) };
        let begin = if base == level || is_below(base, level) { base } else { weakest };
        let mut all = self.stronger(begin);
        all.insert(0, begin);
        all.retain(|below| is_below(*below, level));
        all
    }

    /// The strongest level that does not take part in the order of `SeqCst` operations.
    pub(super) fn release_acquire(&self) -> Level {
        Level::Order(match self.kind() {
            Kind::Load => Acquire,
            Kind::Store => Release,
            Kind::Update | Kind::Fence => AcqRel,
        })
    }

    /// Every level above one, the weakest first.
    pub(super) fn stronger(&self, level: Level) -> Vec<Level> {
        let all: &[Ordering] = match self.kind() {
            Kind::Load => &[Relaxed, Acquire, SeqCst],
            Kind::Store => &[Relaxed, Release, SeqCst],
            Kind::Update => &[Relaxed, Release, Acquire, AcqRel, SeqCst],
            Kind::Fence => &[Release, Acquire, AcqRel, SeqCst],
        };
        all.iter().copied().map(Level::Order).filter(|above| is_below(level, *above)).collect()
    }
}

/// Whether the first of two levels is weaker than the second.
pub(super) fn is_below(first: Level, second: Level) -> bool {
    match (first, second) {
        (Level::Absent, Level::Order(_)) => true,
        (Level::Order(first), Level::Order(second)) => {
            strength(first) & strength(second) == strength(first) && first != second
        }
        (_, Level::Absent) => false,
    }
}

/// What an order does: release, acquire, and more than both.
fn strength(order: Ordering) -> u8 {
    match order {
        Release => 0b001,
        Acquire => 0b010,
        AcqRel => 0b011,
        SeqCst => 0b111,
        _ => 0,
    }
}

/// Other orders at some sites, and fences added before some places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Change {
    /// At most one level a site, another one than what is begun from.
    pub(super) levels: Vec<(Site, Level)>,
    pub(super) fences: Vec<(Place, FencePosition, Ordering)>,
}

/// Where a fence is added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FencePosition {
    /// Just before an operation.
    Before,
    /// Just after it.
    After,
}

impl Change {
    /// One site at another level.
    pub(super) fn of(site: Site, level: Level) -> Self {
        Self { levels: vec![(site, level)], fences: Vec::new() }
    }

    /// The same with a site at another level.
    pub(super) fn with(&self, site: Site, level: Level) -> Self {
        let mut changed = self.clone();
        changed.levels.retain(|(known, _)| *known != site);
        if level != site.base {
            changed.levels.push((site, level));
        }
        changed
    }

    /// The level of a site; what is begun from, if nothing else.
    pub(super) fn level(&self, site: &Site) -> Level {
        let known = self.levels.iter().find(|(known, _)| known == site);
        known.map_or(site.base, |(_, level)| *level)
    }

    /// The same with a fence of this order beside a place, or with none.
    pub(super) fn with_fence(&self, place: Place, position: FencePosition, order: Option<Ordering>) -> Self {
        let mut changed = self.clone();
        changed.fences.retain(|(known, side, _)| *known != place || *side != position);
        changed.fences.extend(order.map(|order| (place, position, order)));
        changed
    }

    /// The fence that is added beside a place.
    pub(super) fn fence(&self, place: Place, position: FencePosition) -> Option<Ordering> {
        let known = self.fences.iter().find(|(known, side, _)| *known == place && *side == position);
        known.map(|(.., order)| *order)
    }

    /// Whether it is about a place that `is_reached`.
    pub(super) fn touches(&self, is_reached: impl Fn(&Place) -> bool) -> bool {
        self.levels.iter().any(|(site, _)| is_reached(&site.place))
            || self.fences.iter().any(|(place, ..)| is_reached(place))
    }

    /// The same change of all these sites, named one by one, so that it is a change of what is written.
    pub(super) fn of_source(&self, sites: &[Site]) -> Overrides {
        let levels = sites.iter().map(|site| (*site, self.level(site))).collect();
        Self { levels, fences: self.fences.clone() }.overrides(Overrides::new(), |_| true)
    }

    /// What it makes of other overrides, at the places that `is_reached`.
    pub(super) fn overrides(&self, base: Overrides, is_reached: impl Fn(&Place) -> bool) -> Overrides {
        let mut overrides = base;
        for (site, level) in self.levels.iter().filter(|(site, _)| is_reached(&site.place)) {
            let place = site.place;
            let in_force = overrides.at(&place).orders.unwrap_or(place.orders);
            let orders = match (level, in_force, site.part) {
                (Level::Absent, ..) => {
                    overrides = overrides.without_fence(place);
                    continue;
                }
                (Level::Order(order), Orders::Two(_, failure), Part::Success) => Orders::Two(*order, failure),
                (Level::Order(order), Orders::Two(success, _), _) => Orders::Two(success, *order),
                (Level::Order(order), ..) => Orders::One(*order),
            };
            overrides = overrides.with_orders(place, orders);
        }
        for (place, position, order) in self.fences.iter().filter(|(place, ..)| is_reached(place)) {
            overrides = match position {
                FencePosition::Before => overrides.with_fence_before(*place, *order),
                FencePosition::After => overrides.with_fence_after(*place, *order),
            };
        }
        overrides
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{OperationName, SourceLocation, operation_name};

    fn site(name: OperationName, part: Part) -> Site {
        let source = SourceLocation { file: "a.rs", line: 1, column: 1 };
        let orders = if part == Part::Only { Orders::One(SeqCst) } else { Orders::Two(SeqCst, SeqCst) };
        let base = Level::Order(SeqCst);
        Site { place: Place { source, name, orders }, part, written: SeqCst, base }
    }

    /// All levels from SeqCst down, in the order in which they are reached.
    fn all_below(site: Site) -> Vec<String> {
        let mut seen = vec![Level::Order(SeqCst)];
        let mut index = 0;
        while let Some(level) = seen.get(index).copied() {
            for weaker in site.weaker(level) {
                if !seen.contains(&weaker) {
                    seen.push(weaker);
                }
            }
            index += 1;
        }
        seen.iter().map(Level::to_string).collect()
    }

    #[test]
    fn every_kind_of_operation_has_its_own_steps() {
        assert_eq!(
            all_below(site(operation_name!("load", Load), Part::Only)),
            ["SeqCst", "Acquire", "Relaxed"]
        );
        assert_eq!(
            all_below(site(operation_name!("store", Store), Part::Only)),
            ["SeqCst", "Release", "Relaxed"]
        );
        let update = ["SeqCst", "AcqRel", "Release", "Acquire", "Relaxed"];
        assert_eq!(all_below(site(operation_name!("fetch_add", Update), Part::Only)), update);
        assert_eq!(
            all_below(site(operation_name!("compare_exchange", CompareExchange), Part::Success)),
            update
        );
        assert_eq!(
            all_below(site(operation_name!("compare_exchange", CompareExchange), Part::Failure)),
            ["SeqCst", "Acquire", "Relaxed"]
        );
        assert_eq!(
            all_below(site(operation_name!("fence", Fence), Part::Only)),
            ["SeqCst", "AcqRel", "none", "Release", "Acquire"]
        );
    }

    #[test]
    fn what_is_stronger_is_what_can_be_weakened_to_it() {
        for site in [
            site(operation_name!("load", Load), Part::Only),
            site(operation_name!("store", Store), Part::Only),
            site(operation_name!("swap", Update), Part::Only),
            site(operation_name!("compare_exchange", CompareExchange), Part::Failure),
            site(operation_name!("fence", Fence), Part::Only),
        ] {
            for from in site.stronger(Level::Absent) {
                for weaker in site.weaker(from) {
                    assert!(site.stronger(weaker).contains(&from), "{site:?} {from} {weaker}");
                }
            }
            assert!(site.stronger(Level::Order(SeqCst)).is_empty());
        }
    }

    #[test]
    fn a_change_begins_from_the_base() {
        let place = |name| Place { name, ..site(name, Part::Only).place };
        let reached = |name| ReachedPlace { place: place(name), has_succeeded: true, has_failed: false };
        let (all, base) = (
            [reached(operation_name!("fence", Fence)), reached(operation_name!("load", Load))],
            Overrides::relaxed(),
        );
        let of_relaxed = sites(&all, &base);
        let bases: Vec<Level> = of_relaxed.iter().map(|site| site.base).collect();
        assert_eq!(bases, [Level::Absent, Level::Order(Relaxed)]);
        let [fence, load] = of_relaxed[..] else { unreachable!("there are two") };
        let change = Change::of(fence, Level::Order(Release)).with(load, Level::Order(Acquire));
        let in_force = change.overrides(base.clone(), |_| true);
        assert_eq!(in_force.at(&fence.place).orders, Some(Orders::One(Release)));
        assert_eq!(in_force.at(&load.place).orders, Some(Orders::One(Acquire)));
        assert_eq!(
            change.with(load, load.base).with(fence, fence.base).overrides(base, |_| true),
            Overrides::relaxed()
        );
        let text = change.with(load, load.base).of_source(&of_relaxed).to_string();
        assert_eq!(text, "fence(SeqCst) at a.rs:1 as Release; load(SeqCst) at a.rs:1 as Relaxed");
        assert_eq!(load.between(Level::Order(SeqCst), load.base), [Relaxed, Acquire].map(Level::Order));
        assert!(load.between(load.base, load.base).is_empty());
    }

    #[test]
    fn the_two_orders_of_a_place_are_set_together() {
        let success = site(operation_name!("compare_exchange", CompareExchange), Part::Success);
        let failure = site(operation_name!("compare_exchange", CompareExchange), Part::Failure);
        let change = Change::of(success, Level::Order(Release)).with(failure, Level::Order(Relaxed));
        let both = change.overrides(Overrides::new(), |_| true);
        assert_eq!(both.at(&success.place).orders, Some(Orders::Two(Release, Relaxed)));
        assert!(change.overrides(Overrides::new(), |_| false).is_empty());
        let back = change.with(success, success.written_level());
        assert_eq!(back, Change::of(failure, Level::Order(Relaxed)));
    }
}
