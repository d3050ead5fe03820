//! Outcome sets of other programs, random programs against brute force, counterexamples against the axioms, and the language: a module for each
//! subject, all in one test program, since each costs a link.

mod armv8;
mod explore;
mod hardware;
mod language;
mod notation;
mod random;
mod rc11;
mod relaxed;
