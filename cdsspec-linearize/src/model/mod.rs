//! Specifications of common objects.

mod collection;
mod key_value;
mod mutex;
mod register;
mod sequence;
mod set;

pub use collection::{CollectionOperation, CollectionResult, Queue, Stack};
pub use key_value::{KeyValue, KeyValueOperation, KeyValueResult};
pub use mutex::{Mutex, MutexOperation};
pub use register::{Register, RegisterOperation, RegisterResult};
pub use sequence::Sequence;
pub use set::{Set, SetOperation};
