//! Which orders a structure needs: the weakest ones under which all programs hold.

use super::found::{Found, Goal};
use super::injection::{by_file, name_operations};
use super::patch;
use super::program::Programs;
use super::scope::Scope;
use super::site::{FencePosition, Level, Site, is_below};
use super::source::Description;
use super::subject::{Proof, Subject};
use super::{lower, raise};
use crate::port::Overrides;
use crate::record::Place;
use crate::{process, report};
use std::fmt;
use std::sync::atomic::Ordering;

/// What is advised for one order.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recommendation {
    /// Which order.
    pub site: Site,
    /// The operation in words: `take: top.compare_exchange (success)`.
    pub operation: String,
    /// The line of the source, trimmed, where it can be read.
    pub line: Option<String>,
    /// Whether other operations may share the place, as in a macro invocation.
    pub is_ambiguous: bool,
    /// The order that is enough.
    pub needed: Level,
    /// Whether less is known not to be enough: each level below it was asked for, down to what is begun from where orders are strengthened.
    pub is_examined: bool,
    /// What shows that less is not, all else being as advised: each level next below; where orders were strengthened, the one that was
    /// begun from, too.
    pub proofs: Vec<(Level, Proof)>,
}

/// A fence that is missing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MissingFence {
    /// Beside which operation.
    pub place: Place,
    /// On which side.
    pub position: FencePosition,
    /// Its order.
    pub order: Ordering,
    /// What shows that it is needed.
    pub proof: Option<Proof>,
}

/// The weakest orders under which all programs hold. As good as the programs, and no better.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Advice {
    /// What is advised on.
    pub structure: String,
    /// Which way it goes.
    pub goal: Goal,
    /// Every order that the programs exercise, in the order of the source.
    pub recommendations: Vec<Recommendation>,
    /// The fences that are missing.
    pub fences: Vec<MissingFence>,
    /// Whether all programs were run with all of the advice at once, and hold.
    pub is_confirmed: bool,
    /// How many orders and fences were not looked at to the end because the time was over.
    pub not_reached_count: usize,
    /// How many orders and fences could not be lowered, or shown to be needed, because a limit left a run open.
    pub open_count: usize,
    /// How far the runs looked that the advice rests on: those of all programs as they are written, and with all of the advice.
    pub scope: Scope,
    /// What was begun from instead of the orders that are written ([`Programs::orders`]).
    pub base: Overrides,
    /// The advice as a patch of the source, in unified form.
    pub patch: String,
    /// Where the advice is another order than the one written, and not in the patch: in the source, the order does not stand there by itself.
    pub unpatched: Vec<Place>,
}

