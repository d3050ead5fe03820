//! `contract` on an impl, and what stands on its methods and in their bodies. Other attributes, and bodies, stay tokens.

use super::fragment::opened_item;
use super::item::{FunctionParts, function, item_length, split_inner_attributes};
use super::meta::{self, Attribute, PathValue, crate_or_default, value_of};
use crate::diagnostics::{CONDITION_ARGUMENT, CONTRACT_ARGUMENT, CONTRACT_NOT_AN_IMPL, EMPTY_CLAUSE, Errors};
use cdsspec_vocabulary::CONTRACT_HELPERS;
use darling::FromMeta;
use darling::util::Flag;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ItemImpl, MacroDelimiter, Meta, Token};

/// The arguments of `contract`.
pub(crate) struct ContractArguments {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// `event_sets(init, prod)`
    pub(crate) sets: Vec<Ident>,
    /// The predefined contracts that are named.
    pub(crate) kinds: Vec<&'static str>,
    /// `sets = self.inner.contract`: where the object carries its sets.
    pub(crate) place: Option<Expr>,
    /// Whether accesses in its methods are no races.
    pub(crate) is_checked: bool,
}

#[derive(FromMeta)]
struct GivenContract {
    #[darling(rename = "crate")]
    krate: Option<PathValue>,
    event_sets: Option<Names>,
    sets: Option<Value>,
    spsc: Flag,
    mpsc: Flag,
    mpmc: Flag,
    single_owner: Flag,
    init_once: Flag,
    checked: Flag,
}

struct Names(Vec<Ident>);

impl FromMeta for Names {
    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        let Meta::List(list) = meta else {
            return Err(darling::Error::unsupported_format("word or value").with_span(meta));
        };
        let names = Punctuated::<Ident, Token![,]>::parse_terminated.parse2(list.tokens.clone());
        let names = names.map_err(|_| darling::Error::unsupported_format("list").with_span(meta))?;
        Ok(Self(names.into_iter().collect()))
    }
}

struct Value(Expr);

impl FromMeta for Value {
    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        value_of(meta).cloned().map(Self)
    }
}

/// What follows a condition.
#[derive(FromMeta)]
struct GivenCondition {
    level: Option<Value>,
    says: Option<Value>,
}

/// A condition: `expects(condition, level = audit, says = "what is wrong")`.
pub(crate) struct ConditionSyntax {
    /// The name of the attribute, or of the macro.
    pub(crate) name: Ident,
    /// The condition.
    pub(crate) tokens: TokenStream,
    /// The parentheses, if nothing but the condition is between them.
    pub(crate) brackets: Option<Span>,
    pub(crate) value: Expr,
    pub(crate) level: Option<Expr>,
    pub(crate) says: Option<Expr>,
    /// Whether it stands in a body.
    pub(crate) is_statement: bool,
}

/// A method, and what is said of it.
pub(crate) struct ContractMethodSyntax {
    pub(crate) parts: FunctionParts,
    /// `expects` and `ensures`, as they are written.
    pub(crate) conditions: Vec<ConditionSyntax>,
    /// `expects!` in the body, in order.
    pub(crate) statements: Vec<ConditionSyntax>,
    /// `add_current(prod, cons)`
    pub(crate) adds: Vec<Ident>,
    /// `role(producer)`
    pub(crate) roles: Vec<Ident>,
}

/// An item of the impl.
pub(crate) enum ContractItem {
    Method(Box<ContractMethodSyntax>),
    /// Any other, and functions of which nothing is said.
    Other(TokenStream),
}

/// An impl, with what is ours taken out of it.
pub(crate) struct ContractSyntax {
    /// The tokens before the braces.
    pub(crate) head: TokenStream,
    /// The impl without its items.
    pub(crate) header: ItemImpl,
    pub(crate) braces: Group,
    pub(crate) inner_attributes: TokenStream,
    pub(crate) items: Vec<ContractItem>,
}

