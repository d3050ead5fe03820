//! `Once`, `OnceLock` and `LazyLock`.

use crate::threads::HandOver;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{self, Mutex, PoisonError};

pub use std::sync::OnceState;

/// std's `Once`, with a clock: the call that completes it happens before all calls that return.
pub struct Once {
    inner: sync::Once,
    released: HandOver,
}

impl Once {
    /// One that nothing was called with.
    #[expect(clippy::new_without_default, reason = "std's has none")]
    pub const fn new() -> Self {
        Self { inner: sync::Once::new(), released: HandOver::new() }
    }

    /// Calls `f`, if no call has completed; waits for one that runs.
    ///
    /// # Panics
    /// If an earlier call panicked.
    #[track_caller]
    pub fn call_once<F: FnOnce()>(&self, f: F) {
        self.inner.call_once(|| {
            f();
            self.released.release();
        });
        self.released.acquire();
    }

    /// Calls `f`, if no call has completed, even if one has panicked.
    pub fn call_once_force<F: FnOnce(&OnceState)>(&self, f: F) {
        self.inner.call_once_force(|state| {
            f(state);
            self.released.release();
        });
        self.released.acquire();
    }

    /// Whether a call has completed.
    pub fn is_completed(&self) -> bool {
        let is_completed = self.inner.is_completed();
        if is_completed {
            self.released.acquire();
        }
        is_completed
    }

    /// Waits until a call has completed.
    ///
    /// # Panics
    /// If one has panicked.
    pub fn wait(&self) {
        self.inner.wait();
        self.released.acquire();
    }

    /// Waits until a call has completed, even if one has panicked.
    pub fn wait_force(&self) {
        self.inner.wait_force();
        self.released.acquire();
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}

/// std's `OnceLock`, with a clock: to set it happens before to get it.
pub struct OnceLock<T> {
    inner: sync::OnceLock<T>,
    released: HandOver,
}

impl<T> OnceLock<T> {
    /// One that is not set.
    pub const fn new() -> Self {
        Self { inner: sync::OnceLock::new(), released: HandOver::new() }
    }

    /// The value, if it is set.
    pub fn get(&self) -> Option<&T> {
        let value = self.inner.get()?;
        self.released.acquire();
        Some(value)
    }

    /// The value, which nobody else can see.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.inner.get_mut()
    }

    /// Waits until it is set.
    pub fn wait(&self) -> &T {
        let value = self.inner.wait();
        self.released.acquire();
        value
    }

    /// Sets it.
    ///
    /// # Errors
    /// The value, if it is set already.
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.initialise(|| value.take().expect("cdsspec bug: a value is made once"));
        value.map_or(Ok(()), Err)
    }

    /// The value, which is made by `f` if it is not set. If `f` panics, it is not set.
    pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T {
        self.initialise(f)
    }

    fn initialise(&self, f: impl FnOnce() -> T) -> &T {
        let value = self.inner.get_or_init(|| {
            let value = f();
            self.released.release();
            value
        });
        self.released.acquire();
        value
    }

    /// The value.
    pub fn into_inner(self) -> Option<T> {
        self.inner.into_inner()
    }

    /// Takes the value out.
    pub fn take(&mut self) -> Option<T> {
        std::mem::take(self).into_inner()
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    fn from(value: T) -> Self {
        Self { inner: value.into(), released: HandOver::new() }
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    fn clone(&self) -> Self {
        self.get().map_or_else(Self::new, |value| value.clone().into())
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}

/// Shows the value, if there is one. It orders nothing.
impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

/// std's `LazyLock`, with a clock: to make the value happens before to have it.
pub struct LazyLock<T, F = fn() -> T> {
    value: OnceLock<T>,
    /// Gone when it is called.
    initial: Mutex<Option<F>>,
}

const POISONED: &str = "LazyLock instance has previously been poisoned";

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// One whose value `f` makes when it is first asked for.
    pub const fn new(f: F) -> Self {
        Self { value: OnceLock::new(), initial: Mutex::new(Some(f)) }
    }

    /// The value, which is made if it is not there.
    ///
    /// # Panics
    /// If making it panicked, now or before.
    #[track_caller]
    pub fn force(this: &Self) -> &T {
        this.value.get_or_init(|| {
            let initial = this.initial.lock().unwrap_or_else(PoisonError::into_inner).take();
            initial.expect(POISONED)()
        })
    }

    /// The value, borrowed uniquely, which is made if it is not there.
    ///
    /// # Panics
    /// As [`force`](Self::force).
    #[track_caller]
    pub fn force_mut(this: &mut Self) -> &mut T {
        Self::force(this);
        this.value.get_mut().expect("cdsspec bug: it was made")
    }
}

impl<T, F> LazyLock<T, F> {
    /// The value, if it was made.
    pub fn get(this: &Self) -> Option<&T> {
        this.value.get()
    }

    /// The value, borrowed uniquely, if it was made.
    pub fn get_mut(this: &mut Self) -> Option<&mut T> {
        this.value.get_mut()
    }
}

// As std's, which makes the value by itself.
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}
impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        Self::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
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

/// Shows the value, if there is one. It orders nothing.
impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("LazyLock");
        match self.value.inner.get() {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}
