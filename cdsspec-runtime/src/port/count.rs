//! Counts of handles.

/// What is done to the count of the handles of a shared value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountChange {
    /// The first handle, of a value that has none.
    First,
    /// One more handle, made from one that exists.
    Add,
    /// One handle less. Who takes the last one destroys the value.
    Remove,
    /// The count is looked at.
    Look,
    /// The count is looked at, and if there is one handle, that is taken.
    RemoveSole,
    /// The count is looked at, and if there is a handle, there is one more.
    AddIfAny,
}

impl CountChange {
    /// Whether what the caller does next may depend on the count, beyond whether its handle was the last.
    pub fn is_look(self) -> bool {
        matches!(self, Self::Look | Self::RemoveSole | Self::AddIfAny)
    }

    /// What it adds to a count.
    pub fn difference(self, count: u64) -> i64 {
        match self {
            Self::First | Self::Add => 1,
            Self::Remove => -1,
            Self::Look => 0,
            Self::RemoveSole => -i64::from(count == 1),
            Self::AddIfAny => i64::from(count > 0),
        }
    }
}
