//! Breaks the engine and the check one condition at a time: each mutant must turn some test red.
//!
//! Run by hand, not by CI: each mutant is a build of its own. The workspace is copied into the target folder and changed there.

use crate::Outcome;
use crate::source::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A condition of the exploration, and how it is broken.
struct Mutant {
    name: &'static str,
    /// What is broken.
    text: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

const EXPLORATION: &str = "exploration.rs";
const REVISIT: &str = "revisit.rs";
const CONSISTENCY: &str = "consistency.rs";
const COUNT: &str = "count.rs";
const THREAD: &str = "thread.rs";
const STATE: &str = "state.rs";
const OBJECTS: &str = "../../record/objects.rs";
const OBJECT: &str = "../../port/object.rs";
const TOTAL_ORDERS: &str = "../../relation/total.rs";
const ORDER: &str = "../../relation/order.rs";
const TOTAL_CHECK: &str = "../../check/total.rs";

const MUTANTS: [Mutant; 36] = [
    Mutant {
        name: "A",
        text: "psc is looked at with the write in place before its revisits are looked for",
        file: EXPLORATION,
        from: "        self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
        to: "        if !self.frames[index].graph.is_sc_consistent() {\n            return false;\n        }\n        \
             self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
    },
    Mutant {
        name: "A'",
        text: "rivals are looked at before revisits",
        file: EXPLORATION,
        from: "        self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
        to: "        if self.frames[index].graph.has_rival(read) {\n            return false;\n        }\n        \
             self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
    },
    Mutant {
        name: "B",
        text: "maximality is judged against all stores, not those before the event or the write",
        file: REVISIT,
        from: "        let is_there = |other: EventId| self.is_kept(other, revisitor, id);",
        to: "        let is_there = |_other: EventId| true;",
    },
    Mutant {
        name: "C",
        text: "a plain write may revisit from any place in the modification order",
        file: REVISIT,
        from: "            if next.is_some_and(|&next| !self.is_kept(next, revisitor, read)) {",
        to: "            if next.is_some_and(|&next| !self.is_kept(next, revisitor, read)) && false {",
    },
    Mutant {
        name: "D",
        text: "an incoherent read ends the search for older ones",
        file: REVISIT,
        from: "                revisitable.push(read);\n            }",
        to: "                revisitable.push(read);\n            } else {\n                break;\n            }",
    },
    Mutant {
        name: "E",
        text: "coherence is judged with what the read reads now",
        file: REVISIT,
        from: "        let hb = self.hb_before(read);",
        to: "        let hb = self.hb(read);",
    },
    Mutant {
        name: "F",
        text: "the atomicity of a revisiting read-modify-write is not looked at",
        file: REVISIT,
        from: "        !is_overwritten && !has_rival",
        to: "        let _ = has_rival;\n        !is_overwritten",
    },
    Mutant {
        name: "G",
        text: "a read-modify-write's own write makes its read not maximal",
        file: REVISIT,
        from: "            .all(|&later| later == revisitor.write || later == id || !is_there(later))",
        to: "            .all(|&later| later == revisitor.write || !is_there(later))",
    },
    Mutant {
        name: "H",
        text: "a read that was revisited is not revisited again",
        file: REVISIT,
        from: "        graph.fix_past(write);\n",
        to: "        graph.fix_past(write);\n        graph.event_mut(read).is_revisitable = false;\n",
    },
    Mutant {
        name: "I",
        text: "a store that another read-modify-write holds is never an alternative",
        file: CONSISTENCY,
        from: "            .any(|holder| self.is_in_porf(holder, read) || !self.event(holder).is_revisitable)",
        to: "            .next()\n            .is_some()",
    },
    Mutant {
        name: "J",
        text: "who takes the last handle need not come after all others",
        file: COUNT,
        from: "    (value == 0 && !past.is_last_known(changes))",
        to: "    (value == 0 && false && !past.is_last_known(changes))",
    },
    Mutant {
        name: "K",
        text: "a look at a count may come before or after a change",
        file: COUNT,
        from: "            _ => (0..changes.len()).any(|other| past.is_unordered(changes, index, other)),",
        to: "            _ => false,",
    },
    Mutant {
        name: "L",
        text: "fences behind clones and drops tell nothing",
        file: COUNT,
        from: "        || (0..changes.len()).any(|index| past.is_before_fence(changes, index))\n",
        to: "",
    },
    Mutant {
        name: "M",
        text: "the fence of who takes the last handle tells nothing",
        file: COUNT,
        from: "change.difference < 0 && past.is_fence_needed(change) {",
        to: "change.difference < 0 && past.is_fence_needed(change) && false {",
    },
    Mutant {
        name: "N",
        text: "SeqCst fences of other threads tell nothing",
        file: COUNT,
        from: "Label::Fence { order: Ordering::SeqCst }) && self.is_known(change, fence)",
        to: "Label::Fence { order: Ordering::SeqCst })\n            && self.is_known(change, fence)\n            && false",
    },
    Mutant {
        name: "O",
        text: "who knows the event before a change knows the change",
        file: COUNT,
        from: "        usize::from(hb.get(change.thread)) > change.position",
        to: "        usize::from(hb.get(change.thread)) >= change.position",
    },
    Mutant {
        name: "P",
        text: "fences of the own thread tell nothing",
        file: COUNT,
        from: "            return usize::from(event.index) >= change.position;",
        to: "            return false;",
    },
    Mutant {
        name: "Q",
        text: "a look after the last drop is taken for the last change of a count",
        file: COUNT,
        from: "        let is_change = |change: &Change| change.difference != 0;",
        to: "        let is_change = |_: &Change| true;",
    },
    Mutant {
        name: "R",
        text: "the last drop of another count is taken to tell nothing of this one",
        file: COUNT,
        from: " || past.is_before_take(&kept.changes, &takes)",
        to: "",
    },
    Mutant {
        name: "S",
        text: "the end of a thread is no store",
        file: THREAD,
        from: "        if self.is_looked_at() || !self.run.borrow().has_ends {",
        to: "        if self.is_looked_at() || !self.run.borrow().has_ends || true {",
    },
    Mutant {
        name: "T",
        text: "a reader waits behind a writer that does not wait",
        file: STATE,
        from: "if thread.is_behind_writer && !self.has_waiting_writer(location) {",
        to: "if thread.is_behind_writer && false {",
    },
    Mutant {
        name: "U",
        text: "a panic counts before its joiner has gone on",
        file: STATE,
        from: "            (Some(_), ending @ Ending::ByProduct { reached: None }) => ending,\n",
        to: "",
    },
    Mutant {
        name: "V",
        text: "the objects on the stack of a thread outlive it",
        file: STATE,
        from: "        self.lent.end(index, thread.next);\n",
        to: "",
    },
    Mutant {
        name: "W",
        text: "objects of one specification that lie in each other are one",
        file: OBJECTS,
        from: "self.0[index].kind == kind)",
        to: "self.0[index].kind.specification == kind.specification)",
    },
    Mutant {
        name: "X",
        text: "a new object in the place of another one is that one",
        file: OBJECTS,
        from: ".or_else(|| here.filter(|&here| !self.0[here].is_replaced_by(seen)))",
        to: ".or(here)",
    },
    Mutant {
        name: "Y",
        text: "a field that is touched first does not tell the object",
        file: OBJECTS,
        from: "            Some(owner) => owner,\n",
        to: "            Some(_) => object.index(),\n",
    },
    Mutant {
        name: "Z",
        text: "a field that a call moves is taken from its object",
        file: OBJECTS,
        from: "            Some(_) if is_told => return object,\n",
        to: "            Some(_) if is_told => object.index(),\n",
    },
    Mutant {
        name: "AA",
        text: "fields that no operation has used tell nothing",
        file: OBJECT,
        from: "        HintWord::Constructed => {\n",
        to: "        HintWord::Constructed if true => None,\n        HintWord::Constructed => {\n",
    },
    Mutant {
        name: "AB",
        text: "only calls that all others with SeqCst points are concurrent with are put in several orders",
        file: TOTAL_ORDERS,
        from: "with_sc.iter().any(|&other| relation.is_slot_concurrent(*slot, other))",
        to: "with_sc.iter().all(|&other| other == *slot || relation.is_slot_concurrent(*slot, other))",
    },
    Mutant {
        name: "AC",
        text: "the last free call is not tried in the earlier places",
        file: TOTAL_ORDERS,
        from: "            if passed.contains(slot) || ",
        to: "            let is_last = Some(&slot) == self.free.last() && placed.len() + 1 < self.free.len();\n            \
             if passed.contains(slot) || is_last || ",
    },
    Mutant {
        name: "AD",
        text: "which calls are concurrent is taken not to matter to a justification",
        file: ORDER,
        from: "        words.extend(after.as_slice());\n",
        to: "",
    },
    Mutant {
        name: "AE",
        text: "the order of the calls before a call is taken not to matter to its justification",
        file: ORDER,
        from: "std::iter::once(slot).chain(self.before.columns(slot));",
        to: "std::iter::once(slot);",
    },
    Mutant {
        name: "AF",
        text: "one inadmissible order makes an execution inadmissible",
        file: TOTAL_CHECK,
        from: "!has_admissible && end.is_continue()",
        to: "end.is_continue() || has_admissible",
    },
    Mutant {
        name: "AG",
        text: "histories are checked under inadmissible orders, too",
        file: TOTAL_CHECK,
        from: "    !calls.specification.rules.is_empty() || calls",
        to: "    calls",
    },
    Mutant {
        name: "AH",
        text: "justifications are remembered although side effects look at concurrent calls",
        file: "../../check/object.rs",
        from: "let has_memo = !calls.has_conditions_on_concurrent();",
        to: "let has_memo = true;",
    },
    Mutant {
        name: "AI",
        text: "executions of which other calls are put in several orders have one shape",
        file: "../../check/shape.rs",
        from: "is_free: self.free.binary_search(&call.id).is_ok(),",
        to: "is_free: false,",
    },
];

/// Tests that must be green, and of which a mutant must turn one red: what `cargo test` is told.
type Test = &'static [&'static str];

