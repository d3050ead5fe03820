//! Range analysis: which values a register or a location may hold (section 3.4 of the paper).
//!
//! Values are propagated without regard to the order of statements, until nothing is new. What depends on itself could grow without end: so each value
//! carries how many operations of unbounded range it has come through, and one that has come through more than the test has is dropped. In an
//! execution in which no value depends on itself, each such operation is passed at most once on the way to a value: so the sets
//! have all values of such executions.

use crate::flat::{Definition, Flat, Guard, ValueId};
use crate::lsl::syntax::AccessKind;
use crate::lsl::value::{Path, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What each value of a flat program may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges {
    /// By [`ValueId`]; none if nothing is known.
    values: Vec<Option<BTreeSet<Value>>>,
}

/// A set that has more values than this one is not computed.
const SIZE_MAX: usize = 512;

/// Values, each with how many operations of unbounded range it has come through at least.
type Reached = BTreeMap<Value, usize>;

impl Ranges {
    /// Nothing is known but constants and choices: the analysis switched off.
    pub fn unknown(flat: &Flat) -> Self {
        let known = |definition: &Definition| match definition {
            Definition::Constant(value) => Some(BTreeSet::from([value.clone()])),
            Definition::Choice(values) => Some(values.iter().cloned().collect()),
            _ => None,
        };
        Self { values: flat.values.iter().map(known).collect() }
    }

    /// Analyses a flat program. If some set becomes too large, nothing is known.
    pub fn analyse(flat: &Flat) -> Self {
        let mut analysis = Analysis::new(flat);
        while analysis.is_growing {
            analysis.is_growing = false;
            analysis.round();
            if analysis.values.iter().any(|set| set.len() > SIZE_MAX) {
                return Self::unknown(flat);
            }
        }
        let values = analysis.values.into_iter().map(|set| Some(set.into_keys().collect())).collect();
        Self { values }
    }

    /// What this value may be; none if nothing is known.
    pub fn of(&self, value: ValueId) -> Option<&BTreeSet<Value>> {
        self.values[value.0].as_ref()
    }

    /// Whether both may be the same pointer.
    pub fn may_alias(&self, left: ValueId, right: ValueId) -> bool {
        let paths = |value| Some(self.of(value)?.iter().filter_map(Value::path).collect::<BTreeSet<_>>());
        match (paths(left), paths(right)) {
            (Some(left), Some(right)) => !left.is_disjoint(&right),
            _ => true,
        }
    }
}

struct Analysis<'f> {
    flat: &'f Flat,
    values: Vec<Reached>,
    memory: BTreeMap<Path, Reached>,
    /// Locations that the initial operations set in any case.
    initialised: BTreeSet<Path>,
    unbounded_count: usize,
    is_growing: bool,
}

impl<'f> Analysis<'f> {
    fn new(flat: &'f Flat) -> Self {
        let is_unbounded = |definition: &&Definition| matches!(definition, Definition::Primitive(primitive, _) if primitive.is_unbounded());
        let mut memory = BTreeMap::new();
        for (index, global) in flat.globals.iter().enumerate() {
            let base = u32::try_from(index).expect("globals fit into 32 bits");
            memory.insert(Path::of_base(base), Reached::from([(global.initial.clone(), 0)]));
        }
        Self {
            flat,
            values: vec![Reached::new(); flat.values.len()],
            memory,
            initialised: initialised(flat),
            unbounded_count: flat.values.iter().filter(is_unbounded).count(),
            is_growing: true,
        }
    }

    fn round(&mut self) {
        for index in 0..self.flat.values.len() {
            let found = self.reached(&self.flat.values[index]);
            self.is_growing |= merge(&mut self.values[index], found, self.unbounded_count);
        }
        for access in self.flat.accesses.iter().filter(|access| access.kind == AccessKind::Store) {
            let stored = self.values[access.value.0].clone();
            let paths: Vec<Path> =
                self.values[access.address.0].keys().filter_map(Value::path).cloned().collect();
            for path in paths {
                let cell = self.memory.entry(path).or_default();
                self.is_growing |= merge(cell, stored.clone(), self.unbounded_count);
            }
        }
    }

    fn reached(&self, definition: &Definition) -> Reached {
        match definition {
            Definition::Constant(value) => Reached::from([(value.clone(), 0)]),
            Definition::Choice(values) => values.iter().map(|value| (value.clone(), 0)).collect(),
            Definition::Select(_, value, otherwise) => {
                let mut both = self.values[value.0].clone();
                merge(&mut both, self.values[otherwise.0].clone(), usize::MAX);
                both
            }
            Definition::Load(access) => self.loaded(self.flat.accesses[access.0].address, access.0),
            Definition::Primitive(primitive, arguments) => {
                let mut found = Reached::new();
                let passed = usize::from(primitive.is_unbounded());
                for (values, count) in self.tuples(arguments) {
                    let result = primitive.apply(&values).unwrap_or_default();
                    let least = found.entry(result).or_insert(usize::MAX);
                    *least = (*least).min(count + passed);
                }
                found
            }
        }
    }

    /// All combinations of what the arguments may be.
    fn tuples(&self, arguments: &[ValueId]) -> Vec<(Vec<Value>, usize)> {
        arguments.iter().fold(vec![(Vec::new(), 0)], |tuples, argument| {
            let extended = |(values, count): &(Vec<Value>, usize)| {
                let more = self.values[argument.0].iter().map(|(value, passed)| {
                    (values.iter().cloned().chain([value.clone()]).collect(), (*count).max(*passed))
                });
                more.collect::<Vec<_>>()
            };
            tuples.iter().flat_map(extended).collect()
        })
    }

    fn loaded(&self, address: ValueId, access: usize) -> Reached {
        let is_initial = self.flat.is_initial(self.flat.accesses[access].sequence);
        let mut found = Reached::new();
        for address in self.values[address.0].keys() {
            let Some(path) = address.path() else {
                found.insert(Value::Undefined, 0);
                continue;
            };
            let is_global =
                path.components().len() == 1 && (path.components()[0] as usize) < self.flat.globals.len();
            if !is_global && (is_initial || !self.initialised.contains(path)) {
                found.insert(Value::Undefined, 0);
            }
            merge(&mut found, self.memory.get(path).cloned().unwrap_or_default(), usize::MAX);
        }
        found
    }
}

/// Adds values, but those that have come through more operations than there are; whether something is new.
fn merge(set: &mut Reached, more: Reached, passed_max: usize) -> bool {
    let mut is_new = false;
    for (value, passed) in more.into_iter().filter(|(_, passed)| *passed <= passed_max) {
        match set.get_mut(&value) {
            Some(least) if *least <= passed => {}
            Some(least) => {
                *least = passed;
                is_new = true;
            }
            None => {
                set.insert(value, passed);
                is_new = true;
            }
        }
    }
    is_new
}

/// Locations that the initial operations set in any case: nobody after these reads them as they were before.
fn initialised(flat: &Flat) -> BTreeSet<Path> {
    let stores = flat.accesses.iter().filter(|access| {
        access.kind == AccessKind::Store
            && flat.is_initial(access.sequence)
            && flat.guards[access.guard.0] == Guard::Always
    });
    stores.filter_map(|store| flat.constant(store.address)?.path().cloned()).collect()
}
