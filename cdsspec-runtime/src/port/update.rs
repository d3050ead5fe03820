//! What an operation makes of a value, as plain data.

/// What a read-modify-write makes of a value. Plain data: an engine may keep it and apply it again.
#[derive(Clone, Copy, Debug)]
pub struct Update {
    /// The second argument of `function`.
    pub operand: u64,
    /// Gives the new value for the old one and `operand`. Depends on nothing else.
    pub function: fn(u64, u64) -> u64,
}

impl Update {
    /// The new value for the old one.
    pub fn apply(&self, old: u64) -> u64 {
        (self.function)(old, self.operand)
    }
}

/// What a read-modify-write that waits makes of a value. Plain data: an engine may keep it and apply it again.
#[derive(Clone, Copy, Debug)]
pub struct WaitUpdate {
    /// The second argument of `function`.
    pub operand: u64,
    /// Gives the new value for the old one and `operand`; `None`: it waits for another. Depends on nothing else.
    pub function: fn(u64, u64) -> Option<u64>,
}

impl WaitUpdate {
    /// The new value for the old one; `None`: it waits for another.
    pub fn apply(&self, old: u64) -> Option<u64> {
        (self.function)(old, self.operand)
    }
}

/// Which value a load waits for. Plain data: an engine may keep it and ask it again.
#[derive(Clone, Copy, Debug)]
pub struct WaitLoad {
    /// The second argument of `function`.
    pub operand: u64,
    /// Whether the value is one to wait for, given `operand`. Depends on nothing else.
    pub function: fn(u64, u64) -> bool,
}

impl WaitLoad {
    /// Whether the value is one to wait for.
    pub fn is_satisfied(&self, value: u64) -> bool {
        (self.function)(value, self.operand)
    }
}
