//! Builds of other programs: compile errors of the macros, and crates that use cdsspec. They are in one test program so that they run side
//! by side.

mod downstream;
mod ui;
