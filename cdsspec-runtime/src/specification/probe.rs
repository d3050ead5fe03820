//! Asks, for a concrete type in generated code, whether it has a trait: method resolution by autoref picks the best tier.
//!
//! Generated code calls `(&&Probe::<T>::new()).key()` with all traits of this module in scope.

use super::KeySupport;
use super::integer::debug_text;
use std::any::Any;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

/// Stands for a type of the user's.
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// The probe of `T`.
    #[expect(clippy::new_without_default, reason = "generated code calls it by name")]
    pub fn new() -> Self {
        Self(PhantomData)
    }

    /// Says that it is the probe of the type of a value.
    pub fn is_of(&self, _value: &T) {}
}

/// `Debug`: values can be shown.
pub trait ProbeRender<T> {
    /// Shows a value.
    fn render(&self) -> Option<fn(&T) -> String>;
    /// Shows an erased value.
    fn render_any(&self) -> Option<fn(&dyn Any) -> String>;
}

impl<T: Debug + 'static> ProbeRender<T> for &Probe<T> {
    fn render(&self) -> Option<fn(&T) -> String> {
        Some(debug_text)
    }

    fn render_any(&self) -> Option<fn(&dyn Any) -> String> {
        Some(|value| debug_text(downcast::<T>(value)))
    }
}

/// No `Debug`.
pub trait ProbeNoRender<T> {
    /// Values cannot be shown.
    fn render(&self) -> Option<fn(&T) -> String> {
        None
    }
    /// Values cannot be shown.
    fn render_any(&self) -> Option<fn(&dyn Any) -> String> {
        None
    }
}

impl<T> ProbeNoRender<T> for Probe<T> {}

/// `Eq + Hash`: values can be remembered.
pub trait ProbeKey {
    /// Equality and hash.
    fn key(&self) -> Option<KeySupport>;
}

impl<T: Eq + Hash + 'static> ProbeKey for &Probe<T> {
    fn key(&self) -> Option<KeySupport> {
        Some(KeySupport {
            is_equal: |left, right| downcast::<T>(left) == downcast::<T>(right),
            hash: |value, mut hasher| downcast::<T>(value).hash(&mut hasher),
        })
    }
}

/// No `Eq + Hash`.
pub trait ProbeNoKey {
    /// Values cannot be remembered.
    fn key(&self) -> Option<KeySupport> {
        None
    }
}

impl<T> ProbeNoKey for Probe<T> {}

/// `Clone`: values can be recorded.
pub trait ProbeClone<T> {
    /// A copy.
    fn try_clone(&self, value: &T) -> Option<T>;
}

impl<T: Clone> ProbeClone<T> for &Probe<T> {
    fn try_clone(&self, value: &T) -> Option<T> {
        Some(value.clone())
    }
}

/// No `Clone`.
pub trait ProbeNoClone<T> {
    /// Values cannot be recorded.
    fn try_clone(&self, _value: &T) -> Option<T> {
        None
    }
}

impl<T> ProbeNoClone<T> for Probe<T> {}

/// `Debug`, also of what holds references: values can be shown.
pub trait ProbeShow<T> {
    /// Shows a value.
    fn show(&self, value: &T) -> Option<String>;
    /// Whether values can be shown.
    fn can_show(&self) -> bool {
        true
    }
}

impl<T: Debug> ProbeShow<T> for &Probe<T> {
    fn show(&self, value: &T) -> Option<String> {
        Some(debug_text(value))
    }
}

/// No `Debug`.
pub trait ProbeNoShow<T> {
    /// Values cannot be shown.
    fn show(&self, _value: &T) -> Option<String> {
        None
    }
    /// Values cannot be shown.
    fn can_show(&self) -> bool {
        false
    }
}

impl<T> ProbeNoShow<T> for Probe<T> {}

/// What the specification returned and what the call returned, where no post_condition compares them.
///
/// Generated code calls `(&&comparison).agrees()` with the three traits in scope.
pub struct Comparison<'a, S, C> {
    /// `s_ret`
    pub specified: &'a S,
    /// `c_ret`; `None` if the type is not `Clone`, so that it was not recorded.
    pub returned: Option<&'a C>,
}

impl<S, C> Clone for Comparison<'_, S, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, C> Copy for Comparison<'_, S, C> {}

/// A side effect of type `()` says nothing about the return value.
pub trait AgreesByUnit {
    /// Always true.
    fn agrees(&self) -> bool;
}

impl<C> AgreesByUnit for &Comparison<'_, (), C> {
    fn agrees(&self) -> bool {
        true
    }
}

/// A side effect of the method's own type: the call returns exactly its value.
pub trait AgreesByEquality {
    /// Whether the two are equal.
    fn agrees(&self) -> bool;
}

impl<T: PartialEq + Clone> AgreesByEquality for Comparison<'_, T, T> {
    fn agrees(&self) -> bool {
        self.returned == Some(self.specified)
    }
}

/// A side effect of any other type: an error.
pub trait AgreesNever<S> {
    /// Cannot be called.
    fn agrees(self) -> bool
    where
        S: ReturnedBy<Self>,
        Self: Sized;
}

impl<S, C> AgreesNever<S> for Comparison<'_, S, C> {
    fn agrees(self) -> bool
    where
        S: ReturnedBy<Self>,
    {
        unreachable!("cdsspec bug: nothing is returned by a comparison")
    }
}

/// Held by nothing: carries the message of a side effect whose value cannot be compared with the return value.
#[diagnostic::on_unimplemented(
    message = "the value of this side effect has type `{Self}`, which is not compared with the return value: end it with `;`, write a post_condition, or say with `#[returns(…)]` what to compare",
    label = "neither `()` nor the type that the method returns, with `PartialEq` and `Clone`"
)]
pub trait ReturnedBy<C> {}

/// A return value that is recorded.
#[diagnostic::on_unimplemented(
    message = "a return value of type `{Self}` cannot be kept after the call: derive `Clone` for it, or say what to keep, `#[returns(…)]`",
    label = "a specification mentions it, and it is not `Clone`"
)]
pub trait KeptReturn {
    /// A copy.
    fn keep(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Clone> KeptReturn for T {
    fn keep(&self) -> Self {
        self.clone()
    }
}

/// A copy of a return value.
pub fn keep<T: KeptReturn>(value: &T) -> T {
    value.keep()
}

fn downcast<T: 'static>(value: &dyn Any) -> &T {
    value.downcast_ref().expect("cdsspec bug: an erased value has the type that it was made with")
}

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "each `&` is one more tier to try, as in what the macro writes")]
mod tests {
    use super::*;

    struct Opaque;

    #[test]
    fn the_best_tier_is_picked() {
        assert!((&&Probe::<i32>::new()).key().is_some());
        assert!((&&Probe::<f64>::new()).key().is_none());
        assert_eq!((&&Probe::<f64>::new()).render().map(|show| show(&1.5)), Some("1.5".to_owned()));
        assert!((&&Probe::<Opaque>::new()).render().is_none());
        assert!((&&Probe::<Opaque>::new()).try_clone(&Opaque).is_none());
    }

    #[test]
    fn unit_says_nothing_and_equal_types_are_compared() {
        assert!((&&Comparison { specified: &(), returned: Some(&3) }).agrees());
        assert!((&&Comparison { specified: &(), returned: Some(&()) }).agrees());
        assert!((&&Comparison { specified: &3, returned: Some(&3) }).agrees());
        assert!(!(&&Comparison { specified: &3, returned: Some(&4) }).agrees());
    }
}
