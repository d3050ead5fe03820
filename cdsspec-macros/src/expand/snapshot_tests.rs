//! Expansions, as text.

use super::{misplaced, spec, test};
use expect_test::{ExpectFile, expect_file};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// The two forms in `select! { {plain} {recorded} }`.
fn forms(expansion: TokenStream) -> (TokenStream, TokenStream) {
    let text = expansion.to_string();
    let Some(TokenTree::Group(braces)) = expansion.into_iter().last() else { panic!("no select!: {text}") };
    let forms: Vec<_> = braces.stream().into_iter().collect();
    let [TokenTree::Group(plain), TokenTree::Group(recorded)] = &forms[..] else {
        panic!("not two forms: {text}")
    };
    (plain.stream(), recorded.stream())
}

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).expect("an expansion is a list of items"))
}

fn check(expansion: TokenStream, expected: &ExpectFile) {
    let (plain, recorded) = forms(expansion);
    expected.assert_eq(&format!("// plain\n{}\n// recorded\n{}", pretty(plain), pretty(recorded)));
}

#[test]
fn the_queue_of_the_paper() {
    let item = quote! {
        #[declare_state(q: VecDeque<i32>)]
        #[admit(deq <-> enq, m1.c_ret.is_none())]
        impl Queue {
            /// Puts a value in.
            #[side_effect(q.push_back(val))]
            pub fn enq(&self, val: i32) {
                loop {
                    #[op_define(linked)]
                    let linked = self.link(val);
                    if linked { return; }
                }
            }
            #[side_effect(q.pop_front())]
            #[post_condition(c_ret.is_none() || c_ret == s_ret)]
            pub fn deq(&self) -> Option<i32> {
                #[op_clear_define]
                let next = self.next();
                next
            }
        }
    };
    check(spec(TokenStream::new(), item), &expect_file!["../../tests/expansion/queue.rs"]);
}

#[test]
fn heads_exits_and_tails() {
    let item = quote! {
        impl Row {
            fn row(&self) -> Option<i32> {
                #[op_define]
                if let Some(x) = self.a() { self.b(x); }
                #[op_define]
                while self.c() {}
                #[op_define(done)]
                self.d().e?;
                #[potential_op(here)]
                match *self.f() { _ => {} }
                #[op_check(here)]
                return self.g();
                #[op_clear]
                self.h()
            }
        }
    };
    check(spec(quote!(crate = renamed), item), &expect_file!["../../tests/expansion/marker.rs"]);
}

#[test]
fn a_test_with_limits() {
    let item = quote! {
        /// Documented.
        fn enq__deq() -> Result<(), Error> { body() }
    };
    check(test(quote!(executions_max = 100), item), &expect_file!["../../tests/expansion/test.rs"]);
}

#[test]
fn without_checking_the_item_is_what_the_user_wrote() {
    let item = quote! {
        #[doc = "A register."]
        #[side_effect_of_another_crate]
        impl Register {
            pub const ZERO: i32 = 0;
            #[inline]
            #[must_use]
            pub(crate) unsafe fn get<'a, T: ?Sized>(&'a self, (a, _): (i32, T)) -> impl Fn() + 'a where T: Copy {
                #![allow(unused)]
                let x = async { a }.await?;
                half typed ( tokens { stay } )
            }
            some_macro! { inside }
        }
    };
    let annotated = quote! {
        #[doc = "A register."]
        #[side_effect_of_another_crate]
        impl Register {
            pub const ZERO: i32 = 0;
            #[inline]
            #[side_effect(())]
            #[must_use]
            #[post_condition(true)]
            pub(crate) unsafe fn get<'a, T: ?Sized>(&'a self, (a, _): (i32, T)) -> impl Fn() + 'a where T: Copy {
                #![allow(unused)]
                #[op_define]
                let x = async { a }.await?;
                half typed ( tokens { stay } )
            }
            some_macro! { inside }
        }
    };
    let (plain, _) = forms(spec(TokenStream::new(), annotated));
    assert_eq!(plain.to_string(), item.to_string());
}

#[test]
fn a_wrong_item_is_still_there_beside_its_errors() {
    let wrong = quote!(impl Register { #[side_effect] fn get(&self) {} });
    let expansion = spec(TokenStream::new(), wrong).to_string();
    assert!(expansion.starts_with("impl Register { fn get (& self) { } }"), "{expansion}");
    assert!(expansion.contains("compile_error"), "{expansion}");
    let alone = misplaced(
        "side_effect",
        "here",
        quote!(
            fn get(&self) {}
        ),
    )
    .to_string();
    assert!(alone.starts_with("fn get (& self) { }"), "{alone}");
}
