//! Once, OnceLock, LazyLock, Barrier.

use super::fake::{Run, assert_placed, message_of, names, run};
use cdsspec_runtime::sync::{Arc, Barrier, LazyLock, Once, OnceLock};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Unwinds without a message.
fn fail<T>() -> T {
    resume_unwind(Box::new("failed"))
}

#[test]
fn a_once_is_called_once_and_poisoned_by_a_panic() {
    let test = || {
        let once = Once::new();
        assert!(!once.is_completed());
        assert!(catch_unwind(AssertUnwindSafe(|| once.call_once(fail))).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| once.call_once(|| ()))).is_err());
        let found = Cell::new(None);
        once.call_once_force(|state| found.set(Some(state.is_poisoned())));
        once.call_once_force(|_| found.set(None));
        once.call_once(|| found.set(None));
        once.wait();
        once.wait_force();
        assert!(once.is_completed());
        assert_eq!(format!("{once:?}"), "Once { .. }");
        found.get()
    };
    assert_eq!(test(), Some(true));
    let (found, recording) = run(test);
    assert_eq!(found, Some(true));
    assert_placed(&recording, file!());
}

#[test]
fn a_once_is_one_operation_more_than_what_it_calls() {
    let ((), recording) = run(|| {
        let once = Once::new();
        once.call_once(|| ());
        once.call_once(|| ());
    });
    assert_eq!(names(&recording), ["call_once", "call_once", "call_once"]);
}

#[test]
fn a_once_lock_is_set_once() {
    let test = || {
        let mut lock = OnceLock::new();
        assert_eq!(lock.get(), None);
        assert_eq!(lock.get_mut(), None);
        assert_eq!(format!("{lock:?}"), "OnceLock(<uninit>)");
        assert!(catch_unwind(AssertUnwindSafe(|| *lock.get_or_init(fail))).is_err());
        assert_eq!(lock.set(1), Ok(()));
        assert_eq!(lock.set(2), Err(2));
        assert_eq!((lock.get(), lock.get_or_init(fail), lock.wait()), (Some(&1), &1, &1));
        assert_eq!(format!("{lock:?}"), "OnceLock(1)");
        *lock.get_mut().unwrap() += 4;
        assert_eq!(lock.clone(), OnceLock::from(5));
        assert_ne!(lock, OnceLock::default());
        assert_eq!(lock.take(), Some(5));
        assert_eq!(lock.get(), None);
        assert_eq!(lock.take(), None);
        assert_eq!(lock.get_or_init(|| 6), &6);
        lock.into_inner()
    };
    assert_eq!(test(), Some(6));
    let (value, recording) = run(test);
    assert_eq!(value, Some(6));
    assert_placed(&recording, file!());
}

#[test]
fn a_lock_that_is_constructed_with_a_value_has_it_everywhere() {
    let mut lock = OnceLock::from(3);
    run(|| {
        assert_eq!((lock.get(), lock.set(4), *lock.get_or_init(fail)), (Some(&3), Err(4), 3));
    });
    assert_eq!((lock.take(), lock.get()), (Some(3), None));
}

#[test]
fn the_values_of_a_lock_are_of_one_execution_each_and_are_kept_as_long_as_the_lock() {
    let value = std::sync::Arc::new(());
    let mut lock = OnceLock::new();
    assert!(lock.set(std::sync::Arc::clone(&value)).is_ok());
    let runner = Run::new();
    let kept: Vec<&std::sync::Arc<()>> = (0..3)
        .map(|_| {
            runner.execute(|| {
                assert!(lock.get().is_none());
                lock.get_or_init(|| std::sync::Arc::clone(&value))
            })
        })
        .collect();
    assert!(kept.iter().all(|kept| std::sync::Arc::ptr_eq(kept, &value)));
    assert_eq!(std::sync::Arc::strong_count(&value), 5);
    assert!(lock.take().is_some());
    assert_eq!(std::sync::Arc::strong_count(&value), 1);
}

