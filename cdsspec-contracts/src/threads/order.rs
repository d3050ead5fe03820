//! Memory orders that are known where the program is compiled, so that what is done for one is all that is compiled.

use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Release, SeqCst};

/// A memory order: [`Ordering`], or a type for one.
pub(crate) trait Order: Copy {
    fn get(self) -> Ordering;

    #[inline(always)]
    fn is_acquire(self) -> bool {
        matches!(self.get(), Acquire | AcqRel | SeqCst)
    }

    #[inline(always)]
    fn is_release(self) -> bool {
        matches!(self.get(), Release | AcqRel | SeqCst)
    }
}

impl Order for Ordering {
    #[inline(always)]
    fn get(self) -> Ordering {
        self
    }
}

/// Types for one order each.
pub(crate) mod of {
    macro_rules! orders {
        ($($name:ident)*) => {$(
            #[derive(Clone, Copy)]
            pub(crate) struct $name;

            impl super::Order for $name {
                #[inline(always)]
                fn get(self) -> super::Ordering {
                    super::Ordering::$name
                }
            }
        )*};
    }

    orders! { Relaxed Acquire Release AcqRel SeqCst }
}

/// Does the same for each order, with `order` of its own type.
macro_rules! for_order {
    ($given:expr, |$order:ident| $body:expr) => {{
        use $crate::threads::order::of;
        match $given {
            std::sync::atomic::Ordering::Relaxed => {
                let $order = of::Relaxed;
                $body
            }
            std::sync::atomic::Ordering::Acquire => {
                let $order = of::Acquire;
                $body
            }
            std::sync::atomic::Ordering::Release => {
                let $order = of::Release;
                $body
            }
            std::sync::atomic::Ordering::AcqRel => {
                let $order = of::AcqRel;
                $body
            }
            _ => {
                let $order = of::SeqCst;
                $body
            }
        }
    }};
}

pub(crate) use for_order;
