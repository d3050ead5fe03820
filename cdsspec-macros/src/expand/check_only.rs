//! `check_only`: an item that only the specification needs.

use super::fallback::beside;
use crate::diagnostics::Errors;
use crate::parse::arguments::parse_crate;
use proc_macro2::TokenStream;
use quote::quote;

// Input:
// #[cdsspec::check_only] fn is_small(value: i32) -> bool { value < 10 }
// Output:
// plain:    nothing
// recorded: fn is_small(value: i32) -> bool { value < 10 }
/// Expands `check_only`.
pub(crate) fn check_only(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let krate = parse_crate("check_only", arguments, &mut errors);
    if !errors.is_empty() {
        return beside(item, errors);
    }
    errors.finish();
    quote!(#[#krate::__private::recorded] #item)
}
