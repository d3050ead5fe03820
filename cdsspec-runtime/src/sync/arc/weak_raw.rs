//! Raw pointers to the value of a `Weak`.

use super::control::Control;
use super::{Inner, Weak};
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::sync::{Arc as StdArc, Mutex, PoisonError, Weak as StdWeak};

/// What a raw pointer does not hold of its handle: the value may be gone, or not be there yet, and with it the way to the counts.
struct Rest {
    control: StdArc<Control>,
    /// How far the value is behind the start of the allocation.
    offset: usize,
    /// How many handles are raw pointers now.
    count: usize,
}

/// By the address of the value, which nothing else has as long as a handle does.
fn rests<R>(f: impl FnOnce(&mut BTreeMap<usize, Rest>) -> R) -> R {
    static RESTS: Mutex<BTreeMap<usize, Rest>> = Mutex::new(BTreeMap::new());
    f(&mut RESTS.lock().unwrap_or_else(PoisonError::into_inner))
}

impl<T: ?Sized> Weak<T> {
    /// A pointer to the value, which may be gone. Of a handle of no value, it points nowhere.
    pub fn as_ptr(&self) -> *const T {
        let inner = StdWeak::as_ptr(&self.inner);
        if self.control.is_none() {
            return inner as *const T;
        }
        // SAFETY: the allocation is there as long as a handle is. A raw pointer is made: the value may be gone.
        let value = unsafe { &raw const (*inner).value };
        UnsafeCell::raw_get(value) as *const T
    }

    /// A pointer to the value, for [`from_raw`](Self::from_raw). The handle is not dropped.
    pub fn into_raw(self) -> *const T {
        let pointer = self.as_ptr();
        let this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used again, nor dropped.
        let control = unsafe { std::ptr::read(&raw const this.control) };
        // SAFETY: as above.
        let inner = unsafe { std::ptr::read(&raw const this.inner) }.into_raw();
        if let Some(control) = control {
            let offset = pointer.addr() - inner.addr();
            rests(|rests| {
                rests.entry(pointer.addr()).or_insert(Rest { control, offset, count: 0 }).count += 1;
            });
        }
        pointer
    }

    /// The handle that [`into_raw`](Self::into_raw) made this pointer of.
    ///
    /// # Safety
    /// `pointer` is from `into_raw`, and is not turned into a handle twice.
    pub unsafe fn from_raw(pointer: *const T) -> Self {
        let rest = rests(|rests| {
            let rest = rests.get_mut(&pointer.addr())?;
            rest.count -= 1;
            let found = (StdArc::clone(&rest.control), rest.offset);
            if rest.count == 0 {
                rests.remove(&pointer.addr());
            }
            Some(found)
        });
        let (control, offset) = rest.map_or((None, 0), |(control, offset)| (Some(control), offset));
        let inner = pointer.wrapping_byte_sub(offset) as *const Inner<T>;
        // SAFETY: the pointer is that of the handle that was not dropped.
        Self { control, inner: unsafe { StdWeak::from_raw(inner) } }
    }
}
