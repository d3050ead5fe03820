//! An engine's port, with other orders than those written.

use super::{
    Access, Body, CellAccess, CountChange, Effect, LocationHint, OrderTable, Port, Replacement, Update,
    WaitLoad, WaitUpdate, with,
};
use crate::heap::Progress;
use crate::record::{LocationId, OperationForm, Orders, Place, SourceLocation, ThreadId, ValueKind};
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
    table: Arc<OrderTable>,
}

impl OrderedPort {
    pub(super) fn new(port: Rc<dyn Port>, table: Arc<OrderTable>) -> Self {
        Self { port, table }
    }

    /// Does a fence that is added beside a place. Where operations do not count, the engine does nothing.
    fn add_fence(&self, place: Place, order: Option<Ordering>) {
        if let Some(order) = order {
            self.port.fence(place.added_fence(order), order);
        }
    }

    /// A fence is left out: an annotation on its statement has nothing to mark, and that is no mistake.
    fn leave_fence_out(&self) {
        if !self.port.is_unobserved() {
            let thread = self.port.thread();
            with(|execution| execution.recorder().borrow_mut().leave_fence_out(thread));
        }
    }

    fn note(&self, place: Place, is_success: bool) {
        if !self.port.is_unobserved() {
            self.table.note(place, is_success);
        }
    }

    /// Does what is done at a place: `operation` gets the orders in force, and says whether it succeeded.
    fn at<R>(
        &self,
        place: Place,
        step: Step,
        operation: impl FnOnce(Orders) -> R,
        is_success: impl FnOnce(&R) -> bool,
    ) -> R {
        if place.orders == Orders::None {
            // A lock, or another blocking type: the orders are its own.
            return operation(place.orders);
        }
        let Replacement { orders, fence_before, fence_after } = self.table.at(&place);
        self.add_fence(place, fence_before.filter(|_| step.is_first()));
        // Only a fence can be left out, and a fence is not done here.
        let result = operation(orders.unwrap_or(place.orders));
        let is_success = is_success(&result);
        self.note(place, is_success);
        self.add_fence(place, fence_after.filter(|_| step.is_last(is_success)));
        result
    }

    /// The same, for an operation with one order, which cannot fail.
    fn at_one<R>(&self, access: Access, operation: impl FnOnce(Access) -> R) -> R {
        let with_order = |orders: Orders| {
            // The load that a `fetch_update` begins with has its second order.
            let order = match orders {
                Orders::One(order) | Orders::Two(_, order) => order,
                Orders::None => access.order,
            };
            operation(Access { order, ..access })
        };
        let is_fetch = access.place.name.form() == OperationForm::FetchUpdate;
        let step = if is_fetch { Step::Fetch } else { Step::Whole };
        self.at(access.place, step, with_order, |_| !is_fetch)
    }
}

/// Which part of what is written at a place an operation is: a `fetch_update` is several, and no fence can be written between them.
#[derive(Clone, Copy)]
enum Step {
    /// All of it.
    Whole,
    /// The load that a `fetch_update` begins with.
    Fetch,
    /// A compare-exchange of a `fetch_update`.
    Set,
}

