//! Generic impls and shared specifications have no warnings, wherever they stand and whatever is shadowed.

#![deny(warnings, clippy::pedantic, missing_docs, rust_2018_idioms)]
#![allow(
    clippy::elidable_lifetime_names,
    dead_code,
    unreachable_pub,
    reason = "the names are only in the way"
)]

mod shadowed {
    struct Option;
    struct Vec;
    struct Result;
    struct Box;
    struct Some;
    struct None;
    trait Clone {}
    trait Default {}
    mod std {}
    mod core {}

    /// A register of anything.
    pub struct Register<'a, T, const N: usize>(pub &'a [T; N]);

    #[cdsspec::spec(instance(T = i32, N = 2), state = i32)]
    impl<'a, T, const N: usize> Register<'a, T, N>
    where
        T: Copy,
    {
        /// The value.
        #[pre_condition(value == 1)]
        #[side_effect(*state)]
        #[must_use]
        pub fn get(&self, value: T) -> T {
            let _ = value;
            self.0[0]
        }
    }

    /// The state.
    #[cdsspec::specification]
    #[derive(::std::clone::Clone, ::std::default::Default)]
    #[admit(load <-> fetch, m1.c_ret == m2.c_ret)]
    pub struct Spec {
        value: i32,
    }

    /// A register.
    pub struct Shared(pub i32);

    #[cdsspec::spec(for = Spec)]
    impl Shared {
        /// The value.
        #[side_effect(state.value)]
        #[post_condition(c_ret == s_ret && concurrent.fetch().count() + concurrent.load().count() == 0)]
        #[pre_condition(concurrent.of_len().count() == concurrent.len())]
        #[must_use]
        pub fn load(&self) -> i32 {
            self.0
        }
    }

    #[derive(::std::clone::Clone, ::std::cmp::PartialEq)]
    struct Private;

    #[cdsspec::spec(for = Spec)]
    impl Shared {
        #[side_effect(state.value += i32::from(value == c_ret);)]
        #[post_condition(concurrent.fetch().count() == 0)]
        fn keep(&self, value: Private) -> Private {
            value
        }

        /// Has the name of what `concurrent` says of all calls.
        #[side_effect(())]
        #[post_condition(concurrent.of_len().count() == concurrent.len())]
        #[must_use]
        pub fn len(&self) -> usize {
            1
        }
    }

    /// The value.
    #[cdsspec::spec(for = Spec, object = shared)]
    #[side_effect(state.value)]
    #[post_condition(c_ret == s_ret)]
    #[must_use]
    pub fn fetch(shared: &Shared) -> i32 {
        #![allow(clippy::needless_return, reason = "stands inside")]
        return shared.0;
    }
}

macro_rules! registers {
    ($spec:ident $name:ident $method:ident $of:ident) => {
        #[cdsspec::specification]
        #[derive(Clone, Default)]
        #[admit($method <-> $method, m1.c_ret == 1)]
        struct $spec {
            value: i32,
        }

        struct $name<T>(T);

        #[cdsspec::spec(for = $spec, instance(T = i32))]
        impl<$of: Copy> $name<$of> {
            #[side_effect(state.value)]
            #[post_condition(c_ret == s_ret)]
            fn $method(&self) -> $of {
                self.0
            }
        }
    };
}

registers!(MadeSpec Made load T);

fn main() {
    /// In a function.
    #[cdsspec::specification]
    #[derive(Clone, Default)]
    struct Inner {
        value: i32,
    }

    struct Local;

    #[cdsspec::spec(for = Inner)]
    impl Local {
        #[side_effect(state.value)]
        fn get(&self) -> i32 {
            0
        }
    }

    let _ = (Made(1).load(), Local.get(), shadowed::fetch(&shadowed::Shared(1)), shadowed::Shared(1).load());
    let _ = shadowed::Register(&[1, 2]).get(1);
}
