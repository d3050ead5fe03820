//! Specifications inside functions, in the expansion of a macro, and of a renamed crate.

#![deny(warnings)]

use cdsspec as renamed;

mod facade {
    pub(crate) mod checking {
        pub(crate) use cdsspec::*;
    }
}

macro_rules! counter {
    ($name:ident, $type:ty, $step:expr) => {
        struct $name;

        #[cdsspec::spec]
        #[declare_state(n: $type)]
        #[admit(add <-> add, m1.by == m2.by)]
        impl $name {
            #[pre_condition(by > 0)]
            #[side_effect({ *n += by * $step; *n })]
            #[post_condition(c_ret == s_ret || concurrent.add().count() > 0)]
            fn add(&self, by: $type) -> $type {
                #[op_define(sum > 0)]
                let sum = by * $step;
                sum
            }
        }
    };
}

counter!(Small, u8, 1);
counter!(Large, u64, 2);

fn main() {
    struct Local;

    #[renamed::spec(crate = renamed)]
    #[declare_state(n: i32)]
    impl Local {
        #[side_effect(*n)]
        fn get(&self) -> i32 {
            #[op_define]
            let value = i32::abs(1);
            renamed::op_define!(value == 1);
            value
        }
    }

    struct Other;

    #[facade::checking::spec(crate = crate::facade::checking, state = Vec<i32>)]
    impl Other {
        #[side_effect(state.push(r#type))]
        fn r#match(&self, r#type: i32) {
            let _ = r#type;
        }
    }

    assert_eq!((Local.get(), Small.add(1), Large.add(2)), (1, 1, 4));
    Other.r#match(1);
    let names: Vec<_> = cdsspec::registry().iter().map(|specification| specification.name).collect();
    assert_eq!(names, ["Large", "Local", "Other", "Small"]);
}
