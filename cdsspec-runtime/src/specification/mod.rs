//! The erased face of a specification: what the macros make and the checker runs (CDSSpec, section 4).
//!
//! A [`Specification`] is plain data with function pointers; states and recorded values travel as `dyn Any`, and only the
//! functions that the macro generated for their types look inside.

pub mod expansion;
mod instance;
mod integer;
mod key;
mod object;
mod probe;
mod registry;
mod shared;
mod step;
mod structure;
mod unmentioned;

pub use instance::{as_instance, assert_instance, is_instance};
pub(crate) use integer::integer_text;
pub use key::KeySupport;
pub use object::{LeadsToObject, ObjectByDeref, ObjectByPointer, ObjectExtent, ObjectNever, ObjectProbe};
pub use probe::{
    AgreesByEquality, AgreesByUnit, AgreesNever, Comparison, Probe, ProbeClone, ProbeKey, ProbeNoClone,
    ProbeNoKey, ProbeNoRender, ProbeNoShow, ProbeRender, ProbeShow, ReturnedBy, keep,
};
pub use registry::{RegisteredMarker, RegisteredSpecification, helper_markers, marked_labels, registry};
pub use shared::{
    BlockMethod, OtherMethod, RegisteredBlock, SharedSpecification, SpecificationBlock, SpecifiedMethod,
    first_method, method_id, name_of, other_method, returned_of, shared_methods,
};
pub use step::{Broken, Concurrent, ConcurrentCall, Step, StepMode, says_nothing};
pub use structure::{RegisteredStructures, Unit};
pub(crate) use structure::{expected_steps, expected_steps_of_text};
pub use unmentioned::{ReturnBorrowing, ReturnOwned, ReturnProbe, Unkept, Unmentioned, unmentioned_key};

use crate::record::{MethodId, SourceLocation};
use std::any::Any;
use std::fmt;

/// A specification: the sequential state, and what each method says.
pub struct Specification {
    /// The name of the specified type.
    pub name: &'static str,
    /// Where the outer attribute stands.
    pub source: SourceLocation,
    /// The sequential state.
    pub state: StateSupport,
    /// The methods; a [`MethodId`] is an index here.
    pub methods: Vec<Method>,
    /// The admissibility rules, in the order in which they are written.
    pub rules: Vec<AdmissibilityRule>,
}

impl Specification {
    /// The method with this id.
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }
}

impl fmt::Debug for Specification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Specification").field("name", &self.name).finish_non_exhaustive()
    }
}

/// How the checker makes, copies, shows and compares sequential states (CDSSpec, section 4.1).
#[derive(Clone, Copy)]
pub struct StateSupport {
    /// `initial`: a state in which nothing has happened yet.
    pub initial: fn() -> Box<dyn Any>,
    /// `copy`: an independent copy.
    pub copy: fn(&dyn Any) -> Box<dyn Any>,
    /// `clear`: the end of a state.
    pub clear: fn(Box<dyn Any>),
    /// Text for reports, where the state is `Debug`.
    pub render: Option<fn(&dyn Any) -> String>,
    /// Equality and hash, where the state has them.
    pub key: Option<KeySupport>,
}

/// What a specification says of one method.
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub source: SourceLocation,
    /// Its clauses, in the order of [`ClauseKind`].
    pub clauses: Vec<Clause>,
    /// Runs the clauses that a mode asks for, on a state, for one call.
    pub step: fn(&mut Step<'_>) -> Result<(), Broken>,
    /// The ordering point annotations in its body, in order.
    pub markers: Vec<MarkerText>,
    /// How its recorded values are shown and compared.
    pub values: ValueSupport,
}

impl Method {
    /// The clause of this kind, if the method has one.
    pub fn clause(&self, kind: ClauseKind) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.kind == kind)
    }

    /// Whether a clause other than the justifying ones may look at `concurrent`: the word is in its text. A clause cannot do so without it.
    pub fn has_conditions_on_concurrent(&self) -> bool {
        let is_condition = |clause: &&Clause| !is_justifying(clause.kind);
        self.clauses.iter().filter(is_condition).any(|clause| clause.text.contains("concurrent"))
    }

    /// Whether calls of this method must be justified (CDSSpec, definition 4).
    pub fn is_justified(&self) -> bool {
        self.clauses.iter().any(|clause| is_justifying(clause.kind))
    }
}

fn is_justifying(kind: ClauseKind) -> bool {
    matches!(kind, ClauseKind::JustifyingPreCondition | ClauseKind::JustifyingPostCondition)
}

/// How the recorded values of a method's calls are shown and compared.
#[derive(Clone, Copy)]
pub struct ValueSupport {
    /// The arguments as text, one entry a parameter, in order; `_` for one that is not recorded or cannot be shown.
    pub render_arguments: fn(&dyn Any) -> Vec<String>,
    /// The return value as text; `None` if it is not recorded, cannot be shown, or is `()`.
    pub render_return: fn(&dyn Any) -> Option<String>,
    /// Equality and hash of the whole record, where all recorded types have them.
    pub key: Option<KeySupport>,
}

/// The clauses, from the vocabulary.
macro_rules! clause_kind {
    ($($variant:ident $name:literal $is_after_effect:literal;)*) => {
        /// The clauses of a method (CDSSpec, section 4.3), and the rule that stands where no post_condition does.
        ///
        /// Serialised, with the feature `json`, it is the name of the variant in `snake_case`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
        pub enum ClauseKind {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
            /// No post_condition: the call returns what the side effect returns.
            SameReturn,
        }

        impl ClauseKind {
            /// The name of the attribute.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::SameReturn => "side_effect (the call must return its value)",
                }
            }
        }
    };
}

cdsspec_vocabulary::clauses!(clause_kind);

/// An ordering point annotation as the user wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkerText {
    /// Its name: `op_define`.
    pub name: &'static str,
    /// Its label and condition, white space folded; empty if it has none.
    pub text: &'static str,
    /// Where it stands.
    pub source: SourceLocation,
}

impl MarkerText {
    /// The label of a `potential_op`: what stands before the comma.
    fn potential_label(self) -> Option<&'static str> {
        let label = self.text.split(',').next().map(str::trim);
        label.filter(|_| self.name == "potential_op")
    }
}

/// A clause as the user wrote it.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    /// Which of the clauses.
    pub kind: ClauseKind,
    /// Its text, white space folded.
    pub text: &'static str,
    /// Where it stands.
    pub source: SourceLocation,
}

/// `#[admit(first <-> second, condition)]`: the two calls must be ordered whenever the condition holds (CDSSpec, section 4.1).
pub struct AdmissibilityRule {
    /// The method of `m1`.
    pub first: MethodId,
    /// The method of `m2`.
    pub second: MethodId,
    /// The rule, as written.
    pub text: &'static str,
    /// Where it stands.
    pub source: SourceLocation,
    /// The condition, on the recorded values of a call of `first` and a call of `second`.
    pub must_be_ordered: fn(&dyn Any, &dyn Any) -> bool,
}
