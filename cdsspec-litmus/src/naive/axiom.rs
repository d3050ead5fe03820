//! The axioms of RC11 on a given graph.

use super::matrix::{EVENTS_MAX, Matrix};
use std::sync::atomic::Ordering;

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A load, or a failed compare-exchange.
    Read,
    /// A store.
    Write,
    /// A read-modify-write: one event.
    Update,
    /// A fence.
    Fence,
    /// Something that only takes part in happens-before.
    Other,
}

/// An event of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// What it does.
    pub kind: Kind,
    /// Where; fences are nowhere.
    pub location: Option<usize>,
    /// Its order; `None` for a non-atomic access.
    pub order: Option<Ordering>,
    /// Its thread; `None` for an initial store.
    pub thread: Option<usize>,
}

/// A set of events.
type Set = u64;

/// What of a graph does not depend on reads-from and modification order.
#[derive(Clone, Debug)]
pub struct Shape {
    size: usize,
    /// Program order, from the initial stores to all others too.
    sb: Matrix,
    /// Creation and join of threads.
    asw: Matrix,
    same_location: Matrix,
    writes: Set,
    reads: Set,
    updates: Set,
    fences: Set,
    atomic: Set,
    releasing: Set,
    acquiring: Set,
    sc: Set,
}

/// Which axiom a graph breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axiom {
    /// `sb ∪ rf` has a cycle.
    NoThinAir,
    /// `hb ; eco?` is reflexive.
    Coherence,
    /// A read-modify-write does not stand directly after the store that it read.
    Atomicity,
    /// `psc` has a cycle.
    Psc,
}

fn is_release(order: Option<Ordering>) -> bool {
    matches!(order, Some(Ordering::Release | Ordering::AcqRel | Ordering::SeqCst))
}

fn is_acquire(order: Option<Ordering>) -> bool {
    matches!(order, Some(Ordering::Acquire | Ordering::AcqRel | Ordering::SeqCst))
}

impl Shape {
    /// The shape of these events: those of one thread are in program order. `asw` orders threads by their creation and join.
    pub fn new(events: &[Event], asw: Matrix) -> Self {
        let set = |holds: &dyn Fn(&Event) -> bool| -> Set {
            (0..events.len()).filter(|&index| holds(&events[index])).fold(0, |set, index| set | 1 << index)
        };
        let relation = |holds: &dyn Fn(usize, usize) -> bool| {
            let mut relation = Matrix::new(events.len());
            for first in 0..events.len() {
                (0..events.len())
                    .filter(|&second| first != second && holds(first, second))
                    .for_each(|second| relation.add(first, second));
            }
            relation
        };
        let is_read = |event: &Event| matches!(event.kind, Kind::Read | Kind::Update);
        let is_write = |event: &Event| matches!(event.kind, Kind::Write | Kind::Update);
        Self {
            size: events.len(),
            sb: relation(&|first, second| match (events[first].thread, events[second].thread) {
                (None, Some(_)) => true,
                (Some(one), Some(other)) => one == other && first < second,
                (_, None) => false,
            }),
            asw,
            same_location: relation(&|first, second| {
                events[first].location.is_some() && events[first].location == events[second].location
            }),
            writes: set(&is_write),
            reads: set(&is_read),
            updates: set(&|event| event.kind == Kind::Update),
            fences: set(&|event| event.kind == Kind::Fence),
            // An initial store happens before everything: whether it is atomic is all the same.
            atomic: set(&|event| event.order.is_some() || event.thread.is_none()),
            releasing: set(&|event| {
                is_release(event.order) && !matches!(event.kind, Kind::Read | Kind::Other)
            }),
            acquiring: set(&|event| {
                is_acquire(event.order) && !matches!(event.kind, Kind::Write | Kind::Other)
            }),
            sc: set(&|event| event.order == Some(Ordering::SeqCst)),
        }
    }

    /// `rf` as a relation, from the source of each read.
    pub fn reads_from(&self, sources: &[Option<usize>]) -> Matrix {
        let mut rf = Matrix::new(self.size);
        for (read, source) in sources.iter().enumerate() {
            source.iter().for_each(|&source| rf.add(source, read));
        }
        rf
    }

    /// `mo` as a relation, from the order of each location.
    pub fn modification_order(&self, orders: &[&[usize]]) -> Matrix {
        let mut mo = Matrix::new(self.size);
        for order in orders {
            for (at, &first) in order.iter().enumerate() {
                order[at + 1..].iter().for_each(|&second| mo.add(first, second));
            }
        }
        mo
    }

