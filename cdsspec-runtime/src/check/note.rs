//! What makes a run say less than it seems to.

use std::fmt;

/// Something that makes a run say less than it seems to. A run that is strict, and would hold, does not hold with one of these.
///
/// Serialised, with the feature `json`, it is an object with the field `kind`, the name of the variant in `snake_case`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "kind", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Note {
    /// Calls of a specification ran, and none of them had an ordering point: nothing orders them, whatever the program does.
    NoOrderingPoint {
        /// The name of the specification.
        specification: String,
        /// How many calls that are, over all executions.
        calls: u64,
    },
    /// No call was recorded, and methods of generic types ran for other instances than those that `instance(…)` specifies.
    OnlyUnspecified,
    /// No call was recorded, and methods of annotated types ran that are not annotated.
    NoCall {
        /// The names of the types.
        types: Vec<String>,
    },
    /// An OS thread that is not of the program used an object of an execution while that ran: what it did was not explored.
    UsedOutside {
        /// The operation.
        operation: String,
        /// Where it stands: file and line.
        place: String,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOrderingPoint { specification, calls } => write!(
                f,
                "no call of `{specification}` had an ordering point, of {calls} over all executions: they are concurrent \
                 with each other, whatever the program does (`op_define` and its like give them points)"
            ),
            Self::OnlyUnspecified => f.write_str(
                "no call was checked: only other instances of a generic type ran than the one that `instance(…)` specifies",
            ),
            Self::NoCall { types } => write!(
                f,
                "no call was checked: `{}` was used, but no method with a clause was called in the program",
                types.join("`, `")
            ),
            Self::UsedOutside { operation, place } => write!(
                f,
                "an OS thread that is not of the program did `{operation}` at {place} on an object of an execution, which was \
                 not explored: start threads with `cdsspec::thread`"
            ),
        }
    }
}
