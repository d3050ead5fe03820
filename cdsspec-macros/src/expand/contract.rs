//! An impl under a contract: as it is without ours, and with its methods as events.

use super::call::closure;
use super::token::versioned;
use crate::model::{ConditionModel, ContractMethod, ContractModel, Maker, Moment, PartKind, PartModel};
use crate::parse::body::regroup;
use crate::parse::contract::{ContractItem, ContractMethodSyntax, ContractSyntax, replace_statements};
use crate::parse::item::split_inner_attributes;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Receiver, ReceiverKind, ReturnType, Type};

// Output:
// #[::cdsspec::__private_0_1_0::contracted { const _: () = { static __CDSSPEC_CONTRACT: … ; impl … }; }] impl …
/// Both forms of an impl.
pub(crate) fn contract(model: &ContractModel) -> TokenStream {
    let (krate, versioned) = (&model.krate, versioned(&model.krate));
    let plain = plain(model);
    let contracted = contracted(model);
    quote!(#[#krate::#versioned::contracted { #contracted }] #plain)
}

// Input:
// impl Queue { #[expects(n > 0)] fn push(&self, n: u32) { expects!(n < 9); body } }
// Output:
// impl Queue { fn push(&self, n: u32) { if false { let _ = &self.contract; let _ = || n > 0; } { if false { let _ = || n < 9; } }; body } }
/// The impl without what is ours. What only the contract mentions has a use that never runs: what conditions mention, and once the sets of the object.
fn plain(model: &ContractModel) -> TokenStream {
    let mut methods = model.methods.iter();
    let mut is_used = false;
    let items = model.syntax.items.iter().map(|item| match (item, methods_next(item, &mut methods)) {
        (ContractItem::Other(tokens), _) => tokens.clone(),
        (ContractItem::Method(syntax), known) => {
            let mut statements = known
                .map(|method| conditions(method, |moment| moment == Moment::Statement))
                .into_iter()
                .flatten();
            let body = with_statements(&syntax.parts.braces, &mut |_| {
                let uses = statements.next().map(|(_, condition)| unevaluated(condition));
                quote!(if false { #uses })
            });
            let uses = known.map(unevaluated_at_call).unwrap_or_default();
            let sets = (!is_used).then(|| plain_use(model, syntax)).flatten();
            is_used |= sets.is_some();
            match body {
                TokenTree::Group(group) if sets.is_some() || !uses.is_empty() => {
                    let (inner, content) = split_inner_attributes(group.stream());
                    let body = regroup(&group, quote!(#inner if false { #sets #uses } #content));
                    with_body(syntax, &body)
                }
                body => with_body(syntax, &body),
            }
        }
    });
    whole(&model.syntax, items.collect())
}

/// The model of an item that is a method.
fn methods_next<'a>(
    item: &ContractItem,
    methods: &mut impl Iterator<Item = &'a ContractMethod>,
) -> Option<&'a ContractMethod> {
    matches!(item, ContractItem::Method(_)).then(|| methods.next()).flatten()
}

/// A use of the sets of the object, if the method has one, or makes one that says so.
fn plain_use(model: &ContractModel, syntax: &ContractMethodSyntax) -> Option<TokenStream> {
    let signature = &syntax.parts.signature;
    if let Some(receiver) = signature.receiver() {
        let sets = field(model, &receiver.self_token.to_token_stream());
        return Some(quote!(let _ = &#sets;));
    }
    let is_self = crate::parse::mention::words(&signature.output.to_token_stream());
    is_self.iter().any(|word| word == "Self").then(|| {
        let sets = field(model, &quote!(__cdsspec_object));
        quote!(let _ = |__cdsspec_object: &Self| { let _ = &#sets; };)
    })
}

/// What the conditions of a method mention when it begins, which is not evaluated.
fn unevaluated_at_call(method: &ContractMethod) -> TokenStream {
    let early = method.conditions.iter().flat_map(|condition| &condition.early);
    let at_call = method.conditions.iter().filter(|condition| condition.moment == Moment::Invocation);
    let mentions = |part: &&PartModel, word: &str| {
        crate::parse::mention::words(&part.value.to_token_stream())
            .iter()
            .any(|known| known.to_string().starts_with(word))
    };
    let at_return = method.conditions.iter().filter(|condition| condition.moment == Moment::Return);
    // What is returned is not there, nor what is evaluated before.
    let at_return = at_return
        .flat_map(|condition| &condition.parts)
        .filter(|part| !mentions(part, "c_ret") && !mentions(part, "__cdsspec_early"));
    early
        .chain(at_call.flat_map(|condition| &condition.parts))
        .chain(at_return)
        .map(unevaluated_part)
        .collect()
}

/// The same of a statement.
fn unevaluated(condition: &ConditionModel) -> TokenStream {
    condition.parts.iter().map(unevaluated_part).collect()
}

fn unevaluated_part(part: &PartModel) -> TokenStream {
    let value = &part.value;
    match part.kind {
        PartKind::Kept { .. } => quote!(let _ = &#value;),
        PartKind::Value | PartKind::Truth => quote!(let _ = || #value;),
    }
}

/// The impl without what is ours, beside a mistake.
pub(crate) fn without_contract(syntax: &ContractSyntax) -> TokenStream {
    let items = syntax.items.iter().map(|item| match item {
        ContractItem::Other(tokens) => tokens.clone(),
        ContractItem::Method(method) => {
            let body = with_statements(&method.parts.braces, &mut |_| TokenStream::new());
            with_body(method, &body)
        }
    });
    whole(syntax, items.collect())
}

fn with_body(method: &ContractMethodSyntax, body: &TokenTree) -> TokenStream {
    let parts = &method.parts;
    let (attributes, visibility, signature) = (&parts.attributes, &parts.visibility, &parts.signature);
    quote!(#(#attributes)* #visibility #signature #body)
}

fn whole(syntax: &ContractSyntax, items: TokenStream) -> TokenStream {
    let (head, inner) = (&syntax.head, &syntax.inner_attributes);
    let braces = regroup(&syntax.braces, quote!(#inner #items));
    quote!(#head #braces)
}

/// A body with something in the place of each `expects!`, by its number.
fn with_statements(braces: &Group, replace: &mut dyn FnMut(usize) -> TokenStream) -> TokenTree {
    let mut numbers = 0..;
    let (content, is_changed) = replace_statements(braces.stream(), &mut |_, _| {
        let statement = replace(numbers.next().unwrap_or_default());
        quote!({ #statement })
    });
    if is_changed { regroup(braces, content) } else { TokenTree::Group(braces.clone()) }
}

// Output:
// const _: () = {
//     static __CDSSPEC_CONTRACT: Contract = Contract { … };
//     inventory::submit! { RegisteredContract(&__CDSSPEC_CONTRACT) }
//     impl Queue { … }
// };
fn contracted(model: &ContractModel) -> TokenStream {
    let private = private(model);
    let table = table(model);
    let mut numbers = 0..;
    let items = model.syntax.items.iter().map(|item| match item {
        ContractItem::Other(tokens) => tokens.clone(),
        ContractItem::Method(method) => {
            let index = numbers.next().unwrap_or_default();
            self::method(model, method, &model.methods[index], index)
        }
    });
    let block = whole(&model.syntax, items.collect());
    quote! {
        const _: () = {
            static __CDSSPEC_CONTRACT: #private::Contract = #table;
            #private::register! { __CDSSPEC_CONTRACT }
            #block
        };
    }
}

fn private(model: &ContractModel) -> TokenStream {
    let krate = &model.krate;
    quote!(#krate::__private::contract)
}

/// The contract as data.
fn table(model: &ContractModel) -> TokenStream {
    let private = private(model);
    let name = &model.name;
    let source = source(model, Span::call_site());
    let kind = option(model.kind);
    let sets = model.sets.iter().map(|set| {
        let name = set.name.unraw().to_string();
        let keep = if set.keeps_last { quote!(Last) } else { quote!(All) };
        quote!(#private::DeclaredSet { name: #name, keep: #private::Keep::#keep })
    });
    let syntax = model.syntax.items.iter().filter_map(|item| match item {
        ContractItem::Method(method) => Some(method),
        ContractItem::Other(_) => None,
    });
    let methods = model.methods.iter().zip(syntax).map(|(method, syntax)| {
        let ident = &syntax.parts.signature.ident;
        let (name, source) = (ident.unraw().to_string(), self::source(model, ident.span()));
        let (role, adds) = (option(method.role), &method.adds);
        let conditions = method.conditions.iter().map(|condition| self::condition(model, condition));
        quote! {
            #private::Method {
                name: #name,
                source: #source,
                role: #role,
                conditions: &[#(#conditions),*],
                adds: &[#(#adds),*],
            }
        }
    });
    let is_checked = model.is_checked;
    quote! {
        #private::Contract {
            name: #name,
            source: #source,
            kind: #kind,
            sets: &[#(#sets),*],
            methods: &[#(#methods),*],
            is_checked: #is_checked,
        }
    }
}

fn option(text: Option<&str>) -> TokenStream {
    text.map_or_else(
        || quote!(::core::option::Option::None),
        |text| quote!(::core::option::Option::Some(#text)),
    )
}

fn source(model: &ContractModel, span: Span) -> TokenStream {
    let private = private(model);
    let place =
        quote_spanned!(span=> file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),);
    quote!(#private::Source { #place })
}

fn condition(model: &ContractModel, condition: &ConditionModel) -> TokenStream {
    let private = private(model);
    let moment = match condition.moment {
        Moment::Invocation => quote!(Invocation),
        Moment::Return => quote!(Return),
        Moment::Statement => quote!(Statement),
    };
    let (text, says) = (&condition.text, option(condition.says.as_deref()));
    let level = Ident::new(condition.level, Span::call_site());
    let source = source(model, condition.span);
    quote! {
        #private::Condition {
            moment: #private::ConditionMoment::#moment,
            text: #text,
            says: #says,
            level: #private::Level::#level,
            source: #source,
        }
    }
}

// Input:
// pub fn push(&self, n: u32) -> bool { body }
// Output:
// #[track_caller]
// pub fn push(&self, n: u32) -> bool {
//     let (__cdsspec_early_1_0,) = early(|looks| (Part::of(looks.at(Level::Default), || n > 3),));
//     let __cdsspec_event = Call::enter(&__CDSSPEC_CONTRACT, 1, &self.contract, |looks| { let part = Part::of(…, || n < 9); move |index, view| … });
//     let c_ret = run(move || -> bool { body });
//     __cdsspec_event.ensure(|looks| { let part = Part::of(…, || c_ret == __cdsspec_early_1_0.value()); move |index, view| … });
//     c_ret
// }
/// A method whose calls are events. Its body is a closure: so what it does has its own places, and the event that of the caller.
fn method(
    model: &ContractModel,
    syntax: &ContractMethodSyntax,
    method: &ContractMethod,
    index: usize,
) -> TokenStream {
    let private = private(model);
    let parts = &syntax.parts;
    let (attributes, visibility, signature) = (&parts.attributes, &parts.visibility, &parts.signature);
    let is_tracked =
        attributes.iter().any(|one| one.path().is_ident("track_caller")) || signature.abi.is_some();
    let track = (!is_tracked).then(|| quote!(#[track_caller]));
    let number = index;
    let statement = |which: usize| {
        let statements = method.conditions.iter().enumerate();
        let mut statements = statements.filter(|(_, condition)| condition.moment == Moment::Statement);
        let (index, condition) = statements.nth(which).expect("the model has as many as the syntax");
        let holds = holds(model, &[(index, condition)]);
        quote!(#private::expect_here(&__CDSSPEC_CONTRACT, (#number, #index), #holds))
    };
    let body = with_statements(&parts.braces, &mut |which| statement(which));
    let (inner, body) = match body {
        TokenTree::Group(group) => {
            let (inner, content) = split_inner_attributes(group.stream());
            let body = if inner.is_empty() { TokenTree::Group(group) } else { regroup(&group, content) };
            (inner, body)
        }
        other => (TokenStream::new(), other),
    };
    let body = closure(signature, body);
    let body = lent(method, &quote!(#private::run(#body)));
    let around = match method.maker {
        Some(maker) => constructor(model, (method, index), maker, &body),
        None => event(model, syntax, (method, index), &body),
    };
    let body = regroup(&parts.braces, quote!(#inner #around));
    quote!(#(#attributes)* #track #visibility #signature #body)
}

/// The conditions of a method that are looked at then, with their numbers.
fn conditions(method: &ContractMethod, is_then: impl Fn(Moment) -> bool) -> Vec<(usize, &ConditionModel)> {
    let all = method.conditions.iter().enumerate();
    all.filter(|(_, condition)| is_then(condition.moment)).collect()
}

/// A call of the body, to which parameters are lent that are looked at later.
fn lent(method: &ContractMethod, run: &TokenStream) -> TokenStream {
    if method.lent.is_empty() {
        return run.clone();
    }
    let lent = method.lent.iter().map(|name| quote!(let #name = &mut *#name;));
    quote!({ #(#lent)* #run })
}

fn event(
    model: &ContractModel,
    syntax: &ContractMethodSyntax,
    (method, index): (&ContractMethod, usize),
    body: &TokenStream,
) -> TokenStream {
    let private = private(model);
    let expects = holds(model, &conditions(method, |moment| moment == Moment::Invocation));
    let ensures = conditions(method, |moment| moment == Moment::Return);
    let (early, ensure) = (early(model, method), (!ensures.is_empty()).then(|| holds(model, &ensures)));
    let receiver = syntax.parts.signature.receiver();
    let sets = place(
        model,
        &receiver.map_or_else(|| quote!(self), |receiver| receiver.self_token.to_token_stream()),
    );
    let alone = is_alone(model, receiver).then(|| quote!(#private::alone(&mut #sets);));
    let enter = quote! {
        #early
        #alone
        let __cdsspec_event = #private::Call::enter(&__CDSSPEC_CONTRACT, #index, &#sets, #expects);
    };
    // What never returns is left by a panic, if at all.
    if matches!(&syntax.parts.signature.output, ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_))) {
        return quote!(#enter #body);
    }
    let ensure = ensure.map(|ensure| quote!(__cdsspec_event.ensure(#ensure);));
    quote! {
        #enter
        let c_ret = #body;
        #ensure
        ::core::mem::drop(__cdsspec_event);
        c_ret
    }
}

// Output:
// let (__cdsspec_early_1_0,) = early(|looks| { let __cdsspec_early_1_0 = Part::of(looks.at(Level::Default), || n > 3); (__cdsspec_early_1_0,) });
/// What `ensures` say of parameters that the call may consume, evaluated before it.
fn early(model: &ContractModel, method: &ContractMethod) -> Option<TokenStream> {
    let private = private(model);
    let parts: Vec<(&PartModel, &ConditionModel)> = method
        .conditions
        .iter()
        .flat_map(|condition| condition.early.iter().map(move |part| (part, condition)))
        .collect();
    let names: Vec<&Ident> = parts.iter().map(|(part, _)| &part.name).collect();
    let values = parts.iter().map(|(part, condition)| part_value(model, condition, part));
    (!parts.is_empty()).then(|| {
        quote! {
            let (#(#names,)*) = #private::early(|__cdsspec_looks| {
                #(let #names = #values;)*
                (#(#names,)*)
            });
        }
    })
}

/// A part of a condition, evaluated.
fn part_value(model: &ContractModel, condition: &ConditionModel, part: &PartModel) -> TokenStream {
    let private = private(model);
    let (level, value) = (Ident::new(condition.level, Span::call_site()), &part.value);
    let guards = part.guards.iter().map(|(name, is_so)| quote!(&& #name.is(#is_so)));
    let is_looked_at = quote!(__cdsspec_looks.at(#private::Level::#level) #(#guards)*);
    match part.kind {
        PartKind::Value => {
            // Where it cannot be kept, that is said of it.
            let path = spanned(quote!(#private::Part::of_value), value.span());
            quote_spanned!(value.span()=> #path(#is_looked_at, || #value))
        }
        PartKind::Truth => {
            quote!(#private::Part::of(#is_looked_at, || -> ::core::primitive::bool { #value }))
        }
        PartKind::Kept { is_reference } => {
            let follow = is_reference.then(|| quote!(*));
            // Where it cannot be kept, that is said of the variable.
            let keep = spanned(quote!(#private::keep), value.span());
            let kept = quote_spanned!(value.span()=> #keep(&#follow #value));
            quote!(#private::Part::of(#is_looked_at, || #kept))
        }
    }
}

/// Whether nobody else has the object, which is a type's own: by `&mut self`. The compiler proves it, where the sets are borrowed so; a method of a trait may be one of a
/// reference, which does not have them alone.
fn is_alone(model: &ContractModel, receiver: Option<&Receiver>) -> bool {
    let is_own = match &model.syntax.header.trait_ {
        None => true,
        Some((path, _)) => path.segments.last().is_some_and(|last| last.ident == "Drop"),
    };
    let is_unique = |kind: &ReceiverKind| matches!(kind, ReceiverKind::Reference(_, _, Some(_)));
    is_own && model.place.is_none() && receiver.is_some_and(|receiver| is_unique(&receiver.kind))
}

fn constructor(
    model: &ContractModel,
    (method, index): (&ContractMethod, usize),
    maker: Maker,
    body: &TokenStream,
) -> TokenStream {
    let private = private(model);
    let expects = holds(model, &conditions(method, |moment| moment == Moment::Invocation));
    let ensures = holds(model, &conditions(method, |moment| moment == Moment::Return));
    let early = early(model, method);
    let some = |object: &TokenStream| {
        let sets = place(model, object);
        quote!(::core::option::Option::Some(&#sets))
    };
    let made = some(&quote!(__cdsspec_object));
    let sets = match maker {
        Maker::Always => some(&quote!(c_ret)),
        Maker::Result => quote! {
            match &c_ret {
                ::core::result::Result::Ok(__cdsspec_object) => #made,
                ::core::result::Result::Err(_) => ::core::option::Option::None,
            }
        },
        Maker::Option => quote! {
            match &c_ret {
                ::core::option::Option::Some(__cdsspec_object) => #made,
                ::core::option::Option::None => ::core::option::Option::None,
            }
        },
    };
    quote! {
        #early
        let __cdsspec_event = #private::Constructor::enter(&__CDSSPEC_CONTRACT, #index, #expects);
        let c_ret = #body;
        __cdsspec_event.finish(#sets, #ensures);
        c_ret
    }
}

/// Tokens at another place.
fn spanned(tokens: TokenStream, span: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    moved.collect()
}

// Output:
// |__cdsspec_looks: Looks| {
//     let __cdsspec_part_0_0 = Part::of(__cdsspec_looks.at(Level::Default), || n > 3);
//     move |__cdsspec_index: usize, __cdsspec_view: &View<'_>| -> bool {
//         let now = __cdsspec_view.now();
//         match __cdsspec_index { 0 => { let init = __cdsspec_view.set(0); __cdsspec_part_0_0.value() || !init.is_empty() } _ => true }
//     }
// }
fn holds(model: &ContractModel, conditions: &[(usize, &ConditionModel)]) -> TokenStream {
    let private = private(model);
    let parts = conditions.iter().flat_map(|(_, condition)| {
        condition.parts.iter().map(move |part| {
            let (name, value) = (&part.name, part_value(model, condition, part));
            quote!(let #name = #value;)
        })
    });
    let arms = conditions.iter().map(|(index, condition)| {
        let rest = condition.rest.to_token_stream();
        let words = crate::parse::mention::words(&rest);
        let mentions = |name: &Ident| words.iter().any(|word| word == name);
        let sets =
            model.sets.iter().enumerate().filter(|(_, set)| mentions(&set.name)).map(|(index, set)| {
                // At the place, and with the hygiene, of the mention.
                let name = words.iter().find(|word| **word == set.name).unwrap_or(&set.name);
                quote!(let #name = __cdsspec_view.set(#index);)
            });
        let now =
            words.iter().find(|word| *word == "now").map(|now| quote!(let #now = __cdsspec_view.now();));
        let imports = ["union", "intersection", "add_current"].iter().filter_map(|name| {
            let mention = words.iter().find(|word| *word == name)?;
            Some(quote!(use #private::#mention;))
        });
        quote!(#index => { #(#imports)* #now #(#sets)* #rest })
    });
    let body = match conditions {
        [] => quote! {
            let _ = (__cdsspec_index, __cdsspec_view);
            true
        },
        _ => quote! {
            let _ = __cdsspec_view;
            match __cdsspec_index {
                #(#arms)*
                _ => true,
            }
        },
    };
    quote! {
        |__cdsspec_looks: #private::Looks| {
            let _ = __cdsspec_looks;
            #(#parts)*
            move |__cdsspec_index: ::core::primitive::usize, __cdsspec_view: &#private::View<'_>| -> ::core::primitive::bool {
                #body
            }
        }
    }
}

/// Where the sets of the object are, which is named so.
fn place(model: &ContractModel, object: &TokenStream) -> TokenStream {
    let krate = &model.krate;
    match &model.place {
        // If there is no such field, the compiler names the macro.
        None => {
            quote!(#krate::__private::add_a_field_named_contract_of_the_type_cdsspec_contract_Sets!(#object))
        }
        Some(_) => field(model, object),
    }
}

/// The same, without a word where there is no such field: the other form has it.
fn field(model: &ContractModel, object: &TokenStream) -> TokenStream {
    match &model.place {
        None => quote!(#object.contract),
        Some(place) => with_object(place.to_token_stream(), object),
    }
}

/// Tokens with something else for `self`.
fn with_object(tokens: TokenStream, object: &TokenStream) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name == "self" => object.clone(),
        TokenTree::Group(group) => regroup(&group, with_object(group.stream(), object)).into(),
        other => other.into(),
    });
    replaced.collect()
}
