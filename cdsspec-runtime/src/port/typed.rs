//! Requests and replies with the types of each operation: what instrumented types call.

use super::{
    Access, Action, Body, CellAccess, CountChange, Notice, Operation, Port, Reply, Request, Update, WaitLoad,
    WaitUpdate,
};
use crate::record::{LocationId, Orders, Place, SourceLocation, ThreadId, operation_name};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl dyn Port + '_ {
    #[inline]
    fn ask(&self, place: Place, operation: Operation) -> Reply {
        self.perform(Request { place, operation })
    }

    #[inline]
    fn act(&self, access: Access, action: Action) -> Reply {
        self.ask(access.place, Operation::Access { location: access.location, action })
    }

    /// [`Action::Load`].
    #[inline]
    pub fn load(&self, access: Access) -> u64 {
        self.act(access, Action::Load { order: access.order }).value()
    }

    /// [`Action::Store`].
    #[inline]
    pub fn store(&self, access: Access, value: u64) {
        self.act(access, Action::Store { order: access.order, value });
    }

    /// [`Action::Update`].
    #[inline]
    pub fn update(&self, access: Access, update: Update) -> u64 {
        self.act(access, Action::Update { order: access.order, update }).value()
    }

    /// [`Action::CompareExchange`]; the access has the order on success.
    ///
    /// # Errors
    /// The value read, if nothing was written.
    #[inline]
    pub fn compare_exchange(
        &self,
        access: Access,
        failure: Ordering,
        expected: u64,
        new: u64,
        is_weak: bool,
    ) -> Result<u64, u64> {
        let success = access.order;
        self.act(access, Action::CompareExchange { success, failure, expected, new, is_weak }).exchanged()
    }

    /// [`Action::ExchangeRead`]; `None` if it was not done.
    pub fn exchange_read(&self, access: Access, expected: u64, new: u64) -> Option<u64> {
        self.act(access, Action::ExchangeRead { order: access.order, expected, new }).value_if_done()
    }

    /// [`Action::WaitLoad`], without a timeout.
    pub fn wait_load(&self, access: Access, wait: WaitLoad) -> u64 {
        self.act(access, Action::WaitLoad { order: access.order, wait, is_timed: false }).value()
    }

    /// [`Action::WaitLoad`]; `None` if a timeout ended it.
    pub fn wait_load_or_timeout(&self, access: Access, wait: WaitLoad) -> Option<u64> {
        self.act(access, Action::WaitLoad { order: access.order, wait, is_timed: true }).value_if_done()
    }

    /// [`Action::WaitUpdate`], without a timeout.
    pub fn wait_update(&self, access: Access, wait: WaitUpdate) -> u64 {
        self.act(access, Action::WaitUpdate { order: access.order, wait, is_timed: false }).value()
    }

    /// [`Action::WaitUpdate`]; `None` if a timeout ended it.
    pub fn wait_update_or_timeout(&self, access: Access, wait: WaitUpdate) -> Option<u64> {
        self.act(access, Action::WaitUpdate { order: access.order, wait, is_timed: true }).value_if_done()
    }

    /// [`Operation::WaitBehindWriter`].
    pub fn wait_behind_writer(&self, Access { place, location, order }: Access) {
        self.ask(place, Operation::WaitBehindWriter { location, order });
    }

    /// [`Operation::WakeSpuriously`].
    pub fn wakes_spuriously(&self, place: Place) -> bool {
        self.ask(place, Operation::WakeSpuriously).truth()
    }

    /// [`Operation::Fence`].
    #[inline]
    pub fn fence(&self, place: Place, order: Ordering) {
        self.ask(place, Operation::Fence { order });
    }

    /// [`Action::BeginCell`].
    #[inline]
    pub fn begin_cell(&self, place: Place, location: LocationId, is_write: bool) -> CellAccess {
        self.ask(place, Operation::Access { location, action: Action::BeginCell { is_write } }).cell()
    }

    /// [`Notice::CellEnd`].
    #[inline]
    pub fn end_cell(&self, access: CellAccess) {
        self.note(Notice::CellEnd(access));
    }

    /// [`Operation::Count`]: the count before; `None` if it was not changed.
    pub fn count(
        &self,
        place: Place,
        location: LocationId,
        made: SourceLocation,
        change: CountChange,
    ) -> Option<u64> {
        self.ask(place, Operation::Count { location, made, change }).value_if_done()
    }

    /// [`Operation::Spawn`].
    pub fn spawn(
        &self,
        place: Place,
        name: Option<String>,
        stack_bytes: Option<usize>,
        body: Arc<dyn Body>,
    ) -> ThreadId {
        self.ask(place, Operation::Spawn { name, stack_bytes, body }).thread()
    }

    /// [`Operation::Join`].
    ///
    /// # Errors
    /// The payload of the thread's panic.
    pub fn join(&self, place: Place, thread: ThreadId) -> std::thread::Result<()> {
        self.ask(place, Operation::Join { thread }).joined()
    }

    /// [`Operation::IsFinished`].
    pub fn is_finished(&self, place: Place, thread: ThreadId) -> bool {
        self.ask(place, Operation::IsFinished { thread }).truth()
    }

    /// [`Operation::Yield`].
    pub fn yield_now(&self, place: Place) {
        self.ask(place, Operation::Yield);
    }

    /// [`Operation::Choose`]; without asking, if there is no choice. It stands nowhere in the program.
    pub fn choose(&self, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        let place = Place::here(operation_name!("choose"), Orders::None);
        self.ask(place, Operation::Choose { count }).value() as usize
    }

    /// [`Operation::Tick`]; `None` if there is no clock.
    pub fn tick(&self) -> Option<u64> {
        self.ask(Place::here(operation_name!("tick"), Orders::None), Operation::Tick).value_if_done()
    }
}
