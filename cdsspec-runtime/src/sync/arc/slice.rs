//! `Arc` of slices and texts, and what turns into one.

use super::Arc;
use std::any::Any;
use std::borrow::Cow;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::pin::Pin;

impl<T> Arc<T> {
    /// Memory for a value.
    #[inline(always)]
    #[track_caller]
    pub fn new_uninit() -> Arc<MaybeUninit<T>> {
        Arc::new(MaybeUninit::uninit())
    }

    /// Memory for a value, of zeros.
    #[inline(always)]
    #[track_caller]
    pub fn new_zeroed() -> Arc<MaybeUninit<T>> {
        Arc::new(MaybeUninit::zeroed())
    }
}

impl<T> Arc<[T]> {
    /// Memory for so many values.
    #[inline(always)]
    #[track_caller]
    pub fn new_uninit_slice(len: usize) -> Arc<[MaybeUninit<T>]> {
        Arc::from(Box::new_uninit_slice(len))
    }

    /// Memory for so many values, of zeros.
    #[inline(always)]
    #[track_caller]
    pub fn new_zeroed_slice(len: usize) -> Arc<[MaybeUninit<T>]> {
        Arc::from((0..len).map(|_| MaybeUninit::zeroed()).collect::<Vec<_>>())
    }
}

impl<T> Arc<MaybeUninit<T>> {
    /// The value that was written there.
    ///
    /// # Safety
    /// One was.
    pub unsafe fn assume_init(self) -> Arc<T> {
        let pointer = Self::into_raw(self).cast::<T>();
        // SAFETY: size and alignment are the same, and the caller says that it is a value.
        unsafe { Arc::from_raw(pointer) }
    }
}

impl<T> Arc<[MaybeUninit<T>]> {
    /// The values that were written there.
    ///
    /// # Safety
    /// All were.
    pub unsafe fn assume_init(self) -> Arc<[T]> {
        let pointer = Self::into_raw(self) as *const [T];
        // SAFETY: size and alignment are the same, and the caller says that they are values.
        unsafe { Arc::from_raw(pointer) }
    }
}

impl Arc<dyn Any + Sync + Send> {
    /// The value by its own type, if it is of this one.
    ///
    /// # Errors
    /// This handle, if not.
    pub fn downcast<T>(self) -> Result<Arc<T>, Self>
    where
        T: Any + Send + Sync,
    {
        if !(*self).is::<T>() {
            return Err(self);
        }
        let pointer = Self::into_raw(self).cast::<T>();
        // SAFETY: the value is of this type.
        Ok(unsafe { Arc::from_raw(pointer) })
    }
}

impl<T, const N: usize> TryFrom<Arc<[T]>> for Arc<[T; N]> {
    type Error = Arc<[T]>;

    fn try_from(slice: Arc<[T]>) -> Result<Self, Arc<[T]>> {
        if slice.len() != N {
            return Err(slice);
        }
        let pointer = Arc::into_raw(slice).cast::<[T; N]>();
        // SAFETY: so many values are there.
        Ok(unsafe { Arc::from_raw(pointer) })
    }
}

impl From<Arc<str>> for Arc<[u8]> {
    fn from(text: Arc<str>) -> Self {
        let pointer = Arc::into_raw(text) as *const [u8];
        // SAFETY: a text is its bytes.
        unsafe { Self::from_raw(pointer) }
    }
}

/// Conversions by a box of the same.
macro_rules! by_box {
    ($([$($parameters:tt)*] $from:ty => $to:ty;)*) => {$(
        impl<$($parameters)*> From<$from> for Arc<$to> {
            #[inline(always)]
            #[track_caller]
            fn from(value: $from) -> Self {
                Self::from(Box::<$to>::from(value))
            }
        }
    )*};
}

by_box! {
    [T: Clone] &[T] => [T];
    [T] Vec<T> => [T];
    [T, const N: usize] [T; N] => [T];
    [] &str => str;
    [] String => str;
    [] &CStr => CStr;
    [] CString => CStr;
    [] &OsStr => OsStr;
    [] OsString => OsStr;
    [] &Path => Path;
    [] PathBuf => Path;
}

/// Conversions of what is borrowed uniquely, as of what is shared.
macro_rules! by_shared {
    ($([$($parameters:tt)*] $type:ty;)*) => {$(
        impl<$($parameters)*> From<&mut $type> for Arc<$type> {
            #[inline(always)]
            #[track_caller]
            fn from(value: &mut $type) -> Self {
                Self::from(&*value)
            }
        }
    )*};
}

by_shared! {
    [T: Clone] [T];
    [] str;
    [] CStr;
    [] OsStr;
    [] Path;
}

impl<'a, B: ?Sized + ToOwned> From<Cow<'a, B>> for Arc<B>
where
    Arc<B>: From<&'a B> + From<<B as ToOwned>::Owned>,
{
    #[inline(always)]
    #[track_caller]
    fn from(value: Cow<'a, B>) -> Self {
        match value {
            Cow::Borrowed(value) => Self::from(value),
            Cow::Owned(value) => Self::from(value),
        }
    }
}

impl<T> FromIterator<T> for Arc<[T]> {
    #[inline(always)]
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::from(values.into_iter().collect::<Vec<T>>())
    }
}

impl<T> Default for Arc<[T]> {
    #[inline(always)]
    #[track_caller]
    fn default() -> Self {
        Self::from([])
    }
}

impl Default for Arc<str> {
    #[inline(always)]
    #[track_caller]
    fn default() -> Self {
        Self::from("")
    }
}

impl Default for Arc<CStr> {
    #[inline(always)]
    #[track_caller]
    fn default() -> Self {
        Self::from(c"")
    }
}

impl<T: ?Sized> Default for Pin<Arc<T>>
where
    Arc<T>: Default,
{
    #[inline(always)]
    #[track_caller]
    fn default() -> Self {
        // SAFETY: the value stays in its allocation, and `get_mut` and `try_unwrap` are not reachable through a pinned handle.
        unsafe { Self::new_unchecked(Arc::default()) }
    }
}
