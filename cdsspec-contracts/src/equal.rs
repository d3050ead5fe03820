//! Event sets as a field of an object: they say nothing of what the object is.

/// All are equal, so that a type that carries them can derive what it derives without them.
#[doc(hidden)]
#[macro_export]
macro_rules! equal_sets {
    ($sets:ident) => {
        /// All are equal: how an object was used is no part of its value.
        impl ::core::cmp::PartialEq for $sets {
            fn eq(&self, _other: &Self) -> bool {
                true
            }
        }

        impl ::core::cmp::Eq for $sets {}

        /// As equal as they are.
        impl ::core::hash::Hash for $sets {
            fn hash<H: ::core::hash::Hasher>(&self, _state: &mut H) {}
        }

        impl ::core::cmp::PartialOrd for $sets {
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(self.cmp(other))
            }
        }

        /// All are equal.
        impl ::core::cmp::Ord for $sets {
            fn cmp(&self, _other: &Self) -> ::core::cmp::Ordering {
                ::core::cmp::Ordering::Equal
            }
        }
    };
}
