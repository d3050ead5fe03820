//! Every memory order of small programs, weakened by one step at a time.

use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::model::Builder;
use cdsspec_runtime::sync::Mutex;
use cdsspec_runtime::sync::atomic::{AtomicUsize, fence};
use cdsspec_runtime::thread;
use cdsspec_runtime::weaken::{Class, InjectionResult, Injections, Programs, weaken};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::time::Duration;

struct Mailbox {
    data: UnsafeCell<u32>,
    state: AtomicUsize,
}

// SAFETY: `state` orders the accesses of `data`; where it does not, the engine reports the race.
unsafe impl Sync for Mailbox {}

impl Mailbox {
    fn new() -> Self {
        Self { data: UnsafeCell::new(0), state: AtomicUsize::new(0) }
    }

    fn put(&self) {
        // SAFETY: nobody reads before the state is 1.
        self.data.with_mut(|data| unsafe { *data = 1 });
        self.state.store(1, Release);
    }

    fn take(&self) -> bool {
        let is_full = self.state.compare_exchange(1, 2, AcqRel, Relaxed).is_ok();
        if is_full {
            // SAFETY: nobody writes once the state is 1.
            self.data.with(|data| assert_eq!(unsafe { *data }, 1));
        }
        is_full
    }
}

fn put_take() {
    let mailbox = Mailbox::new();
    thread::scope(|scope| {
        scope.spawn(|| mailbox.put());
        mailbox.take();
    });
}

/// One of both sees what the other has written.
fn store_buffering() {
    let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (left, right) = thread::scope(|scope| {
        let left = scope.spawn(|| {
            x.store(1, Relaxed);
            fence(SeqCst);
            y.load(Relaxed)
        });
        y.store(1, SeqCst);
        fence(SeqCst);
        let right = x.load(Acquire);
        (left.join().expect("it does not panic"), right)
    });
    assert!(left + right > 0);
}

/// Waits for what nobody says.
fn waits() {
    let flag = AtomicUsize::new(0);
    while flag.load(Relaxed) == 0 {
        thread::yield_now();
    }
}

/// The flag is seen by the one who has to wait for it, because another flag says so.
fn waits_once() {
    let (data, flag) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            data.store(1, Relaxed);
            flag.store(1, Release);
        });
        if flag.load(Acquire) == 1 && data.load(Relaxed) == 0 {
            waits();
        }
    });
}

fn programs() -> Programs {
    Programs::from([
        ("put_take", put_take as fn()),
        ("store_buffering", store_buffering),
        ("waits_once", waits_once),
    ])
    .progress(false)
}

fn summary(injections: &Injections) -> Vec<String> {
    let line = |injection: &cdsspec_runtime::weaken::Injection| {
        let result = match &injection.result {
            InjectionResult::Found(proof) => format!("{} by {}", proof.class.word(), proof.program),
            InjectionResult::Survived { .. } => "survived".to_owned(),
            InjectionResult::Open { verdict, .. } => verdict.to_string(),
            InjectionResult::NotReached => "not reached".to_owned(),
            _ => unreachable!("these are all"),
        };
        format!("{}: {:?} -> {}: {result}", injection.operation, injection.site.written, injection.to)
    };
    injections.injections.iter().map(line).collect()
}

#[test]
fn each_order_is_weakened_by_its_steps_and_classes_are_told_apart() {
    let injections = weaken(programs());
    assert_eq!(
        summary(&injections),
        [
            "put: state.store: Release -> Relaxed: built_in by put_take",
            "take: state.compare_exchange (success): AcqRel -> Release: built_in by put_take",
            "take: state.compare_exchange (success): AcqRel -> Acquire: survived",
            "store_buffering: fence: SeqCst -> AcqRel: built_in by store_buffering",
            "store_buffering: fence: SeqCst -> none: built_in by store_buffering",
            "store_buffering: y.store: SeqCst -> Release: survived",
            "store_buffering: fence #2: SeqCst -> AcqRel: built_in by store_buffering",
            "store_buffering: fence #2: SeqCst -> none: built_in by store_buffering",
            "store_buffering: x.load: Acquire -> Relaxed: survived",
            "waits_once: flag.store: Release -> Relaxed: blocked by waits_once",
            "waits_once: flag.load: Acquire -> Relaxed: blocked by waits_once",
        ]
    );
    assert_eq!((injections.found_count(), injections.unfound().count()), (8, 3));
    assert_eq!(Class::ALL.map(|class| injections.class_count(class)), [6, 0, 0, 2]);
    let proof = injections.injections[0].proof().expect("it was found");
    assert!(proof.report.contains("store(Release) as Relaxed"), "{}", proof.report);
}