/// Says which memory orders are needed: the weakest ones with which all programs hold, or which are missing.
///
/// If the programs hold as they are written, one order after the other is lowered as far as it goes, in the order of the source. In the end every
/// single step further down is run once more, until none of them holds: what is left is as weak as single steps make it. There may be
/// other assignments that are no weaker and no stronger, and weaker ones that take two steps at once.
///
/// If some do not hold, a small set of orders to strengthen is looked for: sets of up to three, the smallest first, then greedily, from all
/// orders at their strongest down. If the programs do not hold with these, which also order more calls, the orders that are written are lowered
/// instead, where it was begun from others; then release and acquire everywhere. At last fences beside the operations are looked for as well. Each is then lowered as
/// far as it goes, and is necessary: with it left out, or weaker by any step, some program does not hold. That no smaller set is enough
/// is not proved: sets are passed over that lack a member without which not even all the others are enough.
///
/// Both are what the last runs show ([`Advice::is_complete`]); nothing is concluded from other runs. [`Programs::orders`] begins from other
/// orders than those written, such as none at all. A limit of [`Programs`] ends the search early: the advice then says what it left.
///
/// Advice is only as good as the programs: an order that none of them needs may be needed by another one.
///
/// Costs a run of all programs, often one that ends early, twice for each order and step, and for each set that is tried.
///
/// ```
/// # use cdsspec_runtime::{sync::atomic::{AtomicU32, Ordering::{Acquire, Relaxed, SeqCst}}, thread};
/// # use cdsspec_runtime::weaken::{Programs, advise};
/// fn set__get() {
///     let (data, flag) = (AtomicU32::new(0), AtomicU32::new(0));
///     thread::scope(|scope| {
///         scope.spawn(|| {
///             data.store(1, Relaxed);
///             flag.store(1, SeqCst);
///         });
///         assert!(flag.load(Acquire) == 0 || data.load(Relaxed) == 1);
///     });
/// }
///
/// let advice = advise(Programs::new("flag").program("set__get", set__get));
/// assert!(advice.is_complete());
/// let changes: Vec<String> = advice.changes().map(|change| format!("{} {}", change.operation, change.needed)).collect();
/// assert_eq!(changes, ["set__get: flag.store Release"]);
/// println!("{advice}"); // A table, the reasons, and a patch.
/// ```
pub fn advise(programs: impl Into<Programs>) -> Advice {
    let programs = programs.into();
    let pool = programs.pool("advice");
    let subject = Subject::new(&programs, &pool);
    let scope = subject.scope();
    let nothing = |why: &str| Found::nothing(Goal::Open(why.to_owned()), Vec::new());
    let mut found = if programs.programs.is_empty() {
        nothing("there are no programs\n")
    } else if !subject.left_out.is_empty() {
        nothing("the time was over before all of them had been run\n")
    } else if subject.holds() {
        lower::search(&subject, &pool)
    } else {
        raise::search(subject, &pool)
    };
    found.scope = scope.with(&found.scope);
    advice(programs.name, programs.base, found)
}

fn advice(structure: String, base: Overrides, found: Found) -> Advice {
    let Found {
        goal,
        sites,
        change,
        proofs: proved,
        fence_proofs,
        is_confirmed,
        not_reached_count,
        open_count,
        scope,
    } = found;
    let named = name_operations(sites.iter().copied());
    let is_advice = matches!(goal, Goal::Weaken | Goal::Strengthen);
    let patch = if is_advice { patch::unified(&change.of_source(&sites)) } else { patch::Patch::default() };
    let recommendations = sites.into_iter().map(|site| {
        let (operation, Description { line, is_ambiguous, .. }) = named[&site.key()].clone();
        let needed = change.level(&site);
        let is_about = |(of, level, _): &&(Site, Level, Proof)| {
            *of == site && (site.weaker(needed).contains(level) || *level == site.base)
        };
        let proofs = proved.iter().filter(is_about).map(|(_, level, proof)| (*level, proof.clone()));
        let proofs: Vec<(Level, Proof)> = proofs.collect();
        let below = match goal {
            Goal::Strengthen if needed != site.base => site.between(needed, site.base),
            _ => site.weaker(needed),
        };
        let is_examined =
            below.iter().all(|level| proved.iter().any(|(of, known, _)| *of == site && known == level));
        Recommendation { site, operation, line, is_ambiguous, needed, is_examined, proofs }
    });
    let recommendations = recommendations.collect();
    let fences = change.fences.iter().zip(fence_proofs);
    let fences =
        fences.map(|(&(place, position, order), proof)| MissingFence { place, position, order, proof });
    Advice {
        structure,
        goal,
        recommendations,
        fences: fences.collect(),
        is_confirmed,
        not_reached_count,
        open_count,
        scope,
        base,
        patch: patch.text,
        unpatched: patch.left_out,
    }
}

impl Recommendation {
    /// Whether something else is advised than what is begun from: what is written, unless [`Programs::orders`] says otherwise.
    pub fn is_change(&self) -> bool {
        self.needed != self.site.base
    }

    /// Whether there is anything to say of it: it is not as weak as an order can be, or was not.
    fn says_something(&self) -> bool {
        let is_weakest = |level| self.site.weaker(level).is_empty();
        let levels = [self.needed, self.site.base, self.site.written_level()];
        !levels.into_iter().all(is_weakest)
    }

