//! One execution again: found, and run again in another process from what the report says.

mod random;

use crate::child;

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, EngineKind, MemoryModel, Outcome, Verdict, thread};

/// Data behind a flag, which is published with this order.
fn publish(order: std::sync::atomic::Ordering) {
    let data = Arc::new(AtomicUsize::new(0));
    let flag = Arc::new(AtomicUsize::new(0));
    let writer = {
        let (data, flag) = (data.clone(), flag.clone());
        thread::spawn(move || {
            data.store(1, Relaxed);
            flag.store(1, order);
        })
    };
    if flag.load(Acquire) == 1 {
        assert_eq!(data.load(Relaxed), 1, "the flag is up");
    }
    writer.join().expect("nobody panics");
}

/// Two threads take two locks in opposite orders.
fn lock_crosswise() {
    let locks = Arc::new((Mutex::new(0), Mutex::new(0)));
    let other = {
        let locks = locks.clone();
        thread::spawn(move || {
            let _second = locks.1.lock().expect("nobody panics");
            let _first = locks.0.lock().expect("nobody panics");
        })
    };
    let _first = locks.0.lock().expect("nobody panics");
    let _second = locks.1.lock().expect("nobody panics");
    drop((_first, _second));
    other.join().expect("nobody panics");
}

fn again(found: &Outcome, program: fn()) -> Outcome {
    let schedule = found.details().schedule.clone().expect("the engine can run it again");
    Builder::new().name(found.name.clone()).replay(schedule).check(program)
}

/// What leads to the execution that is shown, without the engine and the number of the program.
fn course(outcome: &Outcome) -> Option<&str> {
    Some(outcome.details().schedule.as_deref()?.split_once('/')?.1)
}

/// What a report says of the execution, without how far the run looked.
fn shown(outcome: &Outcome) -> String {
    outcome.report().split("\n  coverage").next().expect("a split has a first part").to_owned()
}

#[test]
fn an_execution_is_run_again_alone() {
    for (program, verdict) in
        [((|| publish(Relaxed)) as fn(), Verdict::Panic), (lock_crosswise as fn(), Verdict::Deadlock)]
    {
        let engines = [
            Builder::new(),
            Builder::new().memory_model(MemoryModel::Pso),
            Builder::new().engine(EngineKind::Random).seed(3),
        ];
        for builder in engines {
            let found = builder.name("replay").check(program);
            found.assert_verdict(verdict);
            let again = again(&found, program);
            assert_eq!(again.executions, 1);
            assert_eq!(shown(&again), shown(&found));
            assert_eq!(again.engine, found.engine);
            assert_eq!(course(&again), course(&found));
        }
    }
}

#[test]
fn a_program_that_was_mended_departs_and_says_where() {
    let found = Builder::new().check(|| publish(Relaxed));
    let again = again(&found, || publish(Release));
    assert_eq!(again.verdict, Verdict::Inconclusive);
    assert!(!again.holds());
    let text = again.report();
    assert!(text.contains("the program does not do again what it did: at step "), "{text}");
    assert!(text.contains("load(Relaxed)"), "{text}");
}

/// Two threads, and what each prints; at other lines than the program below, which is the same.
fn print_crosswise(printed: &std::sync::Mutex<Vec<&'static str>>) {
    let words = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let print = |text| printed.lock().expect("nobody panics with it").push(text);
    printed.lock().expect("nobody panics with it").clear();
    let reads = thread::scope(|scope| {
        let other = scope.spawn(|| {
            words[0].store(1, Relaxed);
            print("other stored");
            let read = words[1].load(Relaxed);
            print("other loaded");
            read
        });
        words[1].store(1, Relaxed);
        print("main stored");
        let read = words[0].load(Relaxed);
        print("main loaded");
        [read, other.join().expect("nobody panics")]
    });
    assert_ne!(reads, [0, 0]);
}

