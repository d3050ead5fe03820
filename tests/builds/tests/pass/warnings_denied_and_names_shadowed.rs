//! Generated code has no warnings, and no name of the user's can get in its way.

#![deny(warnings, clippy::pedantic, missing_docs, rust_2018_idioms)]
#![allow(dead_code, unreachable_pub, reason = "the names are only in the way")]

use queue::Queue;

/// Names of the prelude, with other meanings.
mod queue {
    struct Option;
    struct Vec;
    struct Result;
    struct Box;
    struct String;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    trait Clone {}
    trait Default {}
    trait Iterator {}
    trait Any {}
    mod std {}
    mod core {}
    #[allow(non_camel_case_types, reason = "the names are only in the way")]
    struct bool;
    #[allow(non_camel_case_types, reason = "the names are only in the way")]
    struct usize;
    type Bool = ::std::primitive::bool;
    #[allow(unused_macros, reason = "the names are only in the way")]
    macro_rules! vec {
        () => {};
    }
    #[allow(unused_macros, reason = "the names are only in the way")]
    macro_rules! panic {
        () => {};
    }

    use ::std::collections::VecDeque;

    /// A queue.
    pub struct Queue;

    #[cdsspec::spec]
    #[declare_state(q: VecDeque<i32>, n: u32)]
    #[initial((VecDeque::new(), 0))]
    #[copy((q.iter().copied().collect(), *n))]
    #[clear(q.clear())]
    #[admit(deq <-> enq, m1.c_ret.is_none() && m2.val == 1)]
    #[admit(enq <-> enq)]
    impl Queue {
        /// The number of something.
        pub const NUMBER: i32 = 3;

        /// Puts a value in.
        #[pre_condition(val > 0)]
        #[justifying_pre_condition(q.len() < 10)]
        #[side_effect({ q.push_back(val); *n += 1; })]
        #[must_use]
        #[inline]
        pub fn enq(&self, val: i32) -> Bool {
            #[op_define(done)]
            let done = val < Self::NUMBER;
            #[op_define]
            if let ::std::option::Option::Some(3) = ::std::option::Option::Some(val) {
                return false;
            }
            let found = false;
            #[op_define(found || done)]
            return val.is_positive();
        }

        /// Takes a value out.
        #[side_effect(q.pop_front())]
        #[post_condition(c_ret == s_ret || concurrent.is_empty())]
        #[justifying_post_condition(concurrent.enq().all(|enq| enq.val > 0) || s_ret.is_none())]
        #[must_use]
        pub fn deq(&self) -> ::std::option::Option<i32> {
            #[op_clear_define]
            ::std::convert::identity(::std::option::Option::None)
        }
    }
}

/// Bodies of one line.
mod one_line {
    use cdsspec::sync::atomic::AtomicU32;
    use cdsspec::sync::atomic::Ordering::Acquire;

    /// A register.
    #[derive(Clone, Debug, Default)]
    pub struct Register(::std::sync::Arc<AtomicU32>);

    #[rustfmt::skip]
    #[cdsspec::spec]
    #[declare_state(value: u32)]
    impl Register {
        /// Owns itself.
        #[side_effect(*value)]
        #[must_use]
        pub fn owns_itself(self) -> u32 { self.0.load(Acquire) }

        /// Owns a parameter.
        #[side_effect(())]
        #[must_use]
        pub fn owns_a_parameter(&self, other: Self) -> Self { other }

        /// Owns what it does not use.
        #[side_effect(())]
        pub fn owns_what_it_drops(self, _other: Option<Self>) {}

        /// Has a statement.
        #[side_effect(())]
        pub fn has_a_statement(self, other: Self) { drop(other); }

