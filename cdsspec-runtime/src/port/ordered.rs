//! An engine's port, with other orders than those written.

use super::{Access, CellAccess, CountChange, OrderTable, Port, Replacement, Update, WaitLoad, WaitUpdate};
use crate::heap::Progress;
use crate::record::{LocationId, Orders, Place, SourceLocation, ThreadId, ValueKind};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Stands between instrumented types and the engine of a run with an [`OrderTable`]: the one place where orders are overridden. What
/// the engine sees, and records, are the orders in force; the place keeps those written.
pub(super) struct OrderedPort {
    port: Rc<dyn Port>,
    table: Arc<OrderTable>,
    /// The fence that each thread does before whatever it does next. Done at once, it would take the place of the operation that an
    /// ordering point annotation is about.
    pending: RefCell<Vec<Option<(Place, Ordering)>>>,
}

impl OrderedPort {
    pub(super) fn new(port: Rc<dyn Port>, table: Arc<OrderTable>) -> Self {
        Self { port, table, pending: RefCell::default() }
    }

    /// A new execution: no thread has anything pending.
    pub(super) fn begin(&self) {
        self.pending.borrow_mut().clear();
    }

    /// Does the fence that the running thread has put off.
    fn settle(&self) {
        if self.pending.borrow().is_empty() || self.port.is_unobserved() {
            return;
        }
        let thread = self.port.thread().index();
        let fence = self.pending.borrow_mut().get_mut(thread).and_then(Option::take);
        if let Some((place, order)) = fence {
            self.port.fence(place, order);
        }
    }

    fn put_off(&self, place: Place, order: Ordering) {
        let thread = self.port.thread().index();
        let mut pending = self.pending.borrow_mut();
        if pending.len() <= thread {
            pending.resize(thread + 1, None);
        }
        pending[thread] = Some((place, order));
    }

    /// Does what is done at a place: `operation` gets the orders in force, and says whether it succeeded.
    fn at<R>(
        &self,
        place: Place,
        operation: impl FnOnce(Orders) -> R,
        is_success: impl FnOnce(&R) -> bool,
    ) -> R {
        self.settle();
        if place.orders == Orders::None {
            // A lock, or another blocking type: the orders are its own.
            return operation(place.orders);
        }
        let Replacement { orders, fence_before, fence_after } = self.table.at(&place);
        let is_observed = !self.port.is_unobserved();
        let fence_place = Place { name: "fence", ..place };
        if let Some(order) = fence_before.filter(|_| is_observed) {
            self.port.fence(Place { orders: Orders::One(order), ..fence_place }, order);
        }
        // Only a fence can be left out, and a fence is not done here.
        let result = operation(orders.unwrap_or(place.orders));
        if is_observed {
            self.table.note(place, is_success(&result));
            if let Some(order) = fence_after {
                self.put_off(Place { orders: Orders::One(order), ..fence_place }, order);
            }
        }
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
        let is_first_load = matches!(access.place.orders, Orders::Two(..));
        self.at(access.place, with_order, |_| !is_first_load)
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
        self.at(access.place, exchange, Result::is_ok)
    }

    fn fence(&self, place: Place, order: Ordering) {
        self.settle();
        let is_counted = place.orders != Orders::None && !self.port.is_unobserved();
        if is_counted {
            self.table.note(place, true);
        }
        let Replacement { orders, fence_before, fence_after } = self.table.at(&place);
        if let Some(order) = fence_before.filter(|_| is_counted) {
            self.port.fence(Place { orders: Orders::One(order), ..place }, order);
        }
        match orders {
            Some(Orders::One(in_force)) => self.port.fence(place, in_force),
            Some(_) => self.port.fence(place, order),
            None => {}
        }
        if let Some(order) = fence_after.filter(|_| is_counted) {
            self.put_off(Place { orders: Orders::One(order), ..place }, order);
        }
    }

    fn wait_update(&self, access: Access, wait: WaitUpdate) -> u64 {
        self.settle();
        self.port.wait_update(access, wait)
    }

    fn wait_load(&self, access: Access, wait: WaitLoad) -> u64 {
        self.settle();
        self.port.wait_load(access, wait)
    }

    fn wait_update_or_timeout(&self, access: Access, wait: WaitUpdate) -> Option<u64> {
        self.settle();
        self.port.wait_update_or_timeout(access, wait)
    }

    fn wait_load_or_timeout(&self, access: Access, wait: WaitLoad) -> Option<u64> {
        self.settle();
        self.port.wait_load_or_timeout(access, wait)
    }

    fn count(
        &self,
        made: SourceLocation,
        change: CountChange,
        locate: &dyn Fn() -> LocationId,
    ) -> Option<u64> {
        self.settle();
        self.port.count(made, change, locate)
    }

    fn begin_cell(&self, place: Place, location: LocationId, is_write: bool) -> CellAccess {
        self.settle();
        self.port.begin_cell(place, location, is_write)
    }

    fn spawn(
        &self,
        place: Place,
        name: Option<String>,
        stack_bytes: Option<usize>,
        body: Box<dyn FnOnce()>,
    ) -> ThreadId {
        self.settle();
        self.port.spawn(place, name, stack_bytes, body)
    }

    fn join(&self, place: Place, thread: ThreadId) -> std::thread::Result<()> {
        self.settle();
        self.port.join(place, thread)
    }

    fn yield_now(&self, place: Place) {
        self.settle();
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

    fn skip_record(&self) {
        self.port.skip_record();
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

    fn peek(&self, location: LocationId) -> u64 {
        self.port.peek(location)
    }

    fn end_cell(&self, access: CellAccess) {
        self.port.end_cell(access);
    }

    fn wait_until_left(&self, thread: ThreadId) {
        self.port.wait_until_left(thread);
    }

    fn is_finished(&self, thread: ThreadId) -> bool {
        self.port.is_finished(thread)
    }

    fn choose(&self, count: usize) -> usize {
        self.port.choose(count)
    }

    fn tick(&self) -> Option<u64> {
        self.port.tick()
    }
}
