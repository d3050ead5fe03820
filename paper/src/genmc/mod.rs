//! `genmc`: programs that were measured under GenMC, explored on rc11 without any specification.
//!
//! # Rows
//! With `--json` a row is a program:
//!
//! - `program`: what it is called, with its threads;
//! - `complete`: executions that ran to their end; `delayed`: those of them in which a thread went round a loop without an effect before it went on;
//!   `blocked`: by-products, which ended early; `seconds`: how long the exploration took;
//! - `explored`: `all`, or `stopped` by the limit on executions: the counts are then those up to there;
//! - `genmc_complete`, `genmc_blocked`, `genmc_blocked_plain` (without in-place revisits), `genmc_seconds`: what was measured there; null where nothing was;
//! - `comparison`: `within`: at most as many complete executions as GenMC has, and half of them; `over_by_delayed`: more, and without delayed ones not;
//!   `over_at_least`: more, and the limit came before the rest was known; `over`: more, without delayed ones, too; `open`: the limit came first;
//! - `assumed_complete`, `assumed_blocked`, `assumed_seconds`, `assumed_comparison`: the same with the setting `spin_assume`.

mod blocked;
mod limit;
mod programs;
mod published;
mod row;

use crate::Outcome;
use crate::grid::grid;
use crate::page::Page;
use crate::table::{Show, Table};
use row::{Comparison, Explored, Row, State};

/// What the command line calls it.
pub(crate) const NAME: &str = "genmc";

/// The page.
pub(crate) const PAGE: Page =
    Page { file: "genmc.md", table: NAME, introduction: INTRODUCTION, uncompared: &[] };

/// No program is explored further.
const EXECUTIONS_MAX: u64 = 150_000;

/// Explores the programs, and shows the table.
///
/// # Errors
/// A program with a fault, or what is not as it should be.
pub(crate) fn run(show: Show) -> Outcome {
    let programs = published::WORDS.iter().chain(&published::LOCKS).chain(&published::CONTAINERS);
    let rows: Vec<Row> = programs.map(|program| Row::of(program, EXECUTIONS_MAX)).collect();
    check_faults(&rows)?;
    let table = Table { rows: rows.iter().map(Row::json).collect(), text: text(&rows) };
    match show {
        Show::Print { is_json, is_markdown } => table.print(is_json, is_markdown.then_some(&PAGE)),
        Show::Check => {
            limit::check(&rows)?;
            PAGE.check(&table.text)
        }
    }
}

/// The programs have no fault: the counts of one that has mean nothing.
fn check_faults(rows: &[Row]) -> Outcome {
    let faulty = rows.iter().filter(|row| row.ours.state == State::Faulty);
    let names: Vec<_> = faulty.map(|row| row.program).collect();
    if names.is_empty() { Ok(()) } else { Err(format!("these programs have a fault: {}", names.join(", "))) }
}

/// The table, and what it comes to.
fn text(rows: &[Row]) -> String {
    let header = [
        "program",
        "complete",
        "delayed",
        "blocked",
        "seconds",
        "explored",
        "comparison",
        "assumed: complete",
        "assumed: blocked",
        "assumed: seconds",
        "assumed: comparison",
        "GenMC: complete",
        "GenMC: blocked",
        "GenMC: blocked, no in-place revisits",
        "GenMC: seconds",
    ];
    let table = grid(&header, &rows.iter().map(cells).collect::<Vec<_>>());
    let [plain, assumed] = [Row::comparison, Row::assumed_comparison].map(|compare| sums(rows, compare));
    let [why, why_assumed] = [&limit::OVER[..], &limit::ASSUMED_OVER].map(limit::reasons);
    format!(
        "{table}\n{plain}\nWhy some are over:\n\n{why}\nWith `spin_assume`:\n\n{assumed}\nWhy some are over:\n\n{why_assumed}\n{}",
        blocked::REASONS
    )
}

/// Which programs compare how.
fn sums(rows: &[Row], compare: fn(&Row) -> Comparison) -> String {
    Comparison::ALL.iter().map(|comparison| sum(rows, compare, *comparison)).collect()
}

/// Which programs compare so.
fn sum(rows: &[Row], compare: fn(&Row) -> Comparison, comparison: Comparison) -> String {
    let names: Vec<_> = rows.iter().filter(|row| compare(row) == comparison).map(|row| row.program).collect();
    let word = comparison.word().replace('_', " ");
    let list = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    format!("- {word}: {} of {}{list}\n", names.len(), rows.len())
}

