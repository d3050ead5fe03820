//! For generated code only.

#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::check::Verdict;
#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::model::{Builder, Range, TestNumber, TestSource, TestThread, run_program, run_test};
#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::specification::expansion::*;

pub use crate::__mark_here as mark_here;

// Calls and markers are of the port: the specification's room, which is before it, may not hand them on.
#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::port::{Call, Condition, Marker, Statement, is_made, mark, note_beside, number};

/// Whether the condition of a marker holds. It can neither leave the function that it stands in, nor change a variable there.
#[cfg(any(feature = "check", loom))]
#[doc(hidden)]
#[inline]
pub fn holds(condition: &dyn Fn() -> bool) -> bool {
    condition()
}

/// Runs a marker if a condition holds.
#[cfg(not(any(feature = "check", loom)))]
#[macro_export]
macro_rules! __mark_here {
    ($name:ident $text:expr, $kind:ident $(($($label:tt)*))?, $condition:expr) => {{
        if false {
            let _: ::core::primitive::bool = $condition;
        }
    }};
}

/// Runs a marker if a condition holds.
#[cfg(any(feature = "check", loom))]
#[macro_export]
macro_rules! __mark_here {
    ($name:ident $text:expr, $kind:ident $(($($label:tt)*))?, $condition:expr) => {{
        const HERE: $crate::__private::SourceLocation = $crate::__private::SourceLocation {
            file: ::core::file!(),
            line: ::core::line!(),
            column: ::core::column!(),
        };
        $crate::__private::inventory::submit! {
            $crate::__private::RegisteredMarker($crate::__private::MarkerText {
                name: ::core::stringify!($name),
                text: $text,
                source: HERE,
            })
        }
        let condition = $crate::__private::Condition::begin();
        #[allow(clippy::redundant_closure, reason = "a condition is no function")]
        let holds = $crate::__private::holds(&|| $condition);
        condition.end(::core::stringify!($name), HERE);
        if holds {
            $crate::__private::mark($crate::__private::Marker::$kind $(($($label)*))?, HERE);
        }
    }};
}

pub use crate::__add_a_field_named_contract_of_the_type_cdsspec_contract_Sets as add_a_field_named_contract_of_the_type_cdsspec_contract_Sets;

/// What methods under a contract run, and what a contract is as data.
#[cfg(any(feature = "check", feature = "contracts", loom))]
pub mod contract {
    pub use crate::__register_contract as register;
    #[cfg(not(any(feature = "check", loom)))]
    pub use cdsspec_contracts::{Call, Constructor, alone, early, expect_here};
    pub use cdsspec_contracts::{
        Condition, ConditionMoment, Contract, DeclaredSet, Keep, Level, Looks, Method, Part, Source, View,
        add_current, intersection, keep, run, union,
    };
    #[cfg(any(feature = "check", loom))]
    pub use cdsspec_runtime::contract::RegisteredContract;
    /// Who has an object alone was ordered after all others by something that the checker has seen.
    #[cfg(any(feature = "check", loom))]
    #[inline]
    pub fn alone<S>(_sets: &mut S) {}
    #[cfg(any(feature = "check", loom))]
    pub use cdsspec_runtime::port::{
        ContractCall as Call, ContractConstructor as Constructor, early, expect_here,
    };
}

/// Where an object under a contract has its sets, if nothing else is said. The name is what the compiler says where there is no such field.
#[doc(hidden)]
#[macro_export]
macro_rules! __add_a_field_named_contract_of_the_type_cdsspec_contract_Sets {
    ($object:expr) => {
        $object.contract
    };
}

/// Lists a contract.
#[cfg(any(feature = "check", loom))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register_contract {
    ($contract:ident) => {
        $crate::__private::inventory::submit! {
            $crate::__private::contract::RegisteredContract(&$contract)
        }
    };
}

/// Lists a contract: only the checker does.
#[cfg(all(feature = "contracts", not(any(feature = "check", loom))))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register_contract {
    ($contract:ident) => {};
}
