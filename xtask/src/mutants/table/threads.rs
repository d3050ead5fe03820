//! Vector clocks on real threads: what happens before what, and whose an index is.

use super::super::Mutant;
use super::super::suite::Test;

const CLOCK: &str = "cdsspec-contracts/src/clock.rs";
const INDEX: &str = "cdsspec-contracts/src/threads/index.rs";
const STAMP: &str = "cdsspec-contracts/src/threads/stamp.rs";
const RELEASED: &str = "cdsspec-contracts/src/threads/released.rs";
const THREAD: &str = "cdsspec-contracts/src/threads/thread_clock.rs";
const CURRENT: &str = "cdsspec-contracts/src/threads/current.rs";

const UNITS: Test = Test::of_contracts("threads");
const CLOCKS: Test = Test::of_contracts("clock");
const REUSE: Test = Test::of_threads("reuse", "");
const ATOMICS: Test = Test::of_threads("primitives", "atomics");
const LOCKS: Test = Test::of_threads("primitives", "locks");
const CHANNELS: Test = Test::of_threads("primitives", "channels");
const THREADS: Test = Test::of_threads("primitives", "threads");
const JUDGE: Test = Test::of_threads("judge", "");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "clock-includes-other-generations",
        text: "an epoch of an earlier generation of an index is taken to happen before",
        file: CLOCK,
        changes: &[(
            "epoch.step <= known && generation(epoch.step) == generation(known)",
            "epoch.step <= known",
        )],
        tests: &[CLOCKS],
    },
    Mutant {
        name: "index-goes-to-a-thread-that-is-not-after",
        text: "a thread goes on with the steps of one that it does not come after",
        file: INDEX,
        changes: &[("if start.includes(slot.last) && has_room {", "if has_room {")],
        tests: &[UNITS, REUSE],
    },
    Mutant {
        name: "index-is-taken-while-events-are-kept",
        text: "a new generation begins although events of the old one are kept",
        file: INDEX,
        changes: &[("slot.generation.is_last() && next", "(slot.generation.is_last() || next > 0) && next")],
        tests: &[UNITS],
    },
    Mutant {
        name: "index-is-never-used-again",
        text: "each thread has an index of its own",
        file: INDEX,
        changes: &[("0..state.ended.len().min(LOOKED_AT_MAX)", "0..state.ended.len().min(0)")],
        tests: &[UNITS],
    },
    Mutant {
        name: "stamp-of-the-former-owner-is-ones-own",
        text: "what the former owner of an index released counts as one's own",
        file: STAMP,
        changes: &[(
            "self.0 & !(FAR | COUNT_MAX) == EPOCH | bits & !COUNT_MAX",
            "(self.0 ^ (EPOCH | bits)) & (KIND | u64::from(THREAD_MAX) << THREAD_SHIFT) == 0",
        )],
        tests: &[REUSE],
    },
    Mutant {
        name: "update-ends-a-release-sequence",
        text: "a relaxed read-modify-write releases nothing",
        file: RELEASED,
        changes: &[(
            "!order.is_release() && thread.release_fence().is_empty() {\n            before",
            "!order.is_release() && thread.release_fence().is_empty() {\n            \
             Stamp::empty_at(thread.last()).unwrap_or(before)",
        )],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "store-goes-on-with-a-release-sequence",
        text: "a relaxed store leaves what was released",
        file: RELEASED,
        changes: &[("Stamp::empty_at(epoch).unwrap_or_else(|| self.release_nothing())", "before")],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "release-update-forgets-what-was-released",
        text: "a read-modify-write with release releases what its thread knows, and nothing else",
        file: RELEASED,
        changes: &[(
            "order.is_release() && (order.is_acquire() || thread.has_joined(before))",
            "order.is_release()",
        )],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "failed-exchange-reads-with-the-order-of-success",
        text: "an exchange that fails reads with the order of one that does not",
        file: RELEASED,
        changes: &[("self.learn(thread, before, failure);", "self.learn(thread, before, success);")],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "relaxed-store-ignores-the-fence",
        text: "a relaxed store after a release fence releases nothing",
        file: RELEASED,
        changes: &[(
            "!thread.release_fence().is_empty() {\n                Stamp::joined_at",
            "false {\n                Stamp::joined_at",
        )],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "load-learns-what-another-store-released",
        text: "that the stamp changed while a value was read is not seen",
        file: RELEASED,
        changes: &[(
            "if self.stamp(Relaxed) == stamp {\n                    thread.learn",
            "if !self.stamp(Relaxed).is_busy() || stamp.is_busy() {\n                    thread.learn",
        )],
        tests: &[Test::of_contracts("threads::released")],
    },
    Mutant {
        name: "acquire-fence-forgets-what-was-read",
        text: "relaxed loads leave nothing for an acquire fence",
        file: THREAD,
        changes: &[("self.pending_acquire.join(&self.read);", "")],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "release-fence-is-empty",
        text: "a release fence releases nothing",
        file: THREAD,
        changes: &[(
            "if order.is_release() {\n            self.release_fence.clone_from",
            "if order.is_release() && order.is_acquire() {\n            self.release_fence.clone_from",
        )],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "released-stays-as-it-was-before-something-was-learnt",
        text: "a store after a thread has learnt something releases what it knew before",
        file: THREAD,
        changes: &[(
            "self.clock.join(&self.read);\n            self.learnt_at = self.last().step;",
            "self.clock.join(&self.read);",
        )],
        tests: &[ATOMICS, JUDGE],
    },
    Mutant {
        name: "end-of-a-thread-is-lost",
        text: "what a thread knew at its end is not there for who joins it",
        file: "cdsspec-contracts/src/thread/end.rs",
        changes: &[("acquire_from(&self.0.lock().unwrap_or_else(PoisonError::into_inner));", "")],
        tests: &[THREADS, JUDGE],
    },
    Mutant {
        name: "thread-begins-with-nothing",
        text: "what its creator knew is not known to a thread",
        file: CURRENT,
        changes: &[(
            "let mut current = Current::new(Some(start));",
            "let mut current = Current::new(Some(start).filter(|_| false).or(Some(Clock::new())));",
        )],
        tests: &[THREADS, JUDGE],
    },
    Mutant {
        name: "steps-are-counted-twice",
        text: "a thread ends with the step that it had when all of its clock was last needed",
        file: CURRENT,
        changes: &[(
            "if last != 0 {\n            thread.catch_up",
            "if false && last != 0 {\n            thread.catch_up",
        )],
        tests: &[JUDGE, REUSE],
    },
    Mutant {
        name: "readers-are-ordered-among-each-other",
        text: "to lock to read comes after who unlocked after reading",
        file: "cdsspec-contracts/src/sync/rwlock.rs",
        changes: &[(
            "acquire_from(&inner.released);\n        self.number.hold(place);",
            "acquire_from(&inner.released);\n        self.readers.acquire();\n        self.number.hold(place);",
        )],
        tests: &[LOCKS, JUDGE],
    },
    Mutant {
        name: "writers-do-not-come-after-readers",
        text: "to lock to write does not come after who unlocked after reading",
        file: "cdsspec-contracts/src/sync/rwlock.rs",
        changes: &[("        self.readers.acquire();\n        RwLockWriteGuard", "        RwLockWriteGuard")],
        tests: &[LOCKS, JUDGE],
    },
    Mutant {
        name: "rounds-of-a-barrier-are-one",
        text: "who comes to a barrier comes before who leaves it in a later round",
        file: "cdsspec-contracts/src/sync/barrier.rs",
        changes: &[(
            "std::mem::replace(&mut *round, Round::new())",
            "{
                let next = Round { released: round.released.clone(), ..Round::new() };
                std::mem::replace(&mut *round, next)
            }",
        )],
        tests: &[LOCKS],
    },
    Mutant {
        name: "room-is-taken-without-order",
        text: "a send does not come after the receive that made its room",
        file: "cdsspec-contracts/src/sync/mpsc/channel.rs",
        changes: &[("            acquire_from(&freed);", "            drop(freed);")],
        tests: &[CHANNELS, JUDGE],
    },
    Mutant {
        name: "end-of-senders-is-lost",
        text: "that all senders are gone comes after nothing",
        file: "cdsspec-contracts/src/sync/mpsc/channel.rs",
        changes: &[("        add_to(&mut state.dropped_senders);\n", "")],
        tests: &[CHANNELS],
    },
    Mutant {
        name: "who-is-alone-comes-after-nothing",
        text: "who has an object by `&mut` does not come after its calls",
        file: "cdsspec-contracts/src/threads/real.rs",
        changes: &[("known.include(moment);\n            thread.join(&known);", "known.include(moment);")],
        tests: &[Test::of_threads("primitives", "alone")],
    },
    Mutant {
        name: "moments-are-not-kept",
        text: "an event does not keep the index of its thread",
        file: "cdsspec-contracts/src/threads/real.rs",
        changes: &[("_ => Mark(Some(facts)),", "_ => Mark(None),")],
        tests: &[Test::of_threads("kept", "")],
    },
    Mutant {
        name: "circles-under-one-lock-are-told",
        text: "a lock around two steps of a circle does not keep them apart",
        file: "cdsspec-contracts/src/threads/lock_order.rs",
        changes: &[(
            "first.thread != second.thread && first.around.is_disjoint(&second.around)",
            "first.thread != second.thread",
        )],
        tests: &[Test::of_threads("lock_order", "")],
    },
    Mutant {
        name: "a-thread-waits-for-itself",
        text: "the steps of one thread close a circle",
        file: "cdsspec-contracts/src/threads/lock_order.rs",
        changes: &[(
            "first.thread != second.thread && first.around.is_disjoint(&second.around)",
            "first.around.is_disjoint(&second.around)",
        )],
        tests: &[Test::of_threads("lock_order", "")],
    },
    Mutant {
        name: "a-wait-takes-nothing",
        text: "that a wait takes its lock again is not seen",
        file: "cdsspec-contracts/src/sync/condvar.rs",
        changes: &[(
            "        number.await_it(Location::caller());\n        let locked",
            "        let locked",
        )],
        tests: &[Test::of_threads("lock_order", "")],
    },
    Mutant {
        name: "value-of-another-store-is-read",
        text: "a load that has nothing to learn is not done again if the stamp changed",
        file: RELEASED,
        changes: &[(
            "(self.stamp(Relaxed) == stamp).then_some(value)",
            "(self.stamp(Relaxed) == stamp || !stamp.is_busy()).then_some(value)",
        )],
        tests: &[Test::of_contracts("threads::released")],
    },
];