fn cells(row: &Row) -> Vec<String> {
    let Explored { state, complete, delayed, blocked, seconds } = row.ours;
    let words = |comparison: Comparison| comparison.word().replace('_', " ");
    let genmc = row.genmc;
    let mut cells = vec![row.program.to_owned()];
    cells.extend([complete, delayed, blocked].map(|count| count.to_string()));
    cells.extend([format!("{seconds:.3}"), state.word().to_owned(), words(row.comparison())]);
    cells.extend([row.assumed.complete, row.assumed.blocked].map(|count| count.to_string()));
    cells.extend([format!("{:.3}", row.assumed.seconds), words(row.assumed_comparison())]);
    cells.push(genmc.complete.to_string());
    cells.push(genmc.blocked.map(|count| count.to_string()).unwrap_or_default());
    cells.push(genmc.blocked_plain.to_string());
    cells.push(genmc.seconds.map(|seconds| format!("{seconds:.3}")).unwrap_or_default());
    cells
}

const INTRODUCTION: &str = "\
# The same programs under GenMC

Programs without a specification, explored on the engine rc11, beside what GenMC takes for the same text in C. `cargo run --release -p paper -- genmc --markdown`
writes this page, and `cargo xtask ci` fails if it is another. The programs are in `paper/src/genmc/programs/`.

- GenMC's figures were measured once: GenMC 0.11 under RC11 with `--disable-estimation --disable-sr`, processor seconds without those of compiling. The
  seconds here are of one run in release on one core, on another machine: read the counts. GenMC knows no spurious failures; here
  `fetch_update` has them, as always.
- complete: executions that ran to their end. delayed: those of them in which some thread went round a loop without an effect before it went on: a first
  round is explored, where GenMC leaves it out. blocked: by-products, which ended early, since what a thread waits for is in another
  execution; GenMC has fewest with in-place revisits.
- assumed: with the setting `spin_assume`, which takes loops that wait to keep nothing, as GenMC does where it sees that in the code. That is a
  bound: `what_only_a_failed_round_has_used_is_freed_too_early` (`tests/heap/freed.rs`) is an error that is found without it alone.
- explored: all, or stopped at 150,000 executions: the counts are then those up to there. Assumed: up to 300,000.
- comparison: within: at most as many complete executions as GenMC has, and half of them. over by delayed: more, and without delayed ones not. over at
  least: more, and the limit came before the rest was known. over: more, without delayed ones, too. open: the limit came before there were more. Which
  first rounds can be told from none depends on what the compiler leaves on the stack, so the counts of programs that are over may be others in another build.
";

#[cfg(test)]
mod tests {
    use super::row::tests::row;
    use super::*;

    #[test]
    fn a_program_with_a_fault_is_named() {
        let rows = [row("good", State::Whole, [1, 0]), row("bad", State::Faulty, [1, 0])];
        assert_eq!(check_faults(&rows).unwrap_err(), "these programs have a fault: bad");
        assert_eq!(check_faults(&rows[..1]), Ok(()));
    }

    #[test]
    fn the_text_says_which_programs_are_over() {
        let text = text(&[row("good", State::Whole, [10, 0]), row("bad", State::Stopped, [16, 1])]);
        let sums = "- within: 1 of 2: good\n- over by delayed: 0 of 2\n- over at least: 1 of 2: bad\n- over: 0 of 2\n";
        assert!(text.contains(sums), "{text}");
        assert!(text.contains("| bad     |       16 |       1 |       7 |   0.250 | stopped  |"), "{text}");
    }

    /// The smallest programs of each kind have as many executions without delayed ones as GenMC, where that is so at all.
    #[test]
    fn the_programs_have_the_counts_of_genmc_without_delayed_executions() {
        let names = [
            "fetch_add_6",
            "store_buffering_10",
            "store_buffering_seq_cst_6",
            "store_load_4",
            "token_ring_4",
            "fetch_update_3",
            "chase_lev_deque_2_thieves",
            "mcs_lock_3",
            "spinlock_4",
            "ticket_lock_4",
            "ttas_lock_3",
            "seqlock_2w_1r",
            "ms_queue_2w_2r",
            "mpmc_queue_2w_1r",
        ];
        let programs = || published::WORDS.iter().chain(&published::LOCKS).chain(&published::CONTAINERS);
        for name in names {
            let row = Row::of(programs().find(|program| program.name == name).expect(name), EXECUTIONS_MAX);
            let undelayed = row.ours.complete - row.ours.delayed;
            assert_eq!((row.ours.state, undelayed), (State::Whole, row.genmc.complete), "{name}");
            assert_eq!((row.assumed.state, row.assumed.complete), (State::Whole, undelayed), "{name}");
        }
    }
}
