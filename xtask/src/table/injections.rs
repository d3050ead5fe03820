//! `table injections`: figure 8 of the CDSSpec paper for the structures in `examples/`, computed.
//!
//! The examples run with `--weaken --json`. Why an order that nothing shows is there all the same is written by hand,
//! in `docs/survivors.md`: a survivor without a reason fails, and so does a reason without a survivor.

use super::render::grid;
use super::survivor::{self, Reason};
use super::{structures, target_folder, write_page};
use crate::Outcome;
use crate::runner::{self, cargo, read_any};
use serde_json::{Map, Value};
use std::process::Command;

/// What the paper's tool has found (figure 8): built-in, inadmissible, assertions, of all.
const FIGURE_8: [(&str, [u32; 4]); 10] = [
    ("chase_lev_deque", [3, 0, 4, 7]),
    ("spsc_queue", [0, 0, 2, 2]),
    ("rcu", [3, 0, 0, 3]),
    ("hashmap", [2, 0, 2, 4]),
    ("mcs_lock", [4, 0, 4, 8]),
    ("mpmc_queue", [0, 4, 0, 8]),
    ("ms_queue", [3, 0, 7, 10]),
    ("linux_rwlock", [0, 0, 8, 8]),
    ("seqlock", [0, 0, 5, 5]),
    ("ticket_lock", [0, 0, 2, 2]),
];

/// The classes of findings, in the order of the columns.
const CLASSES: [&str; 4] = ["built_in", "inadmissible", "violated", "blocked"];

pub(super) const USAGE: &str = "\
usage: cargo xtask table injections [--json] [--markdown]

  --json      one object a line
  --markdown  writes docs/figure8.md";

/// Prints the table.
///
/// # Errors
/// Arguments that are not understood, an example that failed, what is left open, or a survivor without a reason.
pub(super) fn run(arguments: &[&str]) -> Outcome {
    let (mut is_json, mut is_markdown) = (false, false);
    for argument in arguments {
        match *argument {
            "--json" => is_json = true,
            "--markdown" => is_markdown = true,
            _ => return Err(USAGE.to_owned()),
        }
    }
    let rows = rows()?;
    if is_json {
        rows.iter().for_each(|row| println!("{}", row.json()));
        return Ok(());
    }
    let tables = tables(&rows);
    print!("{tables}");
    if is_markdown { write_page("figure8.md", INTRODUCTION, &tables) } else { Ok(()) }
}

/// Every structure of the paper is there, and every survivor has its reason.
///
/// # Errors
/// What is not so.
pub(crate) fn check() -> Outcome {
    let rows = rows()?;
    let is_there = |name: &str| rows.iter().any(|row| row.text("structure") == name);
    let missing: Vec<_> = FIGURE_8.iter().map(|(name, _)| *name).filter(|name| !is_there(name)).collect();
    if !missing.is_empty() {
        return Err(format!("figure 8 has no row for {}", missing.join(", ")));
    }
    let found = rows.iter().filter(|row| row.is_found()).count();
    println!("{} injections, {found} found; every survivor has a reason", rows.len());
    Ok(())
}

/// A place and step, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Injection {
    object: Map<String, Value>,
    reason: Option<Reason>,
}

impl Injection {
    fn of(structure: &str, line: &str) -> Result<Self, String> {
        match serde_json::from_str(line) {
            Ok(Value::Object(object)) => Ok(Self { object, reason: None }),
            _ => Err(format!("{structure}: no JSON object: {line}")),
        }
    }

    /// A field as text, without quotes; nothing for `null`.
    pub(super) fn text(&self, key: &str) -> String {
        match self.object.get(key) {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            Some(value) => value.to_string(),
        }
    }

    fn is_found(&self) -> bool {
        self.object.get("found") == Some(&Value::Bool(true))
    }

    /// Whether all programs hold with it. What a limit left open is neither found nor a survivor.
    fn is_survivor(&self) -> bool {
        self.text("result") == "survived"
    }

    /// Why it is no answer, if it is none: a program that took no part, or what a limit left open.
    fn mistake(&self) -> Option<String> {
        let structure = self.text("structure");
        if self.object.contains_key("left_out") {
            let (program, verdict) = (self.text("left_out"), self.text("verdict"));
            return Some(format!(
                "{structure}: the program {program} took no part: it is {verdict} as it is written"
            ));
        }
        let is_answer = self.is_found() || self.is_survivor();
        (!is_answer).then(|| format!("no answer ({}): {}", self.result(), survivor::key(self)))
    }

    /// What came of it, in words.
    fn result(&self) -> String {
        if self.is_found() {
            return self.text("class");
        }
        let is_bounded = self.object.get("bounds").and_then(Value::as_array).is_some_and(|of| !of.is_empty());
        match self.text("result").as_str() {
            "survived" if is_bounded => "survived within bounds".to_owned(),
            "survived" => "survived".to_owned(),
            "open" => format!("open: {}", self.text("verdict")),
            "not_reached" => "not reached".to_owned(),
            other => format!("unknown result `{other}`"),
        }
    }

