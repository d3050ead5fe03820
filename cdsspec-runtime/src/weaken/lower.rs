//! Lowers orders one at a time, as far as all programs hold.

use super::advice::{Found, Goal};
use super::pool::Pool;
use super::scope::Scope;
use super::site::{Change, Level, Site, sites};
use super::subject::{Answer, Proof, Subject};

/// What is known of single steps: those that alone make a program fail do so under weaker orders of others, too. (To weaken an order adds
/// behaviours, and takes none away.)
struct Known {
    refuted: Vec<(Site, Level, Proof)>,
    /// Steps that are not refuted alone.
    survived: Vec<(Site, Level)>,
    /// Steps of which a limit does not let it be told.
    open: Vec<(Site, Level)>,
}

/// Lowers the orders of programs that hold.
pub(super) fn search(subject: &Subject, pool: Pool<'_>) -> Found {
    let all = sites(&subject.reached());
    let steps: Vec<(Site, Level)> = all
        .iter()
        .flat_map(|site| site.weaker(site.written_level()).into_iter().map(|to| (*site, to)))
        .collect();
    let answers = pool.run(&steps, |step| subject.ask(&Change::of(step.0, step.1)));
    let mut known = Known { refuted: Vec::new(), survived: Vec::new(), open: Vec::new() };
    for ((site, level), answer) in steps.into_iter().zip(answers) {
        match answer {
            Some(Answer::Fails(proof)) => known.refuted.push((site, level, proof)),
            Some(Answer::Hold { .. }) => known.survived.push((site, level)),
            Some(Answer::Open { .. }) => known.open.push((site, level)),
            None => {}
        }
    }
    let mut change = Change::default();
    let mut not_reached_count = 0;
    for site in all.iter().filter(|site| !site.weaker(site.written_level()).is_empty()) {
        if pool.is_over() {
            not_reached_count += 1;
            continue;
        }
        change = lowered(subject, &mut known, &change, *site);
    }
    let (is_confirmed, scope) =
        subject.ask(&change).hold().map_or((false, Scope::default()), |scope| (true, scope));
    let is_open = |site: &&Site| {
        let below = site.weaker(change.level(site));
        let is_refuted = |level| known.refuted.iter().any(|(of, at, _)| (of, at) == (*site, level));
        below.iter().any(|level| known.open.contains(&(**site, *level)) && !is_refuted(level))
    };
    let open_count = all.iter().filter(is_open).count();
    Found {
        goal: Goal::Weaken,
        sites: all,
        change,
        proofs: known.refuted,
        fence_proofs: Vec::new(),
        is_confirmed,
        not_reached_count,
        open_count,
        scope,
    }
}

/// Lowers one site as far as it goes beside the others. Later ones, when they are lowered, make nothing possible here.
fn lowered(subject: &Subject, known: &mut Known, change: &Change, site: Site) -> Change {
    let mut change = change.clone();
    while let Some(next) = step(subject, known, &change, site) {
        change = next;
    }
    change
}

fn step(subject: &Subject, known: &mut Known, change: &Change, site: Site) -> Option<Change> {
    for level in site.weaker(change.level(&site)) {
        if known.refuted.iter().any(|(of, at, _)| *of == site && *at == level) {
            continue;
        }
        let is_alone = change.levels.is_empty();
        if is_alone && !known.survived.contains(&(site, level)) {
            continue;
        }
        let next = change.with(site, level);
        if is_alone {
            return Some(next);
        }
        match subject.ask(&next) {
            Answer::Hold { .. } => return Some(next),
            Answer::Fails(proof) => known.refuted.push((site, level, proof)),
            Answer::Open { .. } => known.open.push((site, level)),
        }
    }
    None
}
