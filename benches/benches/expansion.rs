//! What the attributes cost the compiler: `cargo check` of a crate with 200 specified methods against one with 50, in both builds, the macro crate
//! unoptimised, as users have it.
//!
//! What the methods add to a crate with one method must grow as their number does: 199 of them take 4.1 times the time of 49 where it is linear, and
//! 16 times where it is quadratic. More than [`RATIO_MAX`] is an error, and so is a whole time above the limit of the build. Times are those of the
//! processor. The crates take turns, and the fastest of each are compared, since whatever else the machine does only adds.

mod child;

use child::{children_seconds, root, write_crate};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const ROUNDS: usize = 5;
const COUNTS: [usize; 3] = [1, 50, 200];
const RATIO_MAX: f64 = 6.0;

/// A build, and how long that of 200 methods may take.
struct Build {
    name: &'static str,
    features: &'static [&'static str],
    /// Whether each tenth method has a rule, and looks at concurrent calls.
    is_linked: bool,
    seconds_max: f64,
}

const CHECK: &[&str] = &["--features", "check"];
const BUILDS: [Build; 3] = [
    Build { name: "plain", features: &[], is_linked: false, seconds_max: 0.4 },
    Build { name: "check", features: CHECK, is_linked: false, seconds_max: 1.5 },
    Build { name: "check, with rules", features: CHECK, is_linked: true, seconds_max: f64::INFINITY },
];

fn main() -> ExitCode {
    let krate = empty_crate();
    println!("| build | 1 method | 50 | 200 | what 199 add to what 49 add |");
    println!("|---|---|---|---|---|");
    let mut is_ok = true;
    for build in &BUILDS {
        let [one, some, many] = measure(&krate, build);
        let ratio = (many - one) / (some - one);
        println!("| {} | {one:.2} s | {some:.2} s | {many:.2} s | {ratio:.1} |", build.name);
        if ratio > RATIO_MAX || many > build.seconds_max {
            println!("{}: above {RATIO_MAX}, or above {} s: too much", build.name, build.seconds_max);
            is_ok = false;
        }
    }
    if is_ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The fastest times of the crates with each number of methods, in seconds.
fn measure(krate: &Path, build: &Build) -> [f64; COUNTS.len()] {
    let mut fastest = [f64::INFINITY; COUNTS.len()];
    for round in 0..=ROUNDS {
        for (index, count) in COUNTS.into_iter().enumerate() {
            fs::write(krate.join("src/lib.rs"), source(count, build.is_linked))
                .expect("the target folder can be written to");
            let begin = children_seconds();
            check(krate, build);
            let seconds = children_seconds() - begin;
            // The first round builds the dependencies.
            if round > 0 {
                fastest[index] = fastest[index].min(seconds);
            }
        }
    }
    fastest
}

fn check(krate: &Path, build: &Build) {
    let mut command = Command::new(env!("CARGO"));
    command.args(["check", "--quiet", "--offline"]).args(build.features).current_dir(krate);
    command.env("CARGO_TARGET_DIR", krate.join("target")).env("CARGO_INCREMENTAL", "0");
    let status = command.status().expect("cargo can be run");
    assert!(status.success(), "the generated crate does not compile");
}

/// An empty crate that depends on this workspace.
fn empty_crate() -> PathBuf {
    let root = root();
    let sections =
        format!("[features]\ncheck = [\"cdsspec/check\"]\n[dependencies]\ncdsspec = {{ path = {root:?} }}\n");
    write_crate("expansion", &sections)
}

/// A queue with this many methods: they put in and take out by turns.
fn source(count: usize, is_linked: bool) -> String {
    let is_linked = |index: usize| is_linked && index % 10 == 1;
    let rule = |index: usize| format!("#[admit(call_{index} <-> call_{index}, m1.c_ret.is_none())]\n");
    let rules: String = (0..count).filter(|index| is_linked(*index)).map(rule).collect();
    let methods: String = (0..count).map(|index| method(index, is_linked(index))).collect();
    format!(
        "#![allow(dead_code)]\nuse cdsspec::sync::atomic::{{AtomicU32, Ordering::*}};\nuse std::collections::VecDeque;\n\
         pub struct Queue {{ cell: AtomicU32 }}\n\
         #[cdsspec::spec]\n#[declare_state(q: VecDeque<u32>)]\n{rules}impl Queue {{\n{methods}}}\n"
    )
}

fn method(index: usize, is_linked: bool) -> String {
    let concurrent =
        if is_linked { format!(" || concurrent.call_{index}().next().is_some()") } else { String::new() };
    if index.is_multiple_of(2) {
        format!(
            "#[side_effect(q.push_back(value))]
             #[post_condition(!q.is_empty())]
             pub fn call_{index}(&self, value: u32) -> bool {{
                 loop {{
                     let old = self.cell.load(Acquire);
                     #[op_define(done)]
                     let done = self.cell.compare_exchange(old, value, AcqRel, Relaxed).is_ok();
                     if done {{ return true; }}
                 }}
             }}\n"
        )
    } else {
        format!(
            "#[side_effect(q.pop_front())]
             #[justifying_post_condition(c_ret.is_some() || s_ret.is_none(){concurrent})]
             pub fn call_{index}(&self) -> Option<u32> {{
                 #[op_clear_define]
                 let value = self.cell.swap(0, AcqRel);
                 if value == 0 {{ None }} else {{ Some(value) }}
             }}\n"
        )
    }
}
