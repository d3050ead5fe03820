//! What `fence` makes of a module: the module, with its translation in it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ItemMod;

// Input:  mod queue { … }
// Output: mod queue { …
//             pub(crate) const FENCE: ::cdsspec::fence::Source = ::cdsspec::fence::Source::new(file!(), "proc …");
//         }
pub(crate) fn fence(krate: &TokenStream, mut module: ItemMod, text: &str) -> TokenStream {
    let constant = syn::Item::Verbatim(quote! {
        /// The module in LSL, for `cdsspec::fence::check`.
        #[allow(dead_code, reason = "only tests look at it")]
        pub(crate) const FENCE: #krate::fence::Source = #krate::fence::Source::new(::core::file!(), #text);
    });
    if let Some((_, items)) = &mut module.content {
        items.push(constant);
    }
    module.into_token_stream()
}
