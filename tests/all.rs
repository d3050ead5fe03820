//! Programs with verdict and counts, golden reports, bad input: a module for each subject, all in one test program, since to build and to link
//! many of them takes longer than to run them. What needs [`allocator!`](cdsspec::allocator) is in `allocator.rs`, what is built with other
//! profiles as well in `profiles.rs`.

mod by_hand;
mod child;
mod litmus_data;
mod stack;

mod advice;
mod arcs;
mod bad_input;
mod bug;
mod closed_forms;
mod conditional;
mod conformance;
mod contract;
mod crash;
mod cyclic;
mod ends;
mod generic;
mod handle_counts;
mod interrupted;
mod litmus;
mod loops;
mod loops_twin;
mod marker;
mod memory_models;
mod model_twin;
mod naive_twin;
mod nested;
mod notes;
mod objects;
mod operational;
mod random;
mod readme;
mod relation;
mod replay;
mod shared;
mod smallest;
mod specification;
mod statement;
mod std_names;
mod test_attribute;
mod treiber;
mod watchdog;