/// Does this if the data is not there with the flag.
fn if_stale(then: fn()) {
    let (data, flag) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            data.store(1, Relaxed);
            flag.store(1, Release);
        });
        if flag.load(Acquire) == 1 && data.load(Relaxed) == 0 {
            then();
        }
    });
}

/// Waits for ever for a lock that it has itself.
fn blocks() {
    if_stale(|| {
        let lock = Mutex::new(());
        let (_held, _again) = (lock.lock(), lock.lock());
    });
}

fn panics() {
    if_stale(|| panic!("the data is not there"));
}

#[test]
fn the_class_as_in_figure_8_is_that_of_all_executions() {
    let programs =
        || Programs::new("both").program("blocks", blocks).program("panics", panics).progress(false);
    let first = weaken(programs());
    let store = |injections: &Injections| injections.injections[0].clone();
    assert_eq!((store(&first).class(), store(&first).classes), (Some(Class::Blocked), None), "{first}");
    let all = weaken(programs().classify(true));
    let of_store = store(&all);
    assert_eq!(of_store.classes, Some(vec![Class::BuiltIn, Class::Blocked]), "{all}");
    assert_eq!(of_store.class(), Some(Class::BuiltIn));
    assert_eq!(of_store.proof().map(|proof| proof.class), Some(Class::Blocked), "found first");
    assert!(all.json_lines().contains(r#""class":"built_in","classes":["built_in","blocked"]"#), "{all}");
    let of_survivors = all.injections.iter().filter(|injection| injection.proof().is_none());
    assert!(of_survivors.into_iter().all(|injection| injection.classes.is_none()));
}

/// One of two orders is enough: each of them can be weaker, but not both.
fn either_is_enough() {
    let (data, first, second) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            data.store(1, Relaxed);
            first.store(1, Release);
            second.store(1, Release);
        });
        let is_second = second.load(Acquire) == 1;
        if is_second && first.load(Acquire) == 1 {
            assert_eq!(data.load(Relaxed), 1);
        }
    });
}

#[test]
fn survivors_are_looked_at_all_at_once_too() {
    let injections =
        weaken(Programs::new("either").program("either_is_enough", either_is_enough).progress(false));
    assert_eq!(injections.unfound().count(), 4, "{injections}");
    let Some(InjectionResult::Found(proof)) = &injections.together else { panic!("{injections}") };
    assert_eq!((proof.program.as_str(), proof.class), ("either_is_enough", Class::BuiltIn));
    let text = injections.text(10_000);
    assert!(text.contains("the 4 survivors do not survive all at once: panic by either_is_enough"), "{text}");
    let line = r#"{"structure":"either","survivors_together":"found","survivors":4,"verdict":"panic","#;
    assert!(injections.json_lines().contains(line), "{}", injections.json_lines());
    let injections = weaken(programs());
    assert!(matches!(injections.together, Some(InjectionResult::Survived { .. })), "{injections}");
    assert!(injections.text(10_000).contains("all 3 survivors at once: the programs hold"), "{injections}");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let text = |jobs| weaken(programs().classify(true).jobs(jobs)).to_string();
    let json = |jobs| weaken(programs().classify(true).jobs(jobs)).json_lines();
    assert_eq!(text(1), text(5));
    assert_eq!(json(1), json(5));
}

#[test]
fn what_a_limit_leaves_open_is_no_survivor() {
    let bounded =
        weaken(Programs::new("bounded").program("put_take", put_take).executions_max(1).progress(false));
    assert_eq!(bounded.left_out.len(), 1, "one execution is not all: {bounded}");
}

