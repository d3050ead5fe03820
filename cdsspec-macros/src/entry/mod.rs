//! What the compiler calls: parse, then model, then expand; where there is a mistake, the item beside the errors.

mod fallback;
#[cfg(test)]
mod snapshot_tests;

use crate::diagnostics::{Errors, NOT_A_STRUCT};
use crate::model::{ScenariosModel, TestModel};
use crate::parse::contract::{parse_contract, parse_contract_arguments};
use crate::parse::fragment::opened_item;
use crate::parse::helper::take_helpers;
use crate::parse::scenario::{parse_scenarios, parse_scenarios_arguments};
use crate::parse::test::{parse_arguments, parse_function};
use crate::{expand, model, parse};
use fallback::beside;
use proc_macro2::TokenStream;
use syn::ItemStruct;

pub(crate) use fallback::misplaced;

/// Expands `spec`.
pub(crate) fn spec(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let arguments = parse::arguments::parse_spec(arguments, &mut errors);
    let Some(syntax) = parse::item::parse_impl(item.clone(), &mut errors) else {
        return beside(&fallback::without_helpers(item), errors);
    };
    match model::build(arguments, syntax, &mut errors) {
        Ok(model) => {
            errors.finish();
            expand::spec(&model)
        }
        Err(rest) => beside(&expand::unspecified(&rest.item, Some(&rest.state)), errors),
    }
}

/// Expands `specification`.
pub(crate) fn specification(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let krate = parse::arguments::parse_crate("specification", arguments, &mut errors);
    let item = opened_item(item);
    let Ok(mut item) = syn::parse2::<ItemStruct>(item.clone()) else {
        errors.on(&item, NOT_A_STRUCT, &[]);
        return beside(&fallback::without_helpers(item), errors);
    };
    let helpers = take_helpers(&mut item.attrs, &mut errors);
    match model::build_shared(krate, item, &helpers, &mut errors) {
        Ok(model) => {
            errors.finish();
            expand::specification(&model)
        }
        Err(item) => beside(&expand::struct_of_state(&item), errors),
    }
}

/// Expands `contract`.
pub(crate) fn contract(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let arguments = parse_contract_arguments(arguments, &mut errors);
    let Some(syntax) = parse_contract(&item, &mut errors) else {
        return beside(&item, errors);
    };
    let Some(arguments) = arguments else {
        return beside(&expand::without_contract(&syntax), errors);
    };
    match model::build_contract(arguments, syntax, &mut errors) {
        Ok(model) => {
            errors.finish();
            expand::contract(&model)
        }
        Err(syntax) => beside(&expand::without_contract(&syntax), errors),
    }
}

/// Expands `scenarios`.
pub(crate) fn scenarios(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let arguments = parse_scenarios_arguments(arguments, &mut errors);
    let Some(syntax) = parse_scenarios(&item, &mut errors) else {
        return beside(&item, errors);
    };
    match ScenariosModel::build(arguments, syntax, &mut errors) {
        Ok(model) => {
            errors.finish();
            expand::scenarios(&model)
        }
        Err(item) => beside(&item, errors),
    }
}

/// Expands `check_only`.
pub(crate) fn check_only(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let krate = parse::arguments::parse_crate("check_only", arguments, &mut errors);
    if !errors.is_empty() {
        return beside(item, errors);
    }
    errors.finish();
    expand::check_only(&krate, item)
}

/// Expands `fence`.
#[cfg(feature = "fence")]
pub(crate) fn fence(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let arguments = parse::fence::parse_fence_arguments(arguments, &mut errors);
    let module = parse::fence::parse_module(&item, &mut errors);
    let (Some(arguments), Some(module)) = (arguments, module) else { return beside(&item, errors) };
    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items.as_slice());
    let mut instance = parse::fence::specified_instance(items);
    instance.extend(arguments.instance);
    match cdsspec_front::translate(items, &instance) {
        Ok(text) => {
            errors.finish();
            expand::fence(&arguments.krate, module, &text)
        }
        Err(found) => {
            found.into_iter().for_each(|error| errors.note(error));
            beside(&item, errors)
        }
    }
}

/// Expands `fence` where nothing is translated: the module as it is written.
#[cfg(not(feature = "fence"))]
pub(crate) fn fence(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// Expands `test`.
pub(crate) fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let arguments = parse_arguments(arguments, &mut errors);
    let function = parse_function(&item, &mut errors);
    match TestModel::build(arguments, function, &mut errors) {
        Some(model) => {
            errors.finish();
            expand::test(&model)
        }
        None => beside(&item, errors),
    }
}
