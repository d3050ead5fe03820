//! One call of a method, run on a state: its clauses (CDSSpec, sections 4.3 and 5.2).

use super::shared::OtherMethods;
use super::{call, local, record, record_ident, specification, state};
use crate::model::{ClauseKind, ClauseModel, Kept, MethodModel, Returned, SpecModel};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// The name of the function of the method with this index.
pub(super) fn ident(index: usize) -> Ident {
    format_ident!("__cdsspec_step_{index}")
}

// Input:
// #[pre_condition(val > 0)] #[side_effect(q.push(val))] fn enq(&self, val: i32)
// Output:
// fn __cdsspec_step_0(step: &mut Step<'_>) -> Result<(), Broken> {
//     let mode = step.mode();
//     let (state, record, concurrent, at) = step.split::<__CdsspecState, Record>();
//     let values = record.values();
//     if mode == StepMode::Sequential {
//         *at = ClauseKind::PreCondition;
//         let val = Clone::clone(&values.val);
//         if !run::<bool>(|| val > 0) { return Err(Broken { … }); }
//     }
//     *at = ClauseKind::SideEffect;
//     let (q,) = &mut *state;
//     let s_ret = { let val = Clone::clone(&values.val); run(|| q.push(val)) };
//     if mode == StepMode::Sequential { *at = ClauseKind::SameReturn; … }
//     Ok(())
// }
/// The function that runs the clauses of the method with this index.
pub(super) fn function(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let private = model.private();
    let name = ident(index);
    let alias = record::alias(&record_ident(index, &method.name));
    let concurrent = concurrent(model, method);
    let clauses = ClauseKind::ALL.iter().filter_map(|kind| method.clause(*kind)).map(|clause| {
        if clause.kind == ClauseKind::SideEffect {
            effect(model, method, clause)
        } else {
            condition(model, method, clause)
        }
    });
    let same_return = same_return(model, method, index);
    let (asked, told) = effect_type(model, method).unzip();
    let conditions = &method.conditions;
    quote! {
        #conditions
        fn #name(__cdsspec_step: &mut #private::Step<'_>) -> #private::Result<(), #private::Broken> {
            #asked
            let __cdsspec_mode = __cdsspec_step.mode();
            let (__cdsspec_state, __cdsspec_record, __cdsspec_concurrent, __cdsspec_at) =
                __cdsspec_step.split::<__CdsspecState, #alias>();
            let __cdsspec_values = __cdsspec_record.values();
            let _ = (__cdsspec_mode, &__cdsspec_state, &__cdsspec_values, &__cdsspec_concurrent);
            #concurrent
            #(#clauses)*
            #told
            #same_return
            #private::Ok(())
        }
    }
}

fn concurrent(model: &SpecModel, method: &MethodModel) -> Option<TokenStream> {
    let mention = method.clauses.iter().find_map(|clause| clause.find("concurrent"))?;
    let others = OtherMethods::new(model).values;
    Some(quote! {
        #[allow(unused_variables, reason = "a mention is told by its token alone")]
        let #mention = __CdsspecConcurrent(__cdsspec_concurrent #others);
    })
}

