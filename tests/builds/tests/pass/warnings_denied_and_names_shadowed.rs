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
    #[declare_state(q: VecDeque<i32>, n: usize)]
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
        pub fn enq(&self, val: i32) -> bool {
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

fn main() {
    let _ = Queue.enq(1);
    let _ = Queue.deq();
}
