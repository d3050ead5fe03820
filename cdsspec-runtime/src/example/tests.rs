//! The command line of an example.

use super::{Example, Expected, Overrides};
use crate::cell::UnsafeCell;
use crate::check::Verdict;
use crate::sync::atomic::{
    AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};
use crate::thread;
use expect_test::expect;

struct Shared(UnsafeCell<u32>);

// SAFETY: it is not sound: that is what is looked for, and the engine stops before the second access.
unsafe impl Sync for Shared {}

fn good() {
    let counter = AtomicU32::new(0);
    thread::scope(|scope| {
        scope.spawn(|| counter.fetch_add(1, Relaxed));
    });
    assert_eq!(counter.load(Relaxed), 1);
}

fn bad() {
    let shared = Shared(UnsafeCell::new(0));
    let shared = &shared;
    thread::scope(|scope| {
        for value in [1, 2] {
            // SAFETY: as above.
            scope.spawn(move || shared.0.with_mut(|cell| unsafe { *cell = value }));
        }
    });
}

fn example() -> Example {
    Example::new("stack")
        .program("push_pop", Expected::Holds, |builder| builder.check(good))
        .seeded_bug("stale_pop", Verdict::Race, |builder| builder.check(bad))
        .seeded_bug("missed", Verdict::Panic, |builder| builder.check(good))
}

fn run_example(arguments: &[&str]) -> (Option<bool>, String) {
    let mut output = Vec::new();
    let arguments = arguments.iter().map(|&argument| argument.to_owned());
    match example().run(arguments, &mut output) {
        Ok(is_expected) => (Some(is_expected), String::from_utf8(output).unwrap()),
        Err(error) => (None, error.to_string()),
    }
}

