//! What the command says of files, and its exit codes.

use expect_test::expect;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of this test's own, with this text.
fn file(name: &str, text: &str) -> PathBuf {
    bytes(name, text.as_bytes())
}

fn bytes(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("it can be written");
    path
}

fn linearize(path: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-cdsspec"));
    command.args(["cdsspec", "linearize"]).arg(path).args(arguments).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("it is text")
}

/// A call of a stack.
fn call(thread: u8, op: &str, argument: &str, result: &str, invoked: u8, returned: &str) -> String {
    format!(
        "{{\"thread\": {thread}, \"op\": \"{op}\", \"argument\": {argument}, \"result\": {result}, \
         \"invoked\": {invoked}, \"returned\": {returned}}}"
    )
}

fn stack(calls: &[String]) -> String {
    format!("{{\"model\": \"stack\", \"calls\": [{}]}}\n", calls.join(", "))
}

/// The second `pop` returns what lies below the other value.
fn broken() -> String {
    stack(&[
        call(0, "push", "1", "null", 1, "3"),
        call(1, "push", "2", "null", 2, "4"),
        call(2, "pop", "null", "null", 5, "null"),
        call(0, "push", "3", "null", 6, "7"),
        call(0, "pop", "null", "1", 8, "10"),
        call(1, "pop", "null", "1", 9, "11"),
    ])
}

fn good() -> String {
    stack(&[call(0, "push", "1", "null", 1, "3"), call(1, "pop", "null", "1", 2, "4")])
}

#[test]
fn a_refusal_says_which_call_and_shows_it() {
    let path = file("broken.jsonl", &(good() + &broken()));
    let output = linearize(&path, &[]);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), ""));
    expect![[r#"
        linearizable: history 1, of a stack, line 1, 2 calls
        not linearizable: history 2, of a stack, line 2, 6 calls

          call    #5 pop() -> 1 of thread 1
          prefix  the 10 events before its return are linearizable, with the return not
          order   #0 push(1), #1 push(2), #3 push(3), #2 pop() pending, #5 pop() pending, #4 pop() -> 1
          tried   41 steps, and no order explains it

          #0 thread 0: push(1)        |---|
          #1 thread 1: push(2)          |---|
          #2 thread 2: pop() pending          |--------------
          #3 thread 0: push(3)                  |-|
          #4 thread 0: pop() -> 1                   |---|
          #5 thread 1: pop() -> 1                     |---|  <- not this

    "#]]
    .assert_eq(&text(&output.stdout));
}

#[test]
fn json_has_an_object_a_history() {
    let output = linearize(&file("both.jsonl", &(good() + &broken())), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let good = json!({
        "linearizable": true, "line": 1, "model": "stack", "calls": 2, "witness": [0, 1], "steps": 4,
    });
    let broken = json!({
        "linearizable": false, "line": 2, "model": "stack", "calls": 6, "call": 5, "prefix_events": 10,
        "prefix_is_longest": true, "prefix_witness": [0, 1, 3, 2, 5, 4], "part": [0, 1, 2, 3, 4, 5], "steps": 41,
    });
    assert_eq!(lines, [good, broken]);
}

#[test]
fn a_limit_is_no_pass_and_says_where() {
    let path = file("limit.jsonl", &good());
    assert_eq!(linearize(&path, &["--steps-max", "100"]).status.code(), Some(0));
    let output = linearize(&path, &["--steps-max", "2"]);
    assert_eq!(output.status.code(), Some(3));
    expect![[r#"
        inconclusive: history 1, of a stack, line 1, 2 calls

          limit   2 steps (--steps-max)
          where   1 call of 2 could be placed
          prefix  what returned before moment 4 is linearizable
          order   #0 push(1)

    "#]]
    .assert_eq(&text(&output.stdout));
    let output = linearize(&path, &["--steps-max", "2", "--json"]);
    let line: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&line["linearizable"], &line["limit"]), (&Value::Null, &Value::from("steps")));
    // What is refused outweighs it.
    let path = file("limit-and-refusal.jsonl", &(good() + &stack(&[call(0, "pop", "null", "1", 1, "2")])));
    assert_eq!(linearize(&path, &["--steps-max", "2"]).status.code(), Some(1));
}

#[test]
fn edn_by_its_name_and_by_its_look() {
    let history = "{:process 0, :type :invoke, :f :write, :value 1}\n{:process 0, :type :ok, :f :write, :value 1}\n\
                   {:process 1, :type :invoke, :f :read}\n{:process 1, :type :ok, :f :read, :value 1}\n";
    for name in ["register.edn", "register.txt"] {
        let path = file(name, history);
        let output = linearize(&path, &["--model", "register"]);
        assert_eq!(text(&output.stdout), "linearizable: history 1, of a register, line 1, 2 calls\n");
        assert_eq!(output.status.code(), Some(0));
        let output = linearize(&path, &["--model", "register", "--initial", "1", "--json"]);
        assert_eq!(output.status.code(), Some(0));
        let output = linearize(&path, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).ends_with("EDN does not say what it is of: give --model\n"));
    }
}

#[track_caller]
fn assert_refused(path: &Path, arguments: &[&str], expected: &str) {
    let output = linearize(path, arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    assert_eq!(output.stdout, b"", "nothing is judged");
}

#[test]
fn bad_input_is_refused_whole() {
    let path = file("cut.jsonl", &(good() + &broken()[..80]));
    assert_refused(&path, &[], "cut.jsonl:2:");
    assert_refused(&file("none.jsonl", "\n"), &[], "none.jsonl:1:1: there is no history in this file");
    assert_refused(Path::new("not-there.jsonl"), &[], "not-there.jsonl: ");
    let path = file("other.jsonl", &good());
    assert_refused(
        &path,
        &["--model", "queue"],
        "other.jsonl:1:11: the line is about the model stack, and queue is asked for",
    );
    assert_refused(&path, &["--model", "heap"], "invalid value 'heap'");
    assert_refused(&path, &["--initial", "{"], "--initial {: ");
    assert_refused(&path, &["--steps-max", "some"], "invalid value 'some'");
    assert_refused(&path, &["--initial", "1"], "other.jsonl:1:11: the model stack has no value at first");
    let path = bytes("latin.jsonl", &[b"\n", good().as_bytes(), b"{\"\xE9\": 1}"].concat());
    assert_refused(&path, &[], "latin.jsonl:3:3: this is no UTF-8: byte 0xe9");
}

#[test]
fn a_mark_of_the_order_of_bytes_is_passed_over() {
    for name in ["mark.jsonl", "mark.txt"] {
        let output = linearize(&file(name, &format!("\u{feff}{}", good())), &[]);
        assert_eq!(text(&output.stdout), "linearizable: history 1, of a stack, line 1, 2 calls\n");
    }
}

/// The block of README is what the command prints.
#[test]
fn readme_shows_what_is_printed() {
    let path = file(
        "readme.jsonl",
        &stack(&[
            call(0, "push", "1", "null", 1, "2"),
            call(1, "push", "2", "null", 3, "4"),
            call(0, "push", "3", "null", 5, "7"),
            call(1, "pop", "null", "3", 6, "8"),
            call(1, "pop", "null", "1", 9, "10"),
        ]),
    );
    let printed = text(&linearize(&path, &[]).stdout);
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(readme).expect("it is there");
    let (_, block) = readme.split_once("<!-- linearize -->\n```text\n").expect("there is a block");
    let (block, _) = block.split_once("```\n<!-- /linearize -->").expect("it has an end");
    assert_eq!(block, printed.trim_end_matches('\n').to_owned() + "\n");
}
