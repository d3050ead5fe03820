//! The arguments of `fence`, and the module that it stands on.

use super::arguments::parse_spec;
use super::meta::{self, Attribute, PathValue, crate_or_default};
use crate::diagnostics::{Errors, FENCE_ARGUMENT, FENCE_INSTANCE, FENCE_NOT_A_MODULE};
use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Item, ItemMod, Meta};

/// The arguments of `fence`.
pub(crate) struct FenceArguments {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// `instance(N = 2)`
    pub(crate) instance: Vec<(Ident, Expr)>,
}

#[derive(FromMeta)]
struct Given {
    #[darling(rename = "crate")]
    krate: Option<PathValue>,
    instance: Option<Instance>,
}

/// Constants that are generic, and their values.
struct Instance(Vec<(Ident, Expr)>);

impl FromMeta for Instance {
    fn from_list(items: &[NestedMeta]) -> darling::Result<Self> {
        let pair = |item: &NestedMeta| match item {
            NestedMeta::Meta(Meta::NameValue(pair)) => {
                let name = pair.path.get_ident().cloned();
                name.map(|name| (name, pair.value.clone()))
            }
            _ => None,
        };
        let pairs = items
            .iter()
            .map(|item| pair(item).ok_or_else(|| darling::Error::custom(FENCE_INSTANCE).with_span(item)));
        pairs.collect::<darling::Result<_>>().map(Self)
    }
}

/// Reads the arguments of `fence`; `None` if there is a mistake.
pub(crate) fn parse_fence_arguments(arguments: TokenStream, errors: &mut Errors) -> Option<FenceArguments> {
    let attribute = Attribute {
        name: "fence",
        takes: "`instance(N = 2)` and `crate = path`",
        malformed: FENCE_ARGUMENT.to_owned(),
    };
    let given = meta::read::<Given>(arguments, &attribute, errors)?;
    Some(FenceArguments {
        krate: crate_or_default(given.krate),
        instance: given.instance.map(|instance| instance.0).unwrap_or_default(),
    })
}

/// The module that `fence` stands on, with what is in it.
pub(crate) fn parse_module(item: &TokenStream, errors: &mut Errors) -> Option<ItemMod> {
    match syn::parse2::<ItemMod>(item.clone()) {
        Ok(module) if module.content.is_some() => Some(module),
        _ => {
            errors.on(item, FENCE_NOT_A_MODULE, &[]);
            None
        }
    }
}

/// The constants that specifications in the module give to their impls. What is wrong with one, `spec` says.
pub(crate) fn specified_instance(items: &[Item]) -> Vec<(Ident, Expr)> {
    let mut instance = Vec::new();
    for item in items {
        let Item::Impl(item) = item else { continue };
        for attribute in &item.attrs {
            let is_spec = attribute.path().segments.last().is_some_and(|last| last.ident == "spec");
            let Ok(list) = attribute.meta.require_list() else { continue };
            if !is_spec {
                continue;
            }
            let mut unread = Errors::default();
            let arguments = parse_spec(list.tokens.clone(), &mut unread);
            unread.finish();
            let is_constant =
                |name: &Ident| item.generics.const_params().any(|parameter| parameter.ident == *name);
            let constants = arguments.instance.into_iter().filter(|(name, _)| is_constant(name));
            instance.extend(constants.filter_map(|(name, value)| Some((name, syn::parse2(value).ok()?))));
        }
    }
    instance
}
