use crate::{assert_ordered, assert_unordered, elsewhere, now};
use cdsspec_contracts::thread::{self, Builder};
use std::sync::Arc;
use std::time::Duration;

#[test]
fn to_make_a_thread_happens_before_it_and_it_happens_before_its_join() {
    let first = now();
    let child = Builder::new().name("child".to_owned()).stack_size(1 << 16).spawn(now).unwrap();
    let unordered = now();
    assert_eq!(child.thread().name(), Some("child"));
    let moment = child.join().unwrap();
    assert!(moment.has_creator);
    assert_ordered(&first, &moment);
    assert_unordered(&unordered, &moment);
    assert_ordered(&moment, &now());
}

#[test]
fn a_thread_that_panics_is_joined() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let child = thread::spawn(move || {
        sender.send(now()).unwrap();
        std::panic::resume_unwind(Box::new(5));
    });
    assert_eq!(child.join().unwrap_err().downcast_ref(), Some(&5));
    assert_ordered(&receiver.recv().unwrap(), &now());
}

#[test]
fn the_end_of_a_scope_comes_after_all_of_its_threads() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let outer = sender.clone();
    let text = "borrowed".to_owned();
    let before = thread::scope(|scope| {
        scope.spawn(|| {
            outer.send(now()).unwrap();
            // A thread of the scope makes another one.
            let inner = outer.clone();
            scope.spawn(move || inner.send(now()).unwrap());
        });
        let joined = scope.spawn(|| (text.len(), now()));
        let (length, moment) = joined.join().unwrap();
        assert_eq!(length, 8);
        assert_ordered(&moment, &now());
        sender.send(now()).unwrap();
        now()
    });
    assert_ordered(&before, &now());
    drop((sender, outer));
    assert_eq!(receiver.iter().inspect(|moment| assert_ordered(moment, &now())).count(), 3);
}

#[test]
fn a_scope_that_panics_comes_after_its_threads() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        thread::scope(|scope| {
            scope.spawn(|| sender.send(now()).unwrap());
            std::panic::resume_unwind(Box::new(()));
        })
    }));
    assert!(caught.is_err());
    assert_ordered(&receiver.recv().unwrap(), &now());
}

#[test]
fn whoever_unparked_a_thread_comes_before_it_goes_on() {
    let main = thread::current();
    let others = [(); 2].map(|()| {
        let main = main.clone();
        elsewhere(move || {
            let before = now();
            main.unpark();
            (before, now())
        })
    });
    others.iter().for_each(|(before, _)| assert_unordered(before, &now()));
    thread::park();
    for (before, after) in &others {
        assert_ordered(before, &now());
        assert_unordered(after, &now());
    }
    assert_eq!((main.id(), main.name()), (std::thread::current().id(), std::thread::current().name()));
    thread::park_timeout(Duration::from_millis(1));
}

#[test]
fn a_child_is_unparked_by_its_handle() {
    let child = thread::spawn(|| {
        thread::park();
        now()
    });
    let before = now();
    child.thread().unpark();
    assert_ordered(&before, &child.join().unwrap());
}

/// What a thread does in the destructors of its thread-locals happens before its join: but for those that run after this crate's own.
#[test]
fn destructors_of_thread_locals_come_before_the_join() {
    struct Noted(Arc<std::sync::Mutex<Option<cdsspec_contracts::threads::Moment>>>);
    impl Drop for Noted {
        fn drop(&mut self) {
            *self.0.lock().unwrap() = cdsspec_contracts::threads::Moment::now();
        }
    }
    thread_local! {
        static LOCAL: std::cell::RefCell<Option<Noted>> = const { std::cell::RefCell::new(None) };
    }
    let noted = Arc::new(std::sync::Mutex::new(None));
    let there = Arc::clone(&noted);
    thread::spawn(move || LOCAL.set(Some(Noted(there)))).join().unwrap();
    let moment = noted.lock().unwrap().take().expect("the clock is there longer");
    assert_ordered(&moment, &now());
}
