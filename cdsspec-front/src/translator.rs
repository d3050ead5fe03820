//! What is translated so far.

use crate::code::Procedure;
use crate::message::Fail;
use crate::module::{FunctionId, Module};
use crate::types::{Names, Type};
use std::collections::BTreeMap;

/// What is known of a function that was translated.
#[derive(Clone)]
pub(crate) struct Signature {
    pub(crate) procedure: String,
    pub(crate) parameters: Vec<Type>,
    pub(crate) returned: Type,
    /// Whether it may store or allocate.
    pub(crate) has_effect: bool,
}

pub(crate) enum State {
    Begun,
    Done(Signature),
    Failed,
}

/// All that is translated so far.
pub(crate) struct Translator<'m> {
    pub(crate) module: &'m Module,
    pub(crate) states: BTreeMap<FunctionId, State>,
    pub(crate) procedures: Vec<Procedure>,
    pub(crate) errors: Vec<syn::Error>,
}

impl<'m> Translator<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        Self { module, states: BTreeMap::new(), procedures: Vec::new(), errors: Vec::new() }
    }

    /// Looks at the fields of all structs.
    pub(crate) fn check_structs(&mut self) {
        for structure in self.module.structs.values() {
            let names = Names {
                own: Some(Type::Unknown),
                elements: structure.parameters.clone(),
                ..Names::default()
            };
            for (_, ty) in &structure.fields {
                if let Err(Fail::Error(error)) = self.module.read(ty, &names) {
                    self.errors.push(error);
                }
            }
        }
    }
}
