//! How far a run looked, and how to see it again.

use super::super::data::{
    Bound, FindingKind, OrderCause, OrdersToBlame, Remedy, Report, ReportedExecution, RunCounts,
};
use super::headline;
use super::page::{Page, Row};
use super::phrase::number;
use super::{limit, note};
use crate::check::Verdict;
use crate::record::{Exploration, LimitKind, ReachedBound};

/// What is found in an execution of a run that goes on.
pub fn so_far(execution: &ReportedExecution, columns: usize) -> String {
    let text = super::describe(execution, columns);
    let number = execution.number;
    format!(
        "{}\n\n  coverage  execution {number}; the run goes on, since stop_at_first is off\n",
        text.trim_end()
    )
}

/// The report of a run.
pub fn whole(report: &Report, columns: usize) -> String {
    let mut page = Page::new(columns);
    if let Some(error) = &report.error {
        page.headline(&format!("{}: {error}", report.verdict));
        return page.to_string();
    }
    match &report.execution {
        Some(execution) => {
            page.block(super::describe(execution, columns).trim_end().lines().map(str::to_owned));
        }
        None => page.headline(&headline(report)),
    }
    page.rows(&rows(report));
    if let Some(smallest) = &report.smallest {
        super::smallest::write(&mut page, smallest, columns);
    }
    page.to_string()
}

fn headline(report: &Report) -> String {
    let executions = executions(report.coverage.counts.executions);
    let sentence = match (report.verdict, &report.coverage.exploration) {
        _ if report.is_refused => {
            format!("no fault in {executions}, but the run is strict, and checked less than it seems")
        }
        (Verdict::Inconclusive, Exploration::Limit(limit)) => {
            let reached = limit::reached(limit, report.coverage.counts.executions);
            format!("stopped after {executions} ({reached})")
        }
        (Verdict::Inconclusive, Exploration::Failed(message)) => {
            format!("the engine gave up after {executions}: {message}")
        }
        (Verdict::Inconclusive, Exploration::Departed(message)) => {
            format!("the program does not do again what it did: {message}")
        }
        (Verdict::Inconclusive, Exploration::Replayed) => {
            "the execution that was run again has no fault, and no other one was looked at".to_owned()
        }
        (Verdict::Inconclusive, Exploration::Stopped) => format!("stopped after {executions}"),
        (Verdict::Inconclusive, Exploration::Complete | Exploration::Sampled) => {
            format!("no execution had a result, of {executions}")
        }
        _ => format!("no fault in {executions}"),
    };
    format!("{}: {sentence}", report.verdict)
}

fn rows(report: &Report) -> Vec<Row> {
    let counts = &report.coverage.counts;
    let mut rows: Vec<_> =
        report.remedy.iter().map(|remedy| Row::new("what helps", remedy_text(*remedy))).collect();
    rows.extend(cause_rows(report));
    rows.push(Row::new("coverage", extent(report)));
    if let Exploration::Limit(limit) = &report.coverage.exploration
        && report.verdict == Verdict::Inconclusive
    {
        rows.push(Row::new("do", limit::remedy(limit.kind)));
    }
    if report.is_refused {
        let text = "mend what the rows `note` say first, or switch `strict` off (CDSSPEC_STRICT)";
        rows.push(Row::new("do", text));
    }
    if !counts.by_verdict.is_empty() || counts.by_products > 0 {
        rows.push(Row::new("executions", classes(counts)));
    }
    rows.extend(inadmissible_row(report));
    rows.push(Row::new(
        "checked",
        format!("{}, {}", number(counts.shapes, "shape"), histories(counts.histories)),
    ));
    rows.extend(note::texts(report).into_iter().map(|text| Row::new("note", text)));
    if !report.bounds.is_empty() {
        rows.push(Row::new("bounds", bound_texts(&report.bounds).join("; ")));
    }
    if !report.orders.is_empty() {
        rows.push(Row::new("orders", report.orders.as_str()));
    }
    if report.execution.is_some() {
        match (&report.schedule, &report.replay) {
            (Some(_), Some(command)) => rows.push(Row::new("replay", command.as_str()).unbroken()),
            (Some(schedule), None) => {
                rows.push(Row::new("replay", format!("CDSSPEC_REPLAY={schedule}")).unbroken());
            }
            (None, command) => {
                let text = format!("run it again: {} comes to the same execution each time", report.engine);
                rows.push(Row::new("replay", text));
                rows.extend(command.iter().map(|command| Row::new("", command.as_str())));
            }
        }
    }
    if !report.not_modelled.is_empty() {
        let text = format!("by {}: {}", report.engine, report.not_modelled.join("; "));
        rows.push(Row::new("not modelled", text));
    }
    rows
}

