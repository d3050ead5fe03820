//! loom's API by loom's name: see the crate `cdsspec-loom`.

pub use cdsspec_loom::*;
