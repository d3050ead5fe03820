//! `injections`: figure 8 of the CDSSpec paper for the structures in `examples/`, computed.
//!
//! The examples run with `--weaken --classify --json`, and once more with the verdicts on memory switched off, for what the specification finds
//! alone. Why an order that nothing shows is there all the same is written by hand, in `docs/survivors.md`: a survivor without a reason
//! fails, and so does a reason without a survivor, or survivors that do not survive all at once. Which rows are the injections of the paper's
//! authors is written by hand, too, in `docs/authors.md`.
//!
//! # Rows
//! With `--json` a row is a place and a step, as the example prints it: `structure`, `place`, `operation`, `from`, `to`, `result` (`found`,
//! `survived`, `open`, `not_reached`), `found`, `class`, `classes`, `verdict`, `program`, `executions`, `ambiguous`, `bounds`, `blamed` (which of the places that the report's row `cause` names it is, from 1; 0: it is none); and `alone`, what the
//! specification finds alone, and of a survivor `reason`. With a switch the last two are not there.

mod author;
mod injection;
mod limit;
mod markdown;
mod survivor;
mod text;

use crate::Outcome;
use crate::examples::{self, Profile};
use crate::page::Page;
use crate::published::FIGURE_8;
use crate::runner::read_any;
use crate::table::{Show, Table};
use injection::Injection;
use std::process::Command;
use std::time::Instant;
use survivor::Reason;

/// What the command line calls it.
pub(crate) const NAME: &str = "injections";

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "figure8.md", table: NAME, introduction: text::INTRODUCTION, uncompared: &[] };

/// The switches of the examples that may be given.
pub(crate) const SWITCHES: [&str; 2] = ["uninitialised", "freed"];

/// With these, the specification is alone.
const ALONE: [&str; 4] = ["--uninitialised", "off", "--freed", "off"];

/// Computes the table, with these switches of the examples, and shows it.
///
/// # Errors
/// An example that failed, what is left open, a survivor without a reason, or what else is not as it should be.
pub(crate) fn run(show: Show, switches: &[String]) -> Outcome {
    let Show::Print { is_json, is_markdown } = show else { return check() };
    let (figure, text) = if switches.is_empty() {
        let figure = figure()?;
        let text = tables(&figure)?;
        (figure, text)
    } else {
        let switches: Vec<&str> = switches.iter().map(String::as_str).collect();
        let figure = answered(weakened(&switches)?)?;
        let text = text::tables(&figure);
        (figure, text)
    };
    let table = Table { rows: figure.rows.iter().map(Injection::json).collect(), text };
    table.print(is_json, is_markdown.then_some(&PAGE))
}

/// Every structure of the paper is there, every survivor has its reason, every injection of the authors its row, the page is what is
/// computed, and all of it is fast enough.
///
/// # Errors
/// What is not so.
fn check() -> Outcome {
    // What is not built yet is built before the clock starts.
    examples::built(Profile::Dev)?;
    let start = Instant::now();
    let figure = figure()?;
    check_rows(&figure)?;
    PAGE.check(&tables(&figure)?)?;
    limit::check(start.elapsed())
}

fn check_rows(figure: &Figure) -> Outcome {
    let is_there = |name: &str| figure.rows.iter().any(|row| row.text("structure") == name);
    let missing: Vec<_> = FIGURE_8.iter().map(|(name, _)| *name).filter(|name| !is_there(name)).collect();
    if !missing.is_empty() {
        return Err(format!("figure 8 has no row for {}", missing.join(", ")));
    }
    let found = figure.rows.iter().filter(|row| row.is_found()).count();
    println!("{} injections, {found} found; every survivor has a reason", figure.rows.len());
    Ok(())
}

/// What the examples say.
#[derive(Debug, Default)]
pub(super) struct Figure {
    rows: Vec<Injection>,
    /// By structure with survivors: what came of all of them at once.
    together: Vec<Injection>,
}

/// All of it, with the reasons, and with what the specification finds alone.
fn figure() -> Result<Figure, String> {
    let mut figure = judged(weakened(&[])?, survivor::read()?)?;
    let alone = answered(weakened(&ALONE)?)?;
    for row in &mut figure.rows {
        let same = alone.rows.iter().find(|other| other.key() == row.key());
        row.alone = same.map(Injection::alone);
    }
    Ok(figure)
}

fn tables(figure: &Figure) -> Result<String, String> {
    let joined = author::join(author::read()?, &figure.rows)?;
    Ok(format!("{}\n{}", text::tables(figure), text::comparison(figure, &joined)))
}

/// Weakens every structure, in the examples as the tests have built them: no time is told here.
fn weakened(switches: &[&str]) -> Result<Vec<Injection>, String> {
    let folder = examples::built(Profile::Dev)?;
    let mut lines = Vec::new();
    for structure in examples::structures()? {
        let mut command = Command::new(folder.join(&structure));
        command.args(["--weaken", "--classify", "--json"]).args(switches);
        let (text, is_success) = read_any(command)?;
        let of_structure = text.lines().map(|line| Injection::of(&structure, line));
        let of_structure = of_structure.collect::<Result<Vec<_>, _>>()?;
        // Its rows say why it failed; without a word of theirs, the failure itself is the mistake.
        if !is_success && of_structure.iter().all(|row| row.mistake().is_none()) {
            return Err(format!("`{structure} --weaken --json` failed"));
        }
        lines.extend(of_structure);
    }
    Ok(lines)
}

