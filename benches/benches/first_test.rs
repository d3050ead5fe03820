//! What the first `cargo test` of a small crate costs, from an empty target folder: a queue that is checked by cdsspec, against the same queue with a
//! test on loom.
//!
//! Times are those of the processor, of all that cargo runs: dependencies, the crate, its test. The crates take turns, and the fastest of each are
//! compared, since whatever else the machine does only adds. More than [`RATIO_MAX`] is an error.
//!
//! Nothing is built incrementally. Cargo never does that for packages of a registry, and does it for those of a folder, so that it would measure what
//! only those pay who work on cdsspec itself.

mod child;

use child::{children_seconds, root, write_crate};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const ROUNDS: usize = 3;
const RATIO_MAX: f64 = 2.0;

fn main() -> ExitCode {
    let crates = [here(), on_loom()];
    let mut fastest = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        for (krate, fastest) in crates.iter().zip(&mut fastest) {
            *fastest = fastest.min(first_test(krate));
        }
    }
    let [here, on_loom] = fastest;
    let ratio = here / on_loom;
    println!("| the first `cargo test` of a small crate | with cdsspec | with loom | ratio |");
    println!("|---|---|---|---|");
    println!("| seconds of the processor | {here:.1} | {on_loom:.1} | {ratio:.2} |");
    if ratio > RATIO_MAX {
        println!("above {RATIO_MAX}: too much");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Tests a crate of which nothing is built.
fn first_test(krate: &Path) -> f64 {
    let target = krate.join("target");
    if target.exists() {
        fs::remove_dir_all(&target).expect("the target folder can be written to");
    }
    let begin = children_seconds();
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--quiet", "--offline"]).current_dir(krate);
    command.env("CARGO_TARGET_DIR", target).env("CARGO_INCREMENTAL", "0");
    let output = command.output().expect("cargo can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "the test of {krate:?} fails: {text}");
    children_seconds() - begin
}

/// A crate with cdsspec, as the README says.
fn here() -> PathBuf {
    let root = root();
    let sections = format!(
        "[dependencies]\ncdsspec = {{ path = {root:?} }}\n[dev-dependencies]\ncdsspec = {{ path = {root:?}, features = [\"check\"] }}\n"
    );
    let uses = "use cdsspec::{sync::Mutex, sync::Arc, thread};\n";
    let attributes = "#[cdsspec::spec]\n#[declare_state(q: VecDeque<u32>)]";
    let push = "#[side_effect(q.push_back(value))]";
    let pop = "#[side_effect(q.pop_front())]";
    let test = "#[cdsspec::test]\nfn push__pop() { program() }\n";
    with_queue(
        "first_test_here",
        &sections,
        &format!("{uses}{}{test}", queue(attributes, push, pop, "#[op_define]")),
    )
}

/// The same crate with loom alone.
fn on_loom() -> PathBuf {
    let uses = "use loom::{sync::Mutex, sync::Arc, thread};\n";
    let test = "#[test]\nfn push_pop() { loom::model(program) }\n";
    let sections = "[dependencies]\nloom = \"0.7\"\n";
    with_queue("first_test_on_loom", sections, &format!("{uses}{}{test}", queue("", "", "", "")))
}

fn with_queue(name: &str, sections: &str, source: &str) -> PathBuf {
    let krate = write_crate(name, sections);
    fs::write(krate.join("src/lib.rs"), source).expect("the target folder can be written to");
    krate
}

/// A queue under a lock, and a program of two threads.
fn queue(attributes: &str, push: &str, pop: &str, mark: &str) -> String {
    format!(
        "use std::collections::VecDeque;
         pub struct Queue(Mutex<VecDeque<u32>>);
         {attributes}
         impl Queue {{
             {push}
             pub fn push(&self, value: u32) {{ {mark} self.0.lock().unwrap().push_back(value); }}
             {pop}
             pub fn pop(&self) -> Option<u32> {{ {mark} let value = self.0.lock().unwrap().pop_front(); value }}
         }}
         pub fn program() {{
             let queue = Arc::new(Queue(Mutex::new(VecDeque::new())));
             let other = queue.clone();
             let thread = thread::spawn(move || other.push(1));
             queue.pop();
             thread.join().unwrap();
         }}\n"
    )
}
