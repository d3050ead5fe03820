//! The specified methods.

use super::clause::{ClauseKind, ClauseModel};
use super::index::Index;
use super::pattern::names_in;
use super::rule::{RuleModel, has_clause};
use super::state::{RESERVED, StateModel};
use super::value::{
    Kept, Returned, SelfTypes, Surroundings, Unkept, keep_parameter, keep_return, keep_return_if_compared,
};
use crate::diagnostics::{
    ASYNC_METHOD, CONCURRENT_UNKNOWN_METHOD, CONDITIONAL_METHOD, CONDITIONAL_PARAMETER, CONST_METHOD,
    DUPLICATE_HELPER, Errors, MALFORMED_RETURNS, NO_RECEIVER, OBJECT_IN_CLAUSE, PATTERN_PARAMETER,
    RECORD_OUTSIDE_RULE, RESERVED_PARAMETER, RETURNS_UNUSED, SPECIFIED_TOO_EARLY, SPECIFIED_WITHOUT_EFFECT,
    STATE_IS_PARAMETER, UNRECORDED_GENERIC, UNRECORDED_LIFETIME, UNRECORDED_RETURN,
};
use crate::parse::helper::{Helper, MARKERS, conditions, is_hidden_condition};
use crate::parse::item::FunctionSyntax;
use crate::parse::mention;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::{ExprClosure, FnArg, Pat, PatType, ReturnType, Type};

/// A method that has clauses.
pub(crate) struct MethodModel {
    /// Its name.
    pub(crate) name: Ident,
    /// Which function of the item it is.
    pub(crate) function: usize,
    /// The `#[cfg]`s that it stands under: all that is made of it does too.
    pub(crate) conditions: TokenStream,
    /// Its parameters after `self`, in order.
    pub(crate) parameters: Vec<ParameterModel>,
    /// How the return value is kept.
    pub(crate) returned: Returned,
    /// Its clauses, in the order in which they run.
    pub(crate) clauses: Vec<ClauseModel>,
    /// Whether any clause asks for the concurrent calls.
    pub(crate) has_concurrent: bool,
    /// Whether the values of its calls have names in their record: rules and clauses of other methods see the record. What is a tuple has
    /// equality and hash from std, and costs the compiler a fifth less.
    pub(crate) is_named: bool,
    /// The ordering point annotations in its body.
    pub(crate) markers: Vec<MarkerModel>,
}

/// An ordering point annotation.
pub(crate) struct MarkerModel {
    /// Its name.
    pub(crate) name: String,
    /// Its label and condition.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Span,
}

/// A parameter.
pub(crate) struct ParameterModel {
    /// Its name; none for a pattern.
    pub(crate) name: Option<Ident>,
    /// Whether it is written `mut name`.
    pub(crate) is_mut: bool,
    /// The `#[cfg]`s that it stands under.
    pub(crate) conditions: TokenStream,
    /// How it is kept; none: it is not, since nothing mentions it.
    pub(crate) kept: Option<Kept>,
}

impl MethodModel {
    /// The clause of this kind.
    pub(crate) fn clause(&self, kind: ClauseKind) -> Option<&ClauseModel> {
        self.clauses.iter().find(|clause| clause.kind == kind)
    }

    /// The parameters that are kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&Ident, &Kept)> {
        self.parameters
            .iter()
            .filter_map(|parameter| Some((parameter.name.as_ref()?, parameter.kept.as_ref()?)))
    }
}

/// A method with its clauses read.
struct Draft<'a> {
    function: &'a FunctionSyntax,
    number: usize,
    clauses: Vec<ClauseModel>,
}

/// What the methods of one impl are looked at with.
struct Context<'a> {
    /// Their names behind `concurrent.`.
    methods: HashSet<Ident>,
    index: Index<'a>,
    subject: &'a Subject<'a>,
}

