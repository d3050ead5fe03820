//! The return value that only the rule looks at which stands where no post_condition does.

use super::{KeySupport, Probe};
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// What is kept of such a value: nothing, if the value of the side effect is `()`, if it cannot be cloned, or if its type hides a lifetime. So its
/// type is asked for equality and hash only where values are kept.
pub struct Unmentioned {
    value: Option<Box<dyn Any>>,
    key: Option<KeySupport>,
}

impl Unmentioned {
    /// A value, if it could be cloned, with equality and hash of its type, if it has them.
    pub fn new<T: 'static>(value: Option<T>, key: Option<KeySupport>) -> Self {
        Self { value: value.map(|value| Box::new(value) as Box<dyn Any>), key }
    }

    /// Nothing.
    pub fn nothing() -> Self {
        Self { value: None, key: None }
    }

    fn support(&self) -> KeySupport {
        self.key.expect("cdsspec bug: values are compared only where their type has equality and hash")
    }
}

impl PartialEq for Unmentioned {
    fn eq(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (None, None) => true,
            (Some(own), Some(others)) => (self.support().is_equal)(&**own, &**others),
            _ => false,
        }
    }
}

impl Eq for Unmentioned {}

impl Hash for Unmentioned {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.is_some().hash(state);
        if let Some(value) = &self.value {
            (self.support().hash)(&**value, state);
        }
    }
}

impl fmt::Debug for Unmentioned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unmentioned").field("is_kept", &self.value.is_some()).finish_non_exhaustive()
    }
}

/// Asks for a return type `T`, given as `F = fn(T)`, whether it hides a lifetime, as `Iter` may: then `F` is `for<'a> fn(Iter<'a>)`, which is
/// `fn(A)` for no `A`. Method resolution by autoref tells, as for [`Probe`]: generated code calls `(&&ReturnProbe::<F>::new()).kept(…)` with both
/// traits in scope.
pub struct ReturnProbe<F>(PhantomData<F>);

impl<F> ReturnProbe<F> {
    /// The probe of the type.
    #[expect(clippy::new_without_default, reason = "generated code calls it by name")]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

/// No lifetime is hidden: values may be kept.
pub trait ReturnOwned<T: 'static> {
    /// The probe of the type.
    fn probe(&self) -> Probe<T> {
        Probe::new()
    }

    /// The value to keep.
    fn to_keep<'v>(&self, value: &'v T) -> &'v T {
        value
    }

    /// The value, if it was kept.
    fn kept<'v>(&self, value: &'v Unmentioned) -> Option<&'v T> {
        let value = value.value.as_deref()?;
        Some(value.downcast_ref().expect("cdsspec bug: a method has one type of return value"))
    }
}

impl<T: 'static> ReturnOwned<T> for &ReturnProbe<fn(T)> {}

/// A lifetime is hidden: values are not kept.
pub trait ReturnBorrowing {
    /// The probe of what stands for the value.
    fn probe(&self) -> Probe<Unkept> {
        Probe::new()
    }

    /// What stands for the value.
    fn to_keep<V>(&self, _value: &V) -> &Unkept {
        &Unkept
    }

    /// Nothing was kept.
    fn kept<'v>(&self, _value: &'v Unmentioned) -> Option<&'v Unkept> {
        None
    }
}

impl<F> ReturnBorrowing for ReturnProbe<F> {}

/// Stands for a value that is not kept. It cannot be cloned; but records with it are compared.
#[derive(PartialEq, Eq, Hash)]
pub struct Unkept;

/// Equality and hash of a record whose return value is `Unmentioned`: `record` is that of its other parts, `returned` that of the value.
pub fn unmentioned_key(
    says_nothing: bool,
    returned: Option<KeySupport>,
    record: Option<KeySupport>,
) -> Option<KeySupport> {
    record.filter(|_| says_nothing || returned.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__key as key;
    use std::hash::DefaultHasher;

    struct Opaque;

    fn hash(value: &impl Hash) -> u64 {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn values_that_are_kept_are_compared_and_of_others_nothing_is_asked() {
        let of = |value| Unmentioned::new(Some(value), key!(i32));
        assert!(of(3) == of(3) && of(3) != of(4) && of(3) != Unmentioned::nothing());
        assert_eq!(hash(&of(3)), hash(&of(3)));
        assert!(Unmentioned::nothing() == Unmentioned::nothing());
        assert_eq!(hash(&Unmentioned::nothing()), hash(&Unmentioned::nothing()));
    }

    #[test]
    fn a_record_has_a_key_if_its_parts_do_and_its_value_does_or_is_not_kept() {
        let has_key =
            |says_nothing, returned| unmentioned_key(says_nothing, returned, key!(Unmentioned)).is_some();
        assert!(has_key(true, key!(Opaque)) && has_key(false, key!(i32)) && !has_key(false, key!(Opaque)));
        assert!(unmentioned_key(true, key!(i32), key!((Opaque, Unmentioned))).is_none());
    }

    #[derive(Clone)]
    struct Hiding<'a>(#[expect(dead_code, reason = "it holds the lifetime")] &'a u8);

    #[test]
    fn a_type_that_hides_a_lifetime_is_told_and_none_of_its_values_are_kept() {
        use crate::specification::{ProbeClone as _, ProbeKey as _, ProbeNoClone as _};

        type Own = fn(Option<u8>);
        #[expect(elided_lifetimes_in_paths, reason = "it is what is tested")]
        type Hides = fn(Option<Hiding>);
        let (own, hides) = (&&ReturnProbe::<Own>::new(), &&ReturnProbe::<Hides>::new());
        let value = Some(3);
        let kept = Unmentioned::new((&&own.probe()).try_clone(own.to_keep(&value)), own_key());
        assert_eq!(own.kept(&kept), Some(&Some(3)));
        let byte = 4;
        let value = Some(Hiding(&byte));
        let kept = Unmentioned::new((&&hides.probe()).try_clone(hides.to_keep(&value)), None);
        assert!(hides.kept(&kept).is_none() && kept == Unmentioned::nothing());
        assert!((&&hides.probe()).key().is_some());
    }

    fn own_key() -> Option<KeySupport> {
        key!(Option<u8>)
    }
}