/// The values that a clause mentions, as variables of their names.
fn values(model: &SpecModel, method: &MethodModel, clause: &ClauseModel) -> TokenStream {
    let private = model.private();
    let mut bindings = TokenStream::new();
    let mut bind = |variable: &Ident, name: &Ident, origin: Span, reference: Option<&syn::Type>| {
        let field = record::field(method, name);
        let value = match reference {
            Some(ty) => {
                quote!(<<#ty as #private::ToOwned>::Owned as #private::Borrow<#ty>>::borrow(&__cdsspec_values.#field))
            }
            None if name == "c_ret" => {
                let values = local("__cdsspec_values", origin);
                let place = quote_spanned!(values.span()=> &#values.#field);
                call::keep(&private, &place, origin)
            }
            None => {
                let values = local("__cdsspec_values", origin);
                quote_spanned!(values.span()=> #private::Clone::clone(&#values.#field))
            }
        };
        bindings.extend(quote! {
            #[allow(unused_variables, reason = "a mention is told by its token alone")]
            let #variable = #value;
        });
    };
    for (parameter, kept) in method.kept() {
        if let Some(mention) = clause.find(&parameter.unraw().to_string()) {
            let reference = match kept {
                Kept::Value(_) => None,
                Kept::Reference(ty) | Kept::AtReturn(ty) => Some(ty),
            };
            bind(mention, parameter, parameter.span(), reference);
        }
    }
    if let Some(mention) = clause.find("c_ret") {
        let (origin, reference) = match &method.returned {
            Returned::Reference(ty) => (ty.span(), Some(ty)),
            Returned::Value(ty) => (ty.span(), None),
            _ => (mention.span(), None),
        };
        bind(mention, &local("c_ret", origin), origin, reference);
    }
    bindings
}

/// The parts of the state that a clause mentions, as variables of their names. Only the side effect may change them.
fn parts(model: &SpecModel, clause: &ClauseModel) -> Option<TokenStream> {
    // With the hygiene of the mention, as the values of the call.
    let mention = |name: &Ident| clause.find(&name.unraw().to_string());
    model.state.fields.iter().find_map(|field| mention(&field.name))?;
    let pattern = state::pattern(model, &mention);
    let (pattern, value) = match clause.kind {
        ClauseKind::SideEffect => (pattern, quote!(&mut *__cdsspec_state)),
        _ if model.state.is_declared => (pattern, quote!(&*__cdsspec_state)),
        // Taken out of something, as the declared parts are: else the compiler advises to change the type of the variable, which nobody sees.
        _ => (quote!([#pattern]), quote!(::core::array::from_ref(&*__cdsspec_state))),
    };
    Some(quote! {
        #[allow(unused_variables, reason = "a mention is told by its token alone")]
        let #pattern = #value;
    })
}

fn mode_of(kind: ClauseKind) -> TokenStream {
    match kind {
        ClauseKind::JustifyingPreCondition | ClauseKind::JustifyingPostCondition => quote!(Justifying),
        _ => quote!(Sequential),
    }
}

fn effect(model: &SpecModel, method: &MethodModel, clause: &ClauseModel) -> TokenStream {
    let private = model.private();
    let (parts, values) = (parts(model, clause), values(model, method, clause));
    let tokens = &clause.expression.tokens;
    // The parts stand outside of the block: the value may borrow from them.
    quote! {
        *__cdsspec_at = #private::ClauseKind::SideEffect;
        #parts
        let __cdsspec_s_ret = { #values #private::run(|| #tokens) };
        let _ = &__cdsspec_s_ret;
    }
}

fn condition(model: &SpecModel, method: &MethodModel, clause: &ClauseModel) -> TokenStream {
    let private = model.private();
    let kind = format_ident!("{}", clause.kind.variant());
    let mode = mode_of(clause.kind);
    let (parts, values) = (parts(model, clause), values(model, method, clause));
    let specified_value = clause.find("s_ret").map(|mention| {
        let value = local("__cdsspec_s_ret", mention.span());
        let clone = quote_spanned!(mention.span()=> #private::Clone::clone(&#value));
        quote! {
            #[allow(unused_variables, reason = "a mention is told by its token alone")]
            let #mention = #clone;
        }
    });
    let specified = specified(model, method, clause.kind);
    let tokens = &clause.expression.tokens;
    let holds =
        quote_spanned!(clause.expression.span=> #private::run::<::core::primitive::bool, _>(|| #tokens));
    quote! {
        if __cdsspec_mode == #private::StepMode::#mode {
            *__cdsspec_at = #private::ClauseKind::#kind;
            let __cdsspec_holds = { #parts #values #specified_value #holds };
            if !__cdsspec_holds {
                return #private::Err(#private::Broken { clause: #private::ClauseKind::#kind, specified: #specified });
            }
        }
    }
}

// Output:
// let effect = Probe::new();
// if step.is_asked(&effect) { return Ok(()); }
// … let s_ret = …;
// effect.is_of(&s_ret);
/// Where it depends on the type of the side effect's value whether the return value is recorded: answers of which type it is. Only the
/// compiler knows that, and nothing is run to know it.
fn effect_type(model: &SpecModel, method: &MethodModel) -> Option<(TokenStream, TokenStream)> {
    let private = model.private();
    let asked = quote! {
        let __cdsspec_effect = #private::Probe::new();
        if __cdsspec_step.is_asked(&__cdsspec_effect) {
            return #private::Ok(());
        }
    };
    let is_compared = matches!(method.returned, Returned::IfCompared(_));
    is_compared.then(|| (asked, quote!(__cdsspec_effect.is_of(&__cdsspec_s_ret);)))
}

/// The name of the function that says whether the value of the side effect is `()`.
pub(super) fn says_nothing(index: usize) -> Ident {
    format_ident!("__cdsspec_says_nothing_{index}")
}

/// That function, where it is needed. It stands outside of the impl, where the type is no `Self`.
pub(super) fn effect_function(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    if !matches!(method.returned, Returned::IfCompared(_)) {
        return TokenStream::new();
    }
    let (private, holder, step) = (model.private(), specification::methods_of(model), ident(index));
    let (name, conditions) = (says_nothing(index), &method.conditions);
    quote!(#conditions fn #name() -> ::core::primitive::bool { #private::says_nothing(#holder::#step) })
}

/// `s_ret` as text, where it is there.
fn specified(model: &SpecModel, method: &MethodModel, kind: ClauseKind) -> TokenStream {
    let private = model.private();
    if !kind.is_after_effect() || method.clause(ClauseKind::SideEffect).is_none() {
        return quote!(#private::None);
    }
    let show = record::show(&private, &quote!(&__cdsspec_s_ret));
    quote!(#private::specified(#show))
}

/// The rule that stands where no post_condition does.
fn same_return(model: &SpecModel, method: &MethodModel, index: usize) -> Option<TokenStream> {
    let private = model.private();
    let effect = method.clause(ClauseKind::SideEffect)?;
    if method.clause(ClauseKind::PostCondition).is_some() {
        return None;
    }
    let return_field = record::return_field(method);
    let returned = match &method.returned {
        Returned::Unrecorded => quote!(#private::None::<&#private::Unrecorded>),
        Returned::IfCompared(_) => {
            let compared = record::compared_probe(&private, &record_ident(index, &method.name));
            quote!({
                #[allow(unused_imports, reason = "which of the two is used depends on the type")]
                use #private::{ReturnBorrowing as _, ReturnOwned as _};
                #compared.kept(&__cdsspec_values.#return_field)
            })
        }
        _ => quote!(#private::Some(&__cdsspec_values.#return_field)),
    };
    let comparison = local("__cdsspec_comparison", effect.expression.span);
    let agrees = quote_spanned!(comparison.span()=> (&&#comparison).agrees());
    let specified = specified(model, method, ClauseKind::PostCondition);
    Some(quote! {
        if __cdsspec_mode == #private::StepMode::Sequential {
            *__cdsspec_at = #private::ClauseKind::SameReturn;
            let __cdsspec_agrees = {
                #[allow(unused_imports, reason = "which of the three is used depends on the types")]
                use #private::{AgreesByEquality as _, AgreesByUnit as _, AgreesNever as _};
                let __cdsspec_comparison =
                    #private::Comparison { specified: &__cdsspec_s_ret, returned: #returned };
                #agrees
            };
            if !__cdsspec_agrees {
                return #private::Err(#private::Broken {
                    clause: #private::ClauseKind::SameReturn,
                    specified: #specified,
                });
            }
        }
    })
}