/// Reads the arguments of `contract`; `None` if there is a mistake.
pub(crate) fn parse_contract_arguments(
    arguments: TokenStream,
    errors: &mut Errors,
) -> Option<ContractArguments> {
    let takes = "`event_sets(…)`, `spsc`, `mpsc`, `mpmc`, `single_owner`, `init_once`, `sets = …`, `checked` and `crate`";
    let attribute = Attribute { name: "contract", takes, malformed: CONTRACT_ARGUMENT.to_owned() };
    let given: GivenContract = meta::read(arguments, &attribute, errors)?;
    let kinds = [
        ("spsc", given.spsc),
        ("mpsc", given.mpsc),
        ("mpmc", given.mpmc),
        ("single_owner", given.single_owner),
        ("init_once", given.init_once),
    ];
    Some(ContractArguments {
        krate: crate_or_default(given.krate),
        sets: given.event_sets.map_or_else(Vec::new, |names| names.0),
        kinds: kinds.into_iter().filter(|(_, flag)| flag.is_present()).map(|(name, _)| name).collect(),
        place: given.sets.map(|value| value.0),
        is_checked: given.checked.is_present(),
    })
}

/// Reads an impl; `None` if it is none.
pub(crate) fn parse_contract(item: &TokenStream, errors: &mut Errors) -> Option<ContractSyntax> {
    let mut tokens: Vec<TokenTree> = opened_item(item.clone()).into_iter().collect();
    let braces = match tokens.pop() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
        _ => {
            errors.on(item, CONTRACT_NOT_AN_IMPL, &[]);
            return None;
        }
    };
    let head: TokenStream = tokens.into_iter().collect();
    let Ok(header) = syn::parse2::<ItemImpl>(quote!(#head {})) else {
        errors.on(&head, CONTRACT_NOT_AN_IMPL, &[]);
        return None;
    };
    let (inner_attributes, content) = split_inner_attributes(braces.stream());
    let mut rest: Vec<TokenTree> = content.into_iter().collect();
    let mut items = Vec::new();
    while !rest.is_empty() {
        let length = item_length(&rest);
        let chunk: TokenStream = rest.drain(..length).collect();
        match function.parse2(chunk.clone()) {
            Ok((parts, after)) => {
                items.push(method(parts, errors));
                rest.splice(0..0, after);
            }
            Err(_) => items.push(ContractItem::Other(chunk)),
        }
    }
    Some(ContractSyntax { head, header, braces, inner_attributes, items })
}

