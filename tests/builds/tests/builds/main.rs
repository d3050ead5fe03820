//! Builds of other programs: compile errors of the macros, and crates that use cdsspec. They are in one test program so that they run side
//! by side: tests are begun by name, and those of [`downstream`] wait for each other.

mod compile_errors;
mod downstream;
