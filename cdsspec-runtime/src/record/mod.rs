//! Plain data: what one execution did.
//!
//! An engine fills a [`Recording`] through a [`Recorder`], which computes happens-before for one that does not; everything after
//! it (`relation`, `history`, `check`, `report`) reads the recording and nothing else.

#![forbid(unsafe_code)]

mod call;
mod call_recorder;
mod call_stack;
mod cells;
mod clock;
mod contract;
mod contract_recorder;
mod ending;
mod happens_before;
mod id;
mod memory;
mod objects;
mod operation;
mod operation_name;
mod place;
mod recorder;
mod recording;
mod sc_order;
mod schedule;
mod statement;

pub use crate::__operation_name as operation_name;
pub use call::{MethodCall, Moment, OrderingPoint, SpecificationError, SpecificationErrorKind};
pub use call_recorder::{CallEntry, CallTicket};
pub use clock::Clock;
pub use contract::{ContractEvent, ContractPoint, EventEntry, KeptConditions, Look};
pub use contract_recorder::EventTicket;
pub use ending::{
    Ending, Exploration, Limit, LimitKind, Panic, Race, ReachedBound, WaitReason, WaitingThread,
};
#[cfg(all(feature = "checks-graphs", debug_assertions))]
pub(crate) use happens_before::assert_computed;
pub use id::{CallId, FieldId, LocationId, MethodId, ObjectId, OperationId, StoreId, ThreadId};
pub use memory::{Interval, MemoryFault, MemoryFaultKind};
pub use objects::SeenField;
pub use operation::{Done, Operation, OperationKind, Standing, Store, ValueKind};
pub use operation_name::{OperationForm, OperationName, Spelling};
#[cfg(feature = "json")]
pub(crate) use place::order_name;
pub use place::{Orders, Place, SourceLocation};
pub use recorder::Recorder;
pub use recording::{Location, Object, Recording, Thread};
pub use sc_order::ScOrder;
pub use schedule::{
    Course, Drawn, NoSchedule, Schedule, ScheduledStep, SpinEnd, SpinReason, StepChoice, StepKind, StepStore,
    Steps,
};
pub use statement::{Annotation, StatementId};
