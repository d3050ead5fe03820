//! What can be invoked on a type.

use crate::diagnostics::{
    Errors, SCENARIO_NOT_INVOKABLE, SCENARIO_WITHOUT_VALUES, SCENARIOS_GENERIC, SCENARIOS_TRAIT,
};
use crate::parse::scenario::{Domain, InvokedSyntax, ScenarioSyntax, ScenariosArguments, ScenariosSyntax};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, FnArg, GenericParam, ReceiverKind, Safety, Signature, Type};

/// An impl with what can be invoked on its type.
pub(crate) struct ScenariosModel {
    /// How its tests are to be.
    pub(crate) arguments: ScenariosArguments,
    /// The type.
    pub(crate) ty: Type,
    /// The impl.
    pub(crate) item: TokenStream,
    /// What can be invoked.
    pub(crate) invocations: Vec<InvocationModel>,
    /// The methods that one thread alone calls.
    pub(crate) of_one_thread: Vec<String>,
}

/// A method that can be invoked.
pub(crate) struct InvocationModel {
    /// Its name in the source.
    pub(crate) method: Ident,
    /// Its name.
    pub(crate) name: String,
    /// What it is invoked with.
    pub(crate) values: ValuesModel,
    /// Whether the result is compared by its `Debug`.
    pub(crate) is_shown: bool,
    /// The methods of the builder that are told its name.
    pub(crate) said: Vec<&'static str>,
    /// Within how many steps it ends, if it is wait-free.
    pub(crate) steps: Option<Expr>,
}

/// What a method is invoked with.
pub(crate) enum ValuesModel {
    /// It has no parameters.
    Nothing,
    /// Each of these; of several parameters, of which there are so many, a tuple.
    Each(Vec<Expr>, usize),
    /// Each of what this gives.
    Range(Expr),
}

impl ScenariosModel {
    /// Finds what an impl means. Notes every mistake.
    ///
    /// # Errors
    /// The impl, if there is any mistake.
    pub(crate) fn build(
        arguments: Option<ScenariosArguments>,
        syntax: ScenariosSyntax,
        errors: &mut Errors,
    ) -> Result<Self, TokenStream> {
        check_header(&syntax, errors);
        let has_marks = syntax.methods.iter().any(|method| method.scenario.is_some());
        let plain = ScenarioSyntax::default();
        let (mut invocations, mut of_one_thread) = (Vec::new(), Vec::new());
        for InvokedSyntax { parts, scenario } in &syntax.methods {
            let signature = &parts.signature;
            let scenario = match scenario {
                Some(scenario) => scenario,
                // If no method is marked, all that take `&self` alone are meant.
                None if !has_marks && is_invokable(signature) && signature.inputs.len() == 1 => &plain,
                None => continue,
            };
            if scenario.is_of_one_thread {
                of_one_thread.push(signature.ident.unraw().to_string());
            }
            invocations.extend(invocation(scenario, signature, errors));
        }
        match (arguments, errors.is_empty()) {
            (Some(arguments), true) => {
                let (ty, item) = (*syntax.header.self_ty, syntax.item);
                Ok(Self { arguments, ty, item, invocations, of_one_thread })
            }
            _ => Err(syntax.item),
        }
    }
}

fn check_header(syntax: &ScenariosSyntax, errors: &mut Errors) {
    let is_generic = |parameter: &&GenericParam| !matches!(parameter, GenericParam::Lifetime(_));
    if let Some(parameter) = syntax.header.generics.params.iter().find(is_generic) {
        errors.on(&parameter.to_token_stream(), SCENARIOS_GENERIC, &[]);
    }
    if let Some((path, _)) = &syntax.header.trait_ {
        errors.on(&path.to_token_stream(), SCENARIOS_TRAIT, &[]);
    }
}

/// Whether a method takes `&self`, and can be called as it stands.
fn is_invokable(signature: &Signature) -> bool {
    let is_shared = |receiver: &syn::Receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, None));
    signature.receiver().is_some_and(is_shared)
        && signature.asyncness.is_none()
        && !matches!(signature.safety, Safety::Unsafe(_))
        && signature.generics.params.is_empty()
}

fn invocation(
    scenario: &ScenarioSyntax,
    signature: &Signature,
    errors: &mut Errors,
) -> Option<InvocationModel> {
    let method = signature.ident.clone();
    let name = method.unraw().to_string();
    if !is_invokable(signature) {
        errors.on(&method.to_token_stream(), SCENARIO_NOT_INVOKABLE, &[&name]);
        return None;
    }
    let count = signature.inputs.iter().filter(|input| matches!(input, FnArg::Typed(_))).count();
    let values = match (&scenario.domain, count) {
        (Domain::None, 0) => ValuesModel::Nothing,
        (Domain::Values(values), 1..) => ValuesModel::Each(values.clone(), count),
        (Domain::Range(range), 1) => ValuesModel::Range(Expr::clone(range)),
        _ => {
            errors.at(scenario.span.unwrap_or_else(Span::call_site), SCENARIO_WITHOUT_VALUES, &[&name]);
            return None;
        }
    };
    let (is_shown, said, steps) = (scenario.is_shown, scenario.said.clone(), scenario.steps.clone());
    Some(InvocationModel { method, name, values, is_shown, said, steps })
}
