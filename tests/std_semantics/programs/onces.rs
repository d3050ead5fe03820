//! What happens once.

use super::lib::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use super::lib::sync::{Arc, LazyLock, Once, OnceLock};
use super::lib::thread;
use super::{fail, message};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whether `f` panics.
fn panics<R>(f: impl FnOnce() -> R) -> bool {
    catch_unwind(AssertUnwindSafe(f)).is_err()
}

table! {
    a_call_is_made_once ["1"] {
        let (once, count) = (Arc::new(Once::new()), Arc::new(AtomicUsize::new(0)));
        let (inner, counted) = (once.clone(), count.clone());
        let child = thread::spawn(move || inner.call_once(|| _ = counted.fetch_add(1, SeqCst)));
        once.call_once(|| _ = count.fetch_add(1, SeqCst));
        child.join().unwrap();
        count.load(SeqCst).to_string()
    }
    a_call_is_complete_when_it_has_ended ["false false true"] {
        let once = Once::new();
        let before = once.is_completed();
        let mut meanwhile = true;
        once.call_once(|| meanwhile = once.is_completed());
        format!("{before} {meanwhile} {}", once.is_completed())
    }
    a_call_that_panics_poisons ["oh false true"] {
        let once = Once::new();
        let first = catch_unwind(AssertUnwindSafe(|| once.call_once(|| fail("oh"))));
        let is_completed = once.is_completed();
        // std's own panic, which the hook would show.
        let mut is_poisoned = false;
        once.call_once_force(|state| is_poisoned = state.is_poisoned());
        format!("{} {is_completed} {is_poisoned}", message(first.unwrap_err()))
    }
    a_forced_call_completes ["true"] {
        let once = Once::new();
        assert!(panics(|| once.call_once(|| fail("oh"))));
        once.call_once_force(|_| {});
        once.call_once(|| fail("again"));
        once.is_completed().to_string()
    }
    a_value_is_set_once ["Ok(()) Err(2) Some(1)"] {
        let lock = OnceLock::new();
        let (first, second) = (lock.set(1), lock.set(2));
        format!("{first:?} {second:?} {:?}", lock.get())
    }
    both_get_the_value_of_one ["1 1", "2 2"] {
        let lock = Arc::new(OnceLock::new());
        let inner = lock.clone();
        let child = thread::spawn(move || *inner.get_or_init(|| 1));
        let mine = *lock.get_or_init(|| 2);
        format!("{mine} {}", child.join().unwrap())
    }
    a_value_is_there_or_not ["None", "Some(1)"] {
        let lock = Arc::new(OnceLock::new());
        let inner = lock.clone();
        let child = thread::spawn(move || inner.set(1));
        let seen = format!("{:?}", lock.get());
        child.join().unwrap().unwrap();
        seen
    }
    a_value_that_could_not_be_made_is_not_there ["true None 3"] {
        let lock = OnceLock::<u32>::new();
        let is_panicked = panics(|| *lock.get_or_init(|| fail("oh")));
        let between = format!("{:?}", lock.get());
        format!("{is_panicked} {between} {}", lock.get_or_init(|| 3))
    }
    a_value_is_taken_out ["Some(1) None"] {
        let mut lock = OnceLock::from(1);
        let taken = lock.take();
        format!("{taken:?} {:?}", lock.get())
    }
    a_lazy_value_is_made_once ["5 5 1"] {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = count.clone();
        let lazy = Arc::new(LazyLock::new(move || 5 + counted.fetch_add(1, SeqCst)));
        let inner = lazy.clone();
        let child = thread::spawn(move || **inner);
        let mine = **lazy;
        format!("{mine} {} {}", child.join().unwrap(), count.load(SeqCst))
    }
    a_lazy_value_that_could_not_be_made_is_never_made ["oh"] {
        let lazy: LazyLock<u32> = LazyLock::new(|| fail("oh"));
        message(catch_unwind(AssertUnwindSafe(|| *lazy)).unwrap_err())
    }
}
