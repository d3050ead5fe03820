//! What is in a static starts every execution anew, or a second execution is refused.

use super::{assert_outcome, check};
use cdsspec::sync::{
    Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock,
    mpsc::{Receiver, Sender, channel},
};
use cdsspec::{Builder, Verdict, thread};

/// Refused, with the way out.
#[track_caller]
fn assert_refused(program: impl Fn() + Send + Sync + 'static, name: &str) {
    let outcome = Builder::new().check(program);
    assert_eq!(outcome.verdict, Verdict::Nondeterministic, "{outcome}");
    let report = outcome.report().split_whitespace().collect::<Vec<_>>().join(" ");
    let message = format!("nondeterministic: a {name} is used in two executions");
    assert!(report.starts_with(&message) && report.contains("cdsspec::sync::LazyLock"), "{report}");
}

#[test]
fn a_static_mutex_is_refused_in_the_second_execution() {
    static COUNT: Mutex<usize> = Mutex::new(0);
    assert_refused(
        || {
            let child = thread::spawn(|| *COUNT.lock().expect("nobody panics with it") += 1);
            *COUNT.lock().expect("nobody panics with it") += 1;
            child.join().expect("it does not panic");
        },
        "Mutex",
    );
}

#[test]
fn a_static_mutex_that_remembers_is_refused_in_the_second_run() {
    static READY: Mutex<bool> = Mutex::new(false);
    let program = || *READY.lock().expect("nobody panics with it") = true;
    assert_outcome(program, Verdict::Holds, 1);
    assert_refused(program, "Mutex");
}

#[test]
fn a_refusal_is_not_taken_for_a_panic_that_is_a_result() {
    static READY: Mutex<bool> = Mutex::new(false);
    let program = || _ = thread::spawn(|| *READY.lock().expect("nobody panics with it") = true).join();
    assert_outcome(program, Verdict::Holds, 1);
    assert_refused(program, "Mutex");
}

#[test]
fn a_static_rwlock_is_refused_in_the_second_execution() {
    static LOCK: RwLock<usize> = RwLock::new(0);
    let program = || _ = *LOCK.read().expect("nobody panics with it");
    assert_outcome(program, Verdict::Holds, 1);
    assert_refused(program, "RwLock");
}

#[test]
fn a_mutex_that_the_program_holds_from_outside_is_refused() {
    let shared = Arc::new(Mutex::new(0));
    let program = move || *shared.lock().expect("nobody panics with it") += 1;
    let program = std::sync::Arc::new(program);
    let again = program.clone();
    assert_outcome(move || program(), Verdict::Holds, 1);
    assert_refused(move || again(), "Mutex");
}

#[test]
fn a_channel_from_outside_is_received_from_in_one_execution() {
    let (sender, receiver) = channel();
    let receiver = std::sync::Mutex::new(receiver);
    (0..3).for_each(|number| sender.send(number).expect("it is received"));
    let program = std::sync::Arc::new(move || {
        receiver.lock().expect("nobody panics with it").try_recv().expect("it was sent");
    });
    let again = program.clone();
    assert_outcome(move || program(), Verdict::Holds, 1);
    assert_refused(move || again(), "channel");
}

#[test]
fn a_channel_of_another_execution_is_refused() {
    let kept = std::sync::Mutex::new(None);
    let program = std::sync::Arc::new(move || {
        let mut kept = kept.lock().expect("nobody panics with it");
        let (sender, _) = &*kept.get_or_insert_with(channel::<usize>);
        sender.send(1).expect("the receiver is there");
    });
    let again = program.clone();
    assert_outcome(move || program(), Verdict::Holds, 1);
    assert_refused(move || again(), "channel");
}

/// A lock without data, and everything else that is made anew: two threads use each.
#[test]
fn what_holds_no_data_starts_every_execution_anew() {
    static LOCK: (Mutex<()>, RwLock<()>, Condvar) = (Mutex::new(()), RwLock::new(()), Condvar::new());
    static BARRIER: Barrier = Barrier::new(2);
    static ONCE: Once = Once::new();
    static CELL: OnceLock<usize> = OnceLock::new();
    static LAZY: LazyLock<Mutex<usize>> = LazyLock::new(Mutex::default);
    type Ends = (Mutex<Sender<usize>>, Mutex<Receiver<usize>>);
    static ENDS: LazyLock<Ends> = LazyLock::new(|| {
        let (sender, receiver) = channel();
        (Mutex::new(sender), Mutex::new(receiver))
    });
    fn uses(number: usize) -> usize {
        drop((LOCK.0.lock(), LOCK.1.write()));
        LOCK.2.notify_one();
        ENDS.0.lock().expect("nobody panics with it").send(number).expect("it is received");
        ONCE.call_once(|| *LAZY.lock().expect("nobody panics with it") += 1);
        BARRIER.wait();
        *CELL.get_or_init(|| number)
    }
    let outcome = Builder::new().executions_max(400).check(|| {
        assert!(!ONCE.is_completed() && CELL.get().is_none());
        let child = thread::spawn(|| uses(1));
        assert_eq!(uses(2), child.join().expect("it does not panic"));
        let receiver = ENDS.1.lock().expect("nobody panics with it");
        assert_eq!(receiver.try_iter().sum::<usize>(), 3);
        assert_eq!(*LAZY.lock().expect("nobody panics with it"), 1);
    });
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Inconclusive, 400), "{outcome}");
}

#[test]
fn a_lazy_lock_whose_closure_holds_something_is_refused_in_the_second_execution() {
    let text = "made once".to_owned();
    let lazy = LazyLock::new(move || text);
    let program = std::sync::Arc::new(move || assert_eq!(lazy.len(), 9));
    let again = program.clone();
    assert_outcome(move || program(), Verdict::Holds, 1);
    assert_eq!(check(move || again()).verdict, Verdict::Nondeterministic);
}