    fn is_of(&self, class: &str) -> bool {
        self.is_found() && self.text("class") == class
    }

    /// Whether the order is needed, as far as anybody knows.
    fn is_needed(&self) -> bool {
        self.reason.as_ref().is_none_or(|reason| reason.is_needed)
    }

    fn json(&self) -> Value {
        let mut object = self.object.clone();
        if let Some(reason) = &self.reason {
            object.insert("reason".to_owned(), reason.text.clone().into());
        }
        Value::Object(object)
    }
}

/// Weakens every structure, in the examples as the tests have built them (no time is told here), and puts the reasons beside the survivors.
fn rows() -> Result<Vec<Injection>, String> {
    runner::run(cargo("build --quiet --examples"))?;
    let folder = target_folder()?.join("debug/examples");
    let mut rows = Vec::new();
    for structure in structures()? {
        let mut command = Command::new(folder.join(&structure));
        command.args(["--weaken", "--json"]);
        let (text, is_success) = read_any(command)?;
        let of_structure = text.lines().map(|line| Injection::of(&structure, line));
        let of_structure = of_structure.collect::<Result<Vec<_>, _>>()?;
        // Its rows say why it failed; without a word of theirs, the failure itself is the mistake.
        if !is_success && of_structure.iter().all(|row| row.mistake().is_none()) {
            return Err(format!("`{structure} --weaken --json` failed"));
        }
        rows.extend(of_structure);
    }
    judged(rows, survivor::read()?)
}

/// The rows with the reasons beside the survivors.
///
/// # Errors
/// What is no answer, a survivor without a reason, and a reason without a survivor.
fn judged(mut rows: Vec<Injection>, mut reasons: Vec<Reason>) -> Result<Vec<Injection>, String> {
    let mut mistakes: Vec<String> = rows.iter().filter_map(Injection::mistake).collect();
    for row in rows.iter_mut().filter(|row| row.is_survivor()) {
        match reasons.iter().position(|reason| reason.is_about(row)) {
            Some(index) => row.reason = Some(reasons.remove(index)),
            None => mistakes.push(format!(
                "a survivor without a reason in {}: {}",
                survivor::FILE,
                survivor::key(row)
            )),
        }
    }
    mistakes.extend(
        reasons.iter().map(|reason| format!("a reason without a survivor in {}: {reason}", survivor::FILE)),
    );
    if mistakes.is_empty() { Ok(rows) } else { Err(mistakes.join("\n")) }
}

fn tables(rows: &[Injection]) -> String {
    let header = [
        "structure",
        "injections",
        "built-in",
        "inadmissible",
        "violated",
        "blocked",
        "found",
        "rate",
        "rate of needed",
        "paper: built-in / inadmissible / assertion of all",
    ];
    let mut cells: Vec<Vec<String>> = structures_of(rows)
        .into_iter()
        .map(|name| {
            let of_structure: Vec<_> = rows.iter().filter(|row| row.text("structure") == name).collect();
            row_cells(&name, &of_structure, paper(&name))
        })
        .collect();
    let is_published = |row: &&Injection| !paper(&row.text("structure")).is_empty();
    let published: Vec<_> = rows.iter().filter(is_published).collect();
    let sums =
        FIGURE_8.iter().fold([0; 4], |sums, (_, of)| std::array::from_fn(|index| sums[index] + of[index]));
    cells.push(row_cells("all of the paper", &published, figures(sums)));
    cells.push(row_cells("all", &rows.iter().collect::<Vec<_>>(), String::new()));
    let summary = grid(&header, &cells);
    let all = grid(
        &["place", "operation", "step", "found", "program", "executions"],
        &rows.iter().map(detail_cells).collect::<Vec<_>>(),
    );
    let survivors = grid(
        &["structure", "operation", "step", "needed", "reason"],
        &rows.iter().filter_map(survivor_cells).collect::<Vec<_>>(),
    );
    format!("{summary}\n## Every injection\n\n{all}\n## Survivors\n\n{survivors}")
}

fn row_cells(name: &str, rows: &[&Injection], paper: String) -> Vec<String> {
    let count = |is: &dyn Fn(&Injection) -> bool| rows.iter().filter(|row| is(row)).count();
    let found = count(&Injection::is_found);
    let needed = count(&Injection::is_needed);
    let mut cells = vec![name.to_owned(), rows.len().to_string()];
    cells.extend(CLASSES.map(|class| count(&|row| row.is_of(class)).to_string()));
    cells.extend([found.to_string(), rate(found, rows.len()), rate(found, needed), paper]);
    cells
}

fn rate(found: usize, all: usize) -> String {
    if all == 0 { "-".to_owned() } else { format!("{:.0}%", 100.0 * found as f64 / all as f64) }
}

