//! The arguments of `spec` and of helpers.

use super::meta::{self, Attribute, PathValue, crate_or_default};
use crate::diagnostics::{
    self, CRATE_ARGUMENT, DID_YOU_MEAN, DUPLICATE_ARGUMENT, Errors, MALFORMED_ADMIT, MALFORMED_ARGUMENT,
    MALFORMED_STATE, UNKNOWN_ARGUMENT,
};
use cdsspec_vocabulary::edit_distance;
use darling::FromMeta;
use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, Path, Token, Type};

/// An argument that may be given once.
pub(crate) struct Once<T>(Option<T>);

impl<T> Once<T> {
    /// Not given.
    pub(crate) fn new() -> Self {
        Self(None)
    }

    /// Given; a second time is an error, with this message.
    pub(crate) fn set(&mut self, value: T, name: &Ident, message: &str, errors: &mut Errors) {
        if self.0.is_some() {
            return errors.at(name.span(), message, &[&name.to_string()]);
        }
        self.0 = Some(value);
    }

    /// The same, of tokens; whether they can be read.
    pub(super) fn parse<S: Parse + Into<T>>(
        &mut self,
        value: TokenStream,
        name: &Ident,
        errors: &mut Errors,
    ) -> bool {
        let Ok(value) = syn::parse2::<S>(value) else { return false };
        self.set(value.into(), name, DUPLICATE_ARGUMENT, errors);
        true
    }

    /// What was given.
    pub(crate) fn get(self) -> Option<T> {
        self.0
    }
}

/// The arguments of `spec`.
pub(crate) struct SpecArguments {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// `state = Type`
    pub(crate) state: Option<Type>,
    /// `instance(T = Type, N = 4)`
    pub(crate) instance: Vec<(Ident, TokenStream)>,
    /// `for = Specification`
    pub(crate) shared: Option<Type>,
    /// `object = expression`
    pub(crate) object: Option<Expr>,
}

/// Splits at the commas that are in no brackets. A comma inside `<…>` does not split, and the `>` of an arrow is no bracket.
fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    let mut depth = 0_usize;
    let mut is_arrow = false;
    for token in tokens {
        let was_dash = std::mem::take(&mut is_arrow);
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                '-' => is_arrow = punct.spacing() == Spacing::Joint,
                '<' => depth += 1,
                '>' if !was_dash => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    parts.push(TokenStream::new());
                    continue;
                }
                _ => {}
            }
        }
        parts.last_mut().expect("there is always a last part").extend([token]);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Reads the arguments of `spec`.
pub(crate) fn parse_spec(arguments: TokenStream, errors: &mut Errors) -> SpecArguments {
    let (mut krate, mut state, mut instance) = (Once::new(), Once::new(), Once::new());
    let (mut shared, mut object) = (Once::new(), Once::new());
    for argument in split_at_commas(arguments) {
        let Ok((name, value)) = name_and_value.parse2(argument.clone()) else {
            errors.on(&argument, MALFORMED_ARGUMENT, &[]);
            continue;
        };
        let is_read = match (name.to_string().as_str(), value) {
            ("crate", Value::Is(value)) => krate.parse::<Path>(value, &name, errors),
            ("state", Value::Is(value)) => state.parse::<Type>(value, &name, errors),
            ("for", Value::Is(value)) => shared.parse::<PathType>(value, &name, errors),
            ("object", Value::Is(value)) => object.parse::<Expr>(value, &name, errors),
            ("instance", Value::List(values)) => {
                instance.set(parse_instance(values, errors), &name, DUPLICATE_ARGUMENT, errors);
                true
            }
            ("crate" | "state" | "for" | "object" | "instance", _) => false,
            (other, _) => {
                refuse_unknown(&name, other, errors);
                true
            }
        };
        if !is_read {
            errors.on(&argument, MALFORMED_ARGUMENT, &[]);
        }
    }
    SpecArguments {
        krate: krate.get().map_or_else(|| quote!(::cdsspec), |path: Path| path.to_token_stream()),
        state: state.get(),
        instance: instance.get().unwrap_or_default(),
        shared: shared.get(),
        object: object.get(),
    }
}

const SPEC_ARGUMENTS: [&str; 5] = ["crate", "state", "for", "object", "instance"];

fn refuse_unknown(name: &Ident, text: &str, errors: &mut Errors) {
    let near = SPEC_ARGUMENTS.into_iter().map(|known| (edit_distance(text, known), known));
    match near.filter(|(distance, known)| *distance <= if known.len() < 4 { 1 } else { 2 }).min() {
        Some((_, known)) => errors.at(name.span(), DID_YOU_MEAN, &[text, "spec", known]),
        None => errors.at(name.span(), UNKNOWN_ARGUMENT, &[text]),
    }
}