    /// `hb`, unless `sb ∪ rf` (with creation and join) has a cycle: so has no `hb`.
    ///
    /// `sw = [Rel] ; ([F] ; sb)? ; rs ; rf ; [R] ; (sb ; [F])? ; [Acq]`, where `rs = [W] ; (rf ; [RMW])*`, W and R atomic.
    pub fn happens_before(&self, rf: &Matrix) -> Option<Matrix> {
        if !self.sb.or(&self.asw).or(rf).is_acyclic() {
            return None;
        }
        const ALL: Set = Set::MAX;
        let identity = |set| Matrix::identity(self.size, set);
        let chain = rf.within(ALL, self.updates).closure().reflexive();
        let sequence = chain.within(self.writes & self.atomic, ALL);
        let released =
            identity(self.releasing).then(&self.sb.within(self.fences, ALL).reflexive()).then(&sequence);
        let read = released.then(&rf.within(ALL, self.reads & self.atomic));
        let sw = read.then(&self.sb.within(ALL, self.fences).reflexive()).then(&identity(self.acquiring));
        Some(self.sb.or(&self.asw).or(&sw.strict()).closure())
    }

    /// `rb`: from a read to what overwrites its store.
    pub fn reads_before(&self, rf: &Matrix, mo: &Matrix) -> Matrix {
        rf.inverse().then(mo).strict()
    }

    /// `eco`: rf, mo and rb, closed.
    pub fn extended_coherence(&self, rf: &Matrix, mo: &Matrix) -> Matrix {
        rf.or(mo).or(&self.reads_before(rf, mo)).closure()
    }

    /// Whether `hb ; eco?` is irreflexive.
    pub fn is_coherent(&self, hb: &Matrix, eco: &Matrix) -> bool {
        hb.then(&eco.reflexive()).is_irreflexive()
    }

    /// `psc`, as in the paper.
    ///
    /// scb = sb | sb|≠loc ; hb ; sb|≠loc | hb|loc | mo | rb;
    /// `psc_base = ([Esc] | [Fsc] ; hb?) ; scb ; ([Esc] | hb? ; [Fsc])`;
    /// `psc_F = [Fsc] ; (hb | hb ; eco ; hb) ; [Fsc]`.
    pub fn psc(&self, hb: &Matrix, rf: &Matrix, mo: &Matrix) -> Matrix {
        const ALL: Set = Set::MAX;
        let eco = self.extended_coherence(rf, mo);
        let elsewhere = self.sb.without(&self.same_location);
        let scb = self
            .sb
            .or(&elsewhere.then(hb).then(&elsewhere))
            .or(&hb.and(&self.same_location))
            .or(mo)
            .or(&self.reads_before(rf, mo));
        let fences = self.fences & self.sc;
        let accesses = Matrix::identity(self.size, self.sc);
        let left = accesses.or(&hb.reflexive().within(fences, ALL));
        let right = accesses.or(&hb.reflexive().within(ALL, fences));
        let base = left.then(&scb).then(&right);
        let of_fences = hb.or(&hb.then(&eco).then(hb)).within(fences, fences);
        base.or(&of_fences)
    }

    /// Whether there are SeqCst events enough for a cycle in `psc`.
    pub(crate) fn needs_psc(&self) -> bool {
        self.sc.count_ones() >= 2
    }

    /// Checks a whole graph. `sources`: of each event, what it reads from; `orders`: of each location, its stores, the initial one first.
    ///
    /// # Errors
    /// The first axiom that is broken.
    pub fn check(&self, sources: &[Option<usize>], orders: &[&[usize]]) -> Result<(), Axiom> {
        let (rf, mo) = (self.reads_from(sources), self.modification_order(orders));
        let hb = self.happens_before(&rf).ok_or(Axiom::NoThinAir)?;
        for order in orders {
            for (at, &write) in order.iter().enumerate() {
                let is_update = self.updates >> write & 1 != 0;
                if is_update && (at == 0 || sources[write] != Some(order[at - 1])) {
                    return Err(Axiom::Atomicity);
                }
            }
        }
        if !self.is_coherent(&hb, &self.extended_coherence(&rf, &mo)) {
            return Err(Axiom::Coherence);
        }
        if !self.psc(&hb, &rf, &mo).is_acyclic() {
            return Err(Axiom::Psc);
        }
        Ok(())
    }
}

/// Whether two events conflict, one of them is not atomic, and neither happens before the other.
pub fn has_race(events: &[Event], is_write: impl Fn(usize) -> bool, hb: &Matrix) -> bool {
    debug_assert!(events.len() <= EVENTS_MAX, "the relation has room for them");
    let races = |first: usize, second: usize| {
        let (one, other) = (&events[first], &events[second]);
        let is_conflict = one.location.is_some()
            && one.location == other.location
            && (is_write(first) || is_write(second))
            && (one.order.is_none() || other.order.is_none());
        let is_shared = one.thread.is_some() && other.thread.is_some() && one.thread != other.thread;
        is_conflict && is_shared && !hb.has(first, second) && !hb.has(second, first)
    };
    (0..events.len()).any(|second| (0..second).any(|first| races(first, second)))
}
