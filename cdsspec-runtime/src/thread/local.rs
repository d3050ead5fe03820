//! `thread_local!`: one value for each thread of the program.

use crate::port::{Local, with};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

/// std's `LocalKey`, as [`thread_local!`](crate::thread_local) makes it: in an execution, one value for each of its threads, which
/// is destroyed when the thread ends; outside of one, std's.
pub struct LocalKey<T: 'static> {
    outside: &'static std::thread::LocalKey<T>,
    initial: fn() -> T,
}

/// What a thread of an execution has for a key.
struct Found {
    value: Result<Rc<dyn Any>, AccessError>,
    is_made: bool,
}

/// std's `AccessError`: the value was destroyed, since the thread ends.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessError;

impl fmt::Debug for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessError").finish()
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt("already destroyed", f)
    }
}

impl std::error::Error for AccessError {}

/// std's `thread_local!`: the same syntax.
///
/// ```
/// use std::cell::Cell;
/// cdsspec_runtime::thread_local! {
///     /// How often.
///     pub static COUNT: Cell<u32> = const { Cell::new(0) };
///     static NAME: String = "x".repeat(3);
/// }
/// COUNT.set(COUNT.get() + 1);
/// assert_eq!((COUNT.get(), NAME.with(String::len)), (1, 3));
/// ```
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = const $initial:block $(; $($rest:tt)*)?) => {
        $crate::thread_local! { @one [$(#[$attribute])*] [$visibility] $name, $type, const { $initial } }
        $($crate::thread_local! { $($rest)* })?
    };
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $initial:expr $(; $($rest:tt)*)?) => {
        $crate::thread_local! { @one [$(#[$attribute])*] [$visibility] $name, $type, $initial }
        $($crate::thread_local! { $($rest)* })?
    };
    (@one [$(#[$attribute:meta])*] [$visibility:vis] $name:ident, $type:ty, $initial:expr) => {
        $(#[$attribute])*
        $visibility static $name: $crate::thread::LocalKey<$type> = {
            fn initial() -> $type {
                $initial
            }
            ::std::thread_local! {
                static OUTSIDE: $type = initial();
            }
            $crate::thread::LocalKey::__new(&OUTSIDE, initial)
        };
    };
}

impl<T: 'static> LocalKey<T> {
    #[doc(hidden)]
    pub const fn __new(outside: &'static std::thread::LocalKey<T>, initial: fn() -> T) -> Self {
        Self { outside, initial }
    }

    /// Runs `f` with the value of the running thread.
    ///
    /// # Panics
    /// If the value was destroyed.
    #[track_caller]
    pub fn with<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        or_panic(self.try_with(f))
    }

    /// Runs `f` with the value of the running thread.
    ///
    /// # Errors
    /// If the value was destroyed.
    pub fn try_with<F, R>(&'static self, f: F) -> Result<R, AccessError>
    where
        F: FnOnce(&T) -> R,
    {
        match self.value(self.initial) {
            Some(found) => Ok(f(found.value?.downcast_ref().expect("cdsspec bug: a key has one type"))),
            None => self.outside.try_with(f).map_err(|_| AccessError),
        }
    }

    /// The value of the running thread, which is made of `initial` if there is none yet. `None` outside an execution.
    fn value(&'static self, initial: impl FnOnce() -> T) -> Option<Found> {
        let key = std::ptr::from_ref(self).addr();
        let known = with(|execution| execution.locals().get(execution.port().thread(), key))?;
        Some(match known {
            Some(Local::Alive(value)) => Found { value: Ok(value), is_made: false },
            Some(Local::Destroyed) => Found { value: Err(AccessError), is_made: false },
            None => {
                // While nothing is borrowed: it may use other keys.
                let value: Rc<dyn Any> = Rc::new(initial());
                let made = Local::Alive(Rc::clone(&value));
                let old = with(|execution| execution.locals().set(execution.port().thread(), key, made));
                drop(old);
                Found { value: Ok(value), is_made: true }
            }
        })
    }

    /// Makes the value of the running thread be `value`, by `set` if it has one already. Outside an execution gives it back.
    #[track_caller]
    fn set_with(&'static self, value: T, set: impl FnOnce(&T, T)) -> Option<T> {
        let mut value = Some(value);
        let found = match self.value(|| value.take().expect("cdsspec bug: a value is made once")) {
            Some(found) => found,
            None => return value,
        };
        if !found.is_made
            && let Some(value) = value
        {
            set(or_panic(found.value).downcast_ref().expect("cdsspec bug: a key has one type"), value);
        }
        None
    }
}

#[track_caller]
fn or_panic<T>(result: Result<T, AccessError>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => {
            panic!("cannot access a Thread Local Storage value during or after destruction: {error:?}")
        }
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets the value.
    ///
    /// # Panics
    /// If it was destroyed.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        let left = self.set_with(Cell::new(value), |cell, value| cell.set(value.into_inner()));
        if let Some(value) = left {
            self.outside.set(value.into_inner());
        }
    }

    /// A copy of the value.
    ///
    /// # Panics
    /// If it was destroyed.
    #[track_caller]
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// The value, with the default in its place.
    ///
    /// # Panics
    /// If it was destroyed.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// The value, with another in its place.
    ///
    /// # Panics
    /// If it was destroyed.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Runs `f` with the value.
    ///
    /// # Panics
    /// If it is borrowed uniquely, or was destroyed.
    #[track_caller]
    pub fn with_borrow<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        self.with(|cell| f(&cell.borrow()))
    }

    /// Runs `f` with the value, borrowed uniquely.
    ///
    /// # Panics
    /// If it is borrowed, or was destroyed.
    #[track_caller]
    pub fn with_borrow_mut<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&mut T) -> R,
    {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// Sets the value.
    ///
    /// # Panics
    /// If it is borrowed, or was destroyed.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        let left = self.set_with(RefCell::new(value), |cell, value| *cell.borrow_mut() = value.into_inner());
        if let Some(value) = left {
            self.outside.set(value.into_inner());
        }
    }

    /// The value, with the default in its place.
    ///
    /// # Panics
    /// If it is borrowed, or was destroyed.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// The value, with another in its place.
    ///
    /// # Panics
    /// If it is borrowed, or was destroyed.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}
