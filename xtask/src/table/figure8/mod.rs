//! `table injections`: figure 8 of the CDSSpec paper for the structures in `examples/`, computed.
//!
//! The examples run with `--weaken --classify --json`, and once more with the verdicts on memory switched off, for what the specification finds
//! alone. Why an order that nothing shows is there all the same is written by hand, in `docs/survivors.md`: a survivor without a reason
//! fails, and so does a reason without a survivor, or survivors that do not survive all at once. Which rows are the injections of the paper's
//! authors is written by hand, too, in `docs/authors.md`.

mod author;
mod injection;
mod markdown;
mod survivor;
mod text;

use super::{page, structures, target_folder, write_page};
use crate::Outcome;
use crate::runner::{self, cargo, read_any};
use injection::Injection;
use std::process::Command;
use survivor::Reason;

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

/// The page.
const PAGE: &str = "figure8.md";

/// With these, the specification is alone.
const ALONE: [&str; 4] = ["--uninitialised", "off", "--freed", "off"];

pub(super) const USAGE: &str = "\
usage: cargo xtask table injections [--json] [--markdown]
       cargo xtask table injections [--json] [--uninitialised off] [--freed off]

  --json               one object a line
  --markdown           writes docs/figure8.md
  --uninitialised off  without the verdict on uses of uninitialised memory
  --freed off          without the verdict on uses of freed memory; with both the specification is alone";

/// Prints the table.
///
/// # Errors
/// Arguments that are not understood, an example that failed, what is left open, or a survivor without a reason.
pub(super) fn run(arguments: &[&str]) -> Outcome {
    let (mut is_json, mut is_markdown, mut switches) = (false, false, Vec::new());
    let mut rest = arguments;
    while !rest.is_empty() {
        rest = match rest {
            ["--json", rest @ ..] => {
                is_json = true;
                rest
            }
            ["--markdown", rest @ ..] => {
                is_markdown = true;
                rest
            }
            [name @ ("--uninitialised" | "--freed"), value @ ("on" | "off"), rest @ ..] => {
                switches.extend([*name, *value]);
                rest
            }
            _ => return Err(USAGE.to_owned()),
        };
    }
    if !switches.is_empty() {
        if is_markdown {
            return Err(USAGE.to_owned());
        }
        let figure = answered(examples(&switches)?)?;
        print(&figure, is_json, || Ok(text::tables(&figure)))
    } else {
        let figure = figure()?;
        print(&figure, is_json, || tables(&figure))?;
        if is_markdown { write_page(PAGE, text::INTRODUCTION, &tables(&figure)?) } else { Ok(()) }
    }
}

fn print(figure: &Figure, is_json: bool, tables: impl Fn() -> Result<String, String>) -> Outcome {
    if is_json {
        figure.rows.iter().for_each(|row| println!("{}", row.json()));
    } else {
        print!("{}", tables()?);
    }
    Ok(())
}

/// Every structure of the paper is there, every survivor has its reason, every injection of the authors its row, and the page is what is
/// computed.
///
/// # Errors
/// What is not so.
pub(crate) fn check() -> Outcome {
    let figure = figure()?;
    let is_there = |name: &str| figure.rows.iter().any(|row| row.text("structure") == name);
    let missing: Vec<_> = FIGURE_8.iter().map(|(name, _)| *name).filter(|name| !is_there(name)).collect();
    if !missing.is_empty() {
        return Err(format!("figure 8 has no row for {}", missing.join(", ")));
    }
    let found = figure.rows.iter().filter(|row| row.is_found()).count();
    println!("{} injections, {found} found; every survivor has a reason", figure.rows.len());
    page::check(PAGE, &format!("{}\n{}", text::INTRODUCTION, tables(&figure)?), "injections")
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
    let mut figure = judged(examples(&[])?, survivor::read()?)?;
    let alone = answered(examples(&ALONE)?)?;
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
fn examples(switches: &[&str]) -> Result<Vec<Injection>, String> {
    runner::run(cargo("build --quiet --examples"))?;
    let folder = target_folder()?.join("debug/examples");
    let mut lines = Vec::new();
    for structure in structures()? {
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
