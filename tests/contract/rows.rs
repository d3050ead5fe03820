//! Programs, and what of their contracts is broken: the same in every execution of a model, and on real threads, which `tests/contracts` is for.

use cdsspec::contract::Sets;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::sync::{Arc, Mutex, mpsc};
use cdsspec::thread;

/// What is said of the first violation. `None`: nothing is violated. Of `MISTAKE`, the condition cannot be evaluated.
pub(crate) type Expected = Option<&'static str>;

const HOLDS: Expected = None;

/// What is done with one object.
type Of<T> = fn(&T);

/// A program.
pub(crate) type Program = Box<dyn Fn() + Send + Sync>;

/// A condition panics, or stands where it cannot be looked at.
pub(crate) const MISTAKE: Expected = Some("a mistake");

/// What cannot be cloned, or compared.
#[derive(Default)]
struct Key(u32);

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) count: AtomicU32,
    items: Mutex<Vec<u32>>,
    contract: Sets,
}

#[cdsspec::contract(event_sets(made, used))]
impl Store {
    #[expects(std::sync::Arc::strong_count(&handle) == 1, says = "shared")]
    #[ensures(c_ret == 7)]
    fn take(&self, handle: std::sync::Arc<u32>) -> u32 {
        std::sync::Arc::try_unwrap(handle).expect("nobody else has it")
    }

    #[ensures(c_ret.is_some() == (sender_count(&sender) == 1), says = "another return")]
    fn hang_up(&self, sender: mpsc::Sender<u32>, receiver: &mpsc::Receiver<u32>) -> Option<u32> {
        drop(sender);
        receiver.recv().map_or(Some(0), |_| None)
    }

    #[expects(used.len() < 9 && self.count.load(Relaxed) == expected, says = "another count")]
    #[ensures(self.count.load(Relaxed) == expected + 1, says = "not one more")]
    #[add_current(used)]
    pub(crate) fn count(&self, expected: u32) {
        self.count.store(expected + 1, Relaxed);
    }

    #[expects(self.items.lock().expect("nobody panics with it").len() == length && used.len() < 9, says = "another length")]
    #[add_current(used)]
    fn push(&self, length: usize) {
        _ = length;
        self.items.lock().expect("nobody panics with it").push(1);
    }

    #[expects(out.is_empty() || used.is_empty(), says = "not empty")]
    #[ensures(out.len() == 1 && used.len() < 9, says = "not filled")]
    #[add_current(used)]
    fn fill(&self, out: &mut Vec<u32>, is_filling: bool) {
        if is_filling {
            out.clear();
            out.push(1);
        }
    }

    #[expects(key.0 > 0 || used.is_empty(), says = "no key")]
    #[ensures(key.0 > 0 && c_ret.0 == key.0 && mark.0 > 0, says = "another key")]
    fn unlock<'a>(&self, key: &'a Key, mark: Key) -> &'a Key {
        _ = mark;
        key
    }

    #[add_current(used)]
    fn names(&self, names: &[&str]) {
        for name in names {
            let first = &name[..1];
            cdsspec::expects!(first != "x" && used.len() < 2, says = "a name with x");
            let limits: [&usize; 2] = [&1, &3];
            cdsspec::expects!(used.len() < *limits[1], says = "too many");
        }
    }

    // Its own methods, of which one is under the contract: in a condition it is no event.
    #[expects(self.is_small() && used.len() < 3, says = "large")]
    #[add_current(used)]
    fn add(&self) {}

    #[expects(used.len() < 2, says = "asked too late")]
    #[add_current(made)]
    fn is_small(&self) -> bool {
        self.count.load(Relaxed) < 10
    }

    #[expects(made.is_empty(), says = "asked")]
    fn not_asked(&self) {}

    // What is behind a set is evaluated all the same, and counts if it is asked for.
    #[expects(!used.is_empty() && [1, 2, 3][index] < 3, says = "not used")]
    fn guarded(&self, index: usize) {
        _ = index;
    }

    #[expects(self.count.fetch_add(1, Relaxed) == 0, level = audit, says = "counted")]
    pub(crate) fn audited(&self) {}
}

fn sender_count(_: &mpsc::Sender<u32>) -> usize {
    1
}

