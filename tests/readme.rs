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
const BEGIN: &str = "<!-- report -->\n```text\n";
const END: &str = "```\n<!-- /report -->";

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

#[test]
fn the_report_is_the_one_that_the_example_prints() {
    let (before, rest) = README.split_once(BEGIN).expect("README has a report");
    let (shown, after) = rest.split_once(END).expect("the report has an end");
    let report = report();
    if shown == report {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(PATH, format!("{before}{BEGIN}{report}{END}{after}")).expect("README can be written");
        return;
    }
    panic!(
        "README shows another report; `UPDATE_EXPECT=1 cargo test --test readme` writes this one:\n{report}"
    );
}

#[test]
fn the_two_commands_are_there() {
    let manifest = include_str!("../Cargo.toml");
    assert!(README.contains("```sh\ncargo run --release --example blocking_queue\ncargo test\n```"));
    assert!(manifest.contains("[[example]]\nname = \"blocking_queue\""));
}
