//! Examples, as they stand, under CheckFence.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_fence::structure::{Check, Source, check};

fn source(file: &str, text: &str, instance: &[(&str, &str)]) -> Source {
    let items = syn::parse_file(text).unwrap().items;
    let instance: Vec<_> = instance
        .iter()
        .map(|(name, value)| (syn::parse_str(name).unwrap(), syn::parse_str(value).unwrap()))
        .collect();
    Source::of(format!("examples/{file}"), cdsspec_front::translate(&items, &instance).unwrap())
}

macro_rules! example {
    ($file:literal) => {
        example!($file, [])
    };
    ($file:literal, $instance:expr) => {
        check(source($file, include_str!(concat!("../../examples/", $file)), &$instance))
    };
}

fn stack() -> Check {
    example!("treiber_stack/treiber_stack.rs")
        .object("stack", "TreiberStack::new()")
        .operation("u", "stack.push(_)")
        .operation("o", "stack.pop()")
}

const MODELS: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Rc11, MemoryModel::Armv8];

/// Checks, tests, and the verdicts under each of the models.
type Rows = Vec<(Check, &'static str, [&'static str; 3])>;

#[test]
fn examples_hold_as_they_stand() {
    for (check, test, verdicts) in locks().into_iter().chain(others()) {
        for (model, verdict) in MODELS.into_iter().zip(verdicts) {
            let outcome = check.clone().memory_model(model).test(test);
            assert_eq!(outcome.verdict.name(), verdict, "{outcome}");
        }
    }
}

fn locks() -> Rows {
    let ticket = example!("ticket_lock/ticket_lock.rs")
        .object("lock", "TicketLock::default()")
        .operation("l", "lock.lock()")
        .operation("u", "lock.unlock()");
    let barrier = example!("barrier/barrier.rs", [("PARTIES", "2")])
        .object("barrier", "Barrier::default()")
        .operation("a", "barrier.arrive()")
        .operation("d", "barrier.depart(0)");
    let semaphore = example!("semaphore/semaphore.rs", [("PERMITS", "2")])
        .object("semaphore", "Semaphore::new()")
        .operation("a", "semaphore.acquire()")
        .operation("t", "semaphore.try_acquire()")
        .operation("r", "semaphore.release()");
    let mcs = example!("mcs_lock/mcs_lock.rs")
        .object("lock", "McsLock::new()")
        .object("a", "Node::default()")
        .object("b", "Node::default()")
        .operation("la", "lock.lock(&a)")
        .operation("ua", "lock.unlock(&a)")
        .operation("lb", "lock.lock(&b)")
        .operation("ub", "lock.unlock(&b)");
    let lock = example!("linux_rwlock/linux_rwlock.rs")
        .object("lock", "RwLock::new()")
        .operation("r", "lock.read_lock()")
        .operation("w", "lock.write_lock()")
        .operation("R", "lock.read_unlock()")
        .operation("W", "lock.write_unlock()")
        .operation("t", "lock.write_trylock()");
    vec![
        (ticket, "( lulu | lulu )", ["holds"; 3]),
        (barrier, "( a | ad )", ["holds"; 3]),
        (semaphore, "( ar | ar | t )", ["holds"; 3]),
        (mcs, "( la ua | lb ub )", ["holds"; 3]),
        (lock, "( r R | t )", ["holds", "holds", "holds_within"]),
    ]
}

fn others() -> Rows {
    let register = example!("atomic_register/atomic_register.rs")
        .object("register", "Register::default()")
        .operation("w", "register.write(_)")
        .operation("r", "register.read()");
    let seq = example!("seqlock/seqlock.rs")
        .object("lock", "SeqLock::default()")
        .operation("w", "lock.write(1, 2)")
        .operation("v", "lock.write(3, 4)")
        .operation("r", "lock.read()");
    let rcu = example!("rcu/rcu.rs")
        .object("rcu", "Rcu::new()")
        .operation("w", "rcu.write(1, 2)")
        .operation("r", "rcu.read()");
    let cell = example!("once_cell/once_cell.rs")
        .object("cell", "OnceCell::new()")
        .operation("s", "cell.set(_)")
        .operation("g", "cell.get()");
    let counter = example!("relaxed_counter/relaxed_counter.rs")
        .object("counter", "Counter::default()")
        .operation("i", "counter.increment()")
        .operation("r", "counter.read()");
    vec![
        (register, "w ( w | rr )", ["holds"; 3]),
        (seq, "( w | r )", ["holds"; 3]),
        (rcu, "( w | r )", ["holds", "holds", "holds_within"]),
        (cell, "( s | s | g )", ["holds"; 3]),
        (counter, "( i | ir | r )", ["holds"; 3]),
        // A compare-exchange may fail for no reason as often as it likes.
        (stack().rounds(2), "( u | o )", ["holds_within"; 3]),
    ]
}

