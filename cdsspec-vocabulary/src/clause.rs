//! What stands in a specification (CDSSpec, section 4, figure 5).

/// A clause of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The name of the attribute.
    pub name: &'static str,
    /// The name of the variant that stands for it.
    pub variant: &'static str,
    /// Whether it sees what the side effect did.
    pub is_after_effect: bool,
}

/// An ordering point annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marker {
    /// The name of the attribute, and of the macro.
    pub name: &'static str,
    /// Whether it has a label before its condition.
    pub has_label: bool,
}

/// The clauses, in the order in which they run: hands `Variant "name" is_after_effect` to the macro of this name.
#[macro_export]
macro_rules! clauses {
    ($callback:path) => {
        $callback! {
            PreCondition "pre_condition" false;
            JustifyingPreCondition "justifying_pre_condition" false;
            SideEffect "side_effect" false;
            JustifyingPostCondition "justifying_post_condition" true;
            PostCondition "post_condition" true;
        }
    };
}

macro_rules! clause_rows {
    ($($variant:ident $name:literal $is_after_effect:literal;)*) => {
        /// The clauses, in the order in which they run.
        pub const CLAUSES: &[Clause] = &[$(Clause {
            name: $name,
            variant: stringify!($variant),
            is_after_effect: $is_after_effect,
        }),*];
    };
}

clauses!(clause_rows);

/// What stands on the impl beside `spec`.
pub const IMPL_HELPERS: [&str; 5] = ["declare_state", "initial", "copy", "clear", "admit"];

/// The ordering point annotations, of statements and as macros.
pub const MARKERS: &[Marker] = &[
    Marker { name: "op_define", has_label: false },
    Marker { name: "op_clear", has_label: false },
    Marker { name: "op_clear_define", has_label: false },
    Marker { name: "potential_op", has_label: true },
    Marker { name: "op_check", has_label: true },
];
