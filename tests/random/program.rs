//! Programs with a verdict that few executions have, or all.

#![expect(clippy::unwrap_used, reason = "programs under test: a thread that panics fails the test")]

use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize};
use cdsspec::sync::{Arc, Barrier, Condvar, Mutex, RwLock, mpsc};
use cdsspec::{Builder, Outcome, Strategy, Verdict, hint, thread};
use std::time::Duration;

const STRATEGIES: [Strategy; 3] = [Strategy::Uniform, Strategy::Pos, Strategy::Pct { depth: 3 }];

fn on_random(strategy: Strategy) -> Builder {
    Builder::new().engine("random").runs(500).strategy(strategy)
}

/// The verdict of a program, whatever the strategy.
fn verdict(program: fn()) -> Verdict {
    let [first, others @ ..] = STRATEGIES.map(|strategy| {
        let outcome = on_random(strategy).check(program);
        assert_eq!(outcome.engine, "random");
        println!("{outcome}");
        outcome.verdict
    });
    assert_eq!(others, [first; 2]);
    first
}

struct Shared(UnsafeCell<usize>);

// SAFETY: whether it is used by one thread at a time is what is asked.
unsafe impl Sync for Shared {}

fn publish(order: std::sync::atomic::Ordering) {
    let shared = Arc::new((Shared(UnsafeCell::new(0)), AtomicBool::new(false)));
    let other = shared.clone();
    let writer = thread::spawn(move || {
        // SAFETY: see above.
        other.0.0.with_mut(|value| unsafe { *value = 1 });
        other.1.store(true, order);
    });
    if shared.1.load(Acquire) {
        // SAFETY: see above.
        assert_eq!(shared.0.0.with(|value| unsafe { *value }), 1);
    }
    writer.join().unwrap();
}

#[test]
fn a_race_is_found_and_what_has_none_holds_within_the_runs() {
    assert_eq!(verdict(|| publish(Relaxed)), Verdict::Race);
    assert_eq!(verdict(|| publish(Release)), Verdict::HoldsWithin);
}

#[test]
fn a_stale_read_is_seen() {
    let verdict = verdict(|| {
        let both = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
        let other = both.clone();
        let thread = thread::spawn(move || {
            other.0.store(1, Relaxed);
            other.1.load(Relaxed)
        });
        both.1.store(1, Relaxed);
        let mine = both.0.load(Relaxed);
        assert!(mine + thread.join().unwrap() > 0, "store buffering");
    });
    assert_eq!(verdict, Verdict::Panic);
}

#[test]
fn two_locks_in_two_orders_are_a_deadlock() {
    let verdict = verdict(|| {
        let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
        let other = locks.clone();
        let thread = thread::spawn(move || {
            let _first = other.0.lock().unwrap();
            let _second = other.1.lock().unwrap();
        });
        {
            let _second = locks.1.lock().unwrap();
            let _first = locks.0.lock().unwrap();
        }
        thread.join().unwrap();
    });
    assert_eq!(verdict, Verdict::Deadlock);
}

#[test]
fn a_thread_that_nobody_wakes_is_a_deadlock() {
    let builder = |strategy| on_random(strategy).spurious_wakeups(false);
    for strategy in STRATEGIES {
        let outcome = builder(strategy).check(|| {
            let pair = Arc::new((Mutex::new(false), Condvar::new()));
            let other = pair.clone();
            let waiter = thread::spawn(move || {
                let guard = other.0.lock().unwrap();
                // It does not look at the flag first: if it comes late, nobody wakes it.
                drop(other.1.wait(guard).unwrap());
            });
            *pair.0.lock().unwrap() = true;
            pair.1.notify_one();
            waiter.join().unwrap();
        });
        assert_eq!(outcome.verdict, Verdict::Deadlock, "{outcome}");
    }
}

fn spin(flag: &AtomicBool) {
    while !flag.load(Acquire) {
        hint::spin_loop();
    }
}

#[test]
fn loops_that_wait_go_on_when_they_can_and_else_are_a_livelock() {
    fn beside(is_set: bool) {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        let thread = thread::spawn(move || spin(&other));
        flag.store(is_set, Release);
        thread.join().unwrap();
    }
    assert_eq!(verdict(|| beside(true)), Verdict::HoldsWithin);
    assert_eq!(verdict(|| beside(false)), Verdict::Livelock);
}

#[test]
fn a_store_of_what_was_there_first_wakes_who_waits_for_it() {
    let verdict = verdict(|| {
        let flag = Arc::new(AtomicUsize::new(0));
        let other = flag.clone();
        let thread = thread::spawn(move || {
            other.store(1, Release);
            while other.load(Acquire) != 0 {}
        });
        while flag.load(Acquire) != 1 {}
        // Long enough for the other one to be seen to spin.
        for _ in 0..50 {
            flag.load(Acquire);
        }
        flag.store(0, Release);
        thread.join().unwrap();
    });
    assert_eq!(verdict, Verdict::HoldsWithin);
}

