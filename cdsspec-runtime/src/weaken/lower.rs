//! Lowers orders one at a time, as far as all programs hold.

use super::found::{Found, Goal};
use super::pool::Pool;
use super::site::{Change, Level, Site};
use super::subject::{Answer, Subject};

/// A site, and the level next below the one that it has.
type StepDown = (Site, Level);

/// Steps from one assignment, and what the programs say to each; `None`: it was not begun.
type Asked = Vec<(StepDown, Option<Answer>)>;

/// Lowers the orders of programs that hold.
///
/// A step that fails alone is first passed over: most often it fails beside others, too. That is no law. Weaker orders also order fewer
/// calls, so that more is justified, and executions become inadmissible that were violated. So in the end every single step down from what
/// was found is asked for again, until none of them holds.
pub(super) fn search(subject: &Subject, pool: &Pool) -> Found {
    let all = subject.sites();
    let alone = ask_each(subject, pool, "single steps", &all, &Change::default());
    let begin = descend(subject, pool, &all, &alone);
    let (change, last) = settle(subject, pool, &all, begin, alone);
    let hold = subject.ask_on(pool, &change).hold();
    let is_confirmed = hold.is_some();
    let mut found =
        Found { change, is_confirmed, scope: hold.unwrap_or_default(), ..Found::nothing(Goal::Weaken, all) };
    let (mut open, mut not_reached): (Vec<Site>, Vec<Site>) = (Vec::new(), Vec::new());
    for ((site, level), answer) in last {
        match answer {
            Some(Answer::Fails(proof)) => found.proofs.push((site, level, proof)),
            Some(Answer::Hold { .. }) => unreachable!("cdsspec bug: a step that holds is taken"),
            Some(Answer::Open { .. }) => open.push(site),
            Some(Answer::NotReached) | None => not_reached.push(site),
        }
    }
    open.dedup();
    not_reached.dedup();
    (found.open_count, found.not_reached_count) = (open.len(), not_reached.len());
    found
}

/// Asks for every single step down from an assignment.
fn ask_each(subject: &Subject, pool: &Pool, phase: &str, all: &[Site], change: &Change) -> Asked {
    let below = |site: &Site| {
        let site = *site;
        site.weaker(change.level(&site)).into_iter().map(move |level| (site, level))
    };
    let steps: Vec<StepDown> = all.iter().flat_map(below).collect();
    let answers = pool.run(phase, &steps, |(site, level)| subject.ask(&change.with(*site, *level)));
    steps.into_iter().zip(answers).collect()
}

/// Lowers one site after the other as far as it goes, in the order of the source.
fn descend(subject: &Subject, pool: &Pool, all: &[Site], alone: &Asked) -> Change {
    pool.follow("lowering", all.len(), |progress| {
        let mut change = Change::default();
        for site in all {
            while let Some(next) = step(subject, pool, &change, site, alone) {
                change = next;
            }
            progress.step();
        }
        change
    })
}

/// The first step down of a site that holds.
fn step(subject: &Subject, pool: &Pool, change: &Change, site: &Site, alone: &Asked) -> Option<Change> {
    site.weaker(change.level(site)).into_iter().find_map(|level| {
        let known = alone.iter().find(|(step, _)| *step == (*site, level)).map(|(_, answer)| answer);
        let holds = match known {
            Some(Some(Answer::Hold { .. })) if *change == Change::default() => true,
            Some(Some(Answer::Hold { .. })) | None => {
                matches!(subject.ask_on(pool, &change.with(*site, level)), Answer::Hold { .. })
            }
            Some(_) => false,
        };
        holds.then(|| change.with(*site, level))
    })
}

/// Takes steps that hold until every single one fails, or cannot be told; with what the programs say to these.
fn settle(subject: &Subject, pool: &Pool, all: &[Site], begin: Change, alone: Asked) -> (Change, Asked) {
    let mut change = begin;
    let mut asked = match change == Change::default() {
        true => alone,
        false => ask_each(subject, pool, "last steps", all, &change),
    };
    let holding = |asked: &Asked| {
        asked.iter().find(|(_, answer)| matches!(answer, Some(Answer::Hold { .. }))).map(|(step, _)| *step)
    };
    while let Some((site, level)) = holding(&asked) {
        change = change.with(site, level);
        asked = ask_each(subject, pool, "last steps", all, &change);
    }
    (change, asked)
}