#[test]
fn survivors_within_bounds_and_what_is_not_modelled_are_said() {
    let within = |name: &str| {
        let program = |builder: Builder| builder.spurious_failures(false).check(put_take);
        Programs::new(name).run("put_take", program).progress(false)
    };
    let injections = weaken(within("within"));
    assert!(injections.is_complete());
    assert_eq!(injections.scope.bounds, ["spurious failures off"]);
    let text = injections.text(10_000);
    assert!(text.contains("survived within bounds"), "{text}");
    assert!(
        text.contains("\nwithin: spurious failures off\nnot modelled by rc11: load buffering (RC11); "),
        "{text}"
    );
    assert!(text.ends_with(": hardware and C11 (2011) may need more\n"), "{text}");
    let json = injections.json_lines();
    assert!(json.contains(r#""result":"survived","found":false"#), "{json}");
    assert!(json.contains(r#""bounds":["spurious failures off"]"#), "{json}");
    let complete = weaken(programs());
    assert!(complete.scope.bounds.is_empty() && !complete.text(10_000).contains("within"), "{complete}");
}

#[test]
fn nothing_is_complete_without_programs_nor_with_what_is_not_reached() {
    let none = weaken(Programs::new("none").progress(false));
    assert!(!none.is_complete() && none.text(10_000).contains("no program took part"), "{none}");
    assert!(weaken(programs()).is_complete());
    let late = weaken(programs().duration_max(Duration::ZERO));
    assert!(!late.is_complete() && late.injections.is_empty());
    let left_out: Vec<_> =
        late.left_out.iter().map(|left_out| (&*left_out.program, left_out.verdict)).collect();
    let inconclusive = |name| (name, Verdict::Inconclusive);
    assert_eq!(left_out, ["put_take", "store_buffering", "waits_once"].map(inconclusive));
}

#[test]
fn programs_come_from_a_vec_an_array_or_an_iterator_of_functions_or_closures() {
    let names = |injections: &Injections| injections.injections.len();
    let of_vec = weaken(vec![("put_take", put_take as fn())]);
    let of_array = weaken([(String::from("put_take"), put_take)]);
    let of_closures: Programs = ["put_take"].into_iter().map(|name| (name, || put_take())).collect();
    assert_eq!((names(&of_vec), names(&of_array), names(&weaken(of_closures))), (3, 3, 3));
}

#[test]
fn a_program_that_does_not_hold_takes_no_part_and_is_named() {
    let injections = weaken(programs().program("waits", waits));
    assert_eq!(injections.injections.len(), 11);
    let text = injections.text(10_000);
    assert!(text.contains("the program waits took no part: it is livelock as it is written"), "{text}");
    assert!(!injections.is_complete());
    let line = r#"{"structure":"programs","left_out":"waits","verdict":"livelock"}"#;
    assert_eq!(injections.json_lines().lines().last(), Some(line));
}

#[test]
fn a_line_of_json_has_what_figure_8_needs() {
    let lines = weaken(programs()).json_lines();
    let first: serde_json::Value =
        serde_json::from_str(lines.lines().next().expect("a line")).expect("an object");
    assert_eq!(first["structure"], "programs");
    assert!(first["place"].as_str().is_some_and(|place| place.contains("weaken.rs:")), "{first}");
    assert_eq!(first["operation"], "put: state.store");
    assert_eq!((&first["from"], &first["to"]), (&"Release".into(), &"Relaxed".into()));
    assert_eq!((&first["found"], &first["class"]), (&true.into(), &"built_in".into()));
    assert_eq!((&first["program"], &first["reason"]), (&"put_take".into(), &serde_json::Value::Null));
    assert!(first["executions"].is_u64());
}

/// The store, in a macro.
macro_rules! publish {
    ($flag:expr) => {
        $flag.store(1, Release)
    };
}

#[test]
fn an_operation_in_a_macro_is_said_to_be_ambiguous() {
    let injections = weaken(
        Programs::new("macro")
            .program("publish", || {
                let flag = AtomicUsize::new(0);
                publish!(flag);
            })
            .progress(false),
    );
    assert_eq!(injections.injections.len(), 1);
    assert!(injections.injections[0].is_ambiguous);
    assert!(injections.text(10_000).contains("ambiguous: operations that share the place"), "{injections}");
}
