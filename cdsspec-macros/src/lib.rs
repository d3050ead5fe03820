//! The attribute macros of cdsspec.
