//! What stands in a specification (CDSSpec, section 4, figure 5).

/// The clauses of a method, in the order in which they run: hands `Variant "name" is_after_effect` to the macro of this name; the last is
/// whether the clause sees what the side effect did.
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

macro_rules! names {
    ($($variant:ident $name:literal $is_after_effect:literal;)*) => {
        /// The names of the clauses, in the order in which they run.
        pub const CLAUSES: &[&str] = &[$($name),*];
    };
}

clauses!(names);

/// What stands on the impl beside `spec`.
pub const IMPL_HELPERS: [&str; 5] = ["declare_state", "initial", "copy", "clear", "admit"];

/// The ordering point annotations, of statements and as macros.
pub const MARKERS: [&str; 5] = ["op_define", "op_clear", "op_clear_define", "potential_op", "op_check"];
