//! Threads: names, ids, results, scopes, tokens.

use super::lib::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use super::lib::sync::{Arc, mpsc};
use super::lib::thread;
use super::{fail, message};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

fn named(name: &str) -> thread::Builder {
    thread::Builder::new().name(name.to_owned())
}

fn own_name() -> String {
    format!("{:?}", thread::current().name())
}

/// Says whether its thread unwinds when it is dropped.
struct Witness(mpsc::Sender<bool>);

impl Drop for Witness {
    fn drop(&mut self) {
        self.0.send(thread::panicking()).unwrap();
    }
}

table! {
    the_main_thread_has_a_name ["Some(\"main\")"] {
        own_name()
    }
    a_named_thread_knows_its_name ["Some(\"w\")"] {
        named("w").spawn(own_name).unwrap().join().unwrap()
    }
    a_spawned_thread_has_no_name ["None"] {
        thread::spawn(own_name).join().unwrap()
    }
    a_builder_without_a_name_gives_none ["None"] {
        thread::Builder::new().spawn(own_name).unwrap().join().unwrap()
    }
    a_handle_knows_the_name ["Some(\"w\")"] {
        let handle = named("w").spawn(|| {}).unwrap();
        let name = format!("{:?}", handle.thread().name());
        handle.join().unwrap();
        name
    }
    the_name_is_there_after_the_end ["Some(\"w\")"] {
        let handle = named("w").spawn(|| {}).unwrap();
        let named = handle.thread().clone();
        handle.join().unwrap();
        format!("{:?}", named.name())
    }
    a_scoped_thread_has_a_name ["Some(\"w\") Some(\"w\")"] {
        thread::scope(|scope| {
            let handle = named("w").spawn_scoped(scope, own_name).unwrap();
            let name = format!("{:?}", handle.thread().name());
            format!("{} {name}", handle.join().unwrap())
        })
    }
    two_threads_of_one_name_are_two ["Some(\"w\") Some(\"w\") false"] {
        let handles = [(); 2].map(|()| named("w").spawn(thread::current).unwrap());
        let [one, two] = handles.map(|handle| handle.join().unwrap());
        format!("{:?} {:?} {}", one.name(), two.name(), one.id() == two.id())
    }
    a_thread_has_the_id_that_its_handle_says ["true false"] {
        let handle = thread::spawn(|| thread::current().id());
        let said = handle.thread().id();
        let own = handle.join().unwrap();
        format!("{} {}", said == own, said == thread::current().id())
    }
    an_id_stays_the_same ["true"] {
        (thread::current().id() == thread::current().id()).to_string()
    }
    an_id_is_not_used_again ["false"] {
        let [one, two] = [(); 2].map(|()| thread::spawn(|| thread::current().id()).join().unwrap());
        (one == two).to_string()
    }
    ids_can_be_kept_in_a_set ["3"] {
        let mut ids = HashSet::from([thread::current().id()]);
        for _ in 0..2 {
            let handle = thread::spawn(|| thread::current().id());
            ids.insert(handle.thread().id());
            ids.insert(handle.join().unwrap());
        }
        ids.len().to_string()
    }
    a_child_knows_the_id_of_its_starter ["true"] {
        let me = thread::current();
        let other = me.clone();
        (thread::spawn(move || other.id()).join().unwrap() == me.id()).to_string()
    }
    a_join_gives_what_the_thread_returned ["[1, 2]"] {
        format!("{:?}", thread::spawn(|| vec![1, 2]).join().unwrap())
    }
    a_join_gives_the_payload_of_a_panic ["oh"] {
        message(thread::spawn(|| fail("oh")).join().unwrap_err())
    }
    a_payload_may_be_anything ["Some(7)"] {
        let joined = thread::spawn(|| std::panic::resume_unwind(Box::new(7_u32))).join();
        format!("{:?}", joined.unwrap_err().downcast_ref::<u32>())
    }
    a_panic_drops_what_its_thread_has ["Ok(true) Err(Disconnected)"] {
        let (sender, receiver) = mpsc::channel();
        let handle = thread::spawn(move || {
            let _witness = Witness(sender);
            fail("oh");
        });
        assert!(handle.join().is_err());
        format!("{:?} {:?}", receiver.try_recv(), receiver.try_recv())
    }
    no_other_thread_panics ["Ok(false)"] {
        let (sender, receiver) = mpsc::channel();
        assert!(thread::spawn(|| fail("oh")).join().is_err());
        drop(Witness(sender));
        format!("{:?}", receiver.recv())
    }
    a_detached_thread_goes_on ["Ok(3)"] {
        let (sender, receiver) = mpsc::channel();
        drop(thread::spawn(move || sender.send(3).unwrap()));
        format!("{:?}", receiver.recv())
    }
    a_thread_with_a_stack_size ["1"] {
        thread::Builder::new().stack_size(1 << 20).spawn(|| 1).unwrap().join().unwrap().to_string()
    }
    a_scope_returns_what_its_closure_does ["7"] {
        thread::scope(|_| 7).to_string()
    }
    a_scoped_join_gives_what_the_thread_returned ["5"] {
        thread::scope(|scope| scope.spawn(|| 5).join().unwrap()).to_string()
    }
    a_scope_waits_for_its_threads ["2"] {
        let count = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| count.fetch_add(1, SeqCst));
            scope.spawn(|| count.fetch_add(1, SeqCst));
        });
        count.load(SeqCst).to_string()
    }
    a_scope_waits_for_threads_of_its_threads ["2"] {
        let count = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                scope.spawn(|| count.fetch_add(1, SeqCst));
                count.fetch_add(1, SeqCst);
            });
        });
        count.load(SeqCst).to_string()
    }
    a_scoped_panic_that_nobody_joins_is_the_scopes ["a scoped thread panicked"] {
        let scoped = catch_unwind(|| thread::scope(|scope| _ = scope.spawn(|| fail("oh"))));
        message(scoped.unwrap_err())
    }
    a_scoped_panic_that_is_joined_is_the_joiners ["oh"] {
        thread::scope(|scope| message(scope.spawn(|| fail("oh")).join().unwrap_err()))
    }
    a_panic_of_the_scopes_closure_waits_for_the_threads ["closure 1"] {
        let count = AtomicUsize::new(0);
        let scoped = catch_unwind(AssertUnwindSafe(|| {
            thread::scope(|scope| {
                scope.spawn(|| count.fetch_add(1, SeqCst));
                fail("closure")
            })
        }));
        let payload: Result<(), _> = scoped;
        format!("{} {}", message(payload.unwrap_err()), count.load(SeqCst))
    }
    a_token_that_is_there_ends_a_park ["passed"] {
        thread::current().unpark();
        thread::park();
        "passed".to_owned()
    }
    a_park_in_a_loop_sees_the_flag ["1"] {
        let flag = Arc::new(AtomicUsize::new(0));
        let (inner, me) = (flag.clone(), thread::current());
        let child = thread::spawn(move || {
            inner.store(1, SeqCst);
            me.unpark();
        });
        while flag.load(SeqCst) == 0 {
            thread::park();
        }
        child.join().unwrap();
        flag.load(SeqCst).to_string()
    }
    a_parked_thread_is_unparked_by_its_handle ["2"] {
        let flag = Arc::new(AtomicUsize::new(0));
        let inner = flag.clone();
        let child = thread::spawn(move || {
            while inner.load(SeqCst) == 0 {
                thread::park();
            }
            2
        });
        flag.store(1, SeqCst);
        child.thread().unpark();
        child.join().unwrap().to_string()
    }
    a_timed_park_ends ["over"] {
        thread::park_timeout(Duration::from_millis(1));
        "over".to_owned()
    }
    who_sleeps_and_yields_goes_on ["over"] {
        thread::sleep(Duration::from_millis(1));
        thread::yield_now();
        "over".to_owned()
    }
    a_thread_may_have_ended_or_not ["false", "true"] {
        let child = thread::spawn(|| {});
        let is_finished = child.is_finished();
        child.join().unwrap();
        is_finished.to_string()
    }
    a_thread_that_waits_has_not_ended ["false"] {
        let (sender, receiver) = mpsc::channel::<()>();
        let child = thread::spawn(move || receiver.recv().is_err());
        let is_finished = child.is_finished();
        drop(sender);
        assert!(child.join().unwrap());
        is_finished.to_string()
    }
    who_polls_sees_the_end ["4"] {
        let child = thread::spawn(|| 4);
        while !child.is_finished() {
            thread::yield_now();
        }
        child.join().unwrap().to_string()
    }
    a_scoped_thread_that_panics_ends ["true"] {
        thread::scope(|scope| {
            let child = scope.spawn(|| fail("oh"));
            while !child.is_finished() {
                thread::yield_now();
            }
            child.join().is_err().to_string()
        })
    }
}