/// What the methods are about.
pub(super) struct Subject<'a> {
    /// The state.
    pub(super) state: &'a StateModel,
    /// The rules that name them.
    pub(super) rules: &'a [RuleModel],
    /// What `Self` is.
    pub(super) self_types: &'a SelfTypes,
    /// Whether `object = …` is given.
    pub(super) has_object: bool,
    /// Whether the specification may have methods elsewhere.
    pub(super) is_shared: bool,
}

pub(super) fn build(
    functions: &[&FunctionSyntax],
    subject: &Subject<'_>,
    errors: &mut Errors,
) -> Vec<MethodModel> {
    let drafts: Vec<Draft<'_>> = functions
        .iter()
        .enumerate()
        .filter(|(_, function)| {
            function.helpers.iter().any(|helper| helper.name == "returns") || has_clause(function)
        })
        .map(|(number, function)| Draft { function, number, clauses: clauses(&function.helpers, errors) })
        .collect();
    let context = Context {
        methods: drafts
            .iter()
            .map(|draft| mention::concurrent_name(&draft.function.signature.ident))
            .collect(),
        index: Index::new(subject.rules, drafts.iter().flat_map(|draft| &draft.clauses)),
        subject,
    };
    let parts: Vec<_> = drafts
        .iter()
        .map(|draft| {
            check_function(draft.function, subject, errors);
            check_clauses(draft, subject, errors);
            check_concurrent(&context, &draft.clauses, errors);
            (parameters(&context, draft, errors), returned(&context, draft, errors))
        })
        .collect();
    let is_named = |draft: &Draft<'_>, parameters: &[ParameterModel]| {
        let kept_count = parameters.iter().filter(|parameter| parameter.kept.is_some()).count();
        subject.is_shared || kept_count >= TUPLE_MAX || context.index.names(&draft.function.signature.ident)
    };
    let named: Vec<bool> =
        drafts.iter().zip(&parts).map(|(draft, (parameters, _))| is_named(draft, parameters)).collect();
    let finish = |((draft, (parameters, returned)), is_named): ((Draft<'_>, _), bool)| MethodModel {
        is_named,
        name: draft.function.signature.ident.clone(),
        function: draft.number,
        conditions: conditions(&draft.function.attributes),
        parameters,
        returned,
        markers: markers(draft.function),
        has_concurrent: draft.clauses.iter().any(|clause| clause.mentions("concurrent")),
        clauses: draft.clauses,
    };
    drafts.into_iter().zip(parts).zip(named).map(finish).collect()
}

/// How many elements a tuple has at most that has equality and hash.
const TUPLE_MAX: usize = 12;

fn clauses(helpers: &[Helper], errors: &mut Errors) -> Vec<ClauseModel> {
    let mut clauses = Vec::new();
    for kind in ClauseKind::ALL {
        let mut same = helpers.iter().filter(|helper| helper.name == kind.name());
        clauses.extend(same.next().and_then(|helper| ClauseModel::build(kind, helper, errors)));
        for again in same {
            errors.at(again.name.span(), DUPLICATE_HELPER, &[kind.name()]);
        }
    }
    clauses
}

/// The annotations in a body that are attributes.
pub(crate) fn attribute_markers(function: &FunctionSyntax) -> Vec<MarkerModel> {
    let markers = function.body.markers().into_iter().map(|marker| {
        let condition = marker.condition.as_ref().map(|condition| condition.to_token_stream().to_string());
        let label = marker.label.as_ref().map(ToString::to_string);
        let text: Vec<String> = label.into_iter().chain(condition).collect();
        MarkerModel { name: marker.name.unraw().to_string(), text: text.join(", "), span: marker.name.span() }
    });
    markers.collect()
}

/// The annotations in a body, of both forms.
fn markers(function: &FunctionSyntax) -> Vec<MarkerModel> {
    let mut all = attribute_markers(function);
    all.extend(mention::macros(&function.body.to_token_stream(), &MARKERS).into_iter().map(
        |(name, arguments)| MarkerModel {
            span: name.span(),
            name: name.to_string(),
            text: arguments.to_string(),
        },
    ));
    all
}

