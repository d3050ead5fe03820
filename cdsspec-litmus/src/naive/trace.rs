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
pub(super) struct Trace<'t> {
    pub(super) events: Vec<TraceEvent>,
    pub(super) registers: Registers,
    /// The orders of the weak compare-exchanges that have failed spuriously: those of equal orders share a place in the runner.
    failed: Vec<(Ordering, Ordering)>,
    /// The ordering points of its calls so far: events.
    pub(super) calls: Vec<Vec<usize>>,
    /// What the thread waits for, for ever, at the end of the events: this location to hold this value.
    pub(super) waits: Option<(LocationIndex, i64)>,
    /// The loop that the thread is in at the end of the events, which are those of its rounds so far.
    pub(super) stopped: Option<&'t Instruction>,
}

impl Trace<'_> {
    /// Whether the thread ran to its end.
    pub(super) fn has_ended(&self) -> bool {
        self.waits.is_none() && self.stopped.is_none()
    }
}

/// How far traces follow a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rounds {
    /// How many rounds there are, each time that the loop is entered.
    pub(super) max: usize,
    /// Whether a trace may stop after each of them, and not only after the last one.
    pub(super) stops_early: bool,
}

/// What bounds the traces.
#[derive(Clone, Copy)]
pub(super) struct Scope<'d> {
    pub(super) domains: &'d Domains,
    pub(super) rounds: Rounds,
    /// How many traces a thread may have.
    pub(super) traces_max: usize,
}

/// There are more traces or graphs than the twin was asked to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// The values that a location can ever hold.
pub(super) type Domains = Vec<BTreeSet<i64>>;

/// A superset of the values that each location can hold.
///
/// A value goes along sb ∪ rf, which has no cycle, so that it passes each writing instruction at most once, in each round.
pub(super) fn domains(test: &Litmus, rounds: Rounds, traces_max: usize) -> Result<Domains, TooLarge> {
    let mut domains: Domains =
        test.locations.iter().map(|location| BTreeSet::from([location.initial])).collect();
    let passes: usize = test.threads.iter().map(|code| write_count(code, rounds.max)).sum();
    for _ in 0..passes {
        let before = domains.clone();
        let scope = Scope { domains: &before, rounds, traces_max };
        for code in &test.threads {
            let traces = traces(test, code, scope)?;
            let events = traces.iter().flat_map(|trace| &trace.events);
            for (location, value) in events.filter_map(|event| event.location.zip(event.written)) {
                domains[location.0].insert(value);
            }
        }
        if before == domains {
            break;
        }
    }
    Ok(domains)
}

fn write_count(code: &[Instruction], rounds: usize) -> usize {
    let count = |instruction: &Instruction| match instruction {
        Instruction::Read { .. }
        | Instruction::Await { .. }
        | Instruction::Fence { .. }
        | Instruction::Move { .. }
        | Instruction::Point
        | Instruction::Clear => 0,
        Instruction::If { body, .. } | Instruction::Call { body } => write_count(body, rounds),
        Instruction::Loop { body, .. } => rounds * write_count(body, rounds),
        _ => 1,
    };
    code.iter().map(count).sum()
}

/// All traces of a thread.
pub(super) fn traces<'t>(
    test: &Litmus,
    code: &'t [Instruction],
    scope: Scope<'_>,
) -> Result<Vec<Trace<'t>>, TooLarge> {
    let registers = test.no_registers();
    let (events, failed, calls) = (Vec::new(), Vec::new(), Vec::new());
    block(code, vec![Trace { events, registers, failed, calls, waits: None, stopped: None }], scope)
}

fn block<'t>(
    code: &'t [Instruction],
    mut traces: Vec<Trace<'t>>,
    scope: Scope<'_>,
) -> Result<Vec<Trace<'t>>, TooLarge> {
    for instruction in code {
        let mut after = Vec::new();
        for trace in traces {
            after.extend(step(instruction, trace, scope)?);
        }
        if after.len() > scope.traces_max {
            return Err(TooLarge);
        }
        traces = after;
    }
    Ok(traces)
}

