//! The crate `lazy_static`.

use crate::alloc;
use cdsspec_runtime::port;
use cdsspec_runtime::sync::Once;
use std::any::Any;
use std::cell::RefCell;
use std::fmt;

pub use crate::thread::{AccessError, panicking, yield_now};

/// `lazy_static::Lazy`: made when it is first used in an execution, and dropped when the main thread has ended.
pub struct Lazy<T> {
    once: Once,
    initial: fn() -> T,
}

/// A value, by the address of its static.
type Kept = (usize, Box<dyn Any>);

std::thread_local! {
    /// Those of the current execution; `None` once they were dropped.
    static KEPT: RefCell<Option<Vec<Kept>>> = const { RefCell::new(None) };
}

/// Runs the program of an execution: its values live as long as that runs, as under loom.
pub(crate) fn during(program: impl FnOnce()) {
    // Of an execution that was cut: threads that were left may have had references.
    let left = KEPT.replace(Some(Vec::new()));
    std::mem::forget(left);
    alloc::begin();
    program();
    // While nothing is borrowed: they may use others.
    let kept = KEPT.take();
    drop(kept);
}

impl<T: 'static> Lazy<T> {
    #[doc(hidden)]
    pub const fn __new(initial: fn() -> T) -> Self {
        Self { once: Once::new(), initial }
    }

    /// The value.
    ///
    /// # Panics
    /// Outside a model, and when the main thread has ended.
    #[inline(always)]
    #[track_caller]
    pub fn get(&'static self) -> &'static T {
        assert!(port::with(|_| ()).is_some(), "a lazy_static is used outside of a model");
        self.once.call_once(|| {
            let value = Box::new((self.initial)());
            KEPT.with_borrow_mut(|kept| {
                kept.as_mut().expect(ENDED).push((std::ptr::from_ref(self).addr(), value));
            });
        });
        KEPT.with_borrow(|kept| {
            let kept = kept.as_ref().expect(ENDED).iter();
            let (_, value) = kept
                .rev()
                .find(|(key, _)| *key == std::ptr::from_ref(self).addr())
                .expect("cdsspec bug: what was made once is kept");
            let value: *const T = value.downcast_ref().expect("cdsspec bug: a static has one type");
            // SAFETY: the box stays where it is until the main thread has ended. That nobody keeps a reference for longer is what loom
            // leaves to its users, too.
            unsafe { &*value }
        })
    }
}

const ENDED: &str = "attempted to access lazy_static during shutdown";

impl<T: 'static> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").finish_non_exhaustive()
    }
}

/// `lazy_static::lazy_static!`.
#[macro_export]
macro_rules! lazy_static {
    ($(#[$attribute:meta])* static ref $name:ident: $type:ty = $initial:expr; $($rest:tt)*) => {
        $crate::__lazy_static!($(#[$attribute])* () static ref $name: $type = $initial; $($rest)*);
    };
    ($(#[$attribute:meta])* pub static ref $name:ident: $type:ty = $initial:expr; $($rest:tt)*) => {
        $crate::__lazy_static!($(#[$attribute])* (pub) static ref $name: $type = $initial; $($rest)*);
    };
    ($(#[$attribute:meta])* pub ($($visibility:tt)+) static ref $name:ident: $type:ty = $initial:expr; $($rest:tt)*) => {
        $crate::__lazy_static!($(#[$attribute])* (pub ($($visibility)+)) static ref $name: $type = $initial; $($rest)*);
    };
    () => {};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __lazy_static {
    ($(#[$attribute:meta])* ($($visibility:tt)*) static ref $name:ident: $type:ty = $initial:expr; $($rest:tt)*) => {
        #[allow(missing_copy_implementations, non_camel_case_types, dead_code, reason = "as lazy_static does")]
        $(#[$attribute])*
        $($visibility)* struct $name {
            __private_field: (),
        }
        #[doc(hidden)]
        #[allow(non_upper_case_globals, reason = "as lazy_static does")]
        $($visibility)* static $name: $name = $name { __private_field: () };
        impl ::core::ops::Deref for $name {
            type Target = $type;
            fn deref(&self) -> &$type {
                fn initial() -> $type {
                    $initial
                }
                static LAZY: $crate::lazy_static::Lazy<$type> = $crate::lazy_static::Lazy::__new(initial);
                LAZY.get()
            }
        }
        $crate::lazy_static!($($rest)*);
    };
}