#[test]
fn an_example_prints_a_table_and_the_report_of_its_first_seeded_bug() {
    let (is_expected, text) = run_example(&[]);
    assert_eq!(is_expected, Some(false));
    let table: Vec<_> = text.lines().take(5).collect();
    expect![[r#"
        program         verdict        executions  inadmissible  shapes  histories  seconds
        --------------  -------------  ----------  ------------  ------  ---------  -------
        push_pop        holds          1           0             1       0          0.00
        bug: stale_pop  race           1           0             0       0          0.00
        bug: missed     holds          1           0             1       0          0.00"#]]
    .assert_eq(&table.join("\n"));
    assert!(text.contains("\nseeded bug stale_pop\n\nrace: "), "{text}");
    assert!(text.contains("\nseeded bug missed\n\nholds: "), "{text}");
    assert!(!text.contains("\nprogram push_pop\n"), "{text}");
}

#[test]
fn an_example_runs_what_is_named() {
    let (is_expected, text) = run_example(&["push_pop"]);
    assert_eq!(is_expected, Some(true));
    assert!(text.contains("\nprogram push_pop\n\nholds: no fault in 1 execution"), "{text}");
    assert!(!text.contains("stale_pop"), "{text}");
    assert_eq!(run_example(&["--list"]), (Some(true), "push_pop\nstale_pop\nmissed\n".to_owned()));
}

#[test]
fn a_command_line_that_means_nothing_is_refused() {
    let rows: [(&[&str], &str); 13] = [
        (&["pop"], "invalid value 'pop' for '[PROGRAM]...'"),
        (&["--lst"], "unexpected argument '--lst' found"),
        (&["--engine", "foo"], "[possible values: rc11, random, loom, default]"),
        (&["--weaken", "--engine", "loom"], "cannot be used with"),
        (&["--advise", "--from", "published"], "[possible values: written, relaxed]"),
        (&["--weaken", "--advise"], "cannot be used with"),
        (&["--jobs", "2"], "required arguments were not provided"),
        (&["--weaken", "--from", "relaxed"], "cannot be used with"),
        (&["--advise", "--classify"], "cannot be used with"),
        (&["--advise", "--from"], "a value is required for '--from <BASE>'"),
        (&["--from", "relaxed"], "required arguments were not provided"),
        (&["--classify"], "required arguments were not provided"),
        (&["--advise", "--jobs", "0"], "invalid value '0' for '--jobs <N>'"),
    ];
    for (arguments, expected) in rows {
        let (is_expected, text) = run_example(arguments);
        assert_eq!(is_expected, None, "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn help_says_what_there_is() {
    let (is_expected, text) = run_example(&["--help"]);
    assert_eq!(is_expected, Some(true));
    expect![[r#"
        Checks the programs of this example, and finds its seeded bugs

        Usage: stack [OPTIONS] [PROGRAM]...

        Arguments:
          [PROGRAM]...  What to run, and to show in full [default: all; --list has the names]

        Options:
              --list                    Lists the programs, the bugs, and what is specified
              --explore                 Checks generated tests of what the structure can be asked to do
              --json                    Prints one JSON object a line
              --engine <E>              Who explores: rc11, random, loom, or default
              --memory-model <M>        Which executions there are: rc11, sc, tso, or pso
              --weaken                  Weakens every memory order by a step: which of these are found?
              --classify                With --weaken: in the class of the worst that any execution shows
              --advise                  Looks for the weakest orders with which the programs hold
              --from <BASE>             With --advise: from written orders, or relaxed
              --jobs <N>                With --weaken or --advise: on so many cores [default: all]
              --uninitialised <on|off>  Looks for uses of uninitialised memory
              --freed <on|off>          Looks for uses of freed memory
          -h, --help                    Print help
    "#]]
    .assert_eq(&text);
}

#[test]
fn what_is_to_be_named_is_left_out_where_nothing_is() {
    let long = || Example::new("stack").holds("good", good).holds("long", good).when_named();
    // Only of the other one are there counts to be found.
    let test = || long().comes_to([9; 5]).test();
    let message = panic_text(test);
    assert!(message.contains(r#"left: [("good", Some(["#) && !message.contains("long"), "{message}");
    for (named, count) in [(&[][..], 1), (&["long"], 1), (&["good", "long"], 2)] {
        let arguments = ["--json"].iter().chain(named).map(|&argument| argument.to_owned());
        let mut output = Vec::new();
        assert!(long().run(arguments, &mut output).unwrap());
        assert_eq!(String::from_utf8(output).unwrap().lines().count(), count, "{named:?}");
    }
}

/// What a panic says.
fn panic_text(run: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("it panics");
    panic.downcast_ref::<String>().expect("it has a text").clone()
}

#[test]
fn an_example_is_held_to_what_is_said_of_its_programs() {
    let of = |counts| Example::new("stack").holds("good", good).comes_to(counts);
    of([1, 0, 0, 1, 0]).finds("missed", "good", Expected::Holds).test();
    let message = panic_text(|| of([2, 0, 0, 1, 0]).test());
    assert!(message.contains("what the programs come to"), "{message}");
    assert!(message.contains(r#"left: [("good", Some([1, 0, 0, 1, 0]))]"#), "{message}");
    let unsaid = panic_text(|| Example::new("stack").holds("good", good).test());
    assert!(unsaid.contains(r#"right: [("good", None)]"#), "{unsaid}");
    let wrong = panic_text(|| of([1, 0, 0, 1, 0]).finds("missed", "good", Verdict::Race).test());
    assert!(wrong.starts_with("missed: race expected"), "{wrong}");
}

#[test]
fn a_program_and_the_bugs_that_it_shows_are_set_up_alike() {
    let limited = Example::new("stack").holds("good", good).set_up(|builder| builder.executions_max(0));
    let message = panic_text(|| limited.finds("missed", "good", Verdict::Inconclusive).test());
    assert!(message.starts_with("good: holds or holds_within expected"), "{message}");
    let inconclusive = Example::new("stack")
        .program("good", Verdict::Inconclusive, |builder| builder.check(good))
        .set_up(|builder| builder.executions_max(0));
    inconclusive.finds("missed", "good", Verdict::Inconclusive).test();
}

#[test]
fn orders_of_an_example_fail_where_something_is_left_open() {
    for option in ["--weaken", "--advise"] {
        let (is_complete, text) = run_example(&[option]);
        assert_eq!(is_complete, Some(true), "{text}");
        let (is_complete, text) = run_example(&[option, "stale_pop"]);
        assert_eq!(is_complete, Some(false), "a seeded bug takes no part: {text}");
        let failing = Example::new("bad").holds("bad", bad);
        let mut output = Vec::new();
        let is_complete = failing.run([option.to_owned()], &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(!is_complete, "it is left out, or hopeless: {text}");
    }
}

/// A value is handed over.
fn hand_over() {
    let (data, flag) = (AtomicU32::new(0), AtomicU32::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            data.store(1, Relaxed);
            flag.store(1, Release);
        });
        assert!(flag.load(Acquire) == 0 || data.load(Relaxed) == 1);
    });
}

#[test]
fn advice_begins_from_what_is_asked_for() {
    let run = |arguments: &[&str]| {
        let mut output = Vec::new();
        let arguments = arguments.iter().map(|&argument| argument.to_owned());
        let example = Example::new("flag").holds("hand_over", hand_over).orders("weak", Overrides::relaxed);
        let result = example.run(arguments, &mut output);
        result
            .map(|is_complete| (is_complete, String::from_utf8(output).unwrap()))
            .map_err(|error| error.to_string())
    };
    let (is_complete, text) = run(&["--advise", "--from", "relaxed"]).unwrap();
    assert!(is_complete && text.contains("flag: 2 of 4 orders must be stronger"), "{text}");
    assert!(text.contains("begun from: every order Relaxed, and no fences\n"), "{text}");
    assert!(text.contains("That is what is written: there is nothing to patch.\n"), "{text}");
    assert!(
        text.contains("not shown: 2 orders that are written as weak as can be, and may stay so"),
        "{text}"
    );
    let (is_complete, lines) = run(&["--advise", "--from", "weak", "--json"]).unwrap();
    let line = lines.lines().find(|line| line.contains("data.load") || line.contains("flag.store")).unwrap();
    assert!(is_complete && lines.lines().count() == 4, "{lines}");
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let fields = ["written", "from", "needed", "change"].map(|key| line[key].to_string());
    assert_eq!(fields, [r#""Release""#, r#""Relaxed""#, r#""Release""#, "true"]);
    assert_eq!(line["refuted"][0]["program"], "hand_over");
    let (_, text) = run(&["--advise", "--from", "written"]).unwrap();
    assert!(text.contains("flag: none of 4 orders can be weaker") && !text.contains("begun from"), "{text}");
}

#[test]
fn an_example_prints_one_json_object_a_line() {
    let (is_expected, text) = run_example(&["--json"]);
    assert_eq!(is_expected, Some(false));
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["program"], "push_pop");
    assert_eq!(lines[0].get("seeded_bug"), None);
    let bug = |line: &serde_json::Value| {
        ["seeded_bug", "expected", "verdict", "found"].map(|key| line[key].to_string()).join(" ")
    };
    assert_eq!(bug(&lines[1]), r#""stale_pop" "race" "race" true"#);
    assert_eq!(bug(&lines[2]), r#""missed" "panic" "holds" false"#);
    assert_eq!(lines[0].get("report"), None);
    assert_eq!(lines[1]["report"]["finding"]["kind"], "race");
    for key in [
        "program",
        "engine",
        "verdict",
        "executions",
        "complete",
        "blocked",
        "inadmissible",
        "shapes",
        "histories",
        "seconds",
        "bounds",
    ] {
        assert!(lines.iter().all(|line| line.get(key).is_some()), "{key}");
    }
}
