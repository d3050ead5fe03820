//! A contract that is broken: which calls, why neither is before the other, and what would order them.

use super::super::data::{FindingKind, MisuseReason, ReportedEvent, ReportedFinding, ReportedMisuse};
use super::name::Names;
use super::page::Row;

/// What is wrong, in a sentence.
pub(super) fn sentence(names: &Names<'_>, misuse: &ReportedMisuse) -> String {
    let call = event_name(event(names, misuse.event));
    let says = misuse.says.as_ref().unwrap_or(&misuse.text);
    match misuse.reason {
        MisuseReason::Concurrent { first, second, .. } => {
            let other = if first == misuse.event { second } else { first };
            format!("{says}: {call} beside {}", event_name(event(names, other)))
        }
        MisuseReason::NotBefore { first, .. } if first != misuse.event => {
            format!("{says}: {call}, with {} not before", event_name(event(names, first)))
        }
        _ => format!("{says}: {call}"),
    }
}

/// The events that a finding is about.
pub(super) fn events(finding: &ReportedFinding) -> Vec<usize> {
    let FindingKind::Misused(misuse) = &finding.kind else { return Vec::new() };
    let mut events = vec![misuse.event];
    if let MisuseReason::Concurrent { first, second, .. } | MisuseReason::NotBefore { first, second } =
        misuse.reason
    {
        events.extend([first, second].into_iter().filter(|other| *other != misuse.event));
    }
    events
}

/// What a report calls an event: `e3 push`.
pub(super) fn event_name(event: &ReportedEvent) -> String {
    format!("e{} {}", event.id, event.method)
}

fn event<'a>(names: &Names<'a>, id: usize) -> &'a ReportedEvent {
    &names.execution.events[id]
}

/// The rows for it.
pub(super) fn rows(names: &Names<'_>, misuse: &ReportedMisuse) -> Vec<Row> {
    let row = |label: &str, id: usize| {
        let event = event(names, id);
        Row::new(label, format!("{} by {}", event_name(event), names.thread(event.thread))).at(event.place)
    };
    let mut rows = vec![object(names, misuse), row("call", misuse.event)];
    let pair = match misuse.reason {
        MisuseReason::Concurrent { first, second, .. } | MisuseReason::NotBefore { first, second } => {
            Some([first, second])
        }
        MisuseReason::Unknown | MisuseReason::Empty { .. } => None,
    };
    let others = pair.into_iter().flatten().filter(|other| *other != misuse.event);
    rows.extend(others.map(|other| row("other", other)));
    rows.push(Row::new("rule", misuse.text.as_str()).at(misuse.place));
    rows.extend(why(names, misuse).into_iter().map(|text| Row::new("why", text)));
    rows.extend(remedy(names, misuse).into_iter().map(|text| Row::new("do", text)));
    let order: Vec<String> = misuse.order.iter().map(|id| event_name(event(names, *id))).collect();
    rows.push(Row::new("order", order.join(", ")));
    rows
}

/// Which object it is: by its type, and where there are several by its first call.
fn object(names: &Names<'_>, misuse: &ReportedMisuse) -> Row {
    let events = &names.execution.events;
    let (contract, object) = (misuse.contract.as_str(), event(names, misuse.event).object);
    let count = events.iter().map(|event| event.object).max().map_or(0, |last| last + 1);
    let first = events.iter().find(|event| event.object == object);
    match first.filter(|_| count > 1) {
        None => Row::new("object", contract),
        Some(first) => {
            let which = format!(
                "{contract}, number {} of {count} under contracts: the first call of it is {}",
                object + 1,
                event_name(first)
            );
            Row::new("object", which).at(first.place)
        }
    }
}

fn why(names: &Names<'_>, misuse: &ReportedMisuse) -> Option<String> {
    let name = |id: usize| event_name(event(names, id));
    match misuse.reason {
        MisuseReason::Unknown => None,
        MisuseReason::Empty { ref set } => {
            let (set, now) = (set.as_deref(), name(misuse.event));
            Some(set.map_or_else(
                || format!("a set that it asks for is empty in this order of the calls: nothing orders one of its events before {now}"),
                |set| format!("no `{set}` has happened in this order of the calls: nothing orders an event of that set before {now}"),
            ))
        }
        MisuseReason::Concurrent { first, second, is_seen: true } => Some(format!(
            "{} has not returned where {} begins, in a thread that has seen what it did so far: nothing orders its return before",
            name(first),
            name(second)
        )),
        MisuseReason::Concurrent { first, second, .. } => Some(format!(
            "nothing orders the return of {} before {}, nor that of {} before {}",
            name(first),
            name(second),
            name(second),
            name(first)
        )),
        MisuseReason::NotBefore { first, second } => {
            Some(format!("nothing orders the return of {} before {}", name(first), name(second)))
        }
    }
}

/// Which synchronisation is missing.
fn remedy(names: &Names<'_>, misuse: &ReportedMisuse) -> Option<String> {
    let (first, second) = match misuse.reason {
        MisuseReason::Unknown => return None,
        MisuseReason::Empty { .. } => {
            return Some(
                "make the call that is expected before the threads are started, or let this one wait for it: join its thread, \
                 or acquire what that thread releases after it (a lock alone orders the two either way)"
                    .to_owned(),
            );
        }
        MisuseReason::Concurrent { first, second, .. } | MisuseReason::NotBefore { first, second } => {
            (event(names, first), event(names, second))
        }
    };
    let (earlier, later) = (event_name(first), event_name(second));
    let [one, other] = [first.thread, second.thread].map(|thread| names.thread(thread));
    let by_thread = match first.thread.index() {
        0 => format!("or {earlier} before {other} is started"),
        _ => format!("or joining {one} before {later}"),
    };
    let is_before = matches!(misuse.reason, MisuseReason::NotBefore { .. });
    let by_lock = if is_before { "" } else { "a lock around both calls, " };
    Some(format!(
        "{by_lock}{by_thread}, or a release by {one} after {earlier} that {other} acquires before {later}, would order them"
    ))
}
