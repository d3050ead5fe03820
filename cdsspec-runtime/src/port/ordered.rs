//! An engine's port, with other orders than those written.

use super::caller::begin_beside;
use super::{
    Action, Caller, Notice, Operation, OrderTable, Port, Replacement, Reply, Request, last_caller,
    take_beginning,
};
use crate::heap::Progress;
use crate::record::{LocationId, OperationForm, Orders, Place, Recorder, ThreadId, ValueKind};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Stands between instrumented types and the engine of a run with an [`OrderTable`]: the one place where orders are overridden. What
/// the engine sees, and records, are the orders in force; the place keeps those written.
///
/// An added fence is an operation of its own ([`Place::added_fence`]), done in the same call as the one that it stands beside: so what the
/// thread does next, be it a free, a wait or its end, comes after it. An ordering point annotation does not mean it.
pub(super) struct OrderedPort {
    port: Rc<dyn Port>,
    recorder: Rc<RefCell<Recorder>>,
    table: Arc<OrderTable>,
}

impl OrderedPort {
    pub(super) fn new(port: Rc<dyn Port>, recorder: Rc<RefCell<Recorder>>, table: Arc<OrderTable>) -> Self {
        Self { port, recorder, table }
    }

    /// Does a fence that is added beside a place, whose caller is that of the operation there. Where operations do not count, the engine does nothing.
    fn add_fence(&self, place: Place, order: Option<Ordering>, caller: Option<Caller>) {
        if let Some(order) = order {
            let fence = place.added_fence(order);
            caller.inspect(|&caller| begin_beside(&fence, caller));
            self.port.fence(fence, order);
        }
    }

    /// A fence is left out: an annotation on its statement has nothing to mark, and that is no mistake.
    fn leave_fence_out(&self) -> Reply {
        if !self.port.is_unobserved() {
            self.recorder.borrow_mut().leave_fence_out(self.port.thread());
        }
        Reply::Done
    }

    fn note_reached(&self, place: Place, is_success: bool) {
        if !self.port.is_unobserved() {
            self.table.note(place, is_success);
        }
    }

    /// Does what is written at a place with orders.
    fn perform_in_force(&self, request: Request) -> Reply {
        let (place, part) = (request.place, PlacePart::of(&request));
        let Replacement { orders, fence_before, fence_after } = self.table.at(&place);
        // What is in our own frames meanwhile says nothing about the program.
        let caller = take_beginning(&place).then(last_caller);
        self.add_fence(place, fence_before.filter(|_| part.is_first()), caller);
        caller.inspect(|&caller| begin_beside(&place, caller));
        let reply = match orders {
            Some(orders) => self.port.perform(request.with_orders(orders)),
            None => self.leave_fence_out(),
        };
        let is_success = part.is_success(&reply);
        self.note_reached(place, is_success);
        self.add_fence(place, fence_after.filter(|_| part.is_last(is_success)), caller);
        reply
    }
}

/// Which part of what is written at a place an operation is: a `fetch_update` is several, and no fence can be written between them.
#[derive(Clone, Copy)]
enum PlacePart {
    /// All of it.
    Whole,
    /// The load that a `fetch_update` begins with.
    Fetch,
    /// A compare-exchange of a `fetch_update`.
    Set,
}

impl PlacePart {
    fn of(request: &Request) -> Self {
        match (request.place.name.form(), &request.operation) {
            (OperationForm::FetchUpdate, Operation::Access { action: Action::Load { .. }, .. }) => {
                Self::Fetch
            }
            (OperationForm::FetchUpdate, _) => Self::Set,
            _ => Self::Whole,
        }
    }

    /// Whether nothing of it comes before.
    fn is_first(self) -> bool {
        !matches!(self, Self::Set)
    }

    /// Whether what is written there has done what it was to do. A load alone never has, of a `fetch_update`.
    fn is_success(self, reply: &Reply) -> bool {
        !matches!((self, reply), (Self::Fetch, _) | (_, Reply::Failed(_)))
    }

    /// Whether nothing of it comes after. Unknown after the load: that nothing is stored is the function's to say, and the fence behind
    /// a `fetch_update` that stores nothing is not done.
    fn is_last(self, is_success: bool) -> bool {
        match self {
            Self::Whole => true,
            Self::Fetch => false,
            Self::Set => is_success,
        }
    }
}

// A default would hide what the engine does.
#[warn(clippy::missing_trait_methods)]
impl Port for OrderedPort {
    fn perform(&self, request: Request) -> Reply {
        match request.operation {
            // A lock, or another blocking type: the orders are its own.
            _ if request.place.orders == Orders::None => self.port.perform(request),
            // Under other orders a failure need not read as the first read does.
            Operation::Access { action: Action::ExchangeRead { .. }, .. } => Reply::NotDone,
            _ => self.perform_in_force(request),
        }
    }

    fn note(&self, notice: Notice<'_>) {
        self.port.note(notice);
    }

    fn thread(&self) -> ThreadId {
        self.port.thread()
    }

    fn progress(&self) -> Progress {
        self.port.progress()
    }

    fn is_unobserved(&self) -> bool {
        self.port.is_unobserved()
    }

    fn unobserved(&self, f: &mut dyn FnMut()) {
        self.port.unobserved(f);
    }

    fn is_panicking(&self) -> bool {
        self.port.is_panicking()
    }

    fn new_location(&self, kind: ValueKind, initial: u64) -> LocationId {
        self.port.new_location(kind, initial)
    }

    fn peek(&self, location: LocationId) -> u64 {
        self.port.peek(location)
    }

    fn name(&self, thread: ThreadId) -> Option<String> {
        self.port.name(thread)
    }

    fn wait_until_left(&self, thread: ThreadId) {
        self.port.wait_until_left(thread);
    }

    fn refuse(&self, message: &str) {
        self.port.refuse(message);
    }
}
