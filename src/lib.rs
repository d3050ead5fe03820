//! cdsspec
