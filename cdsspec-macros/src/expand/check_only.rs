//! `check_only`: an item that only the specification needs.

use super::token::versioned;
use proc_macro2::TokenStream;
use quote::quote;

// Input:
// #[cdsspec::check_only] fn is_small(value: i32) -> bool { value < 10 }
// Output:
// plain:    nothing
// recorded: fn is_small(value: i32) -> bool { value < 10 }
/// Both forms of the item.
pub(crate) fn check_only(krate: &TokenStream, item: &TokenStream) -> TokenStream {
    let versioned = versioned(krate);
    quote!(#[#krate::#versioned::recorded] #item)
}