impl Step {
    /// Whether nothing of it comes before.
    fn is_first(self) -> bool {
        !matches!(self, Self::Set)
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
    fn load(&self, access: Access) -> u64 {
        self.at_one(access, |access| self.port.load(access))
    }

    fn store(&self, access: Access, value: u64) {
        self.at_one(access, |access| self.port.store(access, value));
    }

    fn update(&self, access: Access, update: Update) -> u64 {
        self.at_one(access, |access| self.port.update(access, update))
    }

    fn compare_exchange(
        &self,
        access: Access,
        failure: Ordering,
        expected: u64,
        new: u64,
        is_weak: bool,
    ) -> Result<u64, u64> {
        let exchange = |orders: Orders| {
            let (order, failure) = orders.of_compare_exchange().unwrap_or((access.order, failure));
            self.port.compare_exchange(Access { order, ..access }, failure, expected, new, is_weak)
        };
        let is_set = access.place.name.form() == OperationForm::FetchUpdate;
        self.at(access.place, if is_set { Step::Set } else { Step::Whole }, exchange, Result::is_ok)
    }

    fn fence(&self, place: Place, order: Ordering) {
        if place.orders == Orders::None {
            return self.port.fence(place, order);
        }
        self.note(place, true);
        let Replacement { orders, fence_before, fence_after } = self.table.at(&place);
        self.add_fence(place, fence_before);
        match orders {
            Some(Orders::One(in_force)) => self.port.fence(place, in_force),
            Some(_) => self.port.fence(place, order),
            None => self.leave_fence_out(),
        }
        self.add_fence(place, fence_after);
    }

    fn exchange_what_was_read(&self, _: Access, _: u64, _: u64) -> Option<u64> {
        // Under other orders a failure need not read as the first read does.
        None
    }

    fn wait_update(&self, access: Access, wait: WaitUpdate) -> u64 {
        self.port.wait_update(access, wait)
    }

    fn wait_load(&self, access: Access, wait: WaitLoad) -> u64 {
        self.port.wait_load(access, wait)
    }

    fn wait_update_or_timeout(&self, access: Access, wait: WaitUpdate) -> Option<u64> {
        self.port.wait_update_or_timeout(access, wait)
    }

    fn wait_load_or_timeout(&self, access: Access, wait: WaitLoad) -> Option<u64> {
        self.port.wait_load_or_timeout(access, wait)
    }

    fn count(
        &self,
        made: SourceLocation,
        change: CountChange,
        locate: &dyn Fn() -> LocationId,
    ) -> Option<u64> {
        self.port.count(made, change, locate)
    }

    fn begin_cell(&self, place: Place, location: LocationId, is_write: bool) -> CellAccess {
        self.port.begin_cell(place, location, is_write)
    }

    fn spawn(
        &self,
        place: Place,
        name: Option<String>,
        stack_bytes: Option<usize>,
        body: Arc<dyn Body>,
    ) -> ThreadId {
        self.port.spawn(place, name, stack_bytes, body)
    }

    fn join(&self, place: Place, thread: ThreadId) -> std::thread::Result<()> {
        self.port.join(place, thread)
    }

    fn yield_now(&self, place: Place) {
        self.port.yield_now(place);
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

    fn note(&self, effect: Effect) {
        self.port.note(effect);
    }

    fn is_panicking(&self) -> bool {
        self.port.is_panicking()
    }

    fn unobserved(&self, f: &mut dyn FnMut()) {
        self.port.unobserved(f);
    }

    fn new_location(&self, kind: ValueKind, initial: u64) -> LocationId {
        self.port.new_location(kind, initial)
    }

    fn start_recording(&self) {
        self.port.start_recording();
    }

    fn touch(&self, hint: &LocationHint) {
        self.port.touch(hint);
    }

    fn peek(&self, location: LocationId) -> u64 {
        self.port.peek(location)
    }

    fn end_cell(&self, access: CellAccess) {
        self.port.end_cell(access);
    }

    fn wait_until_left(&self, thread: ThreadId) {
        self.port.wait_until_left(thread);
    }

    fn wakes_spuriously(&self, place: Place) -> bool {
        self.port.wakes_spuriously(place)
    }

    fn waits_behind_writer(&self, access: Access) {
        self.port.waits_behind_writer(access);
    }

    fn is_finished(&self, place: Place, thread: ThreadId) -> bool {
        self.port.is_finished(place, thread)
    }

    fn end_body(&self) {
        self.port.end_body();
    }

    fn name(&self, thread: ThreadId) -> Option<String> {
        self.port.name(thread)
    }

    fn take_panic(&self, thread: ThreadId) {
        self.port.take_panic(thread);
    }

    fn refuse(&self, message: &str) {
        self.port.refuse(message);
    }

    fn choose(&self, count: usize) -> usize {
        self.port.choose(count)
    }

    fn tick(&self) -> Option<u64> {
        self.port.tick()
    }
}
