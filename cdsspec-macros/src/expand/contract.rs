//! An impl under a contract: as it is without ours, and with its methods as events.

use super::call::closure;
use super::token::versioned;
use crate::model::{ConditionModel, ContractMethod, ContractModel, Moment};
use crate::parse::body::regroup;
use crate::parse::contract::{ContractItem, ContractMethodSyntax, ContractSyntax, replace_statements};
use crate::parse::item::split_inner_attributes;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{FnArg, Pat, Receiver, ReceiverKind, ReturnType, Type};

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
// impl Queue { fn push(&self, n: u32) { if false { let _ = &self.contract; } { if false { let _ = &n; } }; body } }
/// The impl without what is ours. What only the contract mentions has a use that never runs: the variables of an `expects!`, and once the sets of the object.
fn plain(model: &ContractModel) -> TokenStream {
    let mut methods = model.methods.iter();
    let mut is_used = false;
    let items = model.syntax.items.iter().map(|item| match item {
        ContractItem::Other(tokens) => tokens.clone(),
        ContractItem::Method(method) => {
            let known = methods.next().map(|method| conditions(method, |moment| moment == Moment::Statement));
            let mut statements = known.into_iter().flatten();
            let body = with_statements(&method.parts.braces, &mut |_| {
                let variables = statements.next().map(|(_, condition)| &condition.locals);
                let variables = variables.into_iter().flatten();
                quote!(if false { #(let _ = &#variables;)* })
            });
            let receiver = method.parts.signature.receiver().filter(|_| !is_used);
            match (receiver.map(|receiver| receiver.self_token.to_token_stream()), body) {
                (Some(object), TokenTree::Group(group)) => {
                    is_used = true;
                    let sets = place(model, Some(object));
                    let (inner, content) = split_inner_attributes(group.stream());
                    let body = regroup(&group, quote!(#inner if false { let _ = &#sets; } #content));
                    with_body(method, &body)
                }
                (_, body) => with_body(method, &body),
            }
        }
    });
    whole(&model.syntax, items.collect())
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
    let place = quote::quote_spanned!(span=> file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),);
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
//     let __cdsspec_kept_n = keep(&n);
//     let __cdsspec_event = Call::enter(&__CDSSPEC_CONTRACT, 1, &self.contract, || { let n = keep(&n); move |index, view| … });
//     let c_ret = run(move || -> bool { body });
//     __cdsspec_event.ensure(|| { let n = __cdsspec_kept_n; let c_ret = keep(&c_ret); move |index, view| … });
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
    let statement = |number: usize| {
        let statements = method.conditions.iter().enumerate();
        let mut statements = statements.filter(|(_, condition)| condition.moment == Moment::Statement);
        let (index, condition) = statements.nth(number).expect("the model has as many as the syntax");
        let kept = condition.locals.iter().map(|name| quote!(let #name = #private::keep(&#name);));
        let holds = holds(model, &[(index, condition)], &[]);
        quote!(#private::expect_here(&__CDSSPEC_CONTRACT, #index, || { #(#kept)* #holds }))
    };
    let body = with_statements(&parts.braces, &mut |number| statement(number));
    let (inner, body) = match body {
        TokenTree::Group(group) => {
            let (inner, content) = split_inner_attributes(group.stream());
            let body = if inner.is_empty() { TokenTree::Group(group) } else { regroup(&group, content) };
            (inner, body)
        }
        other => (TokenStream::new(), other),
    };
    let body = closure(signature, body);
    let around = if method.is_constructor {
        constructor(model, syntax, method, index, &body)
    } else {
        event(model, syntax, method, index, &body)
    };
    let body = regroup(&parts.braces, quote!(#inner #around));
    quote!(#(#attributes)* #track #visibility #signature #body)
}

/// The conditions of a method that are looked at then, with their numbers.
fn conditions(method: &ContractMethod, is_then: impl Fn(Moment) -> bool) -> Vec<(usize, &ConditionModel)> {
    let all = method.conditions.iter().enumerate();
    all.filter(|(_, condition)| is_then(condition.moment)).collect()
}

fn event(
    model: &ContractModel,
    syntax: &ContractMethodSyntax,
    method: &ContractMethod,
    index: usize,
    body: &TokenStream,
) -> TokenStream {
    let private = private(model);
    let expects = conditions(method, |moment| moment == Moment::Invocation);
    let ensures = conditions(method, |moment| moment == Moment::Return);
    let parameters = Parameters::of(syntax);
    let early = parameters.mentioned(&expects);
    let early = early.iter().map(|parameter| parameter.keep(&private));
    let holds = holds(model, &expects, &parameters.references());
    let late = parameters.mentioned(&ensures);
    let kept = late.iter().map(|parameter| parameter.keep_for_later(&private));
    let ensure = (!ensures.is_empty()).then(|| {
        let content = returned(model, syntax, &late, &ensures);
        quote!(__cdsspec_event.ensure(|| { #content });)
    });
    let receiver = syntax.parts.signature.receiver();
    let sets = place(model, receiver.map(|receiver| receiver.self_token.to_token_stream()));
    let alone = is_alone(model, receiver).then(|| quote!(#private::alone(&mut #sets);));
    quote! {
        #(#kept)*
        #alone
        let __cdsspec_event =
            #private::Call::enter(&__CDSSPEC_CONTRACT, #index, &#sets, || { #(#early)* #holds });
        let c_ret = #private::run(#body);
        #ensure
        ::core::mem::drop(__cdsspec_event);
        c_ret
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
    syntax: &ContractMethodSyntax,
    method: &ContractMethod,
    index: usize,
    body: &TokenStream,
) -> TokenStream {
    let private = private(model);
    let all = conditions(method, |moment| moment != Moment::Statement);
    let late = Parameters::of(syntax);
    let late = late.mentioned(&all);
    let kept = late.iter().map(|parameter| parameter.keep_for_later(&private));
    let content = returned(model, syntax, &late, &all);
    let sets = place(model, Some(quote!(c_ret)));
    quote! {
        #(#kept)*
        let __cdsspec_event = #private::Constructor::enter(&__CDSSPEC_CONTRACT, #index);
        let c_ret = #private::run(#body);
        __cdsspec_event.finish(&#sets, || { #content });
        c_ret
    }
}

/// What is looked at when the call returns: what was kept for it, and what is returned.
fn returned(
    model: &ContractModel,
    syntax: &ContractMethodSyntax,
    late: &[&Parameter],
    conditions: &[(usize, &ConditionModel)],
) -> TokenStream {
    let private = private(model);
    let parameters = late.iter().map(|parameter| parameter.take());
    let c_ret = conditions.iter().any(|(_, condition)| condition.mentions_return).then(|| {
        match &syntax.parts.signature.output {
            ReturnType::Type(_, ty) if matches!(**ty, Type::Reference(_)) => {
                quote!(let c_ret = #private::keep(c_ret);)
            }
            _ => quote!(let c_ret = #private::keep(&c_ret);),
        }
    });
    let references: Vec<&Ident> = late.iter().filter_map(|parameter| parameter.reference()).collect();
    let holds = holds(model, conditions, &references);
    quote!(#(#parameters)* #c_ret #holds)
}

// Output:
// move |__cdsspec_index: usize, __cdsspec_view: &View<'_>| -> bool {
//     let now = __cdsspec_view.now();
//     match __cdsspec_index { 0 => { let init = __cdsspec_view.set(0); !init.is_empty() } _ => true }
// }
fn holds(
    model: &ContractModel,
    conditions: &[(usize, &ConditionModel)],
    references: &[&Ident],
) -> TokenStream {
    let private = private(model);
    let arms = conditions.iter().map(|(index, condition)| {
        let words = crate::parse::mention::words(&condition.tokens);
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
        let references = references.iter().filter(|name| condition.variables.contains(name));
        let condition = &condition.tokens;
        quote!(#index => { #(#imports)* #(let #references = &#references;)* #now #(#sets)* #condition })
    });
    quote! {
        move |__cdsspec_index: ::core::primitive::usize, __cdsspec_view: &#private::View<'_>| -> ::core::primitive::bool {
            let _ = __cdsspec_view;
            match __cdsspec_index {
                #(#arms)*
                _ => true,
            }
        }
    }
}

/// Where the sets of the object are, which is named so.
fn place(model: &ContractModel, object: Option<TokenStream>) -> TokenStream {
    let object = object.unwrap_or_else(|| quote!(self));
    match &model.place {
        None => quote!(#object.contract),
        Some(place) => with_object(place.to_token_stream(), &object),
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

/// The parameters of a method that have names.
struct Parameters(Vec<Parameter>);

struct Parameter {
    name: Ident,
    /// Whether it is a reference, of which what it leads to is kept. Conditions see a reference again.
    is_reference: bool,
}

impl Parameters {
    fn of(syntax: &ContractMethodSyntax) -> Self {
        let named = syntax.parts.signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(pattern) => Some(Parameter {
                    name: pattern.ident.clone(),
                    is_reference: matches!(&*typed.ty, Type::Reference(_)),
                }),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        Self(named.collect())
    }

    /// Those that one of the conditions mentions.
    fn mentioned(&self, conditions: &[(usize, &ConditionModel)]) -> Vec<&Parameter> {
        let is_mentioned = |parameter: &&Parameter| {
            conditions.iter().any(|(_, condition)| condition.variables.contains(&parameter.name))
        };
        self.0.iter().filter(is_mentioned).collect()
    }

    fn references(&self) -> Vec<&Ident> {
        self.0.iter().filter_map(Parameter::reference).collect()
    }
}

impl Parameter {
    fn reference(&self) -> Option<&Ident> {
        self.is_reference.then_some(&self.name)
    }

    /// A copy of what it is, or leads to.
    fn kept(&self, private: &TokenStream) -> TokenStream {
        let name = &self.name;
        if self.is_reference { quote!(#private::keep(&*#name)) } else { quote!(#private::keep(&#name)) }
    }

    fn keep(&self, private: &TokenStream) -> TokenStream {
        let (name, kept) = (&self.name, self.kept(private));
        quote!(let #name = #kept;)
    }

    fn later(&self) -> Ident {
        format_ident!("__cdsspec_kept_{}", self.name.unraw())
    }

    fn keep_for_later(&self, private: &TokenStream) -> TokenStream {
        let (later, kept) = (self.later(), self.kept(private));
        quote!(let #later = #kept;)
    }

    fn take(&self) -> TokenStream {
        let (name, later) = (&self.name, self.later());
        quote!(let #name = #later;)
    }
}
