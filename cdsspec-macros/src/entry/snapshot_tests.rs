//! Expansions, as text.

use super::{contract, misplaced, spec, specification, test};
use crate::diagnostics::{MARKER_UNREADABLE, fill};
use crate::fuzz::forms;
use expect_test::{ExpectFile, expect_file};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// The two forms of what has them.
fn both(expansion: &TokenStream) -> (TokenStream, TokenStream) {
    let [plain, recorded] = forms(expansion).expect("there are two forms");
    (plain, recorded)
}

fn pretty(tokens: TokenStream) -> String {
    prettyplease::unparse(&syn::parse2(tokens).expect("an expansion is a list of items"))
}

fn check(expansion: TokenStream, expected: &ExpectFile) {
    let (plain, recorded) = both(&expansion);
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
fn a_queue_under_a_contract() {
    let item = quote! {
        impl Queue {
            #[role(init)]
            pub fn new() -> Self { Self { contract: Sets::new() } }
            /// Puts a value in.
            #[role(producer)]
            #[expects(val > 0, level = audit, says = "nothing")]
            #[ensures(c_ret || name.is_empty())]
            pub fn push(&self, val: u32, name: &str) -> bool {
                let length = self.length();
                cdsspec::expects!(length < 4);
                length < 3
            }
            pub fn length(&self) -> usize { 0 }
        }
    };
    check(contract(quote!(spsc), item), &expect_file!["../../tests/expansion/contract.rs"]);
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
fn a_test_is_ignored_once_and_made_a_test_once() {
    let item = quote! {
        #[ignore = "slow"]
        #[some::other::test]
        fn enq__deq() { body() }
    };
    let (plain, recorded) = both(&test(TokenStream::new(), item));
    for form in [plain, recorded] {
        let text = form.to_string();
        assert_eq!((text.matches("[ignore").count(), text.matches("test]").count()), (1, 1), "{text}");
    }
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
    let (plain, _) = both(&spec(TokenStream::new(), annotated));
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

#[test]
fn a_generic_impl_with_the_instance_that_is_specified() {
    let item = quote! {
        #[declare_state(q: VecDeque<T>)]
        impl<T: Send, const N: usize> Ring<T, N> {
            #[side_effect(q.push_back(value))]
            pub fn put(&self, value: T) -> Result<(), T> {
                #[op_define]
                self.link(value)
            }
        }
    };
    let arguments = quote!(instance(T = i32, N = 4));
    check(spec(arguments, item), &expect_file!["../../tests/expansion/instance.rs"]);
}

#[test]
fn a_shared_specification_and_an_impl_that_is_for_it() {
    let item = quote! {
        #[derive(Clone, Default)]
        #[admit(send <-> recv, m1.value == 1)]
        struct ChannelSpec { queue: VecDeque<i32> }
    };
    let shared = specification(TokenStream::new(), item);
    let item = quote! {
        impl Sender {
            #[side_effect(state.queue.push_back(value))]
            #[post_condition(concurrent.recv().count() == 0)]
            fn send(&self, value: i32) { self.shared.put(value) }
        }
    };
    let block = spec(quote!(for = ChannelSpec, object = self.shared), item);
    let (_, shared) = both(&shared);
    let (_, block) = both(&block);
    let text = format!("// shared\n{}\n// block\n{}", pretty(shared), pretty(block));
    expect_file!["../../tests/expansion/shared.rs"].assert_eq(&text);
}

/// Tokens without our attributes: a twin of what the macro does, which looks at nothing but names.
fn without_annotations(tokens: TokenStream) -> TokenStream {
    use crate::parse::helper::{IMPL_HELPERS, MARKERS, METHOD_HELPERS};
    let is_ours = |group: &proc_macro2::Group| {
        let names = IMPL_HELPERS.iter().chain(&METHOD_HELPERS).chain(&MARKERS);
        let first = group.stream().into_iter().next().map(|token| token.to_string());
        names.into_iter().any(|name| first.as_deref() == Some(*name))
    };
    let mut left = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match (&token, tokens.peek()) {
            (TokenTree::Punct(punct), Some(TokenTree::Group(group)))
                if punct.as_char() == '#' && is_ours(group) =>
            {
                tokens.next();
            }
            (TokenTree::Group(group), _) => {
                let inner = without_annotations(group.stream());
                left.extend([TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))]);
            }
            _ => left.extend([token]),
        }
    }
    left
}

#[test]
fn a_plain_build_of_a_corpus_of_annotated_items_is_the_items_alone() {
    let corpus = [
        quote! {
            #[admit(a <-> a)]
            impl Row {
                #[side_effect(())] fn a(&self) { #[op_define] self.b(); #[op_clear] let x = 1; }
                const A: i32 = { #[allow(unused)] let x = 1; x };
            }
        },
        quote! {
            impl Iterator for Row {
                type Item = i32;
                #[pre_condition(true)] #[inline]
                fn next(&mut self) -> Option<i32> { #[potential_op(a)] if self.b() { #[op_check(a)] self.c(); } None }
            }
        },
        quote! {
            #[cfg(feature = "x")]
            unsafe impl<'a> Send for Row<'a> where Row<'a>: Sized {
                #[side_effect(1)] #[post_condition(c_ret == s_ret)]
                extern "C" fn f(self: Pin<&Self>, mut a: i32, &b: &i32) -> i32 { 'l: loop { break 'l a; } }
            }
        },
        quote! {
            impl dyn Trait {
                #[returns(|r| -> i32 { 1 })] #[side_effect(c_ret)]
                fn f(&self) -> Guard<'_> { match self { #[cfg(x)] _ => { #[op_clear_define] self.g() } } }
            }
        },
        quote! { impl Row {} },
    ];
    for item in corpus {
        let (plain, _) = both(&spec(TokenStream::new(), item.clone()));
        assert_eq!(plain.to_string(), without_annotations(item).to_string());
    }
}

