//! What a plain build has: std's own.

/// Atomics, locks and shared pointers: [`std::sync`].
pub mod sync {
    pub use std::sync::*;
}

/// Threads: [`std::thread`].
pub mod thread {
    pub use std::thread::*;
}

pub use std::thread_local;

/// Hints: [`std::hint`].
pub mod hint {
    pub use std::hint::*;
}

/// Cells: [`std::cell`], with an `UnsafeCell` that says when it is accessed.
pub mod cell {
    pub use std::cell::*;

    /// A [`std::cell::UnsafeCell`] whose accesses have a beginning and an end.
    #[derive(Debug, Default)]
    #[repr(transparent)]
    pub struct UnsafeCell<T: ?Sized>(std::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        /// A cell with this value.
        pub const fn new(value: T) -> Self {
            Self(std::cell::UnsafeCell::new(value))
        }

        /// The value.
        pub fn into_inner(self) -> T {
            self.0.into_inner()
        }
    }

    impl<T: ?Sized> UnsafeCell<T> {
        /// Reads through a pointer that is valid during `f`, as long as nobody writes.
        #[inline]
        pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
            f(self.0.get())
        }

        /// Writes through a pointer that is valid during `f`, as long as nobody else reads or writes.
        #[inline]
        pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
            f(self.0.get())
        }

        /// The value, which nobody else can see.
        pub fn get_mut(&mut self) -> &mut T {
            self.0.get_mut()
        }
    }

    impl<T> From<T> for UnsafeCell<T> {
        fn from(value: T) -> Self {
            Self::new(value)
        }
    }
}
