//! std's `cell::UnsafeCell`, instrumented: its accesses are checked for races. The other cells stay on one thread, and are std's.

mod access;
mod pointer;

pub use pointer::{ConstPtr, MutPtr};

use crate::port::{LocationHint, here, note_outside_use, with};
use crate::record::{OperationName, Orders, ValueKind, operation_name};
use access::{Begun, Lasting};
use std::fmt;

pub use std::cell::{BorrowError, BorrowMutError, Cell, LazyCell, OnceCell, Ref, RefCell, RefMut};

/// A cell whose accesses are reported: [`with`](Self::with) reads, [`with_mut`](Self::with_mut) writes, each for as long as its
/// closure runs; [`read`](Self::read) and [`write`](Self::write) do so for as long as the pointer is kept that they return.
///
/// `get` is not offered: nobody sees when an access through the pointer that it returns begins and ends.
pub struct UnsafeCell<T: ?Sized> {
    hint: LocationHint,
    value: std::cell::UnsafeCell<T>,
}

impl<T> UnsafeCell<T> {
    /// A cell with this value.
    pub const fn new(value: T) -> Self {
        Self { hint: LocationHint::new(), value: std::cell::UnsafeCell::new(value) }
    }

    /// The value. In an execution this is a write: nobody else may access the cell.
    #[inline(always)]
    #[track_caller]
    pub fn into_inner(self) -> T {
        self.own(operation_name!("into_inner"));
        self.value.into_inner()
    }
}

impl<T: ?Sized> UnsafeCell<T> {
    /// Reads the cell: runs `f` with a pointer that is valid for reads as long as nobody writes, which engines check.
    #[inline(always)]
    #[track_caller]
    pub fn with<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*const T) -> R,
    {
        let _access = self.begin(operation_name!("with"), false);
        f(self.value.get())
    }

    /// Writes the cell: runs `f` with a pointer that is valid as long as nobody else accesses it, which engines check.
    #[inline(always)]
    #[track_caller]
    pub fn with_mut<F, R>(&self, f: F) -> R
    where
        F: FnOnce(*mut T) -> R,
    {
        let _access = self.begin(operation_name!("with_mut"), true);
        f(self.value.get())
    }

    /// Begins to read: a pointer that is valid for reads as long as it is kept and nobody writes, which engines check.
    #[inline(always)]
    #[track_caller]
    pub fn read(&self) -> ConstPtr<T> {
        ConstPtr::new(self.begin(operation_name!("read"), false), self.value.get())
    }

    /// Begins to write: a pointer that is valid as long as it is kept and nobody else accesses the cell, which engines check.
    #[inline(always)]
    #[track_caller]
    pub fn write(&self) -> MutPtr<T> {
        MutPtr::new(self.begin(operation_name!("write"), true), self.value.get())
    }

    /// The value, borrowed. In an execution this is a write at this moment: nobody else may access the cell.
    #[inline(always)]
    #[track_caller]
    pub fn get_mut(&mut self) -> &mut T {
        self.own(operation_name!("get_mut"));
        self.value.get_mut()
    }

    #[inline(always)]
    #[track_caller]
    fn begin(&self, name: OperationName, is_write: bool) -> Lasting {
        let place = here(name, Orders::None);
        let access = with(|execution| {
            let location = execution.locate_for_operation(&self.hint, ValueKind::Internal, || 0);
            if execution.is_exempt() {
                return None;
            }
            let port = execution.port();
            let access = port.begin_cell(place, location, is_write);
            let progress = port.progress();
            execution.heap().open_accesses().add(progress.thread, location, progress.position);
            Some(Begun { access, place, location, is_write })
        });
        if access.is_none() {
            note_outside_use(&place, &self.hint);
        }
        Lasting(access.flatten())
    }

    /// A write at this moment, if the execution has accessed the cell before: otherwise there is nothing to race with.
    #[inline(always)]
    #[track_caller]
    fn own(&self, name: OperationName) {
        let is_known = with(|execution| execution.find(&self.hint).is_some()).unwrap_or(false);
        if is_known {
            drop(self.begin(name, true));
        }
    }
}

impl<T: Default> Default for UnsafeCell<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for UnsafeCell<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: ?Sized> fmt::Debug for UnsafeCell<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsafeCell").finish_non_exhaustive()
    }
}