#[test]
fn an_option_that_is_none_shows_nothing_of_what_was_in_it() {
    let slot = "
        struct Slot { item: UnsafeCell<Option<u32>> }
        impl Slot {
            fn new() -> Self { Self { item: UnsafeCell::new(Some(7)) } }
            fn take(&self) -> Option<u32> { self.item.with_mut(|item| unsafe { (*item).take() }) }
        }";
    let check = check(source("slot", slot, &[])).object("slot", "Slot::new()").operation("t", "slot.take()");
    let (set, is_bounded) = check.observations("t ( t )").unwrap();
    let shown: Vec<String> = set.observations.iter().map(ToString::to_string).collect();
    assert_eq!((shown, is_bounded), (vec!["(1, 7, 0, 0)".to_owned()], false));
}

/// A serial execution in which `climb` comes first has four rounds: only the one in which it comes second has fewer.
#[test]
fn what_no_serial_execution_shows_is_in_doubt_if_not_all_were_looked_at() {
    let stairs = "
        struct Stairs { step: AtomicU32 }
        impl Stairs {
            fn new() -> Self { Self { step: AtomicU32::new(0) } }
            fn climb(&self) -> u32 {
                loop {
                    let step = self.step.fetch_add(1, Relaxed);
                    if step >= 3 { return step; }
                }
            }
            fn lift(&self) -> u32 { self.step.swap(9, Relaxed) }
        }";
    let check = check(source("stairs", stairs, &[]))
        .object("stairs", "Stairs::new()")
        .operation("c", "stairs.climb()")
        .operation("l", "stairs.lift()");
    let verdict = |rounds| check.clone().rounds(rounds).test("( c | l )");
    let doubtful = verdict(3);
    assert_eq!(doubtful.verdict.name(), "inconclusive", "{doubtful}");
    let said =
        "inconclusive: an execution shows what no serial one shows in which no loop has more than 3 rounds";
    assert!(doubtful.to_string().starts_with(said), "{doubtful}");
    assert!(doubtful.to_string().contains("climb"), "the execution is there: {doubtful}");
    assert_eq!(verdict(8).verdict.name(), "violated");
}

/// Orders that the example does not have are found missing: its own are replaced in its source.
#[test]
fn a_weaker_order_is_found() {
    let rows = [
        ("let turn = self.turn.load(Acquire);", "let turn = self.turn.load(Relaxed);", "turn"),
        (
            "self.turn.store(turn.wrapping_add(1), Release);",
            "self.turn.store(turn.wrapping_add(1), Relaxed);",
            "turn",
        ),
    ];
    let text = include_str!("../../examples/ticket_lock/ticket_lock.rs");
    let guarded = "
        struct Guarded { lock: TicketLock, word: UnsafeCell<u32> }
        impl Guarded {
            fn new() -> Self { Self { lock: TicketLock::default(), word: UnsafeCell::new(0) } }
            fn change(&self) -> u32 {
                self.lock.lock();
                let old = self.word.with_mut(|word| unsafe { *word += 1; *word });
                self.lock.unlock();
                old
            }
        }";
    let check = |text: &str| {
        let check = check(source("ticket_lock", &format!("{text}{guarded}"), &[]))
            .object("guarded", "Guarded::new()")
            .operation("c", "guarded.change()");
        MODELS.map(|model| check.clone().memory_model(model).test("( c | c )").verdict.name().to_owned())
    };
    assert_eq!(check(text), ["holds"; 3]);
    for (strong, weak, place) in rows {
        let weakened = text.replace(strong, weak);
        assert_ne!(weakened, text, "{place}");
        assert_eq!(check(&weakened), ["holds", "violated", "violated"], "{weak}");
    }
}