fn paper(structure: &str) -> String {
    let known = FIGURE_8.iter().find(|(name, _)| *name == structure);
    known.map(|(_, of)| figures(*of)).unwrap_or_default()
}

fn figures([built_in, inadmissible, assertion, all]: [u32; 4]) -> String {
    format!("{built_in} / {inadmissible} / {assertion} of {all}")
}

/// The structures, in order.
fn structures_of(rows: &[Injection]) -> Vec<String> {
    let mut names: Vec<String> = rows.iter().map(|row| row.text("structure")).collect();
    names.dedup();
    names
}

fn detail_cells(row: &Injection) -> Vec<String> {
    let found = row.result();
    let step = survivor::step(row);
    vec![row.text("place"), row.text("operation"), step, found, row.text("program"), row.text("executions")]
}

fn survivor_cells(row: &Injection) -> Option<Vec<String>> {
    let reason = row.reason.as_ref()?;
    let needed = if reason.is_needed { "yes" } else { "no" };
    Some(vec![
        row.text("structure"),
        row.text("operation"),
        survivor::step(row),
        needed.to_owned(),
        reason.text.clone(),
    ])
}

const INTRODUCTION: &str = "\
# Figure 8, computed

Every memory order that the programs of the structures exercise, weakened by one step at a time (CDSSpec, Ou and Demsky, PPoPP 2017, section
6.4.2). `cargo xtask table injections --markdown` writes this page.

- steps: `SeqCst` to `AcqRel`, of a store to `Release`, of a load to `Acquire`; `AcqRel` to `Release` and to `Acquire`; these to `Relaxed`. The orders of a
  compare-exchange on success and on failure are weakened apart. A fence is also left out (`none`).
- built-in: found without a specification: a race, a panic, or, where the example installs `cdsspec::allocator!()`, a use of memory that is
  uninitialised or freed; without that line the specification has to find what such a use leads to. inadmissible: calls are unordered that a rule wants ordered. violated: the
  specification does not hold. blocked: threads wait for ever; the paper's tool does not end there.
- rate: of all. rate of needed: of those whose order is needed under the memory model that is checked, RC11 with the release sequences of
  C++20; why the others are not is in the last table, from `docs/survivors.md`, where it is written by hand.
- executions: of the program that shows it, up to the first that does; of survivors, all executions of all programs that reach the place.
- The paper weakened the places that its authors chose, and no failure orders; here it is every place that the programs reach.
";

#[cfg(test)]
mod tests {
    use super::*;

    /// A row with this result.
    fn row(result: &str) -> Injection {
        let found = result == "found";
        let line = serde_json::json!({
            "structure": "a", "operation": "f: x.load", "from": "Acquire", "to": "Relaxed", "result": result,
            "found": found, "class": if found { "violated" } else { "" }, "verdict": "inconclusive",
        });
        Injection::of("a", &line.to_string()).unwrap()
    }

    fn reasons() -> Vec<Reason> {
        survivor::parse("| s | o | s | n | r |\n| - |\n| a | f: x.load | Acquire -> Relaxed | no | since |\n")
            .unwrap()
    }

    #[test]
    fn what_is_open_or_not_reached_is_a_mistake_and_no_survivor() {
        for (result, words) in [("open", "open: inconclusive"), ("not_reached", "not reached")] {
            assert_eq!(detail_cells(&row(result))[3], words);
            let mistake = format!("no answer ({words}): a | f: x.load | Acquire -> Relaxed");
            let without = judged(vec![row(result)], Vec::new()).unwrap_err();
            assert_eq!(without, mistake);
            let with = judged(vec![row(result)], reasons()).unwrap_err();
            assert!(with.starts_with(&mistake) && with.contains("a reason without a survivor"), "{with}");
        }
        assert!(judged(vec![row("")], Vec::new()).unwrap_err().contains("unknown result ``"));
    }

    #[test]
    fn a_program_that_took_no_part_is_a_mistake() {
        let line = r#"{"structure":"a","left_out":"main","verdict":"race"}"#;
        let rows = vec![row("found"), Injection::of("a", line).unwrap()];
        let error = judged(rows, Vec::new()).unwrap_err();
        assert_eq!(error, "a: the program main took no part: it is race as it is written");
    }

    #[test]
    fn a_survivor_needs_its_reason_and_says_that_it_is_bounded() {
        assert_eq!(judged(vec![row("found"), row("survived")], reasons()).unwrap().len(), 2);
        let error = judged(vec![row("survived")], Vec::new()).unwrap_err();
        assert!(error.starts_with("a survivor without a reason"), "{error}");
        let mut bounded = row("survived");
        assert_eq!(bounded.result(), "survived");
        bounded.object.insert("bounds".to_owned(), serde_json::json!(["spin_rounds_max = 2"]));
        assert_eq!(bounded.result(), "survived within bounds");
    }
}
