//! An execution as a solution shows it: its accesses in memory order, with values and reads-from.

use crate::encode::Encoding;
use crate::flat::{AccessId, Check, Flat, Site};
use crate::lsl::syntax::{AccessKind, Program};
use crate::lsl::value::Value;
use crate::observation::{Label, Observation};
use std::fmt;

/// An access of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedAccess {
    /// Which sequence of operations did it.
    pub sequence: usize,
    /// Its place in the program order of that.
    pub position: usize,
    /// Load or store.
    pub kind: AccessKind,
    /// The location.
    pub address: Value,
    /// What was loaded or stored.
    pub value: Value,
    /// The store that a load reads, as an index into [`Trace::accesses`]; none if it reads what was there at first.
    pub source: Option<usize>,
    /// The statement.
    pub site: Site,
}

/// An execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// What its client sees. Objects have the names that they have in the accesses, not those of [`Observation::renamed`].
    pub observation: Observation,
    /// What the values of the observation are of.
    pub labels: Vec<Label>,
    /// In memory order.
    pub accesses: Vec<TracedAccess>,
    /// The checks that found an error.
    pub faults: Vec<Check>,
    /// Whether there is a data race.
    pub is_race: bool,
    /// The names of the procedures, as sites number them.
    procedures: Vec<String>,
}

impl Trace {
    /// Whether the execution is wrong whatever it shows.
    pub fn is_error(&self) -> bool {
        self.is_race || !self.faults.is_empty()
    }

    /// The last solution of a formula.
    pub(crate) fn of(program: &Program, flat: &Flat, encoding: &Encoding) -> Self {
        let mut executed: Vec<AccessId> =
            (0..flat.accesses.len()).map(AccessId).filter(|&access| encoding.is_executed(access)).collect();
        // The memory order is total; how many come before an access is its place.
        let place =
            |access: &AccessId| executed.iter().filter(|&&other| encoding.is_before(other, *access)).count();
        let mut placed: Vec<_> = executed.iter().map(|access| (place(access), *access)).collect();
        placed.sort_unstable();
        executed = placed.into_iter().map(|(_, access)| access).collect();
        let traced = |&id: &AccessId| {
            let access = &flat.accesses[id.0];
            let source = encoding.source(id).filter(|_| access.kind == AccessKind::Load);
            TracedAccess {
                sequence: access.sequence,
                position: access.position,
                kind: access.kind,
                address: encoding.value(access.address),
                value: encoding.value(access.value),
                source: source.and_then(|store| executed.iter().position(|&other| other == store)),
                site: access.site,
            }
        };
        let is_found = |(_, fault): &(&Check, &crate::solver::Bit)| encoding.solver.is_true(**fault);
        Self {
            observation: encoding.observation(),
            labels: Label::of(program),
            accesses: executed.iter().map(traced).collect(),
            faults: flat
                .checks
                .iter()
                .zip(&encoding.faults)
                .filter(is_found)
                .map(|(check, _)| *check)
                .collect(),
            is_race: encoding.races.iter().any(|race| encoding.solver.is_true(*race)),
            procedures: program.procedures.iter().map(|procedure| procedure.name.to_string()).collect(),
        }
    }

    fn place(&self, site: Site) -> String {
        format!("{}, statement {}", self.procedures[site.procedure], site.statement)
    }
}

/// A line for each access, in memory order; then what is observed, and errors.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, access) in self.accesses.iter().enumerate() {
            let (word, preposition) =
                if access.kind == AccessKind::Load { ("load", "gives") } else { ("store", "of") };
            let source = match (access.kind, access.source) {
                (AccessKind::Store, _) => String::new(),
                (AccessKind::Load, None) => ", as at first".to_owned(),
                (AccessKind::Load, Some(store)) => format!(", stored by {store}"),
            };
            let TracedAccess { sequence, position, address, value, site, .. } = access;
            let place = self.place(*site);
            writeln!(
                f,
                "{index:3}  thread {sequence}, {position:3}  {word} {address} {preposition} {value}{source}  ({place})"
            )?;
        }
        let observed = self.labels.iter().zip(&self.observation.0).map(|(label, value)| {
            format!("{}.{}.{} = {value}", label.sequence, label.operation, label.register)
        });
        writeln!(f, "observed: {}", observed.collect::<Vec<_>>().join(", "))?;
        if self.is_race {
            writeln!(f, "error: a data race")?;
        }
        for fault in &self.faults {
            writeln!(f, "error: thread {}, {}", fault.sequence, self.place(fault.site))?;
        }
        Ok(())
    }
}
