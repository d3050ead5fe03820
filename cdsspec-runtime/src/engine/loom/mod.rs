//! The loom engine.
