//! What a macro hands on, as `$body:block`, is as if it were written there: in invisible brackets, or in none.

#![deny(warnings)]

use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire};

macro_rules! register {
    (
        $visibility:vis $name:ident, $value:ty, $load:expr, $mark:stmt, $pre:block, $set:block, $effect:expr, $label:ident,
        $tail:expr, $limit:expr, $get:item $constant:item
    ) => {
        #[derive(Default)]
        $visibility struct $name(AtomicU32);

        #[cdsspec::spec]
        #[declare_state(value: $value)]
        impl $name {
            $get

            $constant

            #[side_effect($effect)]
            $visibility fn set(&self, _by: $value) -> $value $set

            #[side_effect(*value)]
            $visibility fn loaded(&self) -> $value {
                $pre
                #[op_define]
                let loaded = self.0.load($load);
                loaded
            }

            #[side_effect(*value)]
            $visibility fn tail(&self) -> $value {
                let register = self;
                $pre
                #[op_clear]
                $pre
                #[potential_op($label)]
                register.0.load($load);
                #[op_check($label)]
                $pre;
                #[op_clear_define]
                register.0.load($load)
            }

            #[side_effect(*value)]
            $visibility fn handed_on(&self) -> $value {
                let _ = self;
                #[op_clear]
                $mark;
                let tail = || {
                    #[op_define($limit < 3)]
                    $tail
                };
                #[op_define]
                let other = $tail;
                #[op_define]
                if $tail == other $pre
                #[op_clear_define]
                return $tail + tail();
            }
        }
    };
}

macro_rules! whole {
    ($item:item) => {
        #[cdsspec::spec]
        #[declare_state(value: u32)]
        $item
    };
}

macro_rules! program {
    ($name:ident $body:block $item:item $spare:item) => {
        #[cdsspec::test]
        fn $name() $body

        #[cdsspec::test]
        $item

        #[cdsspec::check_only]
        $spare
    };
}

mod names {
    pub(crate) const LIMIT: u32 = 9;
}

register! {
    pub(crate) Register, u32, Acquire, let _ = names::LIMIT, { _ = names::LIMIT; }, {
        let zero = 0;
        #[op_clear(zero == 0)]
        zero
    }, { *value = 0; 0 }, seen, COUNT.load(Acquire), names::LIMIT - 7,
    #[side_effect(*value)]
    fn get(&self) -> u32 {
        #[op_define]
        self.0.load(Acquire)
    }
    const _NONE: u32 = 0;
}

static COUNT: AtomicU32 = AtomicU32::new(0);

struct Counter(AtomicU32);

whole! {
    impl Counter {
        #[side_effect({ *value += 1; *value - 1 })]
        fn add(&self) -> u32 {
            #[op_define]
            self.0.fetch_add(1, AcqRel)
        }
    }
}

program! {
    by_its_body {
        assert_eq!(Register::default().get(), 0);
    }
    fn by_itself() {
        assert_eq!(Counter(AtomicU32::new(0)).add(), 0);
    }
    fn _spare() {}
}

macro_rules! attributes {
    ($mark:meta, $effect:meta, $clear:meta) => {
        struct Marked(AtomicU32);

        #[cdsspec::spec]
        #[declare_state(value: u32)]
        impl Marked {
            #[$effect]
            fn get(&self) -> u32 {
                #[$clear]
                let _ = self.0.load(Acquire);
                #[$mark]
                self.0.load(Acquire)
            }
        }
    };
}

attributes!(op_define(true), side_effect(*value), cdsspec::op_clear);

fn main() {
    let outcome = cdsspec::Builder::new().check(|| assert_eq!(Marked(AtomicU32::new(0)).get(), 0));
    assert_eq!((outcome.verdict, outcome.calls_without_points), (cdsspec::Verdict::Holds, 0));
    cdsspec::model(|| {
        let register = Register::default();
        assert_eq!((register.set(3), register.get(), register.loaded()), (0, 0, 0));
        assert_eq!((register.tail(), register.handed_on()), (0, 0));
        assert_eq!(Counter(AtomicU32::new(0)).add(), 0);
    });
}
