//! One line for each item, however it is written: names of parameters and lifetimes do not count, nor where a bound stands, nor the
//! parameter `A` of allocators, which is unstable.

use quote::ToTokens;
use std::collections::BTreeSet;
use syn::visit_mut::{self, VisitMut};

/// An impl: what its methods are of.
pub(super) struct Impl {
    self_type: syn::Type,
    bounds: BTreeSet<(String, String)>,
    trait_: Option<String>,
}

impl Impl {
    /// Reads the head of an impl.
    ///
    /// # Errors
    /// That it is no Rust.
    pub(super) fn parse(head: &str) -> Result<Self, String> {
        let mut item: syn::ItemImpl = parse(&format!("{head} {{}}"))?;
        Normal { self_type: None }.visit_item_impl_mut(&mut item);
        let not = item.modifiers.polarity.map_or("", |_| "!");
        let trait_ = item.trait_.as_ref().map(|(path, _)| format!("{not}{}", compact(path)));
        // Of a type that never has a trait no bound is worth a word.
        let bounds = if not.is_empty() { bounds(&item.generics) } else { BTreeSet::new() };
        Ok(Self { self_type: *item.self_ty, bounds, trait_ })
    }

    /// The line of the impl itself, if it is of a trait.
    pub(super) fn line(&self) -> Option<String> {
        let trait_ = self.trait_.as_ref()?;
        Some(format!("impl {trait_} for {}{}", compact(&self.self_type), clause(&self.bounds)))
    }

    /// The line of a method of this impl.
    ///
    /// # Errors
    /// That it is no Rust.
    pub(super) fn method(&self, declaration: &str) -> Result<String, String> {
        let line = function(declaration, Some(&self.self_type), &self.bounds)?;
        Ok(format!("{} {line}", compact(&self.self_type)))
    }
}

/// The line of a function.
///
/// # Errors
/// That it is no Rust.
pub(super) fn function(
    declaration: &str,
    self_type: Option<&syn::Type>,
    outer: &BTreeSet<(String, String)>,
) -> Result<String, String> {
    let mut item: syn::ImplItemFn = parse(&format!("{declaration} {{}}"))?;
    Normal { self_type: self_type.cloned() }.visit_impl_item_fn_mut(&mut item);
    let signature = item.sig;
    let inputs: Vec<String> = signature.inputs.iter().map(input).collect();
    let mut all = bounds(&signature.generics);
    all.extend(outer.iter().cloned());
    let constness = signature.constness.map_or("", |_| "const ");
    let unsafety = if matches!(signature.safety, syn::Safety::Unsafe(_)) { "unsafe " } else { "" };
    let output = match &signature.output {
        syn::ReturnType::Default => String::new(),
        syn::ReturnType::Type(_, ty) => format!(" -> {}", compact(ty)),
    };
    let (name, inputs) = (&signature.ident, inputs.join(", "));
    Ok(format!("{constness}{unsafety}fn {name}({inputs}){output}{}", clause(&all)))
}

fn parse<T: syn::parse::Parse>(text: &str) -> Result<T, String> {
    syn::parse_str(text).map_err(|error| format!("{error}: {text}"))
}

fn input(input: &syn::FnArg) -> String {
    match input {
        syn::FnArg::Typed(typed) => compact(&typed.ty),
        syn::FnArg::Receiver(receiver) => compact(receiver),
    }
}

/// Which type has which bound. A parameter that is both `?Sized` and `Sized` is as one that says nothing.
fn bounds(generics: &syn::Generics) -> BTreeSet<(String, String)> {
    let parameters = generics.type_params().map(|one| (compact(&one.ident), &one.bounds));
    let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let predicates = predicates.filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(one) => Some((compact(&one.bounded_ty), &one.bounds)),
        _ => None,
    });
    let all = parameters.chain(predicates).filter(|(bounded, _)| bounded != ALLOCATOR);
    let all =
        all.flat_map(|(bounded, bounds)| bounds.iter().map(move |bound| (bounded.clone(), compact(bound))));
    all.filter(|(_, bound)| bound != "'_").collect()
}