/// Constructors that may fail.
#[derive(Debug)]
struct Ring {
    capacity: u32,
    contract: Sets,
}

#[cdsspec::contract(event_sets(init, used))]
impl Ring {
    #[expects(capacity > 0 && capacity < 9, says = "no room")]
    #[ensures(c_ret.as_ref().is_ok_and(|ring| ring.capacity == capacity) || capacity > 5, says = "another room")]
    #[add_current(init)]
    fn new(capacity: u32) -> Result<Self, String> {
        cdsspec::expects!(capacity != 4 && init.len() == 1, says = "four");
        let contract = Sets::new();
        if capacity > 5 { Err("too large".to_owned()) } else { Ok(Self { capacity, contract }) }
    }

    #[expects(init.is_empty(), says = "made twice")]
    #[add_current(init)]
    fn shared(capacity: u32) -> Option<std::sync::Arc<Self>> {
        Self::new(capacity).ok().map(std::sync::Arc::new)
    }

    #[expects(init.len() == 1 && used.is_empty(), says = "used twice")]
    #[add_current(used)]
    fn use_it(&self) {}
}

/// One producer at a time.
#[derive(Default)]
pub(crate) struct Queue {
    items: Mutex<Vec<u32>>,
    contract: Sets,
}

#[cdsspec::contract(event_sets(init, prod, closed))]
impl Queue {
    #[expects(init.is_empty(), says = "a second init")]
    #[add_current(init)]
    fn new() -> Self {
        let queue = Self::default();
        // Nobody else has it: this is a part of the constructor.
        queue.init();
        queue.init();
        queue
    }

    #[expects(init.is_empty(), says = "a second init")]
    #[add_current(init)]
    fn init(&self) {}

    #[expects(!prod.concurrent(now), says = "two producers")]
    #[expects(closed.is_empty(), says = "closed")]
    #[add_current(prod)]
    fn push(&self, item: u32) {
        cdsspec::expects!(item < 9, says = "too large");
        cdsspec::expects!(prod.len() < 4, says = "too many");
    }

    // Says nothing of producers itself.
    #[ensures(prod.len() < 3, says = "more than two")]
    fn push_both(&self, items: [u32; 2]) {
        items.iter().for_each(|item| self.push(*item));
    }

    // What it calls is ordered by its lock, though it goes on behind that.
    #[expects(true)]
    fn push_locked(&self) {
        let guard = self.items.lock().expect("nobody panics with it");
        self.push(1);
        drop(guard);
    }

    #[expects(!prod.concurrent(now), says = "closed beside a push")]
    #[add_current(closed)]
    fn close(&self) {
        self.push(0);
    }

    #[expects(!prod.concurrent(now), says = "two producers")]
    #[add_current(prod)]
    fn push_by(&self, run: impl FnOnce(&dyn Fn(u32))) {
        run(&|item| cdsspec::expects!(item < 9, says = "too large"));
    }

    #[expects(true)]
    fn each(&self, run: &dyn Fn()) {
        run();
    }

    #[add_current(prod)]
    fn checker(&self) -> impl Fn(u32) + Send + 'static {
        |item| cdsspec::expects!(item < 9, says = "too large")
    }
}

/// What conditions mention is what it is at the call.
pub(crate) const MOMENTS: &[(Of<Store>, Expected)] = &[
    (|store| _ = store.take(std::sync::Arc::new(7)), HOLDS),
    (
        |store| {
            let handle = std::sync::Arc::new(7);
            _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| store.take(handle.clone())));
        },
        Some("shared"),
    ),
    (
        |store| {
            let (sender, receiver) = mpsc::channel();
            assert_eq!(store.hang_up(sender, &receiver), Some(0));
        },
        HOLDS,
    ),
    (|store| (0..3).for_each(|count| store.count(count)), HOLDS),
    (|store| (1..3).for_each(|count| store.count(count)), Some("another count")),
    (|store| (0..3).for_each(|length| store.push(length)), HOLDS),
    (|store| [0, 1, 1].into_iter().for_each(|length| store.push(length)), Some("another length")),
    (|store| store.fill(&mut vec![], true), HOLDS),
    (|store| (0..2).for_each(|_| store.fill(&mut vec![2, 3], true)), Some("not empty")),
    (|store| store.fill(&mut vec![], false), Some("not filled")),
    (|store| _ = store.unlock(&Key(1), Key(1)), HOLDS),
    (|store| _ = store.unlock(&Key(1), Key::default()), Some("another key")),
    (|store| store.names(&["a", "b"]), HOLDS),
    (|store| store.names(&["a", "xb"]), Some("a name with x")),
    (
        |store| {
            (0..3).for_each(|_| store.add());
            store.not_asked();
        },
        HOLDS,
    ),
    (|store| store.guarded(7), Some("not used")),
    (
        |store| {
            store.add();
            store.guarded(7);
        },
        MISTAKE,
    ),
];