fn method(mut parts: FunctionParts, errors: &mut Errors) -> ContractItem {
    let (mut conditions, mut adds, mut roles) = (Vec::new(), Vec::new(), Vec::new());
    parts.attributes.retain(|attribute| {
        let Some(name) = own_name(attribute) else { return true };
        let arguments = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        };
        let place = match &attribute.meta {
            Meta::List(list) => match &list.delimiter {
                MacroDelimiter::Paren(token) => token.span.join(),
                MacroDelimiter::Brace(token) => token.span.join(),
                MacroDelimiter::Bracket(token) => token.span.join(),
            },
            _ => name.span(),
        };
        match name.to_string().as_str() {
            "expects" | "ensures" => conditions.extend(condition(name, (arguments, place), errors)),
            "add_current" => adds.extend(names(&name, place, arguments, errors)),
            _ => roles.extend(names(&name, place, arguments, errors)),
        }
        false
    });
    let statements = statements(&parts.braces.stream(), errors);
    let is_plain = conditions.is_empty() && statements.is_empty() && adds.is_empty() && roles.is_empty();
    if is_plain {
        let FunctionParts { attributes, visibility, signature, braces } = &parts;
        return ContractItem::Other(quote!(#(#attributes)* #visibility #signature #braces));
    }
    ContractItem::Method(Box::new(ContractMethodSyntax { parts, conditions, statements, adds, roles }))
}

/// The name of an attribute of ours: `expects`, `cdsspec::expects`.
fn own_name(attribute: &syn::Attribute) -> Option<Ident> {
    let segments = &attribute.path().segments;
    let is_own = segments.len() == 1 || (segments.len() == 2 && segments[0].ident == "cdsspec");
    let name = &segments.last().filter(|_| is_own)?.ident;
    CONTRACT_HELPERS.iter().any(|known| name == known).then(|| name.clone())
}

fn names(name: &Ident, place: Span, arguments: TokenStream, errors: &mut Errors) -> Vec<Ident> {
    let text = name.to_string();
    if arguments.is_empty() {
        errors.at(name.span(), EMPTY_CLAUSE, &[&text, &text]);
        return Vec::new();
    }
    match Punctuated::<Ident, Token![,]>::parse_terminated.parse2(arguments) {
        Ok(names) => names.into_iter().collect(),
        Err(_) => {
            errors.at(place, CONDITION_ARGUMENT, &[&text]);
            Vec::new()
        }
    }
}

/// Reads a condition, and what follows it.
fn condition(
    name: Ident,
    (arguments, place): (TokenStream, Span),
    errors: &mut Errors,
) -> Option<ConditionSyntax> {
    let text = name.to_string();
    if arguments.is_empty() {
        errors.at(name.span(), EMPTY_CLAUSE, &[&text, &text]);
        return None;
    }
    let split = |input: ParseStream<'_>| {
        let value: Expr = input.parse()?;
        let comma: Option<Token![,]> = input.parse()?;
        if comma.is_none() && !input.is_empty() {
            return Err(input.error("a condition ends here"));
        }
        Ok((value, comma.is_some(), input.parse::<TokenStream>()?))
    };
    match split.parse2(arguments.clone()) {
        Ok((value, has_comma, rest)) => {
            // As they are written, which tells what stands next to each other.
            let behind = rest.clone().into_iter().count() + usize::from(has_comma);
            let all: Vec<TokenTree> = arguments.into_iter().collect();
            let tokens = all[..all.len() - behind].iter().cloned().collect();
            let brackets = rest.is_empty().then_some(place);
            let attribute = Attribute {
                name: &text,
                takes: "a condition, `level = …` and `says = \"…\"`",
                malformed: crate::diagnostics::fill(CONDITION_ARGUMENT, &[&text]),
            };
            let given: GivenCondition = meta::read(rest, &attribute, errors)?;
            Some(ConditionSyntax {
                name,
                tokens,
                brackets,
                value,
                level: given.level.map(|value| value.0),
                says: given.says.map(|value| value.0),
                is_statement: false,
            })
        }
        Err(error) => {
            errors.at(error.span(), CONDITION_ARGUMENT, &[&text]);
            None
        }
    }
}

/// The `expects!` in tokens, in order.
fn statements(tokens: &TokenStream, errors: &mut Errors) -> Vec<ConditionSyntax> {
    let mut found = Vec::new();
    replace_statements(tokens.clone(), &mut |name, group| {
        let condition = condition(name, (group.stream(), group.span()), errors);
        found.extend(condition.map(|condition| ConditionSyntax { is_statement: true, ..condition }));
        TokenStream::new()
    });
    found
}

/// Puts something else in the place of each `expects!(…)`, `cdsspec::expects!(…)`. Whether anything was replaced.
pub(crate) fn replace_statements(
    tokens: TokenStream,
    replace: &mut dyn FnMut(Ident, &Group) -> TokenStream,
) -> (TokenStream, bool) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut kept, mut is_changed, mut index) = (Vec::<TokenTree>::new(), false, 0);
    while index < tokens.len() {
        match (&tokens[index], tokens.get(index + 1), tokens.get(index + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Punct(punct)), Some(TokenTree::Group(group)))
                if name == "expects" && punct.as_char() == '!' =>
            {
                drop_path(&mut kept);
                kept.extend(replace(name.clone(), group));
                (is_changed, index) = (true, index + 3);
            }
            (TokenTree::Group(group), ..) => {
                let (content, is_inner_changed) = replace_statements(group.stream(), replace);
                is_changed |= is_inner_changed;
                kept.push(match is_inner_changed {
                    true => super::body::regroup(group, content),
                    false => TokenTree::Group(group.clone()),
                });
                index += 1;
            }
            (token, ..) => {
                kept.push(token.clone());
                index += 1;
            }
        }
    }
    (kept.into_iter().collect(), is_changed)
}

/// Takes a path that leads to a name away from before it: `cdsspec::`.
fn drop_path(tokens: &mut Vec<TokenTree>) {
    let is_colon =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    while is_colon(tokens.last()) {
        tokens.pop();
        if is_colon(tokens.last()) {
            tokens.pop();
        }
        if matches!(tokens.last(), Some(TokenTree::Ident(_))) {
            tokens.pop();
        }
    }
}
