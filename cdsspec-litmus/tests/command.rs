//! The command line: what it prints for a file, under each memory model, and what it says of mistakes.

use std::process::{Command, Output};

fn litmus(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_litmus"));
    command.current_dir(env!("CARGO_TARGET_TMPDIR")).args(arguments).output().expect("it was built")
}

/// A file with this text; its name tells it from those of other tests.
fn file(name: &'static str, text: &str) -> &'static str {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(path, text).expect("the folder is there");
    name
}

/// The lines that it prints.
fn lines(arguments: &[&str]) -> Vec<String> {
    let Output { status, stdout, stderr } = litmus(arguments);
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8_lossy(&stdout).lines().map(str::to_owned).collect()
}

/// The first line of what it says when it fails.
fn mistake(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = litmus(arguments);
    assert!(!status.success() && stdout.is_empty());
    String::from_utf8_lossy(&stderr).lines().next().unwrap_or_default().to_owned()
}

const PASSING: &str =
    "name: MP\ninit: x=0 y=0\nT0: W x 1 rlx ; W y 1 rlx\nT1: R a y rlx ; R b x rlx\nshow: a b\n";

#[test]
fn each_memory_model_has_its_outcomes_of_a_file() {
    let file = file("models.litmus", PASSING);
    let rows = |engine, model: &[&str]| {
        let arguments = [&[file, "--engine", engine], model].concat();
        lines(&arguments).remove(0)
    };
    let explored = |model| lines(&[file, "--memory-model", model]).remove(0);
    let three = "a=0 b=0 | a=0 b=1 | a=1 b=1";
    let four = "a=0 b=0 | a=0 b=1 | a=1 b=0 | a=1 b=1";
    let head = |words: &str| format!("MP                           {words}");
    assert_eq!(
        rows("naive", &["--memory-model", "sc"]),
        head(&format!("naive sc   holds              13 states       3 executions     0 blocked   {three}"))
    );
    assert_eq!(
        rows("naive", &["--memory-model", "tso"]),
        head(&format!("naive tso  holds              23 states   {three}"))
    );
    assert_eq!(
        rows("naive", &["--memory-model", "pso"]),
        head(&format!("naive pso  holds              29 states   {four}"))
    );
    let rc11 =
        |engine, model| format!("{engine} {model}holds               4 executions     0 blocked   {four}");
    assert_eq!(rows("naive", &["--memory-model", "rc11"]), head(&rc11("naive", "rc11 ")));
    assert_eq!(rows("naive", &[]), head(&rc11("naive", "")));
    assert_eq!(rows("rc11", &[]), head(&rc11("rc11 ", "")));
    for (model, count, outcomes) in [("sc", 3, three), ("tso", 3, three), ("pso", 4, four)] {
        let row = format!("holds               {count} executions     0 blocked   {outcomes}");
        assert_eq!(explored(model), head(&format!("{model:<5} {model:<4} {row}")));
        assert_eq!(rows(model, &[]), head(&format!("{model:<5} {row}")));
    }
}

#[test]
fn a_row_is_json_and_names_the_memory_model_that_was_asked_for() {
    let text = format!(
        "{PASSING}name: LOOP\ninit: x=0\nT0: LOOP a 1 {{ R a x rlx }}\nT1: W x 1 rlx\nshow: a\n\
         name: WAIT\ninit: x=0\nT0: AWAIT a x 1 rlx\nshow: a\n\
         name: NA\ninit: x=0\nT0: W x 1 na\nshow: x\n"
    );
    let file = file("json.litmus", &text);
    let on_sc = lines(&[file, "--json", "--engine", "naive", "--memory-model", "sc"]);
    let expected = [
        r#"{"name":"MP","engine":"naive","memory_model":"sc","states":13,"executions":3,"blocked":0,"counts":{"a=0 b=0":1,"a=0 b=1":1,"a=1 b=1":1},"outcomes":["a=0 b=0","a=0 b=1","a=1 b=1"],"cut":false,"verdict":"holds"}"#,
        r#"{"name":"LOOP","engine":"naive","memory_model":"sc","states":18,"outcomes":["a=1"],"cut":true,"verdict":"holds_within"}"#,
        r#"{"name":"WAIT","engine":"naive","memory_model":"sc","states":1,"executions":0,"blocked":1,"counts":{},"outcomes":[],"cut":true,"verdict":"deadlock"}"#,
        r#"{"name":"NA","engine":"naive","memory_model":"sc","refused":"`x` has `na` accesses: the operational machines know no data races"}"#,
    ];
    assert_eq!(on_sc, expected);
    let rc11 = r#"{"name":"NA","engine":"rc11","executions":1,"blocked":0,"outcomes":["x=1"],"counts":{"x=1":1},"cut":false,"verdict":"holds"}"#;
    assert_eq!(lines(&[file, "--json"]).last().map(String::as_str), Some(rc11));
    let named = rc11.replace("\"holds\"}", "\"holds\",\"memory_model\":\"rc11\"}");
    assert_eq!(lines(&[file, "--json", "--memory-model", "rc11"]).last(), Some(&named));
}

#[test]
fn what_is_asked_for_in_the_wrong_way_is_said() {
    let file = file("mistakes.litmus", PASSING);
    let table: [(&[&str], &str); 9] = [
        (
            &[],
            "usage: cargo xtask litmus FILE [--memory-model rc11|sc|tso|pso] [--engine loom|both|naive] [--json]",
        ),
        (&["none.litmus"], "none.litmus: No such file or directory (os error 2)"),
        (&[file, "--memory-model", "x86"], "`x86` is no memory model: rc11, sc, tso or pso"),
        (&[file, "--memory-model"], "`` is no memory model: rc11, sc, tso or pso"),
        (&[file, "--memory-model", "tso", "--engine", "pso"], "`--engine pso` has another memory model"),
        (&[file, "--engine", "loom", "--memory-model", "sc"], "`--engine loom` has another memory model"),
        (&[file, "--engine", "genmc"], "`genmc` is no engine: rc11, sc, tso, pso, loom, both or naive"),
        (
            &["--random-loops", "1", "--memory-model", "sc"],
            "`--memory-model` does not go with `--random-loops`",
        ),
        (&[file, "--models"], "`--models` is no option"),
    ];
    for (arguments, message) in table {
        assert_eq!(mistake(arguments), message, "{arguments:?}");
    }
}
