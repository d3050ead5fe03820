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

#[test]
fn all() {
    let seq = example!("seqlock/seqlock.rs")
        .object("lock", "SeqLock::default()")
        .operation("w", "lock.write(1, 2)")
        .operation("v", "lock.write(3, 4)")
        .operation("r", "lock.read()");
    let rcu = example!("rcu/rcu.rs")
        .object("rcu", "Rcu::new()")
        .operation("w", "rcu.write(1, 2)")
        .operation("r", "rcu.read()");
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
    let cell = example!("once_cell/once_cell.rs")
        .object("cell", "OnceCell::new()")
        .operation("s", "cell.set(_)")
        .operation("g", "cell.get()");
    let mcs = example!("mcs_lock/mcs_lock.rs")
        .object("lock", "McsLock::new()")
        .object("a", "Node::default()")
        .object("b", "Node::default()")
        .operation("la", "lock.lock(&a)")
        .operation("ua", "lock.unlock(&a)")
        .operation("lb", "lock.lock(&b)")
        .operation("ub", "lock.unlock(&b)");
    let rw = example!("linux_rwlock/linux_rwlock.rs")
        .object("lock", "RwLock::new()")
        .operation("r", "lock.read_lock()")
        .operation("w", "lock.write_lock()")
        .operation("R", "lock.read_unlock()")
        .operation("W", "lock.write_unlock()")
        .operation("t", "lock.write_trylock()");
    let counter = example!("relaxed_counter/relaxed_counter.rs")
        .object("counter", "Counter::default()")
        .operation("i", "counter.increment()")
        .operation("r", "counter.read()");
    let rows = [
        (seq, "( w | r )"),
        (rcu, "( w | r )"),
        (ticket, "( lulu | lulu )"),
        (barrier, "( a | ad )"),
        (semaphore, "( ar | ar | t )"),
        (cell, "( s | s | g )"),
        (mcs, "( la ua | lb ub )"),
        (rw, "( r R | w W | t )"),
        (counter, "( i | ir | r )"),
        (stack().rounds(2), "( u | o )"),
    ];
    for (check, test) in rows {
        for model in [MemoryModel::Sc, MemoryModel::Rc11, MemoryModel::Armv8] {
            let begin = std::time::Instant::now();
            let outcome = check.clone().memory_model(model).test(test);
            println!("{test} {model:?} {}   {:?} {:?}\n", outcome.verdict.name(), begin.elapsed(), outcome.statistics); if outcome.verdict.name() == "violated" {println!("{outcome}");}
        }
    }
}
