//! Operations and stores.

use super::{Clock, LocationId, OperationForm, OperationId, Orders, Place, StoreId, ThreadId};
use std::sync::atomic::Ordering;

/// What an operation does to memory.
///
/// Serialised, with the feature `json`, it is the name of the variant in `snake_case`, as `kind`, and the other thread, if there is one, as `target`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize),
    serde(tag = "kind", content = "target", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum OperationKind {
    /// A load, or a compare-exchange that failed: reads a store.
    Load,
    /// A plain store.
    Store,
    /// A read-modify-write: reads a store and writes the next one.
    Update,
    /// A fence.
    Fence,
    /// Creation of a thread.
    Create(ThreadId),
    /// Join of a thread.
    Join(ThreadId),
    /// A shared access of a non-atomic cell.
    CellRead,
    /// An exclusive access of a non-atomic cell.
    CellWrite,
}

/// One access of an atomic, fence, lock or cell by a thread.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Its number; operations are numbered in an order that extends sb ∪ rf.
    pub id: OperationId,
    /// Who did it.
    pub thread: ThreadId,
    /// Where it stands among the operations of its thread, from 1: larger than that of those before it.
    pub position: u32,
    /// Where it stands.
    pub place: Place,
    /// What it does.
    pub kind: OperationKind,
    /// The order in force: of a failed compare-exchange the failure order.
    pub order: Option<Ordering>,
    /// The location, for an access of memory.
    pub location: Option<LocationId>,
    /// The store that it read, for a load or update.
    pub read: Option<StoreId>,
    /// The store that it made, for a store or update.
    pub written: Option<StoreId>,
    /// Everything that happens before it, and itself.
    pub clock: Clock,
}

/// What an engine tells of an operation that it has done.
#[derive(Clone, Debug)]
pub struct Done {
    /// Who did it.
    pub thread: ThreadId,
    /// Where it stands.
    pub place: Place,
    /// What it does.
    pub kind: OperationKind,
    /// The order in force.
    pub order: Option<Ordering>,
    /// The location, for an access of memory.
    pub location: Option<LocationId>,
    /// The store that it read.
    pub read: Option<StoreId>,
    /// The value that it wrote.
    pub written: Option<u64>,
}

/// Where an operation stands in happens-before.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its position in its thread, from 1: larger than that of those before it.
    pub position: u32,
    /// Everything that happens before it, and itself: of each thread the operations up to this position.
    pub clock: Clock,
}

impl Done {
    /// An operation without order, location and values.
    pub fn new(thread: ThreadId, place: Place, kind: OperationKind) -> Self {
        Self { thread, place, kind, order: None, location: None, read: None, written: None }
    }
}

impl OperationKind {
    /// The access of a cell.
    pub fn of_cell(is_write: bool) -> Self {
        if is_write { Self::CellWrite } else { Self::CellRead }
    }
}

impl Operation {
    /// What was told of it, but for the value that it wrote.
    #[cfg(all(feature = "checks-graphs", debug_assertions))]
    pub(super) fn done(&self) -> Done {
        let &Self { thread, place, kind, order, location, read, .. } = self;
        Done { thread, place, kind, order, location, read, written: None }
    }

    /// Whether `self` happens before `other` (C11, with C++20 release sequences); false for `self` itself.
    pub fn happens_before(&self, other: &Self) -> bool {
        self.id != other.id && self.position <= other.clock.get(self.thread)
    }

    /// The order that is written for it, where it is not the one in force: an override of the run changed it.
    pub fn overridden_order(&self) -> Option<Ordering> {
        let has_succeeded = self.kind != OperationKind::Load;
        let written = match self.place.orders {
            Orders::None => return None,
            Orders::One(order) if has_succeeded || self.place.name.form() == OperationForm::Load => order,
            orders => {
                let (success, failure) = orders.of_compare_exchange()?;
                if has_succeeded { success } else { failure }
            }
        };
        (self.order != Some(written)).then_some(written)
    }

    /// Whether it is a `SeqCst` operation.
    pub fn is_sc(&self) -> bool {
        self.order == Some(Ordering::SeqCst)
    }
}

/// How the 64 bits of a store read as a value of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// An unsigned integer, of the type of this name.
    Unsigned(&'static str),
    /// A signed integer, of the type of this name, sign-extended to 64 bits.
    Signed(&'static str),
    /// `false` or `true`.
    Bool,
    /// An address. Reports number the addresses in order of appearance.
    Pointer,
    /// State of a lock, not a value of the program: a read-modify-write that acquires takes it, one that releases gives it back.
    Lock,
    /// State of another blocking type of ours, not a value of the program.
    Internal,
}

impl ValueKind {
    /// Whether the values are none of the program's.
    pub fn is_internal(self) -> bool {
        matches!(self, Self::Lock | Self::Internal)
    }
}

/// One value in the history of a location.
#[derive(Clone, Debug)]
pub struct Store {
    /// Its number.
    pub id: StoreId,
    /// Where it is.
    pub location: LocationId,
    /// The value, as 64 bits.
    pub value: u64,
    /// The operation that made it; `None` for the initial value.
    pub operation: Option<OperationId>,
}