#[test]
fn what_it_prints_comes_in_the_order_of_the_execution_and_lines_may_have_moved() {
    let printed = Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = printed.clone();
    let found = Builder::new().check(move || print_crosswise(&log));
    found.assert_verdict(Verdict::Panic);
    // As the report shows the operations.
    let operations = &found.details().execution.as_ref().unwrap().interleaving;
    let orders =
        operations.iter().filter(|operation| operation.place.orders != cdsspec_runtime::record::Orders::None);
    let texts = [["main stored", "main loaded"], ["other stored", "other loaded"]];
    let expected: Vec<_> = orders
        .map(|operation| texts[operation.thread.index()][usize::from(operation.written.is_none())])
        .collect();
    assert_eq!(expected.len(), 4, "{found}");
    printed.lock().unwrap().clear();
    let log = printed.clone();
    let schedule = found.details().schedule.clone().unwrap();
    let again = Builder::new().replay(schedule).check(move || {
        // The same operations at other lines, with more between them.
        let words = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let print = |text| log.lock().expect("nobody panics with it").push(text);
        let reads = thread::scope(|scope| {
            let other = scope.spawn(|| {
                words[0].store(1, Relaxed);
                print("other stored");
                let read = words[1].load(Relaxed);
                print("other loaded");
                read
            });
            words[1].store(1, Relaxed);
            print("main stored");
            let read = words[0].load(Relaxed);
            print("main loaded");
            [read, other.join().expect("nobody panics")]
        });
        assert_ne!(reads, [0, 0]);
    });
    again.assert_verdict(Verdict::Panic);
    assert_eq!(again.executions, 1);
    // Once for the report, and once for each order that is made stronger.
    assert_eq!(printed.lock().unwrap()[..4], expected[..]);
}

#[test]
fn an_execution_without_a_fault_is_no_pass() {
    let found = Builder::new().check(|| publish(Relaxed));
    let again = again(&found, || {
        let result = std::panic::catch_unwind(|| publish(Relaxed));
        drop(result);
    });
    assert_eq!(again.verdict, Verdict::Inconclusive, "{again}");
    assert!(again.report().contains("has no fault, and no other one was looked at"), "{again}");
}

#[test]
fn what_is_no_schedule_is_refused() {
    let outcome = Builder::new().replay("rc11/0:l7q").check(|| {});
    assert_eq!(outcome.verdict, Verdict::Inconclusive);
    let expected = "Builder::replay is \"rc11/0:l7q\": expected what the row `replay` of a report says";
    assert!(outcome.report().contains(expected), "{outcome}");
}

/// Fails in its third program.
fn fail() {
    // It has a fault under others.
    Builder::new().memory_model(MemoryModel::Sc).check(|| publish(Relaxed)).assert_holds();
    Builder::new().check(|| publish(Release)).assert_holds();
    Builder::new().check(|| publish(Relaxed)).assert_holds();
}