#[test]
fn two_threads_that_wait_for_each_other_are_a_livelock_and_with_a_thread_that_helps_are_not() {
    fn program(is_helped: bool) {
        let flags = Arc::new([AtomicBool::new(false), AtomicBool::new(false)]);
        let threads = [0, 1].map(|mine| {
            let flags = flags.clone();
            thread::spawn(move || {
                while !flags[1 - mine].load(Acquire) {}
                flags[mine].store(true, Release);
            })
        });
        if is_helped {
            flags[0].store(true, Release);
        }
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    }
    assert_eq!(verdict(|| program(false)), Verdict::Livelock);
    assert_eq!(verdict(|| program(true)), Verdict::HoldsWithin);
}

#[test]
fn what_std_has_to_wait_works() {
    let verdict = verdict(|| {
        let (sender, receiver) = mpsc::sync_channel(1);
        let shared = Arc::new((RwLock::new(0), Barrier::new(2)));
        let shared2 = shared.clone();
        let thread = thread::spawn(move || {
            for item in 0..3 {
                sender.send(item).unwrap();
                *shared2.0.write().unwrap() += 1;
            }
            shared2.1.wait();
            thread::park_timeout(Duration::from_millis(1));
        });
        assert_eq!(receiver.iter().take(3).collect::<Vec<_>>(), [0, 1, 2]);
        shared.1.wait();
        assert_eq!(*shared.0.read().unwrap(), 3);
        thread.thread().unpark();
        thread.join().unwrap();
        assert_eq!(Arc::strong_count(&shared), 1);
    });
    assert_eq!(verdict, Verdict::HoldsWithin);
}

#[test]
fn a_thread_may_ask_whether_another_one_has_ended() {
    let verdict = verdict(|| {
        let thread = thread::spawn(|| {});
        let has_ended = thread.is_finished();
        thread.join().unwrap();
        assert!(!has_ended, "sometimes");
    });
    assert_eq!(verdict, Verdict::Panic);
}

/// A ring of four places for one who sends and one who receives, whose positions have 8 bits, and are compared in 16.
struct Ring {
    items: [AtomicUsize; 4],
    head: AtomicU8,
    tail: AtomicU8,
}

impl Ring {
    fn send(&self, item: usize) -> bool {
        let (tail, head) = (self.tail.load(Relaxed), self.head.load(Acquire));
        if u16::from(tail).wrapping_sub(u16::from(head)) == 4 {
            return false;
        }
        self.items[usize::from(tail % 4)].store(item, Relaxed);
        self.tail.store(tail.wrapping_add(1), Release);
        true
    }

    fn receive(&self) -> Option<usize> {
        let (head, tail) = (self.head.load(Relaxed), self.tail.load(Acquire));
        if head == tail {
            return None;
        }
        let item = self.items[usize::from(head % 4)].load(Relaxed);
        self.head.store(head.wrapping_add(1), Release);
        Some(item)
    }
}

fn send_and_receive(count: usize) {
    let ring = Arc::new(Ring {
        items: [const { AtomicUsize::new(0) }; 4],
        head: AtomicU8::new(0),
        tail: AtomicU8::new(0),
    });
    let other = ring.clone();
    let sender = thread::spawn(move || {
        for item in 0..count {
            while !other.send(item) {
                hint::spin_loop();
            }
        }
    });
    for item in 0..count {
        let received = loop {
            match ring.receive() {
                Some(received) => break received,
                None => hint::spin_loop(),
            }
        };
        assert_eq!(received, item);
    }
    sender.join().unwrap();
}

#[test]
fn positions_that_wrap_show_in_a_long_run_and_in_no_short_one() {
    let run = |count| on_random(Strategy::Uniform).runs(20).check(move || send_and_receive(count));
    assert_eq!(run(200).verdict, Verdict::HoldsWithin);
    assert_eq!(run(300).verdict, Verdict::Panic);
}

use crate::stack;

/// A counter that loses what is added at once.
struct Lossy(AtomicUsize);

#[cdsspec::spec]
#[declare_state(count: usize)]
impl Lossy {
    #[side_effect(*count += 1)]
    fn add(&self) {
        let before = self.0.load(Acquire);
        cdsspec::op_define!();
        self.0.store(before + 1, Release);
    }

    #[side_effect(*count)]
    fn get(&self) -> usize {
        #[op_define]
        self.0.load(Acquire)
    }
}

#[test]
fn what_breaks_a_specification_in_some_runs_is_found() {
    let verdict = verdict(|| {
        let counter = Arc::new(Lossy(AtomicUsize::new(0)));
        let other = counter.clone();
        let thread = thread::spawn(move || other.add());
        counter.add();
        thread.join().unwrap();
        counter.get();
    });
    assert_eq!(verdict, Verdict::Violated);
}