const ENGINE_TESTS: [Test; 6] = [
    &["--package", "cdsspec", "--test", "litmus"],
    &["--package", "cdsspec", "--test", "naive_twin"],
    &["--package", "cdsspec", "--test", "closed_forms"],
    &["--package", "cdsspec", "--test", "handle_counts"],
    &["--package", "cdsspec", "--test", "std_semantics"],
    &["--package", "cdsspec", "--test", "objects"],
];
const CHECK_TESTS: [Test; 2] = [
    &["--package", "cdsspec-runtime", "--lib", "relation::total_tests"],
    &["--package", "cdsspec-runtime", "--lib", "check::total_tests"],
];

/// Builds and tests each mutant; those named, or all.
pub(crate) fn run(names: &[&str]) -> Outcome {
    let copy = root().join("target/mutants");
    copy_workspace(&copy.join("source"))?;
    // A test that is red anyway notices nothing.
    let tests: Vec<Test> = ENGINE_TESTS.into_iter().chain(CHECK_TESTS).collect();
    let red = red_tests(&copy, &tests)?;
    if !red.is_empty() {
        return Err(format!("red without a mutant: {}", red.join(", ")));
    }
    let mut survivors = Vec::new();
    println!("| mutant | broken | red |\n|---|---|---|");
    for mutant in MUTANTS.iter().filter(|mutant| names.is_empty() || names.contains(&mutant.name)) {
        let red = mutant.red_tests(&copy)?;
        println!("| {} | {} | {} |", mutant.name, mutant.text, red.join(", "));
        if red.is_empty() {
            survivors.push(mutant.name);
        }
    }
    if survivors.is_empty() { Ok(()) } else { Err(format!("no test notices {}", survivors.join(", "))) }
}