    fn cells(&self) -> Vec<String> {
        let mark = if self.is_ambiguous { " (ambiguous)" } else { "" };
        let needed = match (self.is_examined, self.is_change()) {
            (true, false) => self.needed.to_string(),
            (true, true) => format!("{} <-", self.needed),
            (false, true) => format!("at most {} <-", self.needed),
            (false, false) if self.proofs.is_empty() => "not examined".to_owned(),
            (false, false) => format!("at most {}", self.needed),
        };
        vec![
            self.site.place.source.line.to_string() + mark,
            self.operation.clone(),
            self.site.written_text(),
            needed,
            self.proofs.iter().map(|(level, proof)| proof_text(level, proof)).collect::<Vec<_>>().join("; "),
        ]
    }
}

fn proof_text(level: &Level, proof: &Proof) -> String {
    format!("{level}: {} by {}, execution {}", proof.verdict, proof.program, proof.executions)
}

const HEADER: [&str; 5] = ["line", "operation", "written", "needed", "what shows that less is not enough"];

/// Beside advice that lowers orders.
const LOAD_BUFFERING: &str = "RC11 forbids load buffering by itself, and loom does not show it: an Acquire or Release that only prevents that looks unneeded here.";

impl Advice {
    /// The orders that should be others than those written.
    pub fn changes(&self) -> impl Iterator<Item = &Recommendation> {
        self.recommendations.iter().filter(|recommendation| recommendation.is_change())
    }

    /// Whether this is advice: all programs hold with it, and neither the time nor another limit has ended the search early.
    pub fn is_complete(&self) -> bool {
        matches!(self.goal, Goal::Weaken | Goal::Strengthen)
            && self.is_confirmed
            && self.not_reached_count == 0
            && self.open_count == 0
    }

    /// What the last runs show.
    fn proved(&self) -> Option<&'static str> {
        Some(match (&self.goal, self.is_confirmed, self.is_complete()) {
            (Goal::Hopeless(_) | Goal::Open(_), ..) => return None,
            (_, false, _) => {
                "NOT confirmed: with all of this at once, the runs did not end in time, or within a limit."
            }
            (_, true, false) => "All programs hold with all of this at once.",
            (Goal::Weaken, true, true) => {
                "All programs hold with all of this at once. With any one order a step weaker still, one of them fails."
            }
            (Goal::Strengthen, true, true) => {
                "All programs hold with all of this at once. With any one change less, or weaker, one of them fails."
            }
        })
    }

    fn summary(&self) -> String {
        let count = self.changes().count();
        let orders = format!("{count} of {} orders", self.recommendations.len());
        match &self.goal {
            Goal::Weaken if count == 0 => {
                format!("none of {} orders can be weaker", self.recommendations.len())
            }
            Goal::Weaken => format!("{orders} can be weaker"),
            Goal::Strengthen => {
                let is_weaker = |one: &&Recommendation| is_below(one.needed, one.site.base);
                let weaker = self.changes().filter(is_weaker).count();
                let orders = format!("{} of {} orders", count - weaker, self.recommendations.len());
                let less = if weaker > 0 { format!(", {weaker} weaker") } else { String::new() };
                format!("{orders} must be stronger{less}, and {} fences are missing", self.fences.len())
            }
            Goal::Hopeless(proof) => format!(
                "nothing was found: with the strongest orders, with release and acquire everywhere, and with a fence on either side of \
                 every operation, some program does not hold, in the end {}, which is {}. (That proves nothing of other orders: \
                 stronger ones order more calls, too, and a condition may want two calls concurrent.)",
                proof.program, proof.verdict
            ),
            Goal::Open(_) => "no advice, since it cannot be told whether the programs hold".to_owned(),
        }
    }
}

