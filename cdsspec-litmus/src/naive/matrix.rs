//! Relations over at most 64 events, a row of bits each.

/// How many events a graph can have.
pub const EVENTS_MAX: usize = 64;

/// A relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matrix {
    size: usize,
    rows: [u64; EVENTS_MAX],
}

/// The positions of the bits of a set.
pub(crate) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lowest)
    })
}

impl Matrix {
    /// The empty relation over `size` events.
    ///
    /// # Panics
    /// If that is more than [`EVENTS_MAX`].
    pub fn new(size: usize) -> Self {
        assert!(size <= EVENTS_MAX, "the naive twin looks at graphs of at most {EVENTS_MAX} events");
        Self { size, rows: [0; EVENTS_MAX] }
    }

    /// `[set]`: the identity on a set.
    pub(crate) fn identity(size: usize, set: u64) -> Self {
        let mut result = Self::new(size);
        for event in members(set) {
            result.add(event, event);
        }
        result
    }

    /// Adds a pair.
    pub fn add(&mut self, first: usize, second: usize) {
        self.rows[first] |= 1 << second;
    }

    /// Whether the pair is in it.
    pub fn has(&self, first: usize, second: usize) -> bool {
        self.rows[first] >> second & 1 != 0
    }

    fn map(&self, f: impl Fn(usize, u64) -> u64) -> Self {
        let mut result = Self::new(self.size);
        for event in 0..self.size {
            result.rows[event] = f(event, self.rows[event]);
        }
        result
    }

    /// Pairs of either.
    pub fn or(&self, other: &Self) -> Self {
        self.map(|event, row| row | other.rows[event])
    }

    /// Pairs of both.
    pub fn and(&self, other: &Self) -> Self {
        self.map(|event, row| row & other.rows[event])
    }

    /// Pairs of this one only.
    pub fn without(&self, other: &Self) -> Self {
        self.map(|event, row| row & !other.rows[event])
    }

    /// `self ; other`.
    pub fn then(&self, other: &Self) -> Self {
        self.map(|_, row| members(row).fold(0, |all, middle| all | other.rows[middle]))
    }

    /// `[domain] ; self ; [range]`.
    pub(crate) fn within(&self, domain: u64, range: u64) -> Self {
        self.map(|event, row| if domain >> event & 1 != 0 { row & range } else { 0 })
    }

    /// `self?`: with the identity.
    pub(crate) fn reflexive(&self) -> Self {
        self.map(|event, row| row | 1 << event)
    }

    /// Without the identity.
    pub(crate) fn strict(&self) -> Self {
        self.map(|event, row| row & !(1 << event))
    }

    /// The pairs turned round.
    pub(crate) fn inverse(&self) -> Self {
        let mut result = Self::new(self.size);
        for first in 0..self.size {
            for second in members(self.rows[first]) {
                result.add(second, first);
            }
        }
        result
    }

    /// The transitive closure.
    pub fn closure(&self) -> Self {
        let mut result = *self;
        for middle in 0..self.size {
            let through = result.rows[middle];
            for row in &mut result.rows[..self.size] {
                if *row >> middle & 1 != 0 {
                    *row |= through;
                }
            }
        }
        result
    }

    /// Whether no event is related to itself.
    pub fn is_irreflexive(&self) -> bool {
        (0..self.size).all(|event| !self.has(event, event))
    }

    /// Whether no event is related to itself by a path.
    pub fn is_acyclic(&self) -> bool {
        self.closure().is_irreflexive()
    }
}
