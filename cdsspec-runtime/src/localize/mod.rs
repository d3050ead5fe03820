//! Localization: from a long history that is not linearizable to the few calls that trigger the fault.
//!
//! Histories are long runs of a structure, whose calls are drawn from its scenario: under the engine `random` with the memory model `Sc`, or on real threads. Each is judged by the sequential side of the specification
//! that stands beside the methods, or by a sequential specification that is given by hand. Of one that is not linearizable algorithm 1 of the paper finds a *test case*: calls that prepare a state, a few calls at
//! once that trigger the fault, and calls that reveal it. What it does not need is left out, and an exhaustive exploration shows what runs cannot: that the test case fails, and that no call of those
//! at once can be left out.
//!
//! # Paper
//! Localization of linearizability faults on the coarse-grained level (Zhang, Wu and Zhang; CGVT):
//!
//! | there | here |
//! |---|---|
//! | detection, III.A | [`Localize::run`]; linearizability is judged by `cdsspec-linearize` |
//! | smallest prefix `H_p(b)`, `OpOrder`, algorithm 1 | [`LocalizedFault::matrix`]; `algorithm.rs` says where the listing leaves something open |
//! | `CHECK`, σ | runs that keep to the recorded steps as far as they fit, up to [`Localize::runs`] times |
//! | type 1 and 2, table I | [`Reveal`] |
//! | the rule of one operation, III.C | [`Localize::one_call_first`] |
//! | minimum test case, definition 2 | [`CaseProof`], which the paper leaves to runs |
//! | version B | [`HistorySource::RealThreads`] |
//!
//! Not here: histories of weak memory, where there is no real time; calls that do not return; and what a call does to shared state before its first instrumented operation and behind its last one, since it is
//! taken to last from the one to the other: std's own atomics, counts of std's `Arc`.

mod algorithm;
mod case;
mod judge;
mod linearize;
mod localization;
mod moment;
mod prove;
mod real;
mod run;
mod shorten;
mod specified;
mod text;

/// What a structure does when its calls come one after the other, said by hand.
pub use cdsspec_linearize::{Access, Discipline, SequentialSpecification, model};
pub use linearize::{Linearization, RefusedCall, RefusedCalls, linearize};
pub use localization::{Localization, Localize, LocalizedFault, Obstacle, RefusedHistory, Reveal, localize};
pub use prove::CaseProof;
pub use run::HistorySource;
