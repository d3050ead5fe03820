//! The attribute macros of cdsspec. Users meet them through the crate `cdsspec`, where they are documented.
//!
//! `parse` turns tokens into syntax, `model` turns syntax into meaning, `expand` turns meaning into tokens. Every message
//! is in `diagnostics`.

#![forbid(unsafe_code)]

mod diagnostics;
mod entry;
mod expand;
#[cfg(test)]
mod fuzz;
mod model;
mod parse;

use proc_macro::TokenStream;

/// Specifies the methods of an `impl`.
#[proc_macro_attribute]
pub fn spec(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::spec(arguments.into(), item.into()).into()
}

/// A specification that several impl blocks are `for`: the struct is its state.
#[proc_macro_attribute]
pub fn specification(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::specification(arguments.into(), item.into()).into()
}

/// Says how the objects of a type may be used.
#[proc_macro_attribute]
pub fn contract(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::contract(arguments.into(), item.into()).into()
}

/// Leaves an item out of builds that do not check: a function, an import or an impl that only clauses use.
#[proc_macro_attribute]
pub fn check_only(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::check_only(arguments.into(), &item.into()).into()
}

/// Translates the module, for CheckFence to look at.
#[proc_macro_attribute]
pub fn fence(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::fence(arguments.into(), item.into()).into()
}

/// Makes a `#[test]` that checks every execution of the function's body.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::test(arguments.into(), item.into()).into()
}

/// Says what can be invoked on a type, and tests all that comes of it.
#[proc_macro_attribute]
pub fn scenarios(arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry::scenarios(arguments.into(), item.into()).into()
}

/// For generated code only: the item that it stands on.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn __attributed(_between: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// For generated code only: what stands between its brackets.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn __between(between: TokenStream, _item: TokenStream) -> TokenStream {
    between
}

/// Exports helper attributes, whose only effect is an error: `spec` takes those that stand where they belong.
macro_rules! helpers {
    ($($(#[$doc:meta])* $name:ident: $place:expr;)*) => {
        $(
            $(#[$doc])*
            #[proc_macro_attribute]
            pub fn $name(_arguments: TokenStream, item: TokenStream) -> TokenStream {
                entry::misplaced(stringify!($name), $place, item.into()).into()
            }
        )*
    };
}

helpers! {
    /// The sequential state: `#[declare_state(name: Type, …)]`.
    declare_state: diagnostics::ON_THE_IMPL;
    /// The state in which nothing has happened yet: `#[initial(expression)]`.
    initial: diagnostics::ON_THE_IMPL;
    /// An independent copy of the state: `#[copy(expression)]`.
    copy: diagnostics::ON_THE_IMPL;
    /// The end of a state: `#[clear(expression)]`.
    clear: diagnostics::ON_THE_IMPL;
    /// Calls that must be ordered: `#[admit(first <-> second, condition)]`.
    admit: diagnostics::ON_THE_IMPL;
    /// What must hold before the call: `#[pre_condition(condition)]`.
    pre_condition: diagnostics::ON_A_METHOD;
    /// What some justifying subhistory must establish before the call: `#[justifying_pre_condition(condition)]`.
    justifying_pre_condition: diagnostics::ON_A_METHOD;
    /// What the call does to the sequential state: `#[side_effect(expression)]`.
    side_effect: diagnostics::ON_A_METHOD;
    /// What some justifying subhistory must establish after the call: `#[justifying_post_condition(condition)]`.
    justifying_post_condition: diagnostics::ON_A_METHOD;
    /// What must hold after the call: `#[post_condition(condition)]`.
    post_condition: diagnostics::ON_A_METHOD;
    /// What a method is invoked with: `#[scenario(args(1, 2))]`.
    scenario: diagnostics::ON_AN_INVOKED_METHOD;
    /// What a call ensures when it returns: `#[ensures(condition)]`.
    ensures: diagnostics::ON_A_CONTRACT_METHOD;
    /// The sets that a call is an event of: `#[add_current(set)]`.
    add_current: diagnostics::ON_A_CONTRACT_METHOD;
    /// What a method is in a predefined contract: `#[role(producer)]`.
    role: diagnostics::ON_A_CONTRACT_METHOD;
    /// What is recorded of a return value that cannot be cloned: `#[returns(|r| -> Type { … })]`.
    returns: diagnostics::ON_A_METHOD;
}
