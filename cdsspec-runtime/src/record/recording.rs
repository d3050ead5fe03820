//! The whole of what one execution did.

use super::{
    CallId, ContractEvent, Ending, LocationId, MemoryFault, MemoryFaultKind, MethodCall, ObjectId, Operation,
    OperationId, ScOrder, SpecificationError, Store, StoreId, ThreadId, ValueKind,
};
use crate::specification::Specification;
use std::collections::HashMap;
use std::fmt;

/// A thread of the program.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// Its name, if it was given one.
    pub name: Option<String>,
    /// The operation that created it; `None` for the main thread.
    pub created_by: Option<OperationId>,
}

/// A memory location.
#[derive(Clone, Copy, Debug)]
pub struct Location {
    /// How its values read.
    pub kind: ValueKind,
    /// Its initial value.
    pub initial: StoreId,
}

/// An annotated object: its specification, and where it lives.
#[derive(Clone, Copy)]
pub struct Object {
    /// What its calls are checked against.
    pub specification: &'static Specification,
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Object({})", self.specification.name)
    }
}

/// One complete run of the program under an engine.
///
/// The tables are dense: the id of an entry is its index. Operations stand in an order that extends sb ∪ rf.
#[derive(Debug)]
pub struct Recording {
    /// The threads, in order of creation; the first is the main thread.
    pub threads: Vec<Thread>,
    /// The locations, in order of first use.
    pub locations: Vec<Location>,
    /// The stores, in the order in which the engine ran them.
    pub stores: Vec<Store>,
    /// The operations, in the order in which the engine ran them.
    pub operations: Vec<Operation>,
    /// The calls, in order of invocation.
    pub calls: Vec<MethodCall>,
    /// The calls under contracts, in order of invocation.
    pub events: Vec<ContractEvent>,
    /// How many points of them there are.
    pub contract_point_count: u32,
    /// The objects, in order of their first call. An object that turned out to be another one, moved, has no calls.
    pub objects: Vec<Object>,
    /// The order of the SeqCst operations.
    pub sc: ScOrder,
    /// The modification order of each location, the initial store first, where the engine knows it.
    pub modification_order: Option<Vec<Vec<StoreId>>>,
    /// How the execution ended.
    pub ending: Ending,
    /// Whether some thread went round a loop with a hint in it, without an effect, before it went on: where no calls are recorded, another execution differs from
    /// this one in nothing but that.
    pub is_delayed: bool,
    /// What is wrong with how it used its memory, as far as that was looked at.
    pub memory_faults: Vec<MemoryFault>,
    /// How many blocks the program allocated and left, and their bytes.
    pub left: (u64, u64),
    /// Mistakes in specifications that showed, in the order in which they did.
    pub errors: Vec<SpecificationError>,
}

impl Default for Recording {
    fn default() -> Self {
        Self {
            threads: Vec::new(),
            locations: Vec::new(),
            stores: Vec::new(),
            operations: Vec::new(),
            calls: Vec::new(),
            events: Vec::new(),
            contract_point_count: 0,
            objects: Vec::new(),
            sc: ScOrder::Unordered,
            modification_order: None,
            is_delayed: false,
            ending: Ending::Complete,
            memory_faults: Vec::new(),
            left: (0, 0),
            errors: Vec::new(),
        }
    }
}

impl Recording {
    /// The operation with this id.
    pub fn operation(&self, id: OperationId) -> &Operation {
        &self.operations[id.index()]
    }

    /// The store with this id.
    pub fn store(&self, id: StoreId) -> &Store {
        &self.stores[id.index()]
    }

    /// The call with this id.
    pub fn call(&self, id: CallId) -> &MethodCall {
        &self.calls[id.index()]
    }

    /// The specification of an object.
    pub fn specification(&self, object: ObjectId) -> &'static Specification {
        self.objects[object.index()].specification
    }

    /// Whether `first` happens before `second` (C11, with C++20 release sequences).
    pub fn happens_before(&self, first: OperationId, second: OperationId) -> bool {
        self.operation(first).happens_before(self.operation(second))
    }

    /// Whether `first` is before `second` in the order of SeqCst operations.
    pub fn sc_before(&self, first: OperationId, second: OperationId) -> bool {
        match &self.sc {
            ScOrder::Unordered => false,
            ScOrder::Pairs(pairs) => {
                pairs.get(&first).is_some_and(|after| after.binary_search(&second).is_ok())
            }
        }
    }

    /// The values of a location of kind `Pointer` are numbered in order of appearance, so that no address is ever printed:
    /// the number of each, from 1.
    pub fn pointer_numbers(&self) -> HashMap<u64, usize> {
        let mut numbers = HashMap::new();
        for store in &self.stores {
            if self.locations[store.location.index()].kind == ValueKind::Pointer && store.value != 0 {
                let next = numbers.len() + 1;
                numbers.entry(store.value).or_insert(next);
            }
        }
        numbers
    }

    /// Whether it has used its memory in a way after which nothing else that it did says anything.
    pub fn is_memory_broken(&self) -> bool {
        self.memory_faults
            .iter()
            .any(|fault| !matches!(fault.kind, MemoryFaultKind::Leaked { .. } | MemoryFaultKind::Left { .. }))
    }

    /// Drops the recorded values.
    pub(crate) fn release_values(&mut self) {
        self.calls.clear();
        self.events.clear();
    }

    /// Forgets everything; keeps the memory of the plain tables.
    pub(super) fn clear(&mut self) {
        self.threads.clear();
        self.locations.clear();
        self.stores.clear();
        self.operations.clear();
        self.calls.clear();
        self.events.clear();
        self.contract_point_count = 0;
        self.objects.clear();
        self.sc = ScOrder::Unordered;
        self.modification_order = None;
        self.ending = Ending::Complete;
        self.is_delayed = false;
        self.memory_faults.clear();
        self.left = (0, 0);
        self.errors.clear();
    }

    /// The locations' ids.
    pub fn location_ids(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..self.locations.len()).map(LocationId::new)
    }

    /// The threads' ids.
    pub fn thread_ids(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.threads.len()).map(ThreadId::new)
    }
}