/// The rows, if each is an answer.
fn answered(lines: Vec<Injection>) -> Result<Figure, String> {
    let mistakes: Vec<String> = lines.iter().filter_map(Injection::mistake).collect();
    if !mistakes.is_empty() {
        return Err(mistakes.join("\n"));
    }
    let (together, rows) = lines.into_iter().partition(Injection::is_about_all_survivors);
    Ok(Figure { rows, together })
}

/// The rows with the reasons beside the survivors.
///
/// # Errors
/// What is no answer, a survivor without a reason, a reason without a survivor, and survivors that do not survive all at once.
fn judged(lines: Vec<Injection>, mut reasons: Vec<Reason>) -> Result<Figure, String> {
    let mut mistakes: Vec<String> = lines.iter().filter_map(Injection::mistake).collect();
    let (together, mut rows): (Vec<_>, Vec<_>) =
        lines.into_iter().partition(Injection::is_about_all_survivors);
    for row in rows.iter_mut().filter(|row| row.is_survivor()) {
        match reasons.iter().position(|reason| reason.is_about(row)) {
            Some(index) => row.reason = Some(reasons.remove(index)),
            None => {
                mistakes.push(format!("a survivor without a reason in {}: {}", survivor::FILE, row.key()));
            }
        }
    }
    mistakes.extend(
        reasons.iter().map(|reason| format!("a reason without a survivor in {}: {reason}", survivor::FILE)),
    );
    mistakes.extend(unverified(&rows, &together));
    if mistakes.is_empty() { Ok(Figure { rows, together }) } else { Err(mistakes.join("\n")) }
}

/// Where it was not seen that a structure needs none of what is said not to be needed: with all survivors at once its programs must hold.
fn unverified(rows: &[Injection], together: &[Injection]) -> Vec<String> {
    let mut structures: Vec<String> =
        rows.iter().filter(|row| row.is_survivor()).map(|row| row.text("structure")).collect();
    structures.dedup();
    let mistake = |structure: String| {
        let all = together.iter().find(|all| all.text("structure") == structure);
        let Some(all) = all else {
            return Some(format!("{structure}: its survivors were not looked at all at once"));
        };
        let result = all.text("survivors_together");
        (result != "survived").then(|| {
            let (verdict, program) = (all.text("verdict"), all.text("program"));
            format!(
                "{structure}: its {} survivors do not survive all at once ({result}: {verdict} by {program}), so some are needed beside others: `{structure} --advise` says which",
                all.text("survivors")
            )
        })
    };
    structures.into_iter().filter_map(mistake).collect()
}

#[cfg(test)]
mod tests {
    use super::injection::tests::row;
    use super::*;

    fn reasons() -> Vec<Reason> {
        survivor::parse(
            "| s | o | s | n | r |\n| - | - | - | - | - |\n| a | f: x.load | Acquire -> Relaxed | no | since |\n",
        )
        .unwrap()
    }

    /// What came of the survivors at once.
    fn together(result: &str) -> Injection {
        let line = serde_json::json!({
            "structure": "a", "survivors_together": result, "survivors": 1, "verdict": "race", "program": "p",
        });
        Injection::of("a", &line.to_string()).unwrap()
    }

    #[test]
    fn what_is_open_or_not_reached_is_a_mistake_and_no_survivor() {
        for (result, words) in [("open", "open: inconclusive"), ("not_reached", "not reached")] {
            assert_eq!(text::detail_cells(&row(result), false)[3], words);
            let mistake = format!("no answer ({words}): a | f: x.load | Acquire -> Relaxed");
            let without = judged(vec![row(result)], Vec::new()).unwrap_err();
            assert_eq!(without, mistake);
            assert_eq!(answered(vec![row(result)]).unwrap_err(), mistake);
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
    fn a_survivor_needs_its_reason() {
        let rows = || vec![row("found"), row("survived"), together("survived")];
        let figure = judged(rows(), reasons()).unwrap();
        assert_eq!((figure.rows.len(), figure.together.len()), (2, 1));
        let error = judged(rows(), Vec::new()).unwrap_err();
        assert!(error.starts_with("a survivor without a reason"), "{error}");
    }

    #[test]
    fn survivors_must_survive_all_at_once() {
        let error = |lines| judged(lines, reasons()).unwrap_err();
        assert_eq!(error(vec![row("survived")]), "a: its survivors were not looked at all at once");
        for result in ["found", "open", "not_reached"] {
            let error = error(vec![row("survived"), together(result)]);
            let words = format!("a: its 1 survivors do not survive all at once ({result}: race by p)");
            assert!(error.starts_with(&words), "{error}");
        }
    }
}