fn check_function(function: &FunctionSyntax, subject: &Subject<'_>, errors: &mut Errors) {
    let signature = &function.signature;
    if let Some(token) = &signature.asyncness {
        errors.at(token.span, ASYNC_METHOD, &[]);
    }
    if let Some(token) = &signature.constness {
        errors.at(token.span, CONST_METHOD, &[]);
    }
    if signature.receiver().is_none() && !subject.has_object {
        errors.at(signature.ident.span(), NO_RECEIVER, &[&signature.ident.to_string()]);
    }
    for attribute in function.attributes.iter().filter(|one| is_hidden_condition(one)) {
        errors.on(&attribute.to_token_stream(), CONDITIONAL_METHOD, &[]);
    }
}

fn check_clauses(draft: &Draft<'_>, subject: &Subject<'_>, errors: &mut Errors) {
    let clauses = &draft.clauses;
    let has_effect = clauses.iter().any(|clause| clause.kind == ClauseKind::SideEffect);
    for clause in clauses {
        let tokens = &clause.expression.tokens;
        if let Some(mention) = clause.find("s_ret") {
            // A side effect may have a variable of that name.
            if !clause.kind.is_after_effect() && clause.kind != ClauseKind::SideEffect {
                errors.at(mention.span(), SPECIFIED_TOO_EARLY, &[]);
            } else if !has_effect {
                errors.at(mention.span(), SPECIFIED_WITHOUT_EFFECT, &[]);
            }
        }
        if let Some(mention) = mention::find_value(tokens, "self") {
            errors.at(mention.span(), OBJECT_IN_CLAUSE, &[]);
        }
        for name in ["m1", "m2"] {
            if let (Some(mention), false) = (clause.find(name), mention::fields_of(tokens, name).is_empty())
                && !is_variable(draft, subject, name)
            {
                errors.at(mention.span(), RECORD_OUTSIDE_RULE, &[name]);
            }
        }
    }
}

/// Whether clauses have a variable of this name: a parameter or a part of the state.
fn is_variable(draft: &Draft<'_>, subject: &Subject<'_>, name: &str) -> bool {
    let typed = draft.function.signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    typed.flat_map(|typed| names_in(&typed.pat)).any(|parameter| parameter == name)
        || subject.state.fields.iter().any(|field| field.name == name)
}

/// `concurrent` has the methods of this impl; where others may belong to the specification, the compiler looks for them.
fn check_concurrent(context: &Context<'_>, clauses: &[ClauseModel], errors: &mut Errors) {
    if context.subject.is_shared {
        return;
    }
    let is_known = |name: &Ident| mention::is_of_all(name) || context.methods.contains(name);
    let asking = clauses.iter().filter(|clause| clause.mentions("concurrent"));
    let named = asking.flat_map(|clause| mention::fields_of(&clause.expression.tokens, "concurrent"));
    for name in named.filter(|name| !is_known(name)) {
        errors.at(name.span(), CONCURRENT_UNKNOWN_METHOD, &[&name.to_string()]);
    }
}

impl Context<'_> {
    /// What names in the types of a method mean.
    fn around<'b>(&'b self, draft: &'b Draft<'_>) -> Surroundings<'b> {
        Surroundings { generics: &draft.function.signature.generics, own: self.subject.self_types }
    }

    /// Whether anything in the specification mentions this value of a method.
    fn is_mentioned(&self, draft: &Draft<'_>, value: &str) -> bool {
        draft.clauses.iter().any(|clause| clause.mentions(value))
            || self.index.mentions(&draft.function.signature.ident, value)
    }
}

fn parameters(context: &Context<'_>, draft: &Draft<'_>, errors: &mut Errors) -> Vec<ParameterModel> {
    let typed = draft.function.signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    typed.map(|typed| parameter(context, draft, typed, errors)).collect()
}

