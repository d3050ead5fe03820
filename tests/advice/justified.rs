//! A step that fails alone, and holds beside another: weaker orders also order fewer calls, and so justify more.

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::thread;
use cdsspec::weaken::{Programs, weaken};

/// A value that is announced before it is there.
#[derive(Default)]
struct Announced {
    announced: AtomicUsize,
    value: AtomicUsize,
    is_there: AtomicUsize,
}

#[cdsspec::spec]
#[declare_state(set: bool)]
impl Announced {
    /// Announces the value, then sets it.
    #[side_effect(*set = true)]
    fn set(&self) {
        #[op_define]
        self.announced.store(1, Release);
        self.value.store(1, Relaxed);
        self.is_there.store(1, Release);
    }

    /// Whether the value is not known to be missing: if it was announced, and is there, it can be seen.
    #[justifying_post_condition(c_ret || !*set)]
    fn get(&self) -> bool {
        #[op_define]
        let announced = self.announced.load(Acquire);
        if announced == 0 || self.is_there.load(Acquire) == 0 {
            return true;
        }
        self.value.load(Relaxed) == 1
    }
}

fn set__get() {
    let announced = Announced::default();
    thread::scope(|scope| {
        scope.spawn(|| announced.set());
        scope.spawn(|| announced.get());
    });
}

fn programs() -> Programs {
    Programs::new("announced").program("set__get", set__get).progress(false)
}

#[test]
fn a_step_that_fails_alone_and_holds_beside_another_is_taken() {
    let alone = weaken(programs());
    let survived: Vec<_> = alone.unfound().map(|injection| &*injection.operation).collect();
    assert_eq!(survived, ["set: announced.store", "get: announced.load"]);
    let found: Vec<_> = alone.injections.iter().filter(|injection| injection.proof().is_some()).collect();
    assert_eq!(found.len(), 2, "alone, the orders of `is_there` are needed: {alone}");
    let advice = cdsspec::advise(programs());
    assert!(advice.is_complete(), "{advice}");
    let expected = [
        "set: announced.store: Release -> Relaxed",
        "set: is_there.store: Release -> Relaxed",
        "get: announced.load: Acquire -> Relaxed",
        "get: is_there.load: Acquire -> Relaxed",
    ];
    assert_eq!(super::needed(&advice), expected, "what is announced by nothing may be missing");
}