        /// Is marked.
        #[side_effect(*value)]
        #[must_use]
        pub fn marked_value(self) -> u32 { #[op_define] self.0.load(Acquire) }

        /// Is cleared.
        #[side_effect(*value)]
        #[must_use]
        pub fn cleared_value(self) -> u32 { #[op_clear] self.0.load(Acquire) }

        /// Ends in a statement that does not end.
        #[side_effect(())]
        pub fn never_ends(&self) -> ! { #[op_define] self.stops() }

        /// Has a statement that does not end.
        #[side_effect(())]
        pub fn has_no_end(&self) -> u32 {
            #[op_clear]
            if self.0.load(Acquire) == 0 { return 0; }
            #[op_define(self.is_beside() == 0)]
            ::std::process::exit(self.0.load(Acquire).cast_signed());
        }

        /// Panics.
        fn stops(&self) -> ! { #[op_clear] ::std::panic!("{}", self.0.load(Acquire)) }

        /// Lends a parameter.
        #[post_condition(*other == 0)]
        #[must_use]
        pub fn lends_a_parameter(&self, other: &mut u32) -> u32 { *other }

        /// Is no call.
        #[must_use]
        pub fn is_beside(&self) -> u32 { self.0.load(Acquire) }

        /// Is no call either.
        pub fn is_beside_and_marked(&self) { #[op_clear] let _ = self; }

        /// Nor this.
        #[must_use]
        pub const fn itself(&self) -> &Self { self }
    }
}

/// Bodies that are left with one expression, and heads that need their parentheses in the product.
mod one_value {
    use cdsspec::sync::atomic::AtomicU32;
    use cdsspec::sync::atomic::Ordering::Acquire;

    /// A value in a struct.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct Value {
        number: u32,
    }

    /// A register.
    #[derive(Debug, Default)]
    pub struct Register(AtomicU32);

    macro_rules! nothing {
        () => {};
    }

    #[rustfmt::skip]
    #[cdsspec::spec]
    #[declare_state(value: u32)]
    impl Register {
        /// Owns a parameter, beside a statement that is not there.
        #[side_effect(*value)]
        #[must_use]
        pub fn a_statement_is_not_there(&self, _given: Value) -> u32 { #[cfg(any())] return 1; self.0.load(Acquire) }

        /// The same with an item.
        #[side_effect(*value)]
        #[must_use]
        pub fn an_item_is_not_there(self) -> u32 { #[cfg(any())] fn one() {} self.0.load(Acquire) }

        /// The same with a macro that leaves nothing.
        #[side_effect(*value)]
        #[must_use]
        pub fn a_macro_leaves_nothing(self) -> u32 { nothing!{} self.0.load(Acquire) }

        /// No call.
        #[must_use]
        pub fn beside(&self) -> u32 { #[cfg(any())] let one = 1; self.0.load(Acquire) }

        /// A struct is matched.
        #[side_effect(*value)]
        #[must_use]
        pub fn matched(&self) -> u32 {
            #[op_define]
            match (Value { number: self.0.load(Acquire) }) { Value { number } => number }
        }

        /// A field of a struct is matched.
        #[side_effect(*value)]
        #[must_use]
        pub fn a_field_is_matched(&self) -> u32 {
            #[op_clear]
            match (Value { number: self.0.load(Acquire) }.number) { number => number }
        }

        /// A struct is compared.
        #[side_effect(*value != 0)]
        #[must_use]
        pub fn compared(&self, zero: Value) -> bool {
            #[op_define]
            if (Value { number: self.0.load(Acquire) } == zero) { return false; }
            true
        }

        /// A struct is taken apart.
        #[side_effect(*value != 0)]
        #[must_use]
        pub fn taken_apart(&self) -> bool {
            #[op_define]
            if let Value { number: 0 } = (Value { number: self.0.load(Acquire) }) { return false; }
            #[op_clear_define]
            while let Value { number: 0 } = (Value { number: self.0.load(Acquire) }) {}
            true
        }
    }

    /// A value of zero.
    pub const ZERO: Value = Value { number: 0 };
}

fn main() {
    cdsspec::model(|| {
        let register = one_value::Register::default();
        assert_eq!((register.beside(), register.a_statement_is_not_there(one_value::ZERO)), (0, 0));
        assert_eq!((register.matched(), register.a_field_is_matched()), (0, 0));
        assert_eq!((register.compared(one_value::ZERO), register.taken_apart()), (false, false));
        assert_eq!(
            (register.an_item_is_not_there(), one_value::Register::default().a_macro_leaves_nothing()),
            (0, 0)
        );
    });
    cdsspec::model(|| {
        let register = one_line::Register::default();
        let register = register.itself();
        assert_eq!((register.is_beside(), register.lends_a_parameter(&mut 0)), (0, 0));
        let register = register.owns_a_parameter(register.clone());
        register.clone().owns_what_it_drops(None);
        register.clone().has_a_statement(register.clone());
        assert_eq!((register.clone().marked_value(), register.clone().cleared_value()), (0, 0));
        assert_eq!((register.has_no_end(), register.owns_itself()), (0, 0));
    });
    one_line::Register::default().is_beside_and_marked();
    let _ = Queue.enq(1);
    let _ = Queue.deq();
}
