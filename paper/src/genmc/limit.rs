//! At most as many complete executions as GenMC has, and half of them: which kinds of programs take more, and why.

use super::row::{Comparison, Explored, Row};
use crate::Outcome;

const FIRST_ROUND: &str = "the first round of a loop without an effect is explored, since it may leave something behind, or use what is freed; GenMC leaves it out";

const TAKEN_BACK: &str = "who finds too little subtracts and adds back: such a round writes, and is explored";

/// The kinds of programs that take more than is wanted with `spin_assume`. Take out what no longer does: `--check` fails until then.
pub(super) const ASSUMED_OVER: [(&str, &str); 1] = [("linux_rwlock", TAKEN_BACK)];

/// Those that do without it.
pub(super) const OVER: [(&str, &str); 11] = [
    ("token_ring", FIRST_ROUND),
    (
        "carried_failure",
        "a round that begins with the value of a failed exchange is explored as it is: of each chain of such rounds there are as many executions as stores to read",
    ),
    ("mcs_lock", FIRST_ROUND),
    ("spinlock", FIRST_ROUND),
    ("ticket_lock", FIRST_ROUND),
    ("ttas_lock", FIRST_ROUND),
    ("linux_rwlock", TAKEN_BACK),
    ("seqlock", FIRST_ROUND),
    ("ms_queue", FIRST_ROUND),
    ("treiber_stack", FIRST_ROUND),
    ("mpmc_queue", FIRST_ROUND),
];

/// Exactly the kinds that are known to take more do.
///
/// # Errors
/// The programs that take more and are of another kind, and the kinds of which none does.
pub(super) fn check(rows: &[Row]) -> Outcome {
    against(rows, |row| (row.comparison(), row.ours), &OVER)?;
    against(rows, |row| (row.assumed_comparison(), row.assumed), &ASSUMED_OVER)
}

fn against(rows: &[Row], explored: fn(&Row) -> (Comparison, Explored), known: &[(&str, &str)]) -> Outcome {
    let over: Vec<&Row> = rows.iter().filter(|row| explored(row).0.is_over()).collect();
    let is_known = |row: &&&Row| known.iter().any(|(kind, _)| *kind == row.kind());
    let mut mistakes: Vec<String> = over
        .iter()
        .filter(|row| !is_known(row))
        .map(|row| {
            let (complete, genmc) = (explored(row).1.complete, row.genmc.complete);
            format!(
                "{}: {complete} complete executions, and GenMC has {genmc}: at most half more are wanted",
                row.program
            )
        })
        .collect();
    let is_over = |kind: &str| over.iter().any(|row| row.kind() == kind);
    let fine = known.iter().filter(|(kind, _)| !is_over(kind));
    mistakes
        .extend(fine.map(|(kind, _)| format!("{kind}: no such program takes more than is wanted any more")));
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

/// Which kinds take more, and why: a line each reason.
pub(super) fn reasons(over: &[(&'static str, &'static str)]) -> String {
    let mut lines: Vec<(Vec<&str>, &str)> = Vec::new();
    for &(kind, reason) in over {
        match lines.iter_mut().find(|(_, known)| *known == reason) {
            Some((kinds, _)) => kinds.push(kind),
            None => lines.push((vec![kind], reason)),
        }
    }
    lines.iter().map(|(kinds, reason)| format!("- {}: {reason}.\n", kinds.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::row::State;
    use super::super::row::tests::row;
    use super::*;

    #[test]
    fn a_program_is_over_only_if_its_kind_is_known_to_be() {
        let plain = |row: &Row| (row.comparison(), row.ours);
        let rows = [row("good_2", State::Whole, [15, 0]), row("bad_3", State::Whole, [16, 0])];
        assert_eq!(against(&rows, plain, &[("bad", "since")]), Ok(()));
        let error = |known: &[(&str, &str)]| against(&rows, plain, known).unwrap_err();
        let over = "bad_3: 16 complete executions, and GenMC has 10: at most half more are wanted";
        assert_eq!(error(&[]), over);
        let fine = "good: no such program takes more than is wanted any more";
        assert_eq!(error(&[("bad", "since"), ("good", "since")]), fine);
    }
}
