//! What a product build compiles of the examples: the bare items, and only what is said to be added to them.

use super::corpus::{Case, cases};
use super::forms;
use crate::parse::helper::{IMPL_HELPERS, MARKERS, METHOD_HELPERS};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::{Expr, Item, Stmt};

/// The tokens without our attributes, told by their names alone.
fn bare(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let is_after_hash = matches!(kept.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
        match token {
            TokenTree::Group(group) if is_after_hash && is_own(&group) => drop(kept.pop()),
            TokenTree::Group(group) => kept.push(Group::new(group.delimiter(), bare(group.stream())).into()),
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

fn is_own(group: &Group) -> bool {
    let mut names = IMPL_HELPERS.iter().chain(&METHOD_HELPERS).chain(&MARKERS);
    let last = group.stream().into_iter().take_while(|token| !matches!(token, TokenTree::Group(_))).last();
    last.is_some_and(|last| names.any(|name| last.to_string() == *name))
}

/// The tokens without `if false { let _: ::core::primitive::bool = condition; }`, and how many of these there were.
fn without_uses(tokens: TokenStream, use_count: &mut usize) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let TokenTree::Group(group) = token else {
            kept.push(token);
            continue;
        };
        let is_use = matches!(&kept[..], [.., first, second] if first.to_string() == "if" && second.to_string() == "false")
            && group.delimiter() == Delimiter::Brace
            && group.stream().to_string().starts_with("let _ : :: core :: primitive :: bool = ");
        if is_use {
            kept.truncate(kept.len() - 2);
            *use_count += 1;
        } else {
            kept.push(Group::new(group.delimiter(), without_uses(group.stream(), use_count)).into());
        }
    }
    kept.into_iter().collect()
}

/// A constant without a name, of the types of the state, so that their imports are used; for a generic impl with what stands for its
/// parameters.
fn is_of_types(item: &Item) -> bool {
    let Item::Const(constant) = item else { return false };
    match &*constant.expr {
        Expr::Block(block) => block.block.stmts.iter().all(|statement| match statement {
            Stmt::Item(inner @ Item::Const(named)) => named.ident != "_" || is_of_types(inner),
            Stmt::Item(Item::Type(_)) => true,
            _ => false,
        }),
        value => constant.ident == "_" && value.to_token_stream().to_string().ends_with("PhantomData"),
    }
}

/// Whether a test has no mistake.
fn is_right_test(case: &Case) -> bool {
    forms(&crate::entry::test(case.arguments.clone(), case.item.clone())).is_some()
}

/// The items of the plain form of a case, without the uses of conditions.
fn product(case: &Case, use_count: &mut usize) -> Vec<Item> {
    let (arguments, item) = (case.arguments.clone(), case.item.clone());
    let expansion = match case.attribute.as_str() {
        "spec" => crate::entry::spec(arguments, item),
        _ => crate::entry::test(arguments, item),
    };
    let [plain, _] = forms(&expansion).expect("an example has no mistake");
    let file: syn::File = syn::parse2(without_uses(plain, use_count)).expect("the product is items");
    file.items
}

fn text(item: &Item) -> String {
    item.to_token_stream().to_string()
}

#[test]
fn a_product_build_of_an_example_is_the_bare_item_and_uses_of_what_only_the_specification_names() {
    // The examples hold their programs to their counts in one test each: tests by attribute are elsewhere, some of them wrong on purpose.
    let of = |folder, attribute: &'static str| {
        cases(&[folder])
            .into_iter()
            .filter(move |case| case.attribute == attribute && (folder == "examples" || is_right_test(case)))
    };
    let (mut use_count, mut counts) = (0, HashMap::new());
    let all: Vec<_> = of("examples", "spec").chain(of("tests", "test")).collect();
    for case in &all {
        let items = product(case, &mut use_count);
        let (item, types) = items.split_first().expect("the item is there");
        let expected: Item = syn::parse2(bare(case.item.clone())).expect("an example is Rust");
        let text_of_test = text(item);
        match text_of_test.strip_suffix(&text(&expected)) {
            Some("") => {}
            Some(before) if case.attribute == "test" => {
                // An item that is a test already, by an attribute of its own, is not made one again.
                let is_test_already = text(&expected).contains("test]");
                let made = if is_test_already { "" } else { "# [:: core :: prelude :: v1 :: test] " };
                let rest = before.strip_prefix(made).unwrap_or_else(|| panic!("not made a test: {before}"));
                assert!(rest.starts_with("# [ignore"), "{before}");
            }
            _ => assert_eq!(text(item), text(&expected)),
        }
        assert!(types.len() <= 1 && types.iter().all(is_of_types), "{}", quote!(#(#types)*));
        *counts.entry((case.attribute.as_str(), types.len())).or_insert(0) += 1;
    }
    // One for each structure and more, since some have several specifications.
    assert!(counts[&("spec", 1)] >= 19 && counts[&("test", 0)] >= 19, "{counts:?}");
    assert!(use_count >= 10, "{use_count}");
}
