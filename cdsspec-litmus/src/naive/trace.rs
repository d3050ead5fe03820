//! What one thread can do by itself, with guessed values for what it reads.

use super::axiom::Kind;
use crate::syntax::{Instruction, Litmus, LocationIndex, Operand, RegisterIndex, Registers};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// An event of a trace.
#[derive(Clone, Copy, Debug)]
pub(super) struct TraceEvent {
    pub(super) kind: Kind,
    pub(super) location: Option<LocationIndex>,
    pub(super) order: Option<Ordering>,
    pub(super) read: Option<i64>,
    pub(super) written: Option<i64>,
}

/// One way through the code of a thread.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub(super) events: Vec<TraceEvent>,
    pub(super) registers: Registers,
    /// The orders of the weak compare-exchanges that have failed spuriously: those of equal orders share a place in the runner.
    failed: Vec<(Ordering, Ordering)>,
    /// What the thread waits for, for ever, at the end of the events: this location to hold this value.
    pub(super) waits: Option<(LocationIndex, i64)>,
}

/// The values that a location can ever hold.
pub(super) type Domains = Vec<BTreeSet<i64>>;

/// A superset of the values that each location can hold.
///
/// A value goes along sb ∪ rf, which has no cycle, so that it passes each writing instruction at most once.
pub(super) fn domains(test: &Litmus) -> Domains {
    let mut domains: Domains =
        test.locations.iter().map(|location| BTreeSet::from([location.initial])).collect();
    let rounds: usize = test.threads.iter().map(|code| write_count(code)).sum();
    for _ in 0..rounds {
        let before = domains.clone();
        for code in &test.threads {
            let traces = traces(test, code, &before);
            let events = traces.iter().flat_map(|trace| &trace.events);
            for (location, value) in events.filter_map(|event| event.location.zip(event.written)) {
                domains[location.0].insert(value);
            }
        }
        if before == domains {
            break;
        }
    }
    domains
}

fn write_count(code: &[Instruction]) -> usize {
    let count = |instruction: &Instruction| match instruction {
        Instruction::Read { .. } | Instruction::Await { .. } | Instruction::Fence { .. } => 0,
        Instruction::If { body, .. } => write_count(body),
        _ => 1,
    };
    code.iter().map(count).sum()
}

/// All traces of a thread.
pub(super) fn traces(test: &Litmus, code: &[Instruction], domains: &Domains) -> Vec<Trace> {
    let first = Trace { events: Vec::new(), registers: test.no_registers(), failed: Vec::new(), waits: None };
    block(code, vec![first], domains)
}

fn block(code: &[Instruction], traces: Vec<Trace>, domains: &Domains) -> Vec<Trace> {
    code.iter().fold(traces, |traces, instruction| {
        traces.into_iter().flat_map(|trace| step(instruction, trace, domains)).collect()
    })
}

fn step(instruction: &Instruction, mut trace: Trace, domains: &Domains) -> Vec<Trace> {
    if trace.waits.is_some() {
        return vec![trace];
    }
    let value = |operand: Operand| trace.registers.value(operand);
    match *instruction {
        Instruction::Write { location, value: stored, order } => {
            let written = Some(value(stored));
            let kind = Kind::Write;
            trace.events.push(TraceEvent { kind, location: Some(location), order, read: None, written });
            vec![trace]
        }
        Instruction::Fence { order } => {
            let (kind, order) = (Kind::Fence, Some(order));
            trace.events.push(TraceEvent { kind, location: None, order, read: None, written: None });
            vec![trace]
        }
        Instruction::Read { register, location, order } => {
            reading(&trace, register, location, domains, |_| (order, None))
        }
        Instruction::Add { register, location, value: added, order } => {
            let added = value(added);
            reading(&trace, register, location, domains, |read| (Some(order), Some(read.wrapping_add(added))))
        }
        Instruction::Exchange { register, location, value: stored, order } => {
            let stored = value(stored);
            reading(&trace, register, location, domains, |_| (Some(order), Some(stored)))
        }
        Instruction::CompareExchange { register, location, expected, new, success, failure, is_weak } => {
            let (values, orders) = ((value(expected), value(new)), (success, failure));
            exchanging(trace, (register, location), values, orders, (is_weak, domains))
        }
        Instruction::Await { register, location, value: wanted, order } => {
            // The rounds that fail are not told apart: a thread that spins waits.
            let wanted = value(wanted);
            let blocked = Trace { waits: Some((location, wanted)), ..trace.clone() };
            trace.events.push(TraceEvent {
                kind: Kind::Read,
                location: Some(location),
                order: Some(order),
                read: Some(wanted),
                written: None,
            });
            trace.registers.set(register, wanted);
            vec![trace, blocked]
        }
        Instruction::Lock { location } => {
            let mut blocked = trace.clone();
            blocked.waits = Some((location, 0));
            trace.events.push(lock_event(location, Ordering::Acquire, (0, 1)));
            vec![trace, blocked]
        }
        Instruction::Unlock { location } => {
            trace.events.push(lock_event(location, Ordering::Release, (1, 0)));
            vec![trace]
        }
        Instruction::If { register, value: wanted, ref body } => {
            let holds = value(Operand::Register(register)) == value(wanted);
            if holds { block(body, vec![trace], domains) } else { vec![trace] }
        }
    }
}

/// A compare-exchange; a weak one may fail spuriously, once with these orders in a thread.
fn exchanging(
    mut trace: Trace,
    (register, location): (RegisterIndex, LocationIndex),
    (expected, new): (i64, i64),
    (success, failure): (Ordering, Ordering),
    (is_weak, domains): (bool, &Domains),
) -> Vec<Trace> {
    let mut after = reading(&trace, register, location, domains, |read| match read == expected {
        true => (Some(success), Some(new)),
        false => (Some(failure), None),
    });
    let may_fail = is_weak && !trace.failed.contains(&(success, failure));
    if may_fail && domains[location.0].contains(&expected) {
        trace.failed.push((success, failure));
        let failed = reading(&trace, register, location, domains, |_| (Some(failure), None));
        let is_spurious =
            |trace: &Trace| trace.events.last().is_some_and(|event| event.read == Some(expected));
        after.extend(failed.into_iter().filter(is_spurious));
    }
    after
}

/// Taking or freeing a lock: a read-modify-write, from one value to another.
fn lock_event(location: LocationIndex, order: Ordering, (read, written): (i64, i64)) -> TraceEvent {
    TraceEvent {
        kind: Kind::Update,
        location: Some(location),
        order: Some(order),
        read: Some(read),
        written: Some(written),
    }
}

/// The trace with a read, once for each value that it may read. `finish` gives the order and what is written.
fn reading(
    trace: &Trace,
    register: RegisterIndex,
    location: LocationIndex,
    domains: &Domains,
    finish: impl Fn(i64) -> (Option<Ordering>, Option<i64>),
) -> Vec<Trace> {
    let with = |&read: &i64| {
        let mut trace = trace.clone();
        let (order, written) = finish(read);
        let kind = if written.is_some() { Kind::Update } else { Kind::Read };
        trace.events.push(TraceEvent { kind, location: Some(location), order, read: Some(read), written });
        trace.registers.set(register, read);
        trace
    };
    domains[location.0].iter().map(with).collect()
}
