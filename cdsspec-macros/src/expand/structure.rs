//! The structure trees of an impl's functions, as data: what is registered (CGVT, III.B).

use crate::model::SpecModel;
use crate::parse::structure::Unit;
use proc_macro2::TokenStream;
use quote::quote;

// Input:
// impl Queue { fn deq(&self) { loop { if self.head.load(Acquire).is_null() { return } } } }
// Output:
// inventory::submit! { RegisteredStructures { owner: "Queue", functions: &[("deq", &[Unit::Loop(None, &[Unit::Sequential(1), …])])] } }
/// All functions that do operations; nothing, if none does.
pub(super) fn registered(model: &SpecModel) -> Option<TokenStream> {
    let (private, owner) = (model.private(), &model.name);
    let functions = model.structures.iter().map(|function| {
        let (name, conditions, units) =
            (&function.name, &function.conditions, units(&private, &function.units));
        quote!(#conditions (#name, #units),)
    });
    (!model.structures.is_empty()).then(|| {
        quote! {
            #private::inventory::submit! {
                #private::RegisteredStructures { owner: #owner, functions: &[#(#functions)*] }
            }
        }
    })
}

fn units(private: &TokenStream, all: &[Unit]) -> TokenStream {
    let all = all.iter().map(|one| unit(private, one));
    quote!(&[#(#all),*])
}

fn unit(private: &TokenStream, unit: &Unit) -> TokenStream {
    match unit {
        Unit::Sequential(count) => quote!(#private::Unit::Sequential(#count)),
        Unit::Loop(count, round) => {
            let round = units(private, round);
            let count =
                count.map_or(quote!(#private::Option::None), |count| quote!(#private::Option::Some(#count)));
            quote!(#private::Unit::Loop(#count, #round))
        }
        Unit::Selection(branches) => {
            let branches = branches.iter().map(|branch| units(private, branch));
            quote!(#private::Unit::Selection(&[#(#branches),*]))
        }
        Unit::Call(name) => quote!(#private::Unit::Call(#name)),
    }
}
