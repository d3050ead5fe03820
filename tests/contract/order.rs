//! Which call is before which: returns and invocations, nested calls, constructors and drops.

use cdsspec::Verdict::{Holds, Misused};
use cdsspec::contract::Sets;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, EngineKind, thread};

/// A cell that one thread at a time may use. `put` publishes half-way, and then goes on.
struct Handed {
    word: AtomicU32,
    rest: AtomicU32,
    contract: Sets,
}

#[cdsspec::contract(event_sets(used))]
impl Handed {
    fn new() -> Self {
        Self { word: AtomicU32::new(0), rest: AtomicU32::new(0), contract: Sets::new() }
    }

    #[expects(!used.concurrent(now), says = "two at once")]
    #[add_current(used)]
    fn put(&self) {
        self.word.store(1, Release);
        self.rest.store(1, Relaxed);
    }

    #[expects(!used.concurrent(now), says = "two at once")]
    #[add_current(used)]
    fn take(&self) {
        self.outer();
    }

    // Called by `take`, it is an event of its own, which returns before that one does.
    #[expects(!used.concurrent(now), says = "inside")]
    fn outer(&self) {
        self.rest.load(Relaxed);
    }

    fn is_there(&self) -> bool {
        self.word.load(Acquire) == 1
    }
}

fn put__take_if_there() {
    let handed = Arc::new(Handed::new());
    let other = handed.clone();
    let child = thread::spawn(move || other.put());
    if handed.is_there() {
        handed.take();
    }
    child.join().expect("it does not panic");
}

#[test]
fn a_call_that_goes_on_after_it_has_published_is_beside_who_saw_that() {
    for engine in [EngineKind::Rc11, EngineKind::Loom] {
        let check = |by_invocation| {
            let builder = Builder::new().engine(engine).contract_invocations(by_invocation);
            builder.check(put__take_if_there)
        };
        let outcome = check(false);
        assert_eq!(outcome.verdict, Misused, "{outcome}");
        assert!(outcome.report().contains("in a thread that has seen what it did so"), "{outcome}");
        assert!(check(true).verdict.is_pass());
    }
}

/// Made by a constructor, which calls another one; dropped by whoever is last.
struct Owned {
    word: AtomicU32,
    contract: Sets,
}

#[cdsspec::contract(event_sets(made, used))]
impl Owned {
    #[expects(made.is_empty(), says = "made twice")]
    #[ensures(made.len() == 1 && c_ret.word.load(Relaxed) == 3)]
    #[add_current(made)]
    fn new() -> Self {
        Self::with(3)
    }

    #[expects(made.is_empty() && word > 0, says = "made twice, or of nothing")]
    #[add_current(made)]
    fn with(word: u32) -> Self {
        Self { word: AtomicU32::new(word), contract: Sets::new() }
    }

    #[expects(made.happens_before(now) && made.len() == 1, says = "not made")]
    #[add_current(used)]
    fn get(&self) -> u32 {
        self.word.load(Relaxed)
    }
}

impl Clone for Owned {
    fn clone(&self) -> Self {
        Self { word: AtomicU32::new(3), contract: self.contract.clone() }
    }
}

#[cdsspec::contract(event_sets(used))]
impl Drop for Owned {
    #[expects(!used.concurrent(now), says = "dropped in use")]
    fn drop(&mut self) {}
}

#[test]
fn a_constructor_is_an_event_of_what_it_makes_wherever_that_goes() {
    let outcome = Builder::new().check(|| {
        let moved = Box::new(Owned::new());
        let other = Owned::with(1);
        assert_eq!((moved.get(), other.get()), (3, 1));
        // At the same place, one after the other.
        for _ in 0..2 {
            Owned::new().get();
        }
        std::mem::forget([*moved, other]);
    });
    outcome.assert_holds();
    let of_nothing = Builder::new().check(|| drop(Owned::with(0)));
    assert_eq!(of_nothing.verdict, Misused);
}

#[test]
fn a_drop_is_an_event_like_others() {
    let program = |is_joined: bool| {
        move || {
            let owned = Owned::new();
            let shared: &'static Owned = unsafe_shared(&owned);
            let child = thread::spawn(move || _ = shared.get());
            if is_joined {
                child.join().expect("it does not panic");
                drop(owned);
            } else {
                drop(owned);
                child.join().expect("it does not panic");
            }
        }
    };
    assert_eq!(Builder::new().freed(false).check(program(true)).verdict, Holds);
    assert_eq!(Builder::new().freed(false).check(program(false)).verdict, Misused);
}

#[test]
fn the_end_of_a_scope_orders_what_its_threads_did() {
    for engine in [EngineKind::Rc11, EngineKind::Loom] {
        let outcome = Builder::new().engine(engine).check(|| {
            let handed = Handed::new();
            thread::scope(|scope| _ = scope.spawn(|| handed.put()));
            handed.take();
        });
        assert!(outcome.verdict.is_pass(), "{outcome}");
    }
}

#[test]
fn the_last_handle_of_several_drops_what_all_uses_happened_before() {
    let outcome = Builder::new().check(|| {
        let owned = Arc::new(Owned::new());
        let other = owned.clone();
        let child = thread::spawn(move || {
            other.get();
        });
        owned.get();
        drop(owned);
        child.join().expect("it does not panic");
    });
    assert_eq!(outcome.verdict, Holds, "{outcome}");
}

/// Nothing of it is freed before the program ends.
fn unsafe_shared(owned: &Owned) -> &'static Owned {
    // SAFETY: the place stays, and the word in it: nothing is freed that is looked at.
    unsafe { &*std::ptr::from_ref(owned) }
}