/// Constructors may fail, and are looked at all the same.
pub(crate) const CONSTRUCTORS: &[(fn(), Expected)] = &[
    (|| Ring::new(3).expect("there is room").use_it(), HOLDS),
    (|| Ring::shared(3).expect("there is room").use_it(), HOLDS),
    (|| _ = Ring::new(7), HOLDS),
    (|| _ = Ring::shared(7), HOLDS),
    (|| _ = Ring::new(0), Some("no room")),
    (|| assert!(Ring::new(9).is_err()), Some("no room")),
    (|| _ = Ring::shared(0), Some("no room")),
    (|| _ = Ring::new(4), Some("four")),
    (
        || {
            let ring = Ring::shared(3).expect("there is room");
            ring.use_it();
            ring.use_it();
        },
        Some("used twice"),
    ),
];

/// A call that another one makes is an event of its own.
pub(crate) const NESTED: &[(Of<Queue>, Expected)] = &[
    (|queue| queue.push_both([1, 2]), HOLDS),
    (|queue| queue.push_both([1, 9]), Some("too large")),
    (
        |queue| {
            queue.push(1);
            queue.push_both([1, 2]);
        },
        Some("more than two"),
    ),
    (|queue| [1; 5].into_iter().for_each(|item| queue.push(item)), Some("too many")),
    (|queue| queue.close(), Some("closed")),
    (|queue| queue.push_by(|check| check(1)), HOLDS),
    (|queue| queue.push_by(|check| check(9)), Some("too large")),
    (|queue| queue.push_by(|check| queue.each(&|| check(9))), Some("too large")),
    (|queue| queue.init(), Some("a second init")),
    // A statement that runs outside of its call is not passed over.
    (|queue| queue.checker()(1), MISTAKE),
    (
        |queue| {
            let check = queue.checker();
            _ = thread::spawn(move || check(1)).join();
        },
        MISTAKE,
    ),
];

/// It has its own moment, and lies within the one that makes it.
pub(crate) const BESIDE: &[(Of<Queue>, Of<Queue>, Expected)] = &[
    (|queue| queue.push_both([1, 2]), |queue| queue.push(1), Some("two producers")),
    (Queue::push_locked, Queue::push_locked, HOLDS),
    (Queue::push_locked, |queue| queue.push(1), Some("two producers")),
    (|queue| queue.push_by(|_| ()), |queue| queue.push(1), Some("two producers")),
];

/// All of them, as programs.
pub(crate) fn programs() -> Vec<(String, Program, Expected)> {
    let mut all: Vec<(String, Program, Expected)> = Vec::new();
    for (number, &(program, expected)) in MOMENTS.iter().enumerate() {
        all.push((format!("moment {number}"), Box::new(move || program(&Store::default())), expected));
    }
    for (number, &(program, expected)) in CONSTRUCTORS.iter().enumerate() {
        all.push((format!("constructor {number}"), Box::new(program), expected));
    }
    for (number, &(program, expected)) in NESTED.iter().enumerate() {
        all.push((format!("nested {number}"), Box::new(move || program(&Queue::new())), expected));
    }
    for (number, &(first, second, expected)) in BESIDE.iter().enumerate() {
        let program = move || {
            let queue = Arc::new(Queue::default());
            let other = queue.clone();
            let child = thread::spawn(move || first(&other));
            second(&queue);
            _ = child.join();
        };
        all.push((format!("beside {number}"), Box::new(program), expected));
    }
    all
}
