//! What README shows is what there is. `UPDATE_EXPECT=1` writes the report anew.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]
#![allow(dead_code, reason = "of the example, one program and one seeded bug are used")]

#[path = "../examples/blocking_queue/deterministic.rs"]
mod deterministic;
#[path = "../examples/blocking_queue/node.rs"]
mod node;
#[path = "../examples/blocking_queue/program.rs"]
mod program;
#[path = "../examples/blocking_queue/queue.rs"]
mod queue;
#[path = "../examples/blocking_queue/seed.rs"]
mod seed;

use cdsspec::Builder;
use seed::Seed;
use std::sync::atomic::Ordering::Relaxed;

const README: &str = include_str!("../README.md");
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
/// The report of the seeded bug, as the example prints it.
fn report() -> String {
    let program = || {
        let seed = Seed { enq_link_exchange: Relaxed, ..Seed::CORRECT };
        program::enq__deq::<queue::Queue>(seed);
    };
    // The thread has no name: outside a test, there is no test to run again.
    let run = std::thread::spawn(move || Builder::new().name("relaxed_link_exchange").check(program));
    run.join().expect("a check does not panic").report().replace("tests/../", "")
}

/// What the vocabulary says of verdicts.
fn verdicts() -> String {
    let rows =
        cdsspec_vocabulary::VERDICTS.iter().map(|row| format!("| `{}` | {} |\n", row.word, row.remedy));
    format!("| verdict, worst first | what to do |\n|---|---|\n{}", rows.collect::<String>())
}

/// A word that is a link of rustdoc, without where it leads.
fn without_link(word: &str) -> String {
    match word.strip_prefix('[').and_then(|rest| rest.split_once("](")) {
        Some((text, target)) => format!("{text}{}", &target[target.find(')').map_or(0, |end| end + 1)..]),
        None => word.to_owned(),
    }
}

/// What it says of settings.
fn settings(rows: &[cdsspec_vocabulary::Setting]) -> String {
    let row = |row: &cdsspec_vocabulary::Setting| {
        let words: Vec<String> =
            cdsspec_vocabulary::first_sentence(row.text).split_whitespace().map(without_link).collect();
        let cdsspec_vocabulary::Setting { name, variable, default, .. } = row;
        format!("| `{name}` | `{variable}` | {default} | {} |\n", words.join(" "))
    };
    let rows: String = rows.iter().map(row).collect();
    format!("| argument, method | variable | default | |\n|---|---|---|---|\n{rows}")
}

/// README with this text between the marks of this name.
fn with_block(readme: &str, name: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = readme.split_once(&begin).expect("README has the block");
    let (_, after) = rest.split_once(&end).expect("the block has an end");
    format!("{before}{begin}{text}{end}{after}")
}

#[test]
fn the_report_and_the_tables_are_what_there_is() {
    let report = format!("```text\n{}```\n", report());
    let blocks = [
        ("report", report),
        ("verdicts", verdicts()),
        ("settings", settings(cdsspec_vocabulary::SETTINGS)),
        ("search settings", settings(cdsspec_vocabulary::SEARCH_SETTINGS)),
    ];
    let expected =
        blocks.iter().fold(README.to_owned(), |readme, (name, text)| with_block(&readme, name, text));
    if README == expected {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(PATH, expected).expect("README can be written");
        return;
    }
    for (name, text) in blocks {
        let shows_it = with_block(README, name, &text) == README;
        assert!(
            shows_it,
            "README shows another block `{name}`; `UPDATE_EXPECT=1 cargo test --test all readme` writes this one:\n{text}"
        );
    }
}

#[test]
fn the_two_commands_are_there() {
    let manifest = include_str!("../Cargo.toml");
    assert!(README.contains("```sh\ncargo run --release --example blocking_queue\ncargo test\n```"));
    assert!(manifest.contains("[[example]]\nname = \"blocking_queue\""));
}

#[test]
fn the_docs_of_test_have_every_setting() {
    let facade = include_str!("../src/lib.rs");
    let is_there = |name: &str| facade.contains(&format!("`{name}`"));
    let settings = cdsspec_vocabulary::SETTINGS.iter().chain(cdsspec_vocabulary::SEARCH_SETTINGS);
    let missing: Vec<&str> = settings.map(|row| row.name).filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "the table of arguments lacks {missing:?}");
}