/// What the expansion of an impl with this body says is wrong.
fn mistakes_of_body(body: &str) -> Vec<String> {
    let item = format!("impl Row {{ fn f(&self) {{ {body} }} }}");
    let item = item.parse().expect("it is made of tokens");
    let expansion = spec(TokenStream::new(), item).to_string();
    expansion
        .split("compile_error ! { \"")
        .skip(1)
        .map(|text| text.split('"').next().unwrap().to_owned())
        .collect()
}

#[test]
fn rust_that_is_not_known_yet_is_refused_and_what_is_half_typed_is_left_to_the_compiler() {
    let unreadable = fill(MARKER_UNREADABLE, &["op_define", "op_define"]);
    assert_eq!(mistakes_of_body("#[op_define] super let x = self.a();"), [unreadable]);
    for half in ["let x = ;", "let x = self.;", "self.a() +", "match self. {}", "let x ="] {
        assert_eq!(mistakes_of_body(&format!("#[op_define] {half}")), [""; 0], "{half}");
    }
}

#[test]
fn a_half_typed_test_is_as_the_user_wrote_it() {
    let item = quote! { fn enq__deq() { let x = ; self. } };
    let (plain, recorded) = both(&test(TokenStream::new(), item));
    for form in [plain, recorded] {
        assert!(form.to_string().contains("{ let x = ; self . }"), "{form}");
    }
}

#[test]
fn a_type_that_ends_in_bounds_does_not_take_in_what_stands_behind_it() {
    let rows = [
        ("for = S", "impl Shared + { METHOD; }"),
        ("for = S", "impl dyn Shared + Send { METHOD; }"),
        ("state = u32", "impl A for Shared + { METHOD; }"),
        ("state = u32", "impl A for dyn Shared + Send { METHOD; }"),
        ("state = u32 +", "impl R { METHOD; }"),
        ("state = dyn Shared + Send", "impl R { METHOD; }"),
        ("state = Option<fn(&Self)>", "impl dyn Shared + Send { METHOD; }"),
        ("state = u32, instance(T = impl A + B, U = impl A +)", "impl<T, U> R<T, U> { METHOD; }"),
        ("state = u32", "impl R { #[side_effect(x)] #[post_condition(x)] fn f(&self, x: A +) -> B + {} }"),
        (
            "state = u32",
            "impl R { #[side_effect(x)] #[post_condition(c_ret)] fn f(&self, x: (A + C)) -> (B + C) {} }",
        ),
        (
            "state = u32",
            "impl R { #[post_condition(c_ret)] #[returns(|x| -> A + { x })] fn f(&self) -> B + {} }",
        ),
        (
            "state = u32, instance(T = u8)",
            "impl<T> R<T> { #[post_condition(c_ret)] #[returns(|x| -> u8 { x })] fn f(&self) -> B + {} }",
        ),
        (
            "state = u32, instance(T = u8)",
            "impl<T> R<T> { #[side_effect(x)] #[post_condition(c_ret)] fn f(&self, x: A +) -> B + {} }",
        ),
    ];
    check_rows(&rows);
}

#[test]
fn self_stays_where_no_other_type_may_stand() {
    let rows = [
        ("state = Vec<Self<u8>>", "impl R<u8> { METHOD; }"),
        ("state = Vec<Self::<u8>>", "impl R<u8> { METHOD; }"),
        ("state = Vec<Self!{}>", "impl R<u8> { METHOD; }"),
        ("state = [u8; Self(3).0]", "impl R<u8> { METHOD; }"),
        ("state = Box<Self + Send>", "impl dyn A + B { METHOD; }"),
        ("state = Box<dyn Self>", "impl A for &'static B { METHOD; }"),
    ];
    check_rows(&rows);
}

/// Both forms of these arguments and items are items.
fn check_rows(rows: &[(&str, &str)]) {
    let method = "#[side_effect(*state += 1)] fn f(&self, x: &Self) -> Box<Self>";
    for (arguments, item) in rows {
        let item = item.replace("METHOD;", &format!("{method} {{ todo() }}"));
        let parse = |text: &str| text.parse::<TokenStream>().expect("the brackets are balanced");
        let (plain, recorded) = both(&spec(parse(arguments), parse(&item)));
        for form in [plain, recorded] {
            assert!(syn::parse2::<syn::File>(form.clone()).is_ok(), "{arguments}: {item}: {form}");
        }
    }
}

#[test]
fn what_is_nested_too_deep_is_an_error_and_stays() {
    for (open, close) in [("(", ")"), ("!", ""), ("{ if x {", "} }"), ("f(|x| ", ")")] {
        let nested = format!("{} x {}", open.repeat(1000), close.repeat(1000));
        let parts = [
            format!("#[side_effect({nested})] fn f(&self) {{}}"),
            format!("fn f(&self) {{ #[op_define] {nested}; }}"),
        ];
        for part in parts {
            let item: TokenStream =
                format!("impl R {{ {part} }}").parse().expect("the brackets are balanced");
            let expansion = spec(TokenStream::new(), item).to_string();
            assert!(expansion.contains("fn f") && expansion.contains("nested deeper"), "{open}");
        }
    }
}