#[test]
fn the_line_of_a_report_runs_it_again_in_another_process() {
    if child::is_child() {
        return fail();
    }
    let test = child::test_name!("the_line_of_a_report_runs_it_again_in_another_process");
    let test = test.as_str();
    let run = |variables: &[(&str, &str)]| {
        let output = child::run(test, variables);
        assert!(!output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let found = run(&[]);
    let line = found.split("CDSSPEC_REPLAY=").nth(1).unwrap_or_else(|| panic!("{found}"));
    let (schedule, command) = line.split_once(' ').unwrap();
    assert!(schedule.starts_with("rc11+3/"), "{schedule}");
    assert!(command.starts_with(&format!("cargo test {test} -- --exact")), "{command}");
    let again = run(&[("CDSSPEC_REPLAY", schedule)]);
    let shown = |text: &str| {
        let begin = text.find("panic: assertion").unwrap_or_else(|| panic!("{text}"));
        text[begin..].split("\n  coverage").next().unwrap().to_owned()
    };
    // The store of the flag, which has its order from the caller.
    let line = 1 + include_str!("replay.rs")
        .lines()
        .position(|line| line.contains("flag.store(1, order);"))
        .unwrap();
    let cause =
        format!("store(Relaxed) at tests/replay.rs:{line}: with Release this execution would not fail");
    assert!(found.contains(&cause), "{found}");
    assert_eq!(shown(&again), shown(&found));
    assert!(again.contains(&format!("CDSSPEC_REPLAY={schedule} ")), "it is the same program: {again}");
    assert!(again.contains("execution 1 of 1, run again"), "{again}");
}

/// What a text says may fit no program.
#[test]
fn a_schedule_that_fits_no_execution_departs_or_is_refused() {
    let rows = [
        ("rc11/0:l/spins=0f23+", "does not do again what it did"),
        ("rc11/0:ls/spins=0f0+", "it has ended before t0 did a load"),
        ("random-rc11/pct:0/1/1/1/1/1", "expected what the row `replay` of a report says"),
        ("tsp/0:l", "expected what the row `replay` of a report says"),
        ("target/cdsspec/all/none.replay", "there is no such file, which the failing run writes"),
    ];
    for (schedule, expected) in rows {
        let outcome = Builder::new().replay(schedule).branches_max(100).check(|| {
            loop {
                thread::yield_now();
            }
        });
        assert_eq!(outcome.verdict, Verdict::Inconclusive, "{schedule}: {outcome}");
        let text = outcome.report().replace("\n  ", " ");
        assert!(text.contains(expected), "{schedule}: {outcome}");
    }
}

/// The counter is on the stack, and does no operation: the schedule is that of the loop without it.
#[test]
fn a_loop_that_was_mended_is_no_livelock() {
    fn spin(rounds_max: usize) {
        let flag = AtomicUsize::new(0);
        let mut rounds = 0;
        while flag.load(Acquire) == 0 && rounds < rounds_max {
            rounds += usize::from(rounds_max < usize::MAX);
            cdsspec::hint::spin_loop();
        }
    }
    let found = Builder::new().check(|| spin(usize::MAX));
    found.assert_verdict(Verdict::Livelock);
    again(&found, || spin(usize::MAX)).assert_verdict(Verdict::Livelock);
    let mended = again(&found, || spin(7));
    assert_eq!(mended.verdict, Verdict::Inconclusive, "{mended}");
    assert!(mended.report().contains("leaves the loop at"), "{mended}");
}

mod blame {
    use super::publish;
    use cdsspec::sync::Arc;
    use cdsspec::sync::atomic::Ordering::{Relaxed, Release, SeqCst};
    use cdsspec::sync::atomic::{AtomicUsize, fence};
    use cdsspec::{Builder, Outcome, Verdict, thread};
    use cdsspec_runtime::port::Overrides;

    /// The row `cause`, each way in a line.
    fn cause(outcome: &Outcome) -> String {
        let report = outcome.report();
        let rows = report.split("\n  cause").nth(1).unwrap_or_default();
        let rows = rows.split("\n  coverage").next().unwrap_or_default();
        rows.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_load_of_a_fetch_update_has_an_order_of_its_own() {
        let outcome = Builder::new().check(|| {
            let words = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
            let other = words.clone();
            let thread = thread::spawn(move || {
                other.0.store(1, Relaxed);
                other.1.store(1, Release);
            });
            let keep = |value| if value == 1 { None } else { Some(value) };
            if words.1.fetch_update(Relaxed, Relaxed, keep) == Err(1) {
                assert_eq!(words.0.load(Relaxed), 1);
            }
            thread.join().unwrap();
        });
        outcome.assert_verdict(Verdict::Panic);
        let cause = cause(&outcome);
        assert!(cause.contains("with Relaxed, Acquire this execution would not fail"), "{cause}");
    }

    #[test]
    fn fences_that_were_left_out_stay_out() {
        fn read_first() {
            let word = Arc::new(AtomicUsize::new(0));
            let other = word.clone();
            let thread = thread::spawn(move || {
                fence(SeqCst);
                other.store(1, Relaxed);
            });
            let read = word.load(Relaxed);
            fence(SeqCst);
            thread.join().unwrap();
            assert_eq!(read, 0);
        }
        let expected = "no memory order: with every order SeqCst this execution would fail, too";
        for overrides in [Overrides::new(), Overrides::relaxed()] {
            let outcome = Builder::new().order_overrides(overrides).check(read_first);
            assert_eq!((outcome.verdict, cause(&outcome).as_str()), (Verdict::Panic, expected));
        }
    }

    #[test]
    fn two_orders_together() {
        let outcome = Builder::new().order_overrides(Overrides::relaxed()).check(|| publish(Release));
        outcome.assert_verdict(Verdict::Panic);
        assert!(cause(&outcome).starts_with("memory orders, and no single one"), "{outcome}");
    }
}

/// Programs with a fault, of all that an execution may depend on beside the values of atomics. In this build each fault that a run comes to is run again, and must be the same
/// to the last line of the report.
mod kinds {
    use cdsspec::cell::UnsafeCell;
    use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    use cdsspec::sync::atomic::{AtomicBool, AtomicUsize, fence};
    use cdsspec::sync::{Arc, Condvar, Mutex, RwLock};
    use cdsspec::{Builder, Verdict, hint, thread};
    use std::time::Duration;

    fn faulty(verdict: Verdict, program: impl Fn() + Send + Sync + 'static) {
        Builder::new().name("kinds").check(program).assert_verdict(verdict);
    }

    #[test]
    fn a_spurious_failure() {
        faulty(Verdict::Panic, || {
            let word = AtomicUsize::new(0);
            word.compare_exchange_weak(0, 1, Relaxed, Relaxed).unwrap();
        });
    }

    #[test]
    fn a_place_among_the_stores() {
        faulty(Verdict::Panic, || {
            let words = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
            let other = words.clone();
            let thread = thread::spawn(move || {
                other[1].store(1, Relaxed);
                other[0].store(2, Relaxed);
            });
            words[0].store(1, Relaxed);
            words[1].store(2, Relaxed);
            thread.join().unwrap();
            assert_ne!((words[0].load(Relaxed), words[1].load(Relaxed)), (1, 1));
        });
    }

    #[test]
    fn a_count_of_handles_with_operations() {
        faulty(Verdict::Panic, || {
            let shared = Arc::new(0);
            let other = shared.clone();
            let thread = thread::spawn(move || drop(other));
            assert_eq!(Arc::strong_count(&shared), 1, "the other one is dropped");
            thread.join().unwrap();
        });
    }

    #[test]
    fn a_loop_that_never_ends() {
        faulty(Verdict::Livelock, || {
            let flag = Arc::new(AtomicBool::new(false));
            let other = flag.clone();
            let thread = thread::spawn(move || other.store(false, Release));
            while !flag.load(Acquire) {
                hint::spin_loop();
            }
            thread.join().unwrap();
        });
    }

    #[test]
    fn a_thread_that_yields_for_ever() {
        faulty(Verdict::Livelock, || {
            let thread = thread::spawn(|| {
                loop {
                    thread::yield_now();
                }
            });
            thread.join().unwrap();
        });
    }

    #[test]
    fn rounds_before_a_fault() {
        faulty(Verdict::Panic, || {
            let flag = Arc::new(AtomicUsize::new(0));
            let other = flag.clone();
            let thread = thread::spawn(move || {
                other.store(1, Release);
                other.store(2, Release);
            });
            while flag.load(Acquire) == 0 {
                thread::yield_now();
            }
            thread.join().unwrap();
            panic!("after the loop");
        });
    }

    #[test]
    fn the_end_of_a_thread_that_is_asked_for() {
        faulty(Verdict::Panic, || {
            let thread = thread::spawn(|| {});
            assert!(!thread.is_finished(), "it may be");
            thread.join().unwrap();
        });
    }

    #[test]
    fn a_lock_that_is_tried_and_a_wait_with_a_timeout() {
        faulty(Verdict::Panic, || {
            let pair = Arc::new((Mutex::new(0), Condvar::new()));
            let other = pair.clone();
            let thread = thread::spawn(move || {
                *other.0.lock().unwrap() += 1;
                other.1.notify_one();
            });
            let count = pair.0.lock().unwrap();
            let (count, result) = pair.1.wait_timeout(count, Duration::from_millis(1)).unwrap();
            assert!(!(result.timed_out() && *count == 1), "both");
            drop(count);
            thread.join().unwrap();
        });
    }

    #[test]
    fn a_spurious_wake_up() {
        faulty(Verdict::Panic, || {
            let pair = Arc::new((Mutex::new(false), Condvar::new()));
            let other = pair.clone();
            let thread = thread::spawn(move || {
                *other.0.lock().unwrap() = true;
                other.1.notify_one();
            });
            let mut ready = pair.0.lock().unwrap();
            if !*ready {
                ready = pair.1.wait(ready).unwrap();
            }
            assert!(*ready, "woken without a reason");
            drop(ready);
            thread.join().unwrap();
        });
    }

    #[test]
    fn a_lock_for_readers_and_writers_that_blocks() {
        faulty(Verdict::Deadlock, || {
            let lock = Arc::new(RwLock::new(0));
            let other = lock.clone();
            let thread = thread::spawn(move || drop(other.write().unwrap()));
            let first = lock.read().unwrap();
            let second = lock.read().unwrap();
            drop((first, second));
            thread.join().unwrap();
        });
    }

    #[test]
    fn an_exchange_whose_failures_are_left_out() {
        faulty(Verdict::Panic, || {
            let word = Arc::new(AtomicUsize::new(0));
            let add = |word: Arc<AtomicUsize>| {
                thread::spawn(move || word.fetch_update(AcqRel, Acquire, |value| Some(value + 1)).unwrap())
            };
            let threads = [add(word.clone()), add(word.clone())];
            let [first, second] = threads.map(|thread| thread.join().unwrap());
            assert!(first < second, "the other way round");
        });
    }

    struct Register(AtomicUsize, AtomicUsize);

    #[cdsspec::spec]
    #[declare_state(value: usize)]
    impl Register {
        #[side_effect(*value = new)]
        fn write(&self, new: usize) {
            #[op_define]
            self.0.store(new, Relaxed);
        }

        #[side_effect(*value)]
        #[post_condition(c_ret == 0)]
        fn read(&self) -> usize {
            #[op_define]
            self.0.load(Relaxed)
        }

        #[post_condition(true)]
        fn touch(&self) {
            #[op_define]
            self.1.store(1, Relaxed);
        }
    }

    /// The read is made to read what the third thread writes: the second one begins its call before that, and does it behind both.
    #[test]
    fn a_call_that_begins_before_its_first_operation_comes() {
        faulty(Verdict::Violated, || {
            let register = Arc::new(Register(AtomicUsize::new(0), AtomicUsize::new(0)));
            let calls: [fn(&Register); 3] =
                [|register| assert!(register.read() < 2), Register::touch, |register| register.write(1)];
            let threads = calls.map(|call| {
                let register = register.clone();
                thread::spawn(move || call(&register))
            });
            let _joined = threads.map(|thread| thread.join().unwrap());
        });
    }

    struct Shared(UnsafeCell<usize>, AtomicBool);

    // SAFETY: it is raced for, which is looked for.
    unsafe impl Sync for Shared {}

    #[test]
    fn fences_and_cells() {
        faulty(Verdict::Race, || {
            let shared = Arc::new(Shared(UnsafeCell::new(0), AtomicBool::new(false)));
            let other = shared.clone();
            let thread = thread::spawn(move || {
                let Shared(cell, is_done) = &*other;
                // SAFETY: the pointer is that of the cell.
                cell.with_mut(|value| unsafe { *value = 1 });
                fence(SeqCst);
                is_done.store(true, Relaxed);
            });
            if shared.1.load(Relaxed) {
                // SAFETY: as above.
                shared.0.with(|value| unsafe { *value });
            }
            thread.join().unwrap();
        });
    }
}
