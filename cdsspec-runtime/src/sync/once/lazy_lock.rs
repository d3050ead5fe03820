//! `LazyLock`.

use super::Once;
use super::value::Values;
use crate::port::{here, with};
use crate::record::{Orders, operation_name};
use std::any::TypeId;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Mutex, PoisonError};

/// std's `LazyLock`, instrumented. It is made anew in every execution that uses it, and keeps all these values, as an
/// [`OnceLock`](super::OnceLock) does.
///
/// Where what makes it is not a plain function (as it is in a `static`) but a closure that holds something, it is made once, as in
/// std: then it is to be constructed inside the program.
pub struct LazyLock<T, F = fn() -> T> {
    once: Once,
    initial: Mutex<Option<F>>,
    values: Values<T>,
}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// One whose value `f` makes when it is first asked for.
    pub const fn new(f: F) -> Self {
        Self { once: Once::new(), initial: Mutex::new(Some(f)), values: Values::new() }
    }

    /// The value, which is made if it is not there.
    ///
    /// # Panics
    /// If making it panicked, now or before. If it was made by a closure that holds something, in another execution.
    #[inline(always)]
    #[track_caller]
    pub fn force(this: &Self) -> &T {
        this.once.call_at(here(operation_name!("force"), Orders::None), false, |_| {
            let initial = this.take_initial();
            this.values.set(initial());
        });
        this.values.get().expect("cdsspec bug: who completes a LazyLock has set its value")
    }

    /// The value, borrowed uniquely, which is made if it is not there.
    ///
    /// # Panics
    /// As [`force`](Self::force).
    #[inline(always)]
    #[track_caller]
    pub fn force_mut(this: &mut Self) -> &mut T {
        let place = here(operation_name!("force_mut"), Orders::None);
        this.once.call_at(place, false, |_| this.values.set(this.take_initial()()));
        this.values.get_mut().expect("cdsspec bug: who completes a LazyLock has set its value")
    }

    fn take_initial(&self) -> F {
        let mut initial = self.initial.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = initial.take();
        if is_same_type::<F, fn() -> T>() {
            // SAFETY: `F` is a function pointer, which may be copied.
            *initial = taken.as_ref().map(|taken| unsafe { std::ptr::read(taken) });
        }
        if taken.is_none() {
            with(|execution| execution.port().refuse(HELD));
        }
        taken.expect(HELD)
    }
}

impl<T, F> LazyLock<T, F> {
    /// The value, if it was made.
    #[inline(always)]
    #[track_caller]
    pub fn get(this: &Self) -> Option<&T> {
        let is_made = this.once.is_completed_at(here(operation_name!("get"), Orders::None));
        if is_made { this.values.get() } else { None }
    }

    /// The value, borrowed uniquely, if it was made.
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        this.values.get_mut()
    }
}

// As std's, which makes the value by itself.
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}
impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}

const HELD: &str = "a LazyLock that is made by a closure which holds something is used in two executions: \
                    construct it inside the program";

/// Whether two types are the same but for lifetimes.
fn is_same_type<A, B>() -> bool {
    type_id::<A>() == type_id::<B>()
}

/// The id of a type, with all lifetimes taken for `'static`.
fn type_id<T>() -> TypeId {
    trait Identified {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T> Identified for PhantomData<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let identified: &dyn Identified = &PhantomData::<T>;
    // SAFETY: lifetimes make no difference to what `id` does: it does not look at a value.
    let identified =
        unsafe { std::mem::transmute::<&dyn Identified, &(dyn Identified + 'static)>(identified) };
    identified.id()
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[inline(always)]
    #[track_caller]
    fn deref(&self) -> &T {
        Self::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[inline(always)]
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        Self::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    fn default() -> Self {
        Self::new(T::default)
    }
}

/// Shows the value, if there is one. No operation for an engine.
impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("LazyLock");
        match self.values.get() {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}
