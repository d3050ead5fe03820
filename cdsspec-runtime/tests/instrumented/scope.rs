//! Scoped threads, thread locals, timeouts.

use super::fake::{Run, assert_placed, message_of, names, run};
use cdsspec_runtime::sync::{Condvar, Mutex};
use cdsspec_runtime::thread::{self, Builder};
use cdsspec_runtime::thread_local;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(1);

#[test]
fn scoped_threads_borrow_and_end_with_the_scope() {
    let test = || {
        let (mut one, two) = (0, Cell::new(2));
        let result = thread::scope(|scope| {
            let builder = Builder::new().name("scoped".to_owned());
            let name = || thread::current().name().map(str::to_owned);
            let named = builder.spawn_scoped(scope, name).unwrap();
            assert_eq!(named.thread().name(), Some("scoped"));
            scope.spawn(|| scope.spawn(|| one = 1).join().unwrap());
            two.set(3);
            assert_eq!(format!("{scope:?} {named:?}"), "Scope { .. } ScopedJoinHandle { .. }");
            named.join().unwrap()
        });
        format!("{one} {} {result:?}", two.get())
    };
    assert_eq!(test(), "1 3 Some(\"scoped\")");
    let (shown, recording) = run(test);
    assert_eq!(shown, "1 3 Some(\"scoped\")");
    assert_eq!(names(&recording), ["spawn", "spawn", "spawn", "join", "join", "scope", "scope", "scope"]);
    assert_placed(&recording, file!());
}

#[test]
fn a_scope_panics_for_a_thread_that_nobody_joined() {
    let test = || {
        let joined = thread::scope(|scope| {
            let child = scope.spawn(|| -> usize { resume_unwind(Box::new("joined")) });
            while !child.is_finished() {
                std::thread::yield_now();
            }
            *child.join().unwrap_err().downcast::<&str>().unwrap()
        });
        let left = message_of(|| {
            thread::scope(|scope| drop(scope.spawn(|| resume_unwind(Box::new("left")))));
        });
        let own = message_of(|| {
            thread::scope(|scope| {
                scope.spawn(|| resume_unwind(Box::new("left")));
                resume_unwind(Box::new("own"))
            })
        });
        [joined.to_owned(), left, own]
    };
    let expected = ["joined", "a scoped thread panicked", "own"];
    assert_eq!(test(), expected);
    assert_eq!(run(test).0, expected);
}

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(1) };
    /// Made when it is asked for.
    static WORDS: RefCell<Vec<usize>> = RefCell::new(vec![COUNT.get()]);
}

#[test]
fn each_thread_has_its_own_locals_in_each_execution() {
    let test = || {
        COUNT.set(COUNT.get() + 1);
        let theirs = thread::spawn(|| (COUNT.take(), COUNT.replace(9), WORDS.with_borrow(Vec::clone)));
        assert_eq!(theirs.join().unwrap(), (1, 0, vec![9]));
        WORDS.with_borrow_mut(|words| words.push(7));
        let words = WORDS.replace(vec![4]);
        WORDS.with(|words| words.borrow_mut().push(5));
        assert_eq!(WORDS.take(), [4, 5]);
        WORDS.set(words);
        assert_eq!(WORDS.try_with(|words| words.borrow().len()), Ok(2));
        (COUNT.get(), WORDS.take())
    };
    for _ in 0..2 {
        assert_eq!(run(test).0, (2, vec![2, 7]));
    }
    assert_eq!(test(), (2, vec![2, 7]));
}

#[test]
fn setting_a_local_first_does_not_make_it() {
    thread_local! { static NEVER: Cell<usize> = panic!("it is not asked for") }
    let test = || {
        NEVER.set(3);
        NEVER.get()
    };
    assert_eq!(std::thread::spawn(test).join().unwrap(), 3);
    assert_eq!(run(test).0, 3);
}

/// Looks at the other local, and counts, when destroyed.
struct Last(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl Drop for Last {
    fn drop(&mut self) {
        assert!(LAST.try_with(|_| ()).is_err_and(|error| error.to_string() == "already destroyed"));
        self.0.fetch_add(COUNT.get(), std::sync::atomic::Ordering::Relaxed);
    }
}

thread_local!(static LAST: RefCell<Option<Last>> = const { RefCell::new(None) });

#[test]
fn locals_are_destroyed_when_their_thread_ends_also_by_a_panic() {
    let test = || {
        let count = std::sync::Arc::default();
        for is_panicking in [true, false] {
            let last = Last(std::sync::Arc::clone(&count));
            let child = thread::spawn(move || {
                LAST.set(Some(last));
                if is_panicking {
                    resume_unwind(Box::new(()));
                }
            });
            assert_eq!(child.join().is_err(), is_panicking);
        }
        count.load(std::sync::atomic::Ordering::Relaxed)
    };
    assert_eq!(test(), 2);
    assert_eq!(run(test).0, 2);
}

#[test]
fn a_timeout_takes_the_token_and_leaves_the_condvar() {
    let test = || {
        thread::park_timeout(SHORT);
        thread::current().unpark();
        thread::park_timeout(SHORT);
        let (mutex, condvar) = (Mutex::new(1), Condvar::new());
        let (guard, result) = condvar.wait_timeout(mutex.lock().unwrap(), SHORT).unwrap();
        let (guard, long) = condvar.wait_timeout_while(guard, SHORT, |value| *value == 1).unwrap();
        let (guard, none) = condvar.wait_timeout_while(guard, SHORT, |value| *value == 2).unwrap();
        condvar.notify_one();
        (*guard, [result, long, none].map(|result| result.timed_out()))
    };
    let (_, outside) = test();
    // It may wake up for nothing.
    assert_eq!(outside[1..], [true, false]);
    let (inside, recording) = run(test);
    assert_eq!(inside, (1, [true, true, false]));
    assert_placed(&recording, file!());
}

#[test]
fn a_scope_of_an_execution_has_locals_too() {
    Run::new().execute(|| {
        thread::scope(|scope| {
            scope.spawn(|| COUNT.set(5));
            assert_eq!(COUNT.get(), 1);
        });
    });
}
