//! Which of the memory orders of a structure are needed: each is weakened, and programs say whether it shows.
//!
//! # Paper
//! Injection: CDSSpec (Ou and Demsky, PPoPP 2017), section 6.4.2. Orders that are stronger than needed: section 6.4.3. Which fences are missing:
//! CheckFence (Burckhardt, Alur and Martin, PLDI 2007), section 4.2.

mod advice;
#[cfg(feature = "json")]
mod advice_json;
mod deadline;
mod found;
mod injection;
mod lower;
mod patch;
mod pool;
mod program;
mod progress;
mod raise;
mod scope;
mod site;
mod source;
mod subject;
mod syntax;
#[cfg(test)]
mod tests;

/// What orders are named by.
pub use crate::port::{Overrides, PlaceLog, ReachedPlace, Replacement};
pub use crate::record::{OperationForm, OperationName, Orders, Place, SourceLocation};
pub use advice::{Advice, MissingFence, Recommendation, advise};
pub use found::Goal;
pub use injection::{Injection, InjectionResult, Injections, weaken};
pub use program::Programs;
pub use scope::Scope;
pub use site::{FencePosition, Level, Part, Site};
pub use subject::{Class, LeftOut, Proof};
