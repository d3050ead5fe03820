//! Values of a generic type, seen as those of the one instance that is specified.

/// Whether two types are the same, up to lifetimes.
pub fn is_instance<T: ?Sized, Instance: ?Sized>() -> bool {
    typeid::of::<T>() == typeid::of::<Instance>()
}

/// Makes sure that what stands for a type parameter has no lifetimes, by its name: the macro sees those that are written, and an
/// alias hides them from it.
///
/// # Panics
/// If it has.
pub fn assert_instance(name: &'static str) {
    let has_lifetime = name.contains(['&', '\'']) || name.contains("dyn ");
    assert!(
        !has_lifetime,
        "{name} holds a reference, and cannot stand in `instance(…)`: choose a type without lifetimes"
    );
}

/// A value, where it is known at run time that its type is that of the instance.
///
/// # Panics
/// If it is not: a bug of the macro, which asks [`is_instance`] of the type that has the method first.
pub fn as_instance<T: ?Sized, Instance: ?Sized>(value: &T) -> &Instance {
    assert!(is_instance::<T, Instance>(), "cdsspec bug: only values of the specified instance are recorded");
    // SAFETY: the two types are the same up to lifetimes, as is asserted above; so are the references to them, with the same
    // size and the same metadata. The reference lives as long as the one it is made of. The lifetimes inside of the types are the
    // duty of the macro, the only caller: what stands for a type parameter has none, since it refuses those that are written and
    // calls `assert_instance` for those behind an alias (compilers whose `type_name` leaves out the lifetimes of structs cannot
    // see these: the documentation forbids them); and it gives the value to a function that is generic over all others, and that
    // keeps only types without lifetimes.
    unsafe { std::mem::transmute_copy::<&T, &Instance>(&value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first<T>(values: &[T]) -> Option<i32> {
        is_instance::<T, i32>().then(|| as_instance::<[T], [i32]>(values)[0])
    }

    #[test]
    fn a_value_is_seen_as_that_of_the_instance_only_where_it_is_one() {
        assert_eq!(first(&[3, 4]), Some(3));
        assert_eq!(first(&[3_u32]), None);
        assert_eq!(first(&["a".to_owned().as_str()]), None);
    }

    #[test]
    fn a_type_with_a_lifetime_cannot_stand_for_a_parameter() {
        for name in [std::any::type_name::<&str>(), std::any::type_name::<Box<dyn Fn()>>(), "Cow<'_, str>"] {
            std::panic::catch_unwind(|| assert_instance(name)).expect_err(name);
        }
        assert_instance(std::any::type_name::<Vec<i32>>());
    }

    #[test]
    fn lifetimes_do_not_tell_types_apart_and_constants_do() {
        fn is_short<'a>(_: &'a str) -> bool {
            is_instance::<Option<&'a str>, Option<&'static str>>()
        }
        assert!(is_short(String::new().as_str()));
        assert!(is_instance::<[i32; 4], [i32; 4]>() && !is_instance::<[i32; 4], [i32; 5]>());
    }
}