impl Advice {
    /// A table, what it comes to, the patch, and how far to trust it, in so many columns; lines of the patch are those of the source. What is
    /// printed ([`Display`](fmt::Display)) is as wide as the terminal, or has 100 columns where there is none.
    pub fn text(&self, columns: usize) -> String {
        let (shown, plain): (Vec<_>, Vec<_>) =
            self.recommendations.iter().partition(|recommendation| recommendation.says_something());
        let rows = shown.into_iter().map(|one| (one.site.place.source.file, one.cells()));
        let mut lines = report::grouped_table(&HEADER, &by_file(rows), columns);
        let mut say = |text: &str| lines.push(report::paragraph(text, columns));
        if !plain.is_empty() {
            say("");
            say(&format!(
                "not shown: {} orders that are written as weak as can be, and may stay so",
                plain.len()
            ));
        }
        if !self.base.is_empty() {
            say("");
            say(&format!("begun from: {}", self.base));
        }
        say("");
        let within = if self.scope.bounds.is_empty() { "" } else { ", as far as the bounds below go" };
        say(&format!("{}: {}{within}", self.structure, self.summary()));
        self.fence_lines().chain(self.left_lines()).for_each(|line| say(&line));
        lines.extend(self.report_lines(columns));
        lines.extend(self.patch_lines(columns));
        lines.extend(self.scope_lines(columns));
        lines.join("\n") + "\n"
    }

    /// The report that a search ended with which has found nothing.
    fn report_lines(&self, columns: usize) -> Vec<String> {
        let report = match &self.goal {
            Goal::Hopeless(proof) => &proof.report,
            Goal::Open(report) => report,
            Goal::Weaken | Goal::Strengthen => return Vec::new(),
        };
        let lines = report.trim_end().lines().map(|line| report::paragraph(line, columns));
        std::iter::once(String::new()).chain(lines).collect()
    }

    fn fence_lines(&self) -> impl Iterator<Item = String> {
        self.fences.iter().map(|MissingFence { place, position, order, proof }| {
            let side = if *position == FencePosition::Before { "before" } else { "after" };
            let proof = proof.as_ref().map(|proof| proof_text(&Level::Absent, proof));
            format!("a fence({order:?}) {side} {place} is missing; {}", proof.unwrap_or_default())
        })
    }

    /// What was left undone.
    fn left_lines(&self) -> impl Iterator<Item = String> {
        let not_reached = (self.not_reached_count, "were not looked at to the end in time");
        let open = (self.open_count, "are open under a limit of a run");
        let left = [not_reached, open].into_iter().filter(|(count, _)| *count > 0);
        left.map(|(count, what)| format!("{count} orders {what}: the advice is not complete"))
    }

    fn patch_lines(&self, columns: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.patch.is_empty() {
            lines.extend([String::new(), self.patch.trim_end().to_owned()]);
        }
        let is_as_written = self.patch.is_empty() && self.unpatched.is_empty();
        if self.is_complete() && !self.base.is_empty() && is_as_written {
            lines.push("That is what is written: there is nothing to patch.".to_owned());
        }
        lines.extend(self.unpatched.iter().map(|place| {
            report::paragraph(&format!("not in the patch, to be changed by hand: {place}"), columns)
        }));
        lines
    }

    /// How far to trust it.
    fn scope_lines(&self, columns: usize) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(proved) = self.proved() {
            let within = if self.scope.bounds.is_empty() { "" } else { "Within the bounds below: " };
            lines.extend([String::new(), [within, proved].concat()]);
        }
        lines.extend(self.scope.to_string().lines().map(str::to_owned));
        if matches!(self.goal, Goal::Weaken)
            && self.changes().next().is_some()
            && self.scope.has_no_load_buffering()
        {
            lines.push(LOAD_BUFFERING.to_owned());
        }
        lines.push(
            "Advice is only as good as the programs: an order that none of them needs may be needed by another one."
                .to_owned(),
        );
        lines.iter().map(|line| report::paragraph(line, columns)).collect()
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(process::columns()))
    }
}
