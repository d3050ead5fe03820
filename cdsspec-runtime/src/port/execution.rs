//! The execution that instrumented types talk to.

use super::census::{Census, OutsideUse};
use super::ordered::OrderedPort;
use super::running::{self, Running};
use super::{Holds, Locals, LocationHint, Notice, Omission, OrderTable, Port};
use crate::heap::Heap;
use crate::record::{FieldId, LocationId, Recorder, ThreadId, ValueKind};
use cdsspec_contracts::Level;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// One execution at a time of one run: the engine, the recorder, and which object is which location.
pub struct Execution {
    port: Rc<dyn Port>,
    /// The same with other orders, in a run that has an order table.
    ordered: OnceCell<OrderedPort>,
    recorder: Rc<RefCell<Recorder>>,
    number: Cell<u64>,
    /// The number again, for other OS threads.
    running: Arc<Running>,
    census: Census,
    /// The location of each instrumented object that the execution has met; none of one that it has not used.
    fields: RefCell<Vec<Option<LocationId>>>,
    by_address: RefCell<HashMap<usize, FieldId, BuildHasherDefault<AddressHasher>>>,
    /// The token of each thread that has parked or was unparked.
    tokens: RefCell<Vec<Option<LocationId>>>,
    locals: Locals,
    holds: Holds,
    omission: OnceCell<Arc<Omission>>,
    heap: Heap,
    /// In how many calls each thread is that answer for their accesses themselves.
    exempt: RefCell<Vec<u32>>,
    /// In how many conditions of contracts each thread is: what these call is no call.
    looking: RefCell<Vec<u32>>,
    /// The highest level of the conditions of contracts that are looked at.
    contract_level: Level,
}

/// Spreads addresses: nobody chooses them to collide, and most maps have few.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        // The map takes the top bits for one thing and the low ones for another.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(byte.into()));
    }

    #[inline]
    fn write_usize(&mut self, address: usize) {
        // An odd number near 2^64 over the golden ratio.
        self.0 = (self.0 ^ address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        running::remove(&self.running);
        self.heap.end();
    }
}

impl Execution {
    /// The executions of a run under this engine. Call [`begin`](Self::begin) at the start of each.
    pub fn new(port: Rc<dyn Port>, recorder: Rc<RefCell<Recorder>>) -> Self {
        let teller = Rc::clone(&port);
        Self {
            heap: Heap::new(move || teller.progress()),
            port,
            ordered: OnceCell::new(),
            recorder,
            number: Cell::new(0),
            running: running::add(),
            census: Census::default(),
            fields: RefCell::default(),
            by_address: RefCell::default(),
            tokens: RefCell::default(),
            locals: Locals::default(),
            holds: Holds::default(),
            exempt: RefCell::default(),
            looking: RefCell::default(),
            contract_level: Level::Axiom,
            omission: OnceCell::new(),
        }
    }

    /// The same, in which the conditions of contracts up to this level are evaluated: all, if nothing is said.
    #[must_use]
    pub fn with_contract_level(mut self, contract_level: Level) -> Self {
        self.contract_level = contract_level;
        self
    }

    /// A new execution begins, and is recorded: every object starts from its constructed value.
    pub fn begin(&self) {
        self.begin_unrecorded();
        self.recorder.borrow_mut().begin();
    }

    /// A new execution begins, of an engine that begins its recording when something needs it.
    pub fn begin_unrecorded(&self) {
        let number = running::take_number();
        self.running.number.store(number, Ordering::Relaxed);
        self.number.set(number);
        self.fields.borrow_mut().clear();
        self.by_address.borrow_mut().clear();
        self.tokens.borrow_mut().clear();
        self.locals.forget();
        self.holds.forget();
        self.exempt.borrow_mut().clear();
        self.looking.borrow_mut().clear();
        self.heap.begin(number);
    }

    /// The engine; in a run with an order table, by way of that.
    pub fn port(&self) -> &dyn Port {
        match self.ordered.get() {
            None => &*self.port,
            Some(ordered) => ordered,
        }
    }

    /// The orders of the run, to be set at the start of each execution of it.
    pub fn set_orders(&self, table: &Arc<OrderTable>) {
        self.ordered
            .get_or_init(|| OrderedPort::new(self.port.clone(), self.recorder.clone(), table.clone()));
    }

    /// What is left out of the test in this run, to be set at the start of each execution of it.
    pub(crate) fn leave_out(&self, omission: &Arc<Omission>) {
        self.omission.get_or_init(|| omission.clone());
    }

    /// What is left out of the test in this run.
    pub(super) fn omission(&self) -> &Omission {
        static NOTHING: Omission = Omission { statements: Vec::new(), numbers: Vec::new() };
        self.omission.get().map_or(&NOTHING, |omission| omission)
    }

    /// Which execution it is: never 0, no two alike in one process.
    pub fn number(&self) -> u64 {
        self.number.get()
    }

    /// The token that a thread waits for when it parks: 1 if it is there, else 0.
    pub fn token(&self, thread: ThreadId) -> LocationId {
        let known = self.tokens.borrow().get(thread.index()).copied().flatten();
        known.unwrap_or_else(|| {
            let location = self.port.new_location(ValueKind::Internal, 0);
            let mut tokens = self.tokens.borrow_mut();
            if tokens.len() <= thread.index() {
                tokens.resize(thread.index() + 1, None);
            }
            tokens[thread.index()] = Some(location);
            location
        })
    }