/// A type that is named by a path. As a path alone it might be a keyword.
struct PathType(Type);

impl Parse for PathType {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        match input.parse()? {
            ty @ Type::Path(_) => Ok(Self(ty)),
            _ => Err(input.error("a path")),
        }
    }
}

impl From<PathType> for Type {
    fn from(named: PathType) -> Self {
        named.0
    }
}

/// What stands behind the name of an argument.
enum Value {
    /// `= value`
    Is(TokenStream),
    /// `(values)`
    List(TokenStream),
}

fn name_and_value(input: ParseStream<'_>) -> syn::Result<(Ident, Value)> {
    let name = input.call(Ident::parse_any)?;
    if input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in input);
        return Ok((name, Value::List(content.parse()?)));
    }
    if input.is_empty() {
        return Ok((name, Value::List(TokenStream::new())));
    }
    input.parse::<Token![=]>()?;
    Ok((name, Value::Is(input.parse()?)))
}

/// Reads `T = Type, N = 4`. Which of the two a value is, the parameter says.
fn parse_instance(values: TokenStream, errors: &mut Errors) -> Vec<(Ident, TokenStream)> {
    let mut instance: Vec<(Ident, TokenStream)> = Vec::new();
    for argument in split_at_commas(values) {
        let Ok((name, Value::Is(value))) = name_and_value.parse2(argument.clone()) else {
            errors.on(&argument, MALFORMED_ARGUMENT, &[]);
            continue;
        };
        if instance.iter().any(|(known, _)| *known == name) {
            errors.at(name.span(), DUPLICATE_ARGUMENT, &[&name.to_string()]);
        } else {
            instance.push((name, value));
        }
    }
    instance
}

/// The arguments of an attribute that takes no others.
#[derive(FromMeta)]
struct CrateArgument {
    #[darling(rename = "crate")]
    krate: Option<PathValue>,
}

/// Reads the arguments of an attribute of this name, which takes no others: where the crate is.
pub(crate) fn parse_crate(attribute: &str, arguments: TokenStream, errors: &mut Errors) -> TokenStream {
    let attribute = Attribute {
        name: attribute,
        takes: "`crate = path`",
        malformed: diagnostics::fill(CRATE_ARGUMENT, &[attribute]),
    };
    let given = meta::read::<CrateArgument>(arguments, &attribute, errors);
    crate_or_default(given.and_then(|given| given.krate))
}

/// A name and its type.
pub(crate) struct Declaration {
    /// The name.
    pub(crate) name: Ident,
    /// The type.
    pub(crate) ty: Type,
}

/// Reads `name: Type, …`.
pub(crate) fn parse_declarations(
    arguments: &TokenStream,
    place: Span,
    errors: &mut Errors,
) -> Vec<Declaration> {
    let one = |input: ParseStream<'_>| {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        // `T +` is a type to syn, and none where something follows.
        Ok(Declaration { name, ty: input.call(Type::without_plus)? })
    };
    let all =
        |input: ParseStream<'_>| Punctuated::<Declaration, Token![,]>::parse_terminated_with(input, one);
    match diagnostics::read(all, arguments, place) {
        Ok(declarations) => declarations.into_iter().collect(),
        Err(error) => {
            errors.at(error.span(), MALFORMED_STATE, &[]);
            Vec::new()
        }
    }
}

/// `first <-> second, condition`
pub(crate) struct AdmitSyntax {
    /// The method of `m1`: `send`, `Sender::send`, `<Sender as Send>::send`.
    pub(crate) first: ExprPath,
    /// The method of `m2`.
    pub(crate) second: ExprPath,
    /// The condition, if there is one.
    pub(crate) condition: Option<Expr>,
}

/// Reads a rule.
pub(crate) fn parse_admit(arguments: &TokenStream, place: Span, errors: &mut Errors) -> Option<AdmitSyntax> {
    let rule = |input: ParseStream<'_>| {
        let first = input.parse()?;
        input.parse::<Token![<]>()?;
        input.parse::<Token![-]>()?;
        input.parse::<Token![>]>()?;
        let second = input.parse()?;
        let has_more = input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty();
        let condition = if has_more { Some(input.parse()?) } else { None };
        input.parse::<Option<Token![,]>>()?;
        Ok(AdmitSyntax { first, second, condition })
    };
    match diagnostics::read(rule, arguments, place) {
        Ok(rule) => Some(rule),
        Err(error) => {
            errors.at(error.span(), MALFORMED_ADMIT, &[]);
            None
        }
    }
}
