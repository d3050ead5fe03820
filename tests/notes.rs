//! Passes that checked less than they seem to: they say so, past a harness that captures, and fail where the run is strict.

use crate::child;

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, EngineKind, Note, Outcome, Verdict, cell, thread};

/// Its calls have no ordering points.
struct Pointless(AtomicUsize);

#[cdsspec::spec]
#[declare_state(count: usize)]
impl Pointless {
    #[side_effect(*count += 1)]
    fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// A register, of which only writes and reads are specified.
struct Register(AtomicUsize);

#[cdsspec::spec]
#[declare_state(value: usize)]
impl Register {
    const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    fn clear(&self) {
        self.0.store(0, Release);
    }

    #[side_effect(*value = new)]
    fn write(&self, new: usize) {
        #[op_define]
        self.0.store(new, Release);
    }

    #[side_effect(*value)]
    #[post_condition(true)]
    fn read(&self) -> usize {
        self.0.load(Acquire)
    }
}

/// Specified for one type.
struct Slot<T>(Mutex<Option<T>>);

#[cdsspec::spec(instance(T = u32))]
#[declare_state(value: Option<u32>)]
impl<T> Slot<T> {
    fn new() -> Self {
        Self(Mutex::new(None))
    }

    #[side_effect(*value = Some(new))]
    fn put(&self, new: T) {
        #[op_define]
        let mut slot = self.0.lock().expect("nothing panics");
        *slot = Some(new);
    }
}

fn check(strict: bool, program: fn()) -> Outcome {
    Builder::new().name("program").strict(strict).check(program)
}

fn notes(program: fn()) -> Vec<Note> {
    let outcome = check(false, program);
    assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
    for note in &outcome.notes {
        let folded = outcome.report().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(folded.contains(&format!("note {note}")), "{note}: {outcome}");
    }
    outcome.notes
}

fn no_points() {
    let pointless = Arc::new(Pointless(AtomicUsize::new(0)));
    let other = pointless.clone();
    let child = thread::spawn(move || other.add());
    pointless.add();
    child.join().expect("nothing panics");
}

fn only_unspecified() {
    Slot::<u64>::new().put(1);
}

fn no_call() {
    Register::new().clear();
}

fn used_outside() {
    let x = std::sync::Arc::new(AtomicUsize::new(0));
    let x2 = x.clone();
    std::thread::spawn(move || x2.store(1, Release)).join().expect("nothing panics");
    x.load(Acquire);
}

/// A pass of each kind, and its note.
fn passes() -> [(fn(), Note); 4] {
    let specification = "Pointless".to_owned();
    let (operation, place) = ("store".to_owned(), "tests/notes.rs:100".to_owned());
    [
        (no_points, Note::NoOrderingPoint { specification, calls: 4 }),
        (only_unspecified, Note::OnlyUnspecified),
        (no_call, Note::NoCall { types: vec!["Register".to_owned()] }),
        (used_outside, Note::UsedOutside { operation, place }),
    ]
}

#[test]
fn a_pass_that_checked_less_than_it_seems_says_so() {
    for (program, note) in passes() {
        assert_eq!(notes(program), [note]);
    }
}

#[test]
fn it_fails_where_the_run_is_strict() {
    for (program, note) in passes() {
        let outcome = check(true, program);
        assert_eq!((outcome.verdict, &outcome.notes), (Verdict::Inconclusive, &vec![note]), "{outcome}");
        let first = outcome.report().lines().next();
        assert!(first.is_some_and(|line| line.starts_with("inconclusive: no fault in ")), "{outcome}");
        assert!(outcome.report().contains("but the run is strict"), "{outcome}");
        assert!(
            outcome.report().contains("  do            mend what the rows `note` say first"),
            "{outcome}"
        );
    }
}

#[test]
fn a_pass_that_checked_what_it_seems_to_has_no_note_and_holds_where_the_run_is_strict() {
    let programs: [fn(); 5] = [
        // One call with a point is enough, and so is a specified one beside others that are not.
        || {
            Register::new().write(1);
            _ = Register::new().read();
        },
        || {
            Register::new().clear();
            Register::new().write(1);
        },
        || {
            only_unspecified();
            Slot::<u32>::new().put(1);
        },
        // No annotated type at all; nor what only a `const fn` of one made.
        || _ = AtomicUsize::new(0).load(Relaxed),
        || _ = Register::new(),
    ];
    for (index, program) in programs.into_iter().enumerate() {
        assert_eq!(notes(program), [], "program {index}");
        assert_eq!(check(true, program).verdict, Verdict::Holds, "program {index}");
    }
}

#[test]
fn a_fault_stays_what_it_is() {
    for strict in [false, true] {
        let outcome = check(strict, || {
            no_points();
            panic!("over that");
        });
        assert_eq!((outcome.verdict, outcome.notes), (Verdict::Panic, vec![]));
        let outside = check(strict, || {
            used_outside();
            panic!("over that");
        });
        assert_eq!((outside.verdict, outside.notes.len()), (Verdict::Panic, 1));
    }
}

#[test]
fn an_object_of_an_execution_is_known_outside_whatever_it_is_and_whoever_comes_first() {
    let programs: [(fn(), &str); 3] = [
        (
            || {
                let x = std::sync::Arc::new(AtomicUsize::new(0));
                let x2 = x.clone();
                x.store(1, Relaxed);
                std::thread::spawn(move || x2.load(Relaxed)).join().expect("nothing panics");
            },
            "load",
        ),
        (
            || {
                let lock = std::sync::Arc::new(Mutex::new(0));
                let lock2 = lock.clone();
                drop(lock.lock().expect("nothing panics"));
                std::thread::spawn(move || drop(lock2.lock())).join().expect("nothing panics");
            },
            "lock",
        ),
        (
            || {
                let cell = std::sync::Arc::new(Shared(cell::UnsafeCell::new(0)));
                let cell2 = cell.clone();
                std::thread::spawn(move || cell2.get().with_mut(|_| ())).join().expect("nothing panics");
                cell.get().with(|_| ());
            },
            "with_mut",
        ),
    ];
    for (program, expected) in programs {
        let notes = notes(program);
        let [Note::UsedOutside { operation, .. }] = &notes[..] else { panic!("{notes:?}") };
        assert_eq!(operation, expected);
    }
}

struct Shared(cell::UnsafeCell<i32>);

// SAFETY: the tests do not use it at the same time.
unsafe impl Sync for Shared {}

impl Shared {
    fn get(&self) -> &cell::UnsafeCell<i32> {
        &self.0
    }
}

static STATIC: AtomicUsize = AtomicUsize::new(0);

/// Nobody set it up for the program's sake: it starts from what it was made with.
#[test]
fn an_object_that_was_used_before_the_execution_began_is_not_used_outside_of_it() {
    STATIC.store(1, Relaxed);
    assert_eq!(notes(|| _ = STATIC.load(Relaxed)), []);
    std::thread::spawn(|| STATIC.store(2, Relaxed)).join().expect("nothing panics");
    assert_eq!(notes(|| _ = STATIC.load(Relaxed)), []);
}

#[test]
fn loom_has_the_same_notes() {
    for (program, note) in passes() {
        let outcome = Builder::new().engine(EngineKind::Loom).check(program);
        let has_note = match (&note, &outcome.notes[..]) {
            (Note::NoOrderingPoint { .. }, [Note::NoOrderingPoint { .. }]) => true,
            (note, notes) => notes == [note.clone()],
        };
        assert!(has_note, "{note:?}: {outcome}");
    }
}

#[test]
fn notes_are_in_the_json_by_kind() {
    let kinds = passes().map(|(program, _)| {
        let json = serde_json::to_value(check(false, program)).expect("it is plain data");
        json["notes"][0]["kind"].as_str().map(str::to_owned)
    });
    let expected = ["no_ordering_point", "only_unspecified", "no_call", "used_outside"];
    assert_eq!(kinds, expected.map(|kind| Some(kind.to_owned())));
}

/// Ran by the tests below, as a child that the harness captures.
mod in_child {
    #[cdsspec::test]
    fn program() {
        if super::child::is_child() {
            super::no_call();
        }
    }