    /// What the run has done so far that is recorded nowhere.
    pub fn census(&self) -> &Census {
        &self.census
    }

    /// What an OS thread that is not of the program did to an object of it, first.
    pub fn outside_use(&self) -> Option<OutsideUse> {
        self.running.outside_use.get().copied()
    }

    /// What the program allocated and freed.
    pub(crate) fn heap(&self) -> &Heap {
        &self.heap
    }

    /// What `thread_local!` keeps.
    pub(crate) fn locals(&self) -> &Locals {
        &self.locals
    }

    /// Who has which locks.
    pub(crate) fn holds(&self) -> &Holds {
        &self.holds
    }

    /// The running thread is in a call whose accesses of cells are no races, or has left one.
    pub(crate) fn exempt(&self, is_begin: bool) {
        count(&self.exempt, self.port().thread(), is_begin);
    }

    /// Whether accesses of cells by the running thread are no races.
    pub(crate) fn is_exempt(&self) -> bool {
        is_counted(&self.exempt, || self.port().thread())
    }

    /// The running thread evaluates a condition of a contract, or has done so.
    pub(crate) fn look(&self, is_begin: bool) {
        count(&self.looking, self.port().thread(), is_begin);
    }

    /// Whether what the running thread calls is a part of a condition of a contract.
    pub(crate) fn is_looking(&self) -> bool {
        is_counted(&self.looking, || self.port().thread())
    }

    /// The highest level of the conditions of contracts that are looked at.
    pub(crate) fn contract_level(&self) -> Level {
        self.contract_level
    }

    /// The program has seen that a lock is poisoned.
    pub(crate) fn take_poison(&self, lock: LocationId) {
        self.holds.take_poison(lock, self.port());
    }

    /// The recorder.
    pub fn recorder(&self) -> &RefCell<Recorder> {
        &self.recorder
    }

    /// The location that an object is in this execution; a new one, with its constructed value, at its first use.
    pub fn locate(&self, hint: &LocationHint, kind: ValueKind, initial: impl FnOnce() -> u64) -> LocationId {
        self.locate_field(hint, kind, initial).1
    }

    /// The same, with the field that the object is.
    fn locate_field(
        &self,
        hint: &LocationHint,
        kind: ValueKind,
        initial: impl FnOnce() -> u64,
    ) -> (FieldId, LocationId) {
        let field = self.meet(hint);
        if let Some(location) = self.location_of(field) {
            return (field, location);
        }
        let location = self.port.new_location(kind, initial());
        self.fields.borrow_mut()[field.index()] = Some(location);
        (field, location)
    }

    /// The location that an object is in this execution, if the execution has used it.
    pub fn find(&self, hint: &LocationHint) -> Option<LocationId> {
        self.location_of(self.field_of(hint)?)
    }

    /// The object is to be a new location from its next use on, with the value that it has then; what it is a field of stays.
    pub(crate) fn renew(&self, hint: &LocationHint) {
        let field = self.meet(hint);
        self.fields.borrow_mut()[field.index()] = None;
    }

    /// The field that an object is, if the execution has met it.
    fn field_of(&self, hint: &LocationHint) -> Option<FieldId> {
        let known = hint.field(self.number.get());
        if known.is_some() || hint.is_fresh() {
            return known;
        }
        self.by_address.borrow().get(&hint.address()).copied()
    }

    /// The field that an object is: a new one, without a location, if the execution has not met it.
    pub(super) fn meet(&self, hint: &LocationHint) -> FieldId {
        let number = self.number.get();
        if let Some(field) = hint.field(number) {
            return field;
        }
        let is_made = hint.is_fresh();
        if hint.is_used_outside_since(number) {
            running::note_marked_use(number, hint.address());
        }
        let field = self.field_of(hint).unwrap_or_else(|| {
            let mut fields = self.fields.borrow_mut();
            fields.push(None);
            FieldId::new(fields.len() - 1)
        });
        hint.set(number, field, is_made);
        self.by_address.borrow_mut().insert(hint.address(), field);
        field
    }

    fn location_of(&self, field: FieldId) -> Option<LocationId> {
        self.fields.borrow()[field.index()]
    }

    /// What [`locate`](Self::locate) does, for an operation of the running thread: notes whether it touches the object of a call.
    pub fn locate_for_operation(
        &self,
        hint: &LocationHint,
        kind: ValueKind,
        initial: impl FnOnce() -> u64,
    ) -> LocationId {
        let (field, location) = self.locate_field(hint, kind, initial);
        self.heap.touch(location, hint.address());
        self.port.note(Notice::Touch(hint));
        if self.recorder.borrow().has_calls() && !self.port.is_unobserved() {
            self.recorder.borrow_mut().touch(self.port.thread(), hint.address(), field);
        }
        location
    }
}

/// One more or one less, of this thread.
fn count(counts: &RefCell<Vec<u32>>, thread: ThreadId, is_begin: bool) {
    let (mut counts, thread) = (counts.borrow_mut(), thread.index());
    if counts.len() <= thread {
        counts.resize(thread + 1, 0);
    }
    counts[thread] = if is_begin { counts[thread] + 1 } else { counts[thread].saturating_sub(1) };
}

/// Whether this thread has any.
fn is_counted(counts: &RefCell<Vec<u32>>, thread: impl FnOnce() -> ThreadId) -> bool {
    let counts = counts.borrow();
    !counts.is_empty() && counts.get(thread().index()).is_some_and(|count| *count > 0)
}
