//! The order over the calls.