    #[cdsspec::test(strict = false)]
    fn not_strict() {
        if super::child::is_child() {
            super::no_call();
        }
    }

    #[test]
    fn model() {
        if super::child::is_child() {
            cdsspec::model(super::no_call);
        }
    }

    #[cdsspec::test]
    fn checks() -> super::Outcome {
        super::check(false, if super::child::is_child() { super::no_call } else { || () })
    }

    #[test]
    fn plain() {
        if super::child::is_child() {
            super::no_call();
        }
    }

    #[test]
    fn plain_and_model() {
        if super::child::is_child() {
            super::no_call();
            cdsspec::model(|| ());
        }
    }

    #[test]
    fn long() {
        if super::child::is_child() {
            let outcome = cdsspec::Builder::new().executions_max(10_001).check(|| {
                let count = cdsspec::sync::atomic::AtomicUsize::new(0);
                cdsspec::thread::scope(|scope| {
                    for _ in 0..4 {
                        scope.spawn(|| {
                            for _ in 0..3 {
                                count.fetch_add(1, super::Relaxed);
                            }
                        });
                    }
                });
            });
            assert_eq!(outcome.executions, 10_001);
        }
    }
}

fn in_child(test: &str) -> String {
    child::test_name!(&format!("in_child::{test}"))
}

#[test]
fn notes_go_past_a_harness_that_captures() {
    for test in ["program", "model", "checks"] {
        let output = child::run(&in_child(test), &[]);
        let shown = child::notes(&output);
        let name = if test == "checks" { "program" } else { &in_child(test) };
        let line = format!("cdsspec: note: {name}: no call was checked: `Register` was used, but no method ");
        assert_eq!((shown.matches(&line).count(), shown.lines().count()), (1, 1), "{shown}");
        assert!(output.status.success());
    }
}

#[test]
fn the_variable_makes_every_run_strict_that_does_not_say_otherwise() {
    for (test, passes) in [("program", false), ("model", false), ("checks", true), ("not_strict", true)] {
        let output = child::run(&in_child(test), &[("CDSSPEC_STRICT", "1")]);
        assert_eq!(output.status.success(), passes, "{test}: {}", child::stderr(&output));
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(stdout.contains("inconclusive: no fault in 1 execution, but the run is strict"), !passes);
    }
}

/// A `#[test]` that was to be a `#[cdsspec::test]`.
#[test]
fn a_test_that_uses_instrumented_types_and_runs_no_model_says_so_once_a_process() {
    let run = |test: &str, variables| child::notes(&child::run(&in_child(test), variables));
    let shown = run("plain", &[]);
    let line = "cdsspec: note: `notes::in_child::plain` used instrumented types outside of any model, first by `store` at \
                tests/notes.rs:33: ";
    assert!(shown.starts_with(line) && shown.lines().count() == 1, "{shown}");
    assert_eq!(run("plain", &[("CDSSPEC_OUTSIDE_NOTE", "0")]), "");
    assert_eq!(run("plain_and_model", &[]), "");
    let both = child::command(&in_child("plain"), &[])
        .arg(child::test_name!("plain_again"))
        .output()
        .expect("it runs");
    assert_eq!(child::notes(&both).lines().count(), 1);
}

#[test]
fn a_note_fits_100_columns_where_there_is_no_terminal() {
    let shown = child::stderr(&child::run(&in_child("plain"), &[]));
    let widths: Vec<_> = shown.lines().map(|line| line.chars().count()).collect();
    assert!(widths.len() == 3 && widths.iter().all(|width| *width <= 100), "{shown}");
}

/// The runtime is optimised here: see the root manifest. Where it is not, `tests/builds` has the note.
#[test]
fn a_long_run_of_an_optimised_engine_has_no_note() {
    assert_eq!(child::stderr(&child::run(&in_child("long"), &[])), "");
}

#[test]
fn plain_again() {
    if child::is_child() {
        no_call();
    }
}

#[cdsspec::test]
fn write() {
    Register::new().write(1);
}

#[cdsspec::test(verdict = Panic)]
fn read_of_another() {
    assert_eq!(Register::new().read(), 1);
}

/// With any time in its place.
fn without_seconds(text: &str) -> String {
    let is_number = |word: &str| word.trim_end_matches('.').parse::<f64>().is_ok() && word.contains('.');
    let words = text.split(' ').map(|word| if is_number(word) { "0.00" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_test_that_passes_says_what_it_came_to_where_it_is_asked() {
    let rows = [
        ("write", "cdsspec: notes::write: holds: 1 execution, 1 shape, 1 sequential history, 0.00 s\n"),
        (
            "read_of_another",
            "cdsspec: notes::read_of_another: panic: 1 execution, 0 shapes, 0 sequential histories, 0.00 s\n",
        ),
    ];
    for (test, line) in rows {
        let test = &child::test_name!(test);
        let captured = child::run(test, &[]);
        assert!(!String::from_utf8_lossy(&captured.stdout).contains("cdsspec: "), "{captured:?}");
        let verbose = child::run(test, &[("CDSSPEC_VERBOSE", "1")]);
        assert_eq!(without_seconds(&child::stderr(&verbose)), line);
        let shown = child::command(test, &[]).arg("--nocapture").output().expect("it runs");
        let shown = without_seconds(&String::from_utf8_lossy(&shown.stdout));
        assert!(shown.contains(line), "{shown}");
    }
}
