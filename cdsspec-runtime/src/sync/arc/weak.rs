//! `Weak`.

use super::control::Control;
use super::{Arc, Inner};
use crate::port::{here, in_our_frame};
use crate::record::{Orders, operation_name};
use std::cell::UnsafeCell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Arc as StdArc, Weak as StdWeak};

/// std's `Weak`, instrumented: a handle that does not keep the value.
pub struct Weak<T: ?Sized> {
    /// `None`: of no value.
    pub(super) control: Option<StdArc<Control>>,
    pub(super) inner: StdWeak<Inner<T>>,
}

// SAFETY: as for `Arc`, which it may be upgraded to.
unsafe impl<T: ?Sized + Send + Sync> Send for Weak<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send + Sync> Sync for Weak<T> {}
impl<T: ?Sized + RefUnwindSafe> UnwindSafe for Weak<T> {}
impl<T: ?Sized + RefUnwindSafe> RefUnwindSafe for Weak<T> {}

impl<T> Arc<T> {
    /// A shared value that may hold a [`Weak`] of itself, which cannot be upgraded before `f` has returned.
    #[inline(always)]
    #[track_caller]
    pub fn new_cyclic<F>(f: F) -> Self
    where
        F: FnOnce(&Weak<T>) -> T,
    {
        let place = here(operation_name!("new_cyclic"), Orders::None);
        let control = StdArc::new(Control::new(place.source, 0));
        let inner = StdArc::new_cyclic(|inner| {
            control.add_weak(place);
            let weak = Weak::of(StdArc::clone(&control), inner.clone());
            let value = f(&weak);
            Inner { control: StdArc::clone(&control), value: UnsafeCell::new(ManuallyDrop::new(value)) }
        });
        control.publish(place);
        Self { inner }
    }
}

impl<T: ?Sized> Arc<T> {
    /// A weak handle.
    #[inline(always)]
    #[track_caller]
    pub fn downgrade(this: &Self) -> Weak<T> {
        this.inner.control.downgrade(here(operation_name!("downgrade"), Orders::None));
        Weak::of(StdArc::clone(&this.inner.control), StdArc::downgrade(&this.inner))
    }
}

impl<T> Weak<T> {
    /// A weak handle of no value.
    pub const fn new() -> Self {
        Self { control: None, inner: StdWeak::new() }
    }
}

impl<T: ?Sized> Weak<T> {
    /// A weak handle that is counted.
    pub(super) fn of(control: StdArc<Control>, inner: StdWeak<Inner<T>>) -> Self {
        Self { control: Some(control), inner }
    }

    /// A strong handle, if the value is still there.
    #[inline(always)]
    #[track_caller]
    pub fn upgrade(&self) -> Option<Arc<T>> {
        let place = here(operation_name!("upgrade"), Orders::None);
        let control = self.control.as_ref()?;
        if !control.upgrade(place) {
            return None;
        }
        let inner = self.inner.upgrade()?;
        // Not `then_some`: the handle is only made if it counts.
        control.revive().then(|| Arc { inner })
    }

    /// How many strong handles there are, in an execution as a relaxed load sees it.
    #[inline(always)]
    #[track_caller]
    pub fn strong_count(&self) -> usize {
        let place = here(operation_name!("strong_count"), Orders::None);
        self.control.as_ref().map_or(0, |control| control.strong_count(place))
    }

    /// How many weak handles there are, in an execution as a relaxed load sees it; 0 if no strong one is left.
    #[inline(always)]
    #[track_caller]
    pub fn weak_count(&self) -> usize {
        let place = here(operation_name!("weak_count"), Orders::None);
        self.control.as_ref().map_or(0, |control| {
            let weak_count = control.weak_count(place);
            if control.strong_count(place) > 0 { weak_count } else { 0 }
        })
    }

    /// Whether two handles are of one value, or both of none.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.inner.ptr_eq(&other.inner)
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    #[inline(always)]
    #[track_caller]
    fn clone(&self) -> Self {
        if let Some(control) = &self.control {
            control.add_weak(here(operation_name!("clone"), Orders::None));
        }
        Self { control: self.control.clone(), inner: self.inner.clone() }
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    fn drop(&mut self) {
        if let Some(control) = &self.control {
            control.remove_weak(in_our_frame(control.drop_place()));
        }
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(Weak)")
    }
}
