//! Statements of a test that are left out, and numbers that are replaced, to see whether it fails without them.

/// What is left out of a test, and which numbers are replaced. What it does not name is as written.
#[derive(Clone, Default, Debug)]
pub struct Omission {
    /// By the numbers of statements: whether they are left out.
    pub statements: Vec<bool>,
    /// By the numbers of numbers: what they are instead.
    pub numbers: Vec<Option<i128>>,
}
