//! Shared ownership.

use super::lib::sync::{Arc, Weak};
use super::lib::thread;

/// What a thread says beside one that drops another handle.
fn beside_a_drop(f: fn(Arc<u32>) -> String) -> String {
    let shared = Arc::new(7);
    let other = shared.clone();
    let child = thread::spawn(move || drop(other));
    let said = f(shared);
    child.join().unwrap();
    said
}

table! {
    a_count_is_seen_before_a_drop_or_after ["1", "2"] {
        beside_a_drop(|shared| Arc::strong_count(&shared).to_string())
    }
    a_sole_handle_gives_its_value ["Err(7)", "Ok(7)"] {
        beside_a_drop(|shared| format!("{:?}", Arc::try_unwrap(shared)))
    }
    a_sole_handle_is_borrowed_uniquely ["None", "Some(7)"] {
        beside_a_drop(|mut shared| format!("{:?}", Arc::get_mut(&mut shared)))
    }
    the_last_of_two_gets_the_value ["1"] {
        let shared = Arc::new(7);
        let other = shared.clone();
        let child = thread::spawn(move || Arc::into_inner(other));
        let mine = Arc::into_inner(shared);
        let values = [mine, child.join().unwrap()];
        values.iter().flatten().count().to_string()
    }
    a_weak_handle_does_not_keep_the_value ["Some(7) None"] {
        let shared = Arc::new(7);
        let weak = Arc::downgrade(&shared);
        let before = weak.upgrade().map(|shared| *shared);
        drop(shared);
        format!("{before:?} {:?}", weak.upgrade())
    }
    an_upgrade_comes_before_the_last_drop_or_after ["None", "Some(7)"] {
        let shared = Arc::new(7);
        let weak = Arc::downgrade(&shared);
        let child = thread::spawn(move || drop(shared));
        let seen = weak.upgrade().map(|shared| *shared);
        child.join().unwrap();
        format!("{seen:?}")
    }
    weak_handles_are_counted ["0 1 2 1 0"] {
        let shared = Arc::new(7);
        let none = Arc::weak_count(&shared);
        let weak = Arc::downgrade(&shared);
        let one = Arc::weak_count(&shared);
        let other = weak.clone();
        let two = weak.weak_count();
        drop(weak);
        let left = other.weak_count();
        drop(shared);
        format!("{none} {one} {two} {left} {}", other.weak_count())
    }
    a_weak_handle_keeps_from_a_unique_borrow ["None Some(7)"] {
        let mut shared = Arc::new(7);
        let weak = Arc::downgrade(&shared);
        let with = format!("{:?}", Arc::get_mut(&mut shared));
        drop(weak);
        format!("{with} {:?}", Arc::get_mut(&mut shared))
    }
    a_weak_handle_of_no_value_has_none ["None 0 0"] {
        let weak = Weak::<u32>::new();
        format!("{:?} {} {}", weak.upgrade(), weak.strong_count(), weak.weak_count())
    }
    what_is_changed_is_a_copy_if_others_have_it ["7 8 false"] {
        let shared = Arc::new(7);
        let mut other = shared.clone();
        *Arc::make_mut(&mut other) += 1;
        format!("{shared} {other} {}", Arc::ptr_eq(&shared, &other))
    }
    what_is_changed_leaves_weak_handles_behind ["8 None"] {
        let mut shared = Arc::new(7);
        let weak = Arc::downgrade(&shared);
        *Arc::make_mut(&mut shared) += 1;
        format!("{shared} {:?}", weak.upgrade())
    }
    a_value_can_hold_a_weak_handle_of_itself ["true 1"] {
        let shared = Arc::new_cyclic(|weak: &Weak<Weak<u8>>| {
            assert!(weak.upgrade().is_none());
            Weak::new()
        });
        let cyclic = Arc::new_cyclic(|weak: &Weak<std::sync::Mutex<Option<Weak<u8>>>>| {
            assert!(weak.upgrade().is_none());
            std::sync::Mutex::new(None)
        });
        format!("{} {}", shared.upgrade().is_none(), Arc::strong_count(&cyclic))
    }
}