impl Mutant {
    /// Those that look at what it breaks.
    fn tests(&self) -> &'static [Test] {
        if self.file.starts_with("..") { &CHECK_TESTS } else { &ENGINE_TESTS }
    }

    /// The tests that fail with it.
    fn red_tests(&self, copy: &Path) -> Result<Vec<&'static str>, String> {
        let file = copy.join("source/cdsspec-runtime/src/engine/rc11").join(self.file);
        let original = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        if original.matches(self.from).count() != 1 {
            return Err(format!("mutant {}: the text to change is not in {} once", self.name, self.file));
        }
        fs::write(&file, original.replace(self.from, self.to)).map_err(|error| error.to_string())?;
        let red = red_tests(copy, self.tests()).map_err(|error| format!("mutant {}: {error}", self.name));
        fs::write(&file, original).map_err(|error| error.to_string())?;
        red
    }
}

/// Which of these tests fail on the copy as it is.
fn red_tests(copy: &Path, tests: &[Test]) -> Result<Vec<&'static str>, String> {
    let is_built = tests.iter().all(|test| succeeds(copy, test, &["--no-run"]));
    if !is_built {
        return Err("the copy does not build".to_owned());
    }
    let is_red = |test: &&Test| !succeeds(copy, test, &[]);
    Ok(tests.iter().filter(is_red).filter_map(|test| test.last().copied()).collect())
}

fn succeeds(copy: &Path, test: Test, arguments: &[&str]) -> bool {
    Command::new("cargo")
        .args(["test", "--quiet"])
        .args(test)
        .args(arguments)
        .current_dir(copy.join("source"))
        .env("CARGO_TARGET_DIR", copy.join("build"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Copies what git knows of.
fn copy_workspace(target: &Path) -> Outcome {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("git ls-files: {error}"))?;
    for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty()) {
        let to: PathBuf = target.join(name);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(|error| error.to_string())?;
        }
        fs::copy(root().join(name), &to).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}
