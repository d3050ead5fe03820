//! What `CDSSPEC_CONTRACTS` says.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What happens where a contract is violated: the variable `CDSSPEC_CONTRACTS`, which is read once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// `panic`, and the default: the report goes to standard error, and the thread panics.
    Panic,
    /// `log`: the report goes to standard error, and the thread goes on.
    Log,
    /// `abort`: the report goes to standard error, and the process aborts.
    Abort,
    /// `off`: contracts are not looked at, and there are no clocks.
    Off,
}

impl Action {
    /// The action of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "panic" => Some(Self::Panic),
            "log" => Some(Self::Log),
            "abort" => Some(Self::Abort),
            "off" => Some(Self::Off),
            _ => None,
        }
    }

    /// What the variable says. What is no action is told once, on standard error, and taken for `panic`.
    pub fn of_process() -> Self {
        static ACTION: OnceLock<Action> = OnceLock::new();
        *ACTION.get_or_init(|| match std::env::var("CDSSPEC_CONTRACTS") {
            Ok(name) => Self::from_name(&name).unwrap_or_else(|| {
                eprintln!(
                    "cdsspec: CDSSPEC_CONTRACTS is `{name}`: it takes `panic`, `log`, `abort` or `off`"
                );
                Self::Panic
            }),
            Err(_) => Self::Panic,
        })
    }
}

/// Whether it is told that a thread was made by nobody that is seen: `CDSSPEC_CONTRACTS_FOREIGN`, which is read once, is not `silent`.
pub(crate) fn is_foreign_noted() -> bool {
    static IS_NOTED: OnceLock<bool> = OnceLock::new();
    *IS_NOTED
        .get_or_init(|| std::env::var_os("CDSSPEC_CONTRACTS_FOREIGN").is_none_or(|word| word != "silent"))
}

const UNKNOWN: u8 = 0;
const ON: u8 = 1;
const OFF: u8 = 2;

static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether contracts are looked at in this process.
#[inline]
pub(crate) fn is_on() -> bool {
    match STATE.load(Relaxed) {
        ON => true,
        OFF => false,
        _ => look(),
    }
}

#[cold]
fn look() -> bool {
    let is_on = Action::of_process() != Action::Off;
    STATE.store(if is_on { ON } else { OFF }, Relaxed);
    is_on
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_named_as_in_the_variable() {
        let names = ["panic", "log", "abort", "off", "Panic", ""].map(Action::from_name);
        let actions = [Action::Panic, Action::Log, Action::Abort, Action::Off].map(Some);
        assert_eq!(names[..4], actions);
        assert_eq!(names[4..], [None, None]);
    }
}
