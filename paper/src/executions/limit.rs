//! How long the figure may take.
//!
//! A clock is a poor witness on a machine that does something else, too. Where it says that the programs are too slow, they run again, a few times
//! over, and what counts is the time that they had a processor in the fastest round: rc11 needs but one.

use super::render::is_in_figure;
use super::row::Row;
use crate::Outcome;
use crate::published::FIGURE_7;
use crate::runner::read;
use std::path::Path;
use std::process::Command;

/// The programs of figure 7 take less than so many seconds in all, on rc11 in release on one core.
const FIGURE_7_MAX_S: f64 = 1.0;

/// All programs of the structures do.
const ALL_MAX_S: f64 = 10.0;

/// How often the programs run again at most.
const ROUNDS_MAX: usize = 3;

/// How many ticks of `/proc` a second has, on every Linux.
const TICKS_PER_S: f64 = 100.0;

/// The seconds of an engine: of the programs of figure 7, and of all.
pub(super) fn seconds_of(engine: &str, rows: &[Row]) -> [f64; 2] {
    let of_engine = || rows.iter().filter(|row| row.text("engine") == engine);
    [of_engine().filter(|row| is_in_figure(row)).map(Row::seconds).sum(), of_engine().map(Row::seconds).sum()]
}

/// The programs are fast enough on rc11.
///
/// # Errors
/// How slow they are.
pub(super) fn check(rows: &[Row], folder: &Path) -> Outcome {
    let seconds = seconds_of("rc11", rows);
    let [figure, all] = seconds;
    println!("the programs of figure 7 take {figure:.2} s, all {all:.2} s");
    let mut mistake = too_slow(seconds);
    for _ in 0..ROUNDS_MAX {
        if mistake.is_none() {
            break;
        }
        let Some(seconds) = processor_seconds(rows, folder)? else { break };
        let [figure, all] = seconds;
        println!("of a processor: {figure:.2} s, and {all:.2} s with all seeded bugs");
        mistake = too_slow(seconds);
    }
    mistake.map_or(Ok(()), Err)
}

/// Says what is too slow.
fn too_slow([figure, all]: [f64; 2]) -> Option<String> {
    // What is no number is not fast enough, either.
    let is_within = |seconds: f64, max: f64| (0.0..max).contains(&seconds);
    if !is_within(figure, FIGURE_7_MAX_S) {
        Some(format!(
            "the programs of figure 7 take {figure:.2} s: less than {FIGURE_7_MAX_S:.0} s is wanted"
        ))
    } else if !is_within(all, ALL_MAX_S) {
        Some(format!("all programs take {all:.2} s: less than {ALL_MAX_S:.0} s is wanted"))
    } else {
        None
    }
}

/// Runs the programs of figure 7 on rc11, then the structures with all that they have: how long each had a processor. Nothing where the system
/// does not say so.
fn processor_seconds(rows: &[Row], folder: &Path) -> Result<Option<[f64; 2]>, String> {
    let run = |structure: &str, program: &[&str]| {
        let mut command = Command::new(folder.join(structure));
        command.args(["--json", "--engine", "rc11"]).args(program);
        read(command)
    };
    let Some(start) = seconds_of_children() else { return Ok(None) };
    for one in &FIGURE_7 {
        run(one.structure, &[one.program])?;
    }
    let middle = seconds_of_children();
    let mut structures: Vec<&str> = rows.iter().map(|row| row.structure.as_str()).collect();
    structures.sort_unstable();
    structures.dedup();
    for structure in structures {
        run(structure, &[])?;
    }
    let end = seconds_of_children();
    Ok(middle.zip(end).map(|(middle, end)| [middle - start, end - middle]))
}

/// How long the processes that this one has waited for had a processor.
fn seconds_of_children() -> Option<f64> {
    ticks_of_children(&std::fs::read_to_string("/proc/self/stat").ok()?).map(|ticks| ticks / TICKS_PER_S)
}

/// The fields `cutime` and `cstime` (proc(5)): the 16th and 17th, of which the second, the name of the program, may have blanks.
fn ticks_of_children(stat: &str) -> Option<f64> {
    let (_, behind_name) = stat.rsplit_once(')')?;
    let mut fields = behind_name.split_whitespace().skip(13);
    let [user, system] = [fields.next()?, fields.next()?];
    Some(user.parse::<f64>().ok()? + system.parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::size::Size;
    use super::*;

    #[test]
    fn the_figure_and_all_programs_have_a_limit_each() {
        assert_eq!(too_slow([0.9, 9.9]), None);
        let figure = "the programs of figure 7 take 1.00 s: less than 1 s is wanted";
        assert_eq!(too_slow([1.0, 2.0]).as_deref(), Some(figure));
        let all = "all programs take 10.00 s: less than 10 s is wanted";
        assert_eq!(too_slow([0.5, 10.0]).as_deref(), Some(all));
        assert!(too_slow([f64::NAN, 1.0]).is_some() && too_slow([0.5, f64::NAN]).is_some());
    }

    #[test]
    fn the_figure_is_a_part_of_all_programs_of_an_engine() {
        let row = |program: &str, engine: &str, seconds: &str| {
            let line = format!(r#"{{"program":"{program}","engine":"{engine}","seconds":{seconds}}}"#);
            Row::of("ticket_lock", &line, Size::default()).unwrap().unwrap()
        };
        let rows = [row("twice", "rc11", "0.5"), row("more", "rc11", "0.25"), row("twice", "loom", "4.0")];
        assert_eq!(seconds_of("rc11", &rows), [0.5, 0.75]);
        assert_eq!(seconds_of("loom", &rows), [4.0, 4.0]);
        assert!(seconds_of("rc11", &[row("twice", "rc11", "null")])[0].is_nan());
    }

    #[test]
    fn the_time_of_children_is_in_two_fields() {
        let stat = "12 (a )b) S 1 2 3 4 5 6 7 8 9 10 11 12 250 50 20 0";
        assert_eq!(ticks_of_children(stat), Some(300.0));
        assert_eq!(ticks_of_children("12 (a) S 1 2"), None);
        assert_eq!(ticks_of_children(""), None);
    }
}
