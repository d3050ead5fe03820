//! Orders other than those written, place by place.

use crate::record::{Orders, Place};
use std::fmt;
use std::sync::atomic::Ordering;

/// Equality that is quick about places of one file.
pub(super) fn is_same(first: &Place, second: &Place) -> bool {
    first.source.line == second.source.line && first == second
}

/// What is done at a place instead of what is written there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Replacement {
    /// The orders in force; `None`: the operation, a fence, is left out.
    pub orders: Option<Orders>,
    /// A fence of this order just before the operation.
    pub fence_before: Option<Ordering>,
    /// A fence of this order just after the operation; of a `fetch_update`, after it has stored.
    pub fence_after: Option<Ordering>,
}

impl Replacement {
    fn of(orders: Option<Orders>) -> Self {
        Self { orders, fence_before: None, fence_after: None }
    }
}

/// What is done at places that are not named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Base {
    /// What is written.
    #[default]
    Written,
    /// Every order is `Relaxed`, and there are no fences.
    Relaxed,
    /// Every order is `SeqCst`.
    Strongest,
}

/// Orders other than those written, for a run: by place, so that nothing has to be compiled again.
///
/// Operations that share a place, such as two of the same name and orders in one macro invocation, are overridden together.
/// At most one replacement a place; they stand in the order of the source.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overrides {
    /// What is done at a place that is not named.
    base: Base,
    named: Vec<(Place, Replacement)>,
}

impl Overrides {
    /// Everything as it is written.
    pub fn new() -> Self {
        Self::default()
    }

    /// Every order `Relaxed`, and no fences: wherever no other order is named.
    pub fn relaxed() -> Self {
        Self { base: Base::Relaxed, named: Vec::new() }
    }

    /// Every order `SeqCst`: wherever no other order is named.
    pub fn strongest() -> Self {
        Self { base: Base::Strongest, named: Vec::new() }
    }

    /// Other orders at a place.
    ///
    /// # Panics
    /// If the operation cannot have these orders, or not so many.
    #[must_use]
    pub fn with_orders(mut self, place: Place, orders: Orders) -> Self {
        assert!(place.allows(orders), "there is no such thing as {orders} at {place}");
        self.entry(place).orders = Some(orders);
        self.tidy()
    }

    /// Leaves a fence out.
    ///
    /// # Panics
    /// If it is no fence.
    #[must_use]
    pub fn without_fence(mut self, place: Place) -> Self {
        assert!(place.is_fence(), "only a fence can be left out, and not {place}");
        self.entry(place).orders = None;
        self.tidy()
    }

    /// Adds a fence just before a place.
    ///
    /// # Panics
    /// If `order` is `Relaxed`.
    #[must_use]
    pub fn with_fence_before(mut self, place: Place, order: Ordering) -> Self {
        assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
        self.entry(place).fence_before = Some(order);
        self.tidy()
    }

    /// Adds a fence just after a place.
    ///
    /// # Panics
    /// If `order` is `Relaxed`.
    #[must_use]
    pub fn with_fence_after(mut self, place: Place, order: Ordering) -> Self {
        assert!(order != Ordering::Relaxed, "there is no such thing as a relaxed fence");
        self.entry(place).fence_after = Some(order);
        self.tidy()
    }

    /// Whether everything is as it is written.
    pub fn is_empty(&self) -> bool {
        self.base == Base::Written && self.named.is_empty()
    }

    /// What is done at a place.
    pub fn at(&self, place: &Place) -> Replacement {
        let known = self.named.iter().find(|(known, _)| is_same(known, place));
        known.map_or_else(|| self.unnamed(place), |(_, replacement)| *replacement)
    }

    /// Every place that is named and what is done there instead, in the order of the source.
    pub fn iter(&self) -> impl Iterator<Item = (&Place, &Replacement)> {
        self.named.iter().map(|(place, replacement)| (place, replacement))
    }

    /// What is done at a place that is not named.
    fn unnamed(&self, place: &Place) -> Replacement {
        let order = match self.base {
            Base::Written => return Replacement::of(Some(place.orders)),
            Base::Relaxed if place.is_fence() => return Replacement::of(None),
            Base::Relaxed => Ordering::Relaxed,
            Base::Strongest => Ordering::SeqCst,
        };
        Replacement::of(Some(match place.orders {
            Orders::One(_) => Orders::One(order),
            Orders::Two(..) => Orders::Two(order, order),
            Orders::None => Orders::None,
        }))
    }

    fn entry(&mut self, place: Place) -> &mut Replacement {
        let index = self.named.iter().position(|(known, _)| *known == place).unwrap_or_else(|| {
            self.named.push((place, self.unnamed(&place)));
            self.named.len() - 1
        });
        &mut self.named[index].1
    }

    /// What comes to what is done at places that are not named is no override.
    fn tidy(mut self) -> Self {
        let named = std::mem::take(&mut self.named);
        self.named =
            named.into_iter().filter(|(place, replacement)| *replacement != self.unnamed(place)).collect();
        self.named.sort_by_key(|(place, _)| place.sort_key());
        self
    }
}

/// A phrase for each place, separated by semicolons.
impl fmt::Display for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Written => {}
            Base::Relaxed => f.write_str("every order Relaxed, and no fences")?,
            Base::Strongest => f.write_str("every order SeqCst")?,
        }
        let is_written = self.base == Base::Written;
        for (index, (place, replacement)) in self.iter().enumerate() {
            if !is_written || index > 0 {
                f.write_str("; ")?;
            }
            if let Some(order) = replacement.fence_before {
                write!(f, "fence({order:?}) before ")?;
            }
            if let Some(order) = replacement.fence_after {
                write!(f, "fence({order:?}) after ")?;
            }
            match replacement.orders {
                None => write!(f, "{place} left out")?,
                Some(orders) if orders == place.orders && is_written => write!(f, "{place}")?,
                Some(orders) => write!(f, "{place} as {orders}")?,
            }
        }
        Ok(())
    }
}
