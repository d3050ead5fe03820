//! Where the object of a call is.

use std::ops::Deref;
use std::ptr::NonNull;

/// Where an object is, and how many bytes are its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ObjectExtent {
    /// Where it begins.
    pub address: *const (),
    /// How many bytes it has.
    pub size: usize,
    /// Whether a reference led there, so that the object is alive; a pointer may lead anywhere.
    pub is_referenced: bool,
}

impl ObjectExtent {
    /// That of a value.
    pub fn of<T: ?Sized>(object: &T) -> Self {
        Self { address: std::ptr::from_ref(object).cast(), size: size_of_val(object), is_referenced: true }
    }

    fn at<T>(pointer: *const T) -> Self {
        Self { address: pointer.cast(), size: size_of::<T>(), is_referenced: false }
    }
}

/// Stands for the value of `object = …`, which leads to the object.
///
/// Generated code calls `(&&&probe).extent()` with the three traits of this module in scope.
pub struct ObjectProbe<'a, T: ?Sized>(pub &'a T);

impl<T: ?Sized> Clone for ObjectProbe<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for ObjectProbe<'_, T> {}

/// A pointer: the object is where it points. Nothing is read there, so that any pointer will do.
pub trait ObjectByPointer {
    /// Where the object is.
    fn extent(&self) -> ObjectExtent;
}

impl<T> ObjectByPointer for &&ObjectProbe<'_, *const T> {
    fn extent(&self) -> ObjectExtent {
        ObjectExtent::at(*self.0)
    }
}

impl<T> ObjectByPointer for &&ObjectProbe<'_, *mut T> {
    fn extent(&self) -> ObjectExtent {
        ObjectExtent::at(*self.0)
    }
}

impl<T> ObjectByPointer for &&ObjectProbe<'_, NonNull<T>> {
    fn extent(&self) -> ObjectExtent {
        ObjectExtent::at(self.0.as_ptr())
    }
}

/// A reference or an owner: the object is what it refers to.
pub trait ObjectByDeref {
    /// Where the object is.
    fn extent(&self) -> ObjectExtent;
}

impl<T: Deref + ?Sized> ObjectByDeref for &ObjectProbe<'_, T> {
    fn extent(&self) -> ObjectExtent {
        ObjectExtent::of(&**self.0)
    }
}

/// Anything else: an error.
pub trait ObjectNever<T: ?Sized> {
    /// Cannot be called.
    fn extent(self) -> ObjectExtent
    where
        T: LeadsToObject,
        Self: Sized;
}

impl<T: ?Sized> ObjectNever<T> for ObjectProbe<'_, T> {
    fn extent(self) -> ObjectExtent
    where
        T: LeadsToObject,
    {
        unreachable!("cdsspec bug: nothing leads to an object by itself")
    }
}

/// Held by nothing: carries the message of a value that is neither a reference nor an owner nor a pointer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where the object is: write `&` before it, if it is the object itself",
    label = "neither a reference, nor an owner such as `Arc`, nor a pointer"
)]
pub trait LeadsToObject {}

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "each `&` is one more tier to try, as in what the macro writes")]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_reference_an_owner_and_a_pointer_lead_to_the_same_object() {
        let owner = Arc::new(3_u64);
        let (reference, pointer): (&u64, *const u64) = (&owner, Arc::as_ptr(&owner));
        let extent = ObjectExtent::of::<u64>(&owner);
        assert_eq!(extent, ObjectExtent { address: pointer.cast(), size: 8, is_referenced: true });
        let pointed = ObjectExtent { is_referenced: false, ..extent };
        assert_eq!((&&&ObjectProbe(&owner)).extent(), extent);
        assert_eq!((&&&ObjectProbe(&reference)).extent(), extent);
        assert_eq!((&&&ObjectProbe(&pointer)).extent(), pointed);
        assert_eq!((&&&ObjectProbe(&pointer.cast_mut())).extent(), pointed);
        assert_eq!((&&&ObjectProbe(&NonNull::from(reference))).extent(), pointed);
        assert_eq!((&&&ObjectProbe(&&pointer)).extent(), ObjectExtent::of(&pointer));
    }
}