fn parameter(
    context: &Context<'_>,
    draft: &Draft<'_>,
    typed: &PatType,
    errors: &mut Errors,
) -> ParameterModel {
    let conditions = conditions(&typed.attrs);
    let Pat::Ident(pattern) = &*typed.pat else {
        refuse_parts(draft, &typed.pat, errors);
        return ParameterModel { name: None, is_mut: false, conditions, kept: None };
    };
    let name = pattern.ident.unraw().to_string();
    if RESERVED.contains(&name.as_str()) {
        errors.at(pattern.ident.span(), RESERVED_PARAMETER, &[&name]);
    }
    if context.subject.state.fields.iter().any(|field| field.name == pattern.ident)
        && draft.clauses.iter().any(|clause| clause.mentions(&name))
    {
        let method = draft.function.signature.ident.to_string();
        errors.at(pattern.ident.span(), STATE_IS_PARAMETER, &[&name, &method]);
    }
    let is_mentioned = context.is_mentioned(draft, &name);
    if is_mentioned && !conditions.is_empty() {
        errors.at(pattern.ident.span(), CONDITIONAL_PARAMETER, &[&name]);
    }
    let kept = is_mentioned.then(|| {
        keep_parameter(&typed.ty, &context.around(draft)).map_err(|unkept| match unkept {
            Unkept::Lifetime(span) => errors.at(span, UNRECORDED_LIFETIME, &[&name]),
            Unkept::Generic(span) => errors.at(span, UNRECORDED_GENERIC, &[&name]),
        })
    });
    ParameterModel {
        name: Some(pattern.ident.clone()),
        is_mut: pattern.mutability.is_some(),
        conditions,
        kept: kept.and_then(Result::ok),
    }
}

/// The names in a pattern are not recorded.
fn refuse_parts(draft: &Draft<'_>, pattern: &Pat, errors: &mut Errors) {
    for name in names_in(pattern) {
        let text = name.to_string();
        if draft.clauses.iter().any(|clause| clause.mentions(&text)) {
            errors.at(name.span(), PATTERN_PARAMETER, &[&text]);
        }
    }
}

fn returned(context: &Context<'_>, draft: &Draft<'_>, errors: &mut Errors) -> Returned {
    let is_mentioned = context.is_mentioned(draft, "c_ret");
    let unit: Type = syn::parse_quote!(());
    let ty = match &draft.function.signature.output {
        ReturnType::Default => &unit,
        ReturnType::Type(_, ty) => &**ty,
    };
    let around = context.around(draft);
    let is_compared = draft.clauses.iter().any(|clause| clause.kind == ClauseKind::SideEffect)
        && !draft.clauses.iter().any(|clause| clause.kind == ClauseKind::PostCondition);
    let mut projections = draft.function.helpers.iter().filter(|helper| helper.name == "returns");
    let projection = projections.next();
    for again in projections {
        errors.at(again.name.span(), DUPLICATE_HELPER, &["returns"]);
    }
    match projection {
        Some(helper) if !is_mentioned && !is_compared => {
            errors.at(helper.name.span(), RETURNS_UNUSED, &[]);
            Returned::Unrecorded
        }
        Some(helper) => projected(helper, errors),
        None if is_mentioned => keep_return(ty, &around).unwrap_or_else(|unkept| {
            let (Unkept::Lifetime(span) | Unkept::Generic(span)) = unkept;
            errors.at(span, UNRECORDED_RETURN, &[]);
            Returned::Unrecorded
        }),
        None if is_compared => keep_return_if_compared(ty, &around),
        None => Returned::Unrecorded,
    }
}

/// `|value| -> Type { … }`
fn projected(helper: &Helper, errors: &mut Errors) -> Returned {
    if let Ok(closure) = syn::parse2::<ExprClosure>(helper.arguments.clone())
        && closure.inputs.len() == 1
        && let ReturnType::Type(_, ty) = &closure.output
    {
        return Returned::Projected(ty.clone(), Box::new(closure.clone()));
    }
    errors.at(helper.span, MALFORMED_RETURNS, &[]);
    Returned::Unrecorded
}
