//! `scenarios` on an impl, and `scenario` on its methods. Bodies and other attributes stay tokens.

use super::fragment::opened_item;
use super::item::{FunctionParts, function, item_length, split_inner_attributes};
use super::meta::{self, Attribute, PathValue, crate_or_default, value_of};
use crate::diagnostics::{Errors, SCENARIO_ARGUMENT, SCENARIOS_ARGUMENT, SCENARIOS_NOT_AN_IMPL};
use darling::FromMeta;
use darling::util::Flag;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ItemImpl, Meta, Token};

/// The arguments of `scenarios`.
pub(crate) struct ScenariosArguments {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// How an object is made.
    pub(crate) new: Option<Expr>,
    /// What the builder of the test is told; nothing: there is no test.
    pub(crate) threads: Option<Expr>,
    pub(crate) calls: Option<Expr>,
    pub(crate) sample: Option<Expr>,
    pub(crate) seed: Option<Expr>,
    pub(crate) jobs: Option<Expr>,
}

#[derive(FromMeta)]
struct GivenScenarios {
    #[darling(rename = "crate")]
    krate: Option<PathValue>,
    new: Option<Value>,
    threads: Option<Value>,
    calls: Option<Value>,
    sample: Option<Value>,
    seed: Option<Value>,
    jobs: Option<Value>,
}

struct Value(Expr);

impl FromMeta for Value {
    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        value_of(meta).cloned().map(Self)
    }
}

/// `args(1, 2)`
struct Values(Vec<Expr>);

impl FromMeta for Values {
    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        let Meta::List(list) = meta else {
            return Err(darling::Error::unsupported_format("word or value").with_span(meta));
        };
        let values = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list.tokens.clone());
        let values = values.map_err(|_| darling::Error::unsupported_format("list").with_span(meta))?;
        Ok(Self(values.into_iter().collect()))
    }
}

/// What `scenario` says of a method.
#[derive(FromMeta)]
struct GivenScenario {
    args: Option<Values>,
    range: Option<Value>,
    shown: Flag,
    once: Flag,
    one_thread: Flag,
    exempt: Flag,
    not_linearizable: Flag,
    nonblocking: Flag,
    wait_free: Option<WaitFree>,
}

/// `wait_free(steps = 3)`
#[derive(FromMeta)]
struct WaitFree {
    steps: Value,
}

/// What a method is invoked with.
#[derive(Default)]
pub(crate) enum Domain {
    /// Nothing was said.
    #[default]
    None,
    /// Each of these; of several parameters a tuple.
    Values(Vec<Expr>),
    /// Each of what this gives.
    Range(Box<Expr>),
}

/// What `scenario` says of a method.
#[derive(Default)]
pub(crate) struct ScenarioSyntax {
    pub(crate) domain: Domain,
    /// Whether the result is compared by its `Debug`.
    pub(crate) is_shown: bool,
    /// The methods of the builder that are told the method's name.
    pub(crate) said: Vec<&'static str>,
    /// Within how many steps it ends, if it is wait-free.
    pub(crate) steps: Option<Expr>,
    /// Whether one thread alone makes the call.
    pub(crate) is_of_one_thread: bool,
    /// Where it stands, if it does.
    pub(crate) span: Option<Span>,
}

/// A method, and what is said of it.
pub(crate) struct InvokedSyntax {
    pub(crate) parts: FunctionParts,
    pub(crate) scenario: Option<ScenarioSyntax>,
}

/// An impl, with `scenario` taken out of it.
pub(crate) struct ScenariosSyntax {
    /// The impl without its items.
    pub(crate) header: ItemImpl,
    /// All of it.
    pub(crate) item: TokenStream,
    /// Its methods.
    pub(crate) methods: Vec<InvokedSyntax>,
}

