//! The return value that only the rule looks at which stands where no post_condition does.

use super::KeySupport;
use std::fmt;
use std::hash::{Hash, Hasher};

/// What is kept of such a value: nothing, if the value of the side effect is `()` or if it cannot be cloned. So its type is asked for
/// equality and hash only where values are kept.
pub struct Unmentioned<T> {
    value: Option<T>,
    key: Option<KeySupport>,
}

impl<T> Unmentioned<T> {
    /// A value, if it could be cloned, with equality and hash of its type, if it has them.
    pub fn new(value: Option<T>, key: Option<KeySupport>) -> Self {
        Self { value, key }
    }

    /// Nothing.
    pub fn nothing() -> Self {
        Self::new(None, None)
    }

    /// The value, if it was kept.
    pub fn as_ref(&self) -> Option<&T> {
        self.value.as_ref()
    }
}

impl<T: 'static> PartialEq for Unmentioned<T> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (None, None) => true,
            (Some(own), Some(others)) => (self.support().is_equal)(own, others),
            _ => false,
        }
    }
}

impl<T: 'static> Eq for Unmentioned<T> {}

impl<T: 'static> Hash for Unmentioned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.is_some().hash(state);
        if let Some(value) = &self.value {
            (self.support().hash)(value, state);
        }
    }
}

impl<T> Unmentioned<T> {
    fn support(&self) -> KeySupport {
        self.key.expect("cdsspec bug: values are compared only where their type has equality and hash")
    }
}

impl<T> fmt::Debug for Unmentioned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unmentioned").field("is_kept", &self.value.is_some()).finish_non_exhaustive()
    }
}

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
        assert!(Unmentioned::<Opaque>::nothing() == Unmentioned::nothing());
        assert_eq!(hash(&Unmentioned::<Opaque>::nothing()), hash(&Unmentioned::<Opaque>::nothing()));
    }

    #[test]
    fn a_record_has_a_key_if_its_parts_do_and_its_value_does_or_is_not_kept() {
        let has_key = |says_nothing, returned| {
            unmentioned_key(says_nothing, returned, key!(Unmentioned<Opaque>)).is_some()
        };
        assert!(has_key(true, key!(Opaque)) && has_key(false, key!(i32)) && !has_key(false, key!(Opaque)));
        assert!(unmentioned_key(true, key!(i32), key!((Opaque, Unmentioned<i32>))).is_none());
    }
}