#[test]
fn a_lazy_lock_is_made_when_it_is_asked_for() {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    static LAZY: LazyLock<usize> =
        LazyLock::new(|| COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
    let test = || {
        assert_eq!(format!("{LAZY:?}"), "LazyLock(<uninit>)");
        let value = *LAZY;
        assert_eq!(LazyLock::force(&LAZY), &value);
        assert_eq!(format!("{LAZY:?}"), format!("LazyLock({value})"));
        value
    };
    assert_eq!(test(), 1);
    let (value, recording) = run(test);
    assert_eq!(value, 2);
    assert_eq!(names(&recording), ["force", "force", "force"]);
    assert_placed(&recording, file!());
    assert_eq!(run(test).0, 3);
    assert_eq!(*LAZY, 1);
    assert_eq!(*LazyLock::<usize>::default(), 0);
}

#[test]
fn a_lazy_lock_that_holds_something_is_made_in_one_execution() {
    let test = || {
        let given = std::sync::Arc::new(5);
        let lazy = LazyLock::new(move || given);
        (**lazy, **LazyLock::force(&lazy))
    };
    assert_eq!(test(), (5, 5));
    assert_eq!(run(test).0, (5, 5));
    let given = vec![5];
    let lazy = LazyLock::new(move || given);
    run(|| assert_eq!(*lazy, [5]));
    let message = message_of(|| run(|| lazy.len()));
    assert!(message.starts_with("a LazyLock that is made by a closure which holds something"), "{message}");
}

#[test]
fn a_lazy_lock_is_looked_at_and_changed_by_who_has_it_alone() {
    macro_rules! trace {
        ($lazy:ident) => {{
            let mut lazy = $lazy::new(|| vec![1]);
            let before = ($lazy::get(&lazy).cloned(), $lazy::get_mut(&mut lazy).cloned());
            $lazy::force_mut(&mut lazy).push(2);
            lazy.push(3);
            $lazy::get_mut(&mut lazy).unwrap().push(4);
            (before, $lazy::get(&lazy).cloned(), lazy.len())
        }};
    }
    use std::sync::LazyLock as StdLazyLock;
    let std = trace!(StdLazyLock);
    assert_eq!(trace!(LazyLock), std);
    let (seen, recording) = run(|| trace!(LazyLock));
    assert_eq!(seen, std);
    assert_placed(&recording, file!());
}

#[test]
#[expect(deprecated, reason = "it is part of std's API")]
fn the_deprecated_constant_is_there() {
    static ONCE: Once = cdsspec_runtime::sync::ONCE_INIT;
    ONCE.call_once(|| ());
    assert!(ONCE.is_completed());
}

#[test]
fn a_lazy_lock_that_could_not_be_made_is_poisoned() {
    let test = || {
        let lazy: LazyLock<usize> = LazyLock::new(fail);
        let force = || catch_unwind(AssertUnwindSafe(|| *lazy)).is_err();
        force() && force()
    };
    assert!(test());
    assert!(run(test).0);
}

#[test]
fn a_barrier_has_one_leader_each_time() {
    let barrier = Arc::new(Barrier::new(3));
    let threads = [(); 3].map(|()| {
        let barrier = Arc::clone(&barrier);
        std::thread::spawn(move || [barrier.wait().is_leader(), barrier.wait().is_leader()])
    });
    let leaders = threads.map(|thread| thread.join().unwrap().map(usize::from));
    for round in 0..2 {
        assert_eq!(leaders.iter().map(|leader| leader[round]).sum::<usize>(), 1);
    }
    let test = || {
        let barrier = Barrier::new(1);
        assert!(Barrier::new(0).wait().is_leader() && barrier.wait().is_leader());
        format!("{barrier:?} {:?}", barrier.wait())
    };
    assert_eq!(test(), "Barrier { .. } BarrierWaitResult { is_leader: true }");
    let (shown, recording) = run(test);
    assert_eq!(shown, "Barrier { .. } BarrierWaitResult { is_leader: true }");
    assert_placed(&recording, file!());
}