/// Reads the arguments of `scenarios`; `None` if there is a mistake.
pub(crate) fn parse_scenarios_arguments(
    arguments: TokenStream,
    errors: &mut Errors,
) -> Option<ScenariosArguments> {
    let takes = "`threads`, `calls`, `sample`, `seed`, `jobs`, `new` and `crate`";
    let attribute = Attribute { name: "scenarios", takes, malformed: SCENARIOS_ARGUMENT.to_owned() };
    let given: GivenScenarios = meta::read(arguments, &attribute, errors)?;
    let value = |value: Option<Value>| value.map(|value| value.0);
    Some(ScenariosArguments {
        krate: crate_or_default(given.krate),
        new: value(given.new),
        threads: value(given.threads),
        calls: value(given.calls),
        sample: value(given.sample),
        seed: value(given.seed),
        jobs: value(given.jobs),
    })
}

/// Reads an impl; `None` if it is none.
pub(crate) fn parse_scenarios(item: &TokenStream, errors: &mut Errors) -> Option<ScenariosSyntax> {
    let mut tokens: Vec<TokenTree> = opened_item(item.clone()).into_iter().collect();
    let braces = match tokens.pop() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
        _ => {
            errors.on(item, SCENARIOS_NOT_AN_IMPL, &[]);
            return None;
        }
    };
    let head = tokens.clone();
    tokens.push(TokenTree::Group(Group::new(Delimiter::Brace, TokenStream::new())));
    let Ok(header) = syn::parse2::<ItemImpl>(tokens.into_iter().collect()) else {
        errors.on(item, SCENARIOS_NOT_AN_IMPL, &[]);
        return None;
    };
    let (inner, content) = split_inner_attributes(braces.stream());
    let (mut items, mut methods) = (inner, Vec::new());
    let mut rest: Vec<TokenTree> = content.into_iter().collect();
    while !rest.is_empty() {
        let length = item_length(&rest);
        let chunk: TokenStream = rest.drain(..length).collect();
        match function.parse2(chunk.clone()) {
            Ok((mut parts, after)) => {
                let scenario = take_scenario(&mut parts, errors);
                let FunctionParts { attributes, visibility, signature, braces } = &parts;
                items.extend(quote::quote!(#(#attributes)* #visibility #signature #braces));
                rest.splice(0..0, after);
                methods.push(InvokedSyntax { parts, scenario });
            }
            Err(_) => items.extend(chunk),
        }
    }
    let mut body = Group::new(Delimiter::Brace, items);
    body.set_span(braces.span());
    let item = head.into_iter().chain([TokenTree::Group(body)]).collect();
    Some(ScenariosSyntax { header, item, methods })
}

/// Takes `scenario` out of the attributes of a method.
fn take_scenario(parts: &mut FunctionParts, errors: &mut Errors) -> Option<ScenarioSyntax> {
    let is_ours = |attribute: &syn::Attribute| {
        attribute.path().segments.last().is_some_and(|last| last.ident == "scenario")
    };
    let index = parts.attributes.iter().position(is_ours)?;
    let attribute = parts.attributes.remove(index);
    let arguments = match &attribute.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let takes = "`args(…)`, `range = …`, `shown`, `once`, `one_thread`, `exempt`, `not_linearizable`, `nonblocking` and `wait_free(steps = …)`";
    let words = Attribute { name: "scenario", takes, malformed: SCENARIO_ARGUMENT.to_owned() };
    let given: GivenScenario = meta::read(arguments, &words, errors)?;
    let domain = match (given.args, given.range) {
        (Some(values), _) => Domain::Values(values.0),
        (None, Some(range)) => Domain::Range(Box::new(range.0)),
        (None, None) => Domain::None,
    };
    let said = [
        ("once", given.once),
        ("exempt", given.exempt),
        ("not_linearizable", given.not_linearizable),
        ("nonblocking", given.nonblocking),
    ];
    Some(ScenarioSyntax {
        domain,
        is_shown: given.shown.is_present(),
        said: said.into_iter().filter(|(_, flag)| flag.is_present()).map(|(name, _)| name).collect(),
        steps: given.wait_free.map(|given| given.steps.0),
        is_of_one_thread: given.one_thread.is_present(),
        span: attribute.path().segments.last().map(|last| last.ident.span()),
    })
}