/// The first inadmissible execution, where the verdict is not from it.
fn inadmissible_row(report: &Report) -> Option<Row> {
    let finding = report.inadmissible.as_ref().filter(|_| report.verdict != Verdict::Inadmissible)?;
    let FindingKind::Inadmissible { text, first, second, .. } = &finding.kind else { return None };
    let sentence = headline::inadmissible(text, *first, *second);
    Some(Row::new("", format!("the first {}: {sentence}", finding.verdict)))
}

/// A phrase for each bound.
pub fn bound_texts(bounds: &[Bound]) -> Vec<String> {
    bounds.iter().map(bound_text).collect()
}

fn bound_text(bound: &Bound) -> String {
    match bound {
        Bound::NeverExhaustive { engine } => format!("{engine} is never exhaustive"),
        Bound::Runs { count, seed, strategy } => format!("runs = {count}, seed {seed}, strategy {strategy}"),
        Bound::CallClockOff => "call clock off".to_owned(),
        Bound::SpuriousFailuresOff => "spurious failures off".to_owned(),
        Bound::SpuriousWakeupsOff => "spurious wake-ups off".to_owned(),
        Bound::SpinsAssumed => "spin_assume: rounds of loops that wait are left out".to_owned(),
        Bound::Preemptions { count } => format!("preemptions_max = {count}"),
        Bound::RandomHistories { count, seed } => format!("histories = random({count}), seed {seed}"),
        Bound::PartialScOrder => "sc_order = partial".to_owned(),
        Bound::LoopRounds(ReachedBound { round_count, place }) => {
            let (name, source) = (LimitKind::LoopRounds.name(), place.source);
            format!("{name} = {round_count} for the loop at {source}")
        }
    }
}

/// Which orders are to blame. What would help says the same of freed memory, where none is.
fn cause_rows(report: &Report) -> Vec<Row> {
    match &report.orders_to_blame {
        None => Vec::new(),
        Some(OrdersToBlame::None) if report.remedy.is_some() => Vec::new(),
        Some(OrdersToBlame::None) => {
            vec![Row::new("cause", "no memory order: with every order SeqCst this execution would fail, too")]
        }
        Some(OrdersToBlame::Several) => vec![Row::new(
            "cause",
            "memory orders, and no single one: with every order SeqCst this execution would not fail; `cdsspec::advise` looks for those that matter",
        )],
        Some(OrdersToBlame::Each(causes)) => {
            let of = |(index, cause): (usize, &OrderCause)| {
                let OrderCause { place, orders } = cause;
                let label = if index == 0 { "cause" } else { "or" };
                Row::new(label, format!("{place}: with {orders} this execution would not fail"))
            };
            causes.iter().enumerate().map(of).collect()
        }
    }
}

fn remedy_text(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Order => {
            "order: with every order SeqCst it does not happen; `cdsspec::advise` looks for the weakest orders that are enough"
        }
        Remedy::Lifetime => {
            "lifetime: no order does, since it happens with every order SeqCst, too: free it later, when nobody can have a \
             pointer to it any more (a count of its users, an epoch, a hazard pointer)"
        }
    }
}

/// `execution 17 of 23, complete`.
fn extent(report: &Report) -> String {
    let all = report.coverage.counts.executions;
    let looked = match &report.execution {
        Some(execution) => format!("execution {} of {all}", execution.number),
        None => executions(all),
    };
    let end = match &report.coverage.exploration {
        Exploration::Complete => "complete".to_owned(),
        Exploration::Sampled => "drawn".to_owned(),
        Exploration::Stopped => "stopped there".to_owned(),
        Exploration::Limit(limit) => {
            format!("stopped after {} ({})", executions(all), limit::reached(limit, all))
        }
        Exploration::Failed(message) => format!("the engine gave up: {message}"),
        Exploration::Replayed => "run again".to_owned(),
        Exploration::Departed(_) => "which the program has left".to_owned(),
    };
    format!("{looked}, {end}")
}

fn classes(counts: &RunCounts) -> String {
    let mut classes: Vec<_> =
        counts.by_verdict.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    if counts.delayed_executions > 0 {
        classes.push(format!("{} of them delayed in a loop that waits", counts.delayed_executions));
    }
    if counts.by_products > 0 {
        classes.push(format!("{} cut by the engine, no results", counts.by_products));
    }
    classes.join(", ")
}

fn executions(number: u64) -> String {
    self::number(number, "execution")
}

pub(super) fn histories(number: u64) -> String {
    if number == 1 { "1 sequential history".to_owned() } else { format!("{number} sequential histories") }
}