fn clause(bounds: &BTreeSet<(String, String)>) -> String {
    let is_sized = |bounded: &String| bounds.contains(&(bounded.clone(), "Sized".to_string()));
    let said = bounds
        .iter()
        .filter(|(bounded, bound)| bound != "Sized" && (bound != "?Sized" || !is_sized(bounded)));
    let said: Vec<String> = said.map(|(bounded, bound)| format!("{bounded}: {bound}")).collect();
    if said.is_empty() { String::new() } else { format!(" where {}", said.join(", ")) }
}

/// std's parameter for the allocator.
const ALLOCATOR: &str = "A";

/// Takes out what does not count.
struct Normal {
    /// What `Self` is.
    self_type: Option<syn::Type>,
}

impl VisitMut for Normal {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        reference.lifetime = reference.lifetime.take().filter(|lifetime| lifetime.ident == "static");
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_receiver_kind_mut(&mut self, kind: &mut syn::ReceiverKind) {
        if let syn::ReceiverKind::Reference(_, lifetime, _) = kind {
            *lifetime = lifetime.take().filter(|lifetime| lifetime.ident == "static");
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "static" {
            *lifetime = syn::Lifetime::new("'_", lifetime.span());
        }
    }

    fn visit_angle_bracketed_generic_arguments_mut(
        &mut self,
        arguments: &mut syn::AngleBracketedGenericArguments,
    ) {
        let kept = std::mem::take(&mut arguments.args).into_iter();
        arguments.args = kept.filter(|argument| compact(argument) != ALLOCATOR).collect();
        visit_mut::visit_angle_bracketed_generic_arguments_mut(self, arguments);
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let Some(self_type) = self.self_type.as_ref().filter(|_| compact(ty) == "Self") {
            *ty = self_type.clone();
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// Tokens with no more spaces than it takes.
fn compact(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let is_word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_'".contains(byte));
    let mut compact = String::new();
    for (place, letter) in text.char_indices() {
        let (before, after) = (compact.as_bytes().last(), text.as_bytes().get(place + 1));
        let is_after_comma = matches!(before, Some(b','));
        if letter != ' ' || (is_word(before) && is_word(after)) || is_after_comma {
            compact.push(letter);
        }
    }
    compact
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_an_item_is_written_does_not_count() {
        let std = Impl::parse("impl<T, A> Arc<T, A>where A: Allocator, T: ?Sized,").unwrap();
        let ours = Impl::parse("impl<T: ?Sized> Arc<T>").unwrap();
        let expected = "Arc<T> fn f(&Arc<T>, &mut T) -> Option<Arc<T>> where F: FnOnce(), T: ?Sized";
        let written = "pub fn f<'a, F>(this: &'a Arc<T, A>, x: &'a mut T) -> Option<Arc<T, A>> where F: FnOnce(), A: Clone";
        assert_eq!(std.method(written).unwrap(), expected);
        assert_eq!(
            ours.method("pub fn f<F: FnOnce()>(x: &Self, y: &mut T) -> Option<Self>").unwrap(),
            expected
        );
    }

    #[test]
    fn what_callers_see_counts() {
        let one = Impl::parse("impl<T> Cell<T>").unwrap();
        let lines = [
            "pub fn f(&self)",
            "pub const fn f(&self)",
            "pub unsafe fn f(&self)",
            "pub fn f(&'static self)",
            "pub fn f(&mut self)",
            "pub fn f(self)",
            "pub fn f(&self, x: u8)",
            "pub fn f(&self) -> u8",
            "pub fn f(&self) where T: Clone",
            "pub fn g(&self)",
        ];
        let distinct: BTreeSet<String> = lines.iter().map(|line| one.method(line).unwrap()).collect();
        assert_eq!(distinct.len(), lines.len());
    }

    #[test]
    fn an_impl_says_its_trait_and_its_bounds_in_one_order() {
        let impls = [
            "impl<'a, T: Sync + ?Sized> Send for X<'a, T>",
            "impl<T> Send for X<'_, T>where T: ?Sized + Sync,",
        ];
        for text in impls {
            assert_eq!(
                Impl::parse(text).unwrap().line().unwrap(),
                "impl Send for X<'_, T> where T: ?Sized, T: Sync"
            );
        }
    }
}