#[test]
fn a_specification_is_checked_in_each_run() {
    let program = |late: bool| {
        let stack = Arc::new(stack::Stack::new());
        let other = stack.clone();
        let thread = thread::spawn(move || other.push(1));
        if late {
            thread.join().unwrap();
            assert_eq!(stack.pop(), Some(1));
        } else {
            stack.pop();
            thread.join().unwrap();
        }
    };
    for strategy in STRATEGIES {
        let outcome = on_random(strategy).check(move || program(true));
        assert_eq!((outcome.verdict, outcome.shapes), (Verdict::HoldsWithin, 1), "{outcome}");
        let outcome = on_random(strategy).check(move || program(false));
        // `pop` sees the push, or does not, and is ordered after it or is not.
        assert_eq!(outcome.verdict, Verdict::HoldsWithin, "{outcome}");
    }
}

#[cdsspec::test(engine = "random", runs = 50, strategy = Strategy::Pct { depth: 2 })]
fn a_test_names_the_engine() {
    publish(Release);
}

#[test]
fn a_wait_with_a_timeout_may_end_by_it_and_by_what_it_waits_for() {
    let polls = || {
        let flag = Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        let thread = thread::spawn(move || {
            while !other.load(Acquire) {
                thread::park_timeout(Duration::from_millis(1));
            }
        });
        flag.store(true, Release);
        thread.thread().unpark();
        thread.join().unwrap();
    };
    assert_eq!(verdict(polls), Verdict::HoldsWithin);
    // None of them is cut: the timeout ends each.
    let outcome = on_random(Strategy::Uniform).check(|| {
        let pair = (Mutex::new(()), Condvar::new());
        for _ in 0..12 {
            let guard = pair.0.lock().unwrap();
            drop(pair.1.wait_timeout(guard, Duration::from_millis(1)).unwrap());
        }
    });
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::HoldsWithin, 500), "{outcome}");
    let receives = |seed| {
        on_random(Strategy::Pos).seed(seed).check(|| {
            let (sender, receiver) = mpsc::channel();
            let thread = thread::spawn(move || sender.send(1).unwrap());
            let received = (0..3).find_map(|_| receiver.recv_timeout(Duration::from_millis(1)).ok());
            thread.join().unwrap();
            assert_eq!(received, None, "it comes in time");
        })
    };
    assert_eq!(receives(0).verdict, Verdict::Panic);
}

#[test]
fn a_thread_that_polls_under_a_lock_lets_others_go_on() {
    let verdict = verdict(|| {
        let flag = Arc::new(Mutex::new(false));
        let other = flag.clone();
        let thread = thread::spawn(move || while !*other.lock().unwrap() {});
        *flag.lock().unwrap() = true;
        thread.join().unwrap();
    });
    assert_eq!(verdict, Verdict::HoldsWithin);
}

#[test]
fn a_long_run_that_fails_ends() {
    let outcome = on_random(Strategy::Uniform).runs(1).memory_model("sc").check(|| {
        let count = Arc::new(AtomicUsize::new(0));
        let other = count.clone();
        let thread = thread::spawn(move || (0..1_000).for_each(|_| other.store(1, Release)));
        for _ in 0..1_000 {
            count.fetch_add(1, Relaxed);
        }
        thread.join().unwrap();
        panic!("at the end");
    });
    assert_eq!(outcome.verdict, Verdict::Panic);
}

fn counted(outcome: &Outcome) -> (Verdict, u64) {
    (outcome.verdict, outcome.executions)
}

#[test]
fn a_seed_gives_the_same_runs_and_another_one_others() {
    let run = |seed| on_random(Strategy::Uniform).seed(seed).check(|| publish(Relaxed));
    // What leads to the execution names the program by its number.
    let text = |outcome: Outcome| outcome.to_string().replace("random-rc11+2/", "random-rc11/");
    assert_eq!(text(run(1)), text(run(1)));
    let counts: Vec<_> = (0..8).map(|seed| counted(&run(seed))).collect();
    assert!(counts.windows(2).any(|two| two[0] != two[1]), "{counts:?}");
}

#[test]
fn runs_are_as_many_as_were_asked_for_and_limits_are_looked_at() {
    let run = |builder: Builder| builder.check(|| publish(Release));
    let all = run(on_random(Strategy::Pos).runs(123));
    assert_eq!((counted(&all), all.is_complete), ((Verdict::HoldsWithin, 123), false));
    assert!(all.to_string().contains("runs = 123, seed 0, strategy pos"), "{all}");
    let limited = run(on_random(Strategy::Pos).runs(123).executions_max(100));
    assert_eq!(counted(&limited), (Verdict::Inconclusive, 100));
    let none = run(on_random(Strategy::Pos).runs(0));
    assert_eq!(counted(&none), (Verdict::Inconclusive, 0));
}
