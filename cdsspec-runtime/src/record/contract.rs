//! Calls under a contract: events, and when their conditions are looked at. What comes of it, the room `contract` says.

use super::{FieldId, Moment, SourceLocation, ThreadId};
use cdsspec_contracts::{ConditionMoment, Contract, View};
use std::fmt;
use std::rc::Rc;

/// Says whether the condition with this index among a method's holds. It has the values of all that the conditions mention but event sets.
pub type KeptConditions = Rc<dyn Fn(usize, &View<'_>) -> bool>;

/// A point of a thread at which a contract is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContractPoint {
    /// Between which operations of the thread.
    pub moment: Moment,
    /// Its place among all such points of the execution, as the engine ran them: tells those of one thread that are between the same operations.
    pub sequence: u32,
}

/// A call of a method under a contract.
#[derive(Clone)]
pub struct ContractEvent {
    /// The contract.
    pub contract: &'static Contract,
    /// The method: an index into the contract's.
    pub method: usize,
    /// The object, told by the sets that it carries; `None` of a constructor that has not returned, or has made nothing.
    pub object: Option<FieldId>,
    /// Whether it makes the object.
    pub is_constructor: bool,
    /// The calling thread.
    pub thread: ThreadId,
    /// Where it is called.
    pub caller: SourceLocation,
    /// When it began.
    pub invocation: ContractPoint,
    /// When it returned, or was left by a panic; `None` while it runs.
    pub response: Option<ContractPoint>,
    /// When its conditions are looked at, in program order. The first is the invocation, behind the operations of the conditions themselves, unless the
    /// call was left in these, or is a constructor that has not returned.
    pub looks: Vec<Look>,
}

/// Conditions of a call are looked at.
#[derive(Clone)]
pub struct Look {
    /// When.
    pub at: ContractPoint,
    /// Which ones.
    pub moment: ConditionMoment,
    /// Which one alone, of a statement.
    pub index: Option<usize>,
    /// Whether each of them holds.
    pub holds: KeptConditions,
}

impl fmt::Debug for ContractEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = self.contract.methods[self.method].name;
        f.debug_struct("ContractEvent")
            .field("method", &method)
            .field("thread", &self.thread)
            .finish_non_exhaustive()
    }
}

/// A call under a contract that begins.
pub struct EventEntry {
    /// The contract.
    pub contract: &'static Contract,
    /// The method: an index into the contract's.
    pub method: usize,
    /// Where it is called.
    pub caller: SourceLocation,
    /// The object, where it is there already.
    pub object: Option<FieldId>,
}
