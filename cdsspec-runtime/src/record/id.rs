//! Dense, typed numbers for the things of one execution.

macro_rules! dense_id {
    ($($(#[$doc:meta])* $name:ident: $letter:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "json", derive(serde::Serialize), serde(transparent))]
        pub struct $name(u32);

        impl $name {
            /// The id with this index.
            ///
            /// # Panics
            /// If `index` does not fit in 32 bits.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 things happen in one execution"))
            }

            /// The index in the table that this id numbers, from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    )*};
}

dense_id! {
    /// A method call, in order of invocation: an index into [`Recording::calls`](super::Recording::calls).
    CallId: "#";
    /// An instrumented object that the execution has met, in order: a field of the annotated object that it lies in. It moves with
    /// that, and stays the same where it becomes a new location, as by `get_mut`.
    FieldId: "f";
    /// A memory location, in order of first use: an index into [`Recording::locations`](super::Recording::locations).
    LocationId: "l";
    /// A method of one specification: an index into its table of methods.
    MethodId: "m";
    /// An annotated object, in order of its first call: an index into [`Recording::objects`](super::Recording::objects).
    ObjectId: "o";
    /// An operation, in the order in which the engine ran them: an index into
    /// [`Recording::operations`](super::Recording::operations).
    OperationId: "op";
    /// A store, in the order in which the engine ran them: an index into [`Recording::stores`](super::Recording::stores).
    StoreId: "s";
    /// A thread, in order of creation; the main thread of the program is 0.
    ThreadId: "t";
}
