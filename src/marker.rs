//! The macro forms of the ordering point annotations (CDSSpec, section 4.2).

/// Defines the macros: each runs a marker where its condition holds, and in a plain build only looks at the types.
macro_rules! markers {
    ($d:tt $(
        $(#[$doc:meta])*
        $name:ident $variant:ident $arguments:tt;
    )*) => {
        $(markers! { @one $d $(#[$doc])* $name $variant $arguments })*
    };
    (@one $d:tt $(#[$doc:meta])* $name:ident $variant:ident (condition)) => {
        $(#[$doc])*
        #[macro_export]
        macro_rules! $name {
            () => { $crate::__private::mark_here!($name "", $variant, true) };
            ($d condition:expr $d(,)?) => { $crate::__private::mark_here!($name ::core::stringify!($d condition), $variant, $d condition) };
        }
    };
    (@one $d:tt $(#[$doc:meta])* $name:ident $variant:ident (label, condition)) => {
        $(#[$doc])*
        #[macro_export]
        macro_rules! $name {
            ($d label:ident $d(,)?) => { $crate::__private::mark_here!($name ::core::stringify!($d label), $variant(::core::stringify!($d label)), true) };
            ($d label:ident, $d condition:expr $d(,)?) => {
                $crate::__private::mark_here!(
                    $name ::core::concat!(::core::stringify!($d label), ", ", ::core::stringify!($d condition)),
                    $variant(::core::stringify!($d label)),
                    $d condition
                )
            };
        }
    };
}

markers! { $
    /// The last operation before it is an ordering point of the running call, if the condition holds: `op_define!()`,
    /// `op_define!(condition)`.
    op_define Define (condition);
    /// Forgets the ordering points of the running call so far, and the potential ones, if the condition holds: `op_clear!()`, `op_clear!(condition)`.
    op_clear Clear (condition);
    /// [`op_clear!`], then [`op_define!`], if the condition holds: `op_clear_define!()`, `op_clear_define!(condition)`.
    op_clear_define ClearDefine (condition);
    /// The last operation before it may turn out to be an ordering point, if the condition holds: `potential_op!(label)`,
    /// `potential_op!(label, condition)`.
    potential_op Potential (label, condition);
    /// The most recent potential ordering point with this label is one, if the condition holds: `op_check!(label)`,
    /// `op_check!(label, condition)`. A label that no [`potential_op!`] of the program has is a `spec_error`.
    op_check Check (label, condition);
}

/// A condition that is looked at in the body of a method under [`contract`](macro@crate::contract), which takes it: `expects!(condition)`.
#[cfg(any(feature = "check", feature = "contracts", loom))]
#[macro_export]
macro_rules! expects {
    ($($condition:tt)*) => {
        ::core::compile_error!("`expects!` stands in the body of a method under `#[cdsspec::contract(…)]`: put the attribute on the impl")
    };
}

/// A condition that is looked at in the body of a method under [`contract`](macro@crate::contract), which takes it: `expects!(condition)`.
#[cfg(not(any(feature = "check", feature = "contracts", loom)))]
#[macro_export]
macro_rules! expects {
    ($($condition:tt)*) => {
        ()
    };
}
