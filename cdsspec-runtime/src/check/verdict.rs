//! The closed list of verdicts.

use std::fmt;

/// The verdicts, from the vocabulary.
macro_rules! verdict {
    ($($(#[$text:meta])* $variant:ident $word:literal $class:ident $remedy:literal;)*) => {
        /// What an execution, or a run, comes to. Worst first: the smaller one wins.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
        pub enum Verdict {
            $($(#[$text])* $variant,)*
        }

        impl Verdict {
            /// The word that reports and JSON use.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// What kind of result it is.
            fn class(self) -> cdsspec_vocabulary::Class {
                match self {
                    $(Self::$variant => cdsspec_vocabulary::Class::$class,)*
                }
            }
        }
    };
}

cdsspec_vocabulary::verdicts!(verdict);

impl Verdict {
    /// Whether something is wrong with the specification, the program, or the implementation.
    pub fn is_fault(self) -> bool {
        self.class() == cdsspec_vocabulary::Class::Fault
    }

    /// Whether it is `holds`, or `holds_within` bounds.
    pub fn is_pass(self) -> bool {
        self.class() == cdsspec_vocabulary::Class::Pass
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