/// What a thread can do in a loop: after each round it looks whether it leaves.
fn repeated<'t>(
    instruction: &'t Instruction,
    (register, value, body): (RegisterIndex, Operand, &'t [Instruction]),
    trace: Trace<'t>,
    scope: Scope<'_>,
) -> Result<Vec<Trace<'t>>, TooLarge> {
    let (mut left, mut inside) = (Vec::new(), vec![trace]);
    for round in 1..=scope.rounds.max {
        let mut again = Vec::new();
        for trace in block(body, inside, scope)? {
            let registers = &trace.registers;
            if !trace.has_ended() || registers.value(Operand::Register(register)) == registers.value(value) {
                left.push(trace);
            } else {
                again.push(trace);
            }
        }
        if scope.rounds.stops_early || round == scope.rounds.max {
            let stop = |trace: &Trace<'t>| Trace { stopped: Some(instruction), ..trace.clone() };
            left.extend(again.iter().map(stop));
        }
        inside = again;
    }
    Ok(left)
}

fn step<'t>(
    instruction: &'t Instruction,
    mut trace: Trace<'t>,
    scope: Scope<'_>,
) -> Result<Vec<Trace<'t>>, TooLarge> {
    if !trace.has_ended() {
        return Ok(vec![trace]);
    }
    let value = |operand: Operand| trace.registers.value(operand);
    Ok(match *instruction {
        Instruction::If { register, value: wanted, ref body } => {
            let holds = value(Operand::Register(register)) == value(wanted);
            if holds { block(body, vec![trace], scope)? } else { vec![trace] }
        }
        Instruction::Loop { register, value, ref body } => {
            repeated(instruction, (register, value, body), trace, scope)?
        }
        Instruction::Call { ref body } => {
            trace.calls.push(Vec::new());
            block(body, vec![trace], scope)?
        }
        Instruction::Point | Instruction::Clear => {
            let event = trace.events.len() - 1;
            let points = trace.calls.last_mut().expect("markers stand in calls");
            match instruction {
                Instruction::Point => points.push(event),
                _ => points.clear(),
            }
            vec![trace]
        }
        Instruction::Move { register, value: set } => {
            trace.registers.set(register, value(set));
            vec![trace]
        }
        _ => operate(instruction, trace, scope.domains),
    })
}

/// What an operation may do.
fn operate<'t>(instruction: &Instruction, mut trace: Trace<'t>, domains: &Domains) -> Vec<Trace<'t>> {
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
            let (kind, location, order) = (Kind::Read, Some(location), Some(order));
            trace.events.push(TraceEvent { kind, location, order, read: Some(wanted), written: None });
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
        _ => unreachable!("cdsspec bug: this instruction is no operation"),
    }
}

/// A compare-exchange; a weak one may fail spuriously, once with these orders in a thread.
fn exchanging<'t>(
    mut trace: Trace<'t>,
    (register, location): (RegisterIndex, LocationIndex),
    (expected, new): (i64, i64),
    (success, failure): (Ordering, Ordering),
    (is_weak, domains): (bool, &Domains),
) -> Vec<Trace<'t>> {
    let mut after = reading(&trace, register, location, domains, |read| match read == expected {
        true => (Some(success), Some(new)),
        false => (Some(failure), None),
    });
    let may_fail = is_weak && !trace.failed.contains(&(success, failure));
    if may_fail && domains[location.0].contains(&expected) {
        trace.failed.push((success, failure));
        let failed = reading(&trace, register, location, domains, |_| (Some(failure), None));
        let is_spurious =
            |trace: &Trace<'_>| trace.events.last().is_some_and(|event| event.read == Some(expected));
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
fn reading<'t>(
    trace: &Trace<'t>,
    register: RegisterIndex,
    location: LocationIndex,
    domains: &Domains,
    finish: impl Fn(i64) -> (Option<Ordering>, Option<i64>),
) -> Vec<Trace<'t>> {
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
