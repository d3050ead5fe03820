//! Litmus tests in their text format, as programs of LSL.
//!
//! ```text
//! name: SB
//! init: x=0 y=0                       locations and their first values
//! T0: W x 1 rlx ; R a y rlx           threads, run in parallel
//! T1: W y 1 rlx ; R b x rlx
//! show: a b                           what an outcome shows: registers, or locations (their last store)
//! ```
//!
//! `W loc val ord` · `R reg loc ord` · `F ord` · `ADD reg loc val ord` · `XCHG reg loc val ord` · `CAS reg loc expected new success failure`
//! · `IF reg val { … }` · `LOOP reg val { … }` · `MOV reg val`. Orders are those of [`Order`](crate::lsl::syntax::Order), or `-` for an access of the
//! hardware; a load has no release order, a store no acquire order. A value is a number or a register that the thread sets before, which stands anywhere before it in
//! the text. Fences are also `ll ls sl ss`. A read-modify-write is an atomic block without fences (figure 6 of the paper). Each thread is one operation,
//! whose results are the registers that it sets; shown locations are read by a last operation.

mod thread;

use crate::lsl::error::ParseError;
use crate::lsl::syntax::{Global, Operation, Procedure, ProcedureName, Program, Register, Statement};
use crate::lsl::value::Value;
use crate::observation::{Label, Observation, ObservationSet};
use std::collections::BTreeSet;

/// A litmus test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Litmus {
    /// Its name.
    pub name: String,
    /// What it does.
    pub program: Program,
    /// For each name that an outcome shows, which values of an observation it may be: those of the threads that set it.
    shown: Vec<(String, Vec<usize>)>,
}

/// The outcome of an execution with a data race; or another error, which tests do not have that set registers before they use them.
pub const RACE: &str = "RACE";

impl Litmus {
    /// The outcome of an observation, such as `a=0 b=1`. A register that was not set shows as `None`.
    ///
    /// # Panics
    /// If the observation is not one of the test's program.
    pub fn outcome(&self, observation: &Observation) -> String {
        let show = |(name, places): &(String, Vec<usize>)| {
            let values = places.iter().rev().map(|&place| &observation.0[place]);
            let value = values.into_iter().find(|value| **value != Value::Undefined);
            format!("{name}={}", value.map_or("None".to_owned(), Value::to_string))
        };
        self.shown.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    /// The outcomes of a set of observations.
    pub fn outcomes(&self, set: &ObservationSet) -> BTreeSet<String> {
        let outcomes = set.observations.iter().map(|observation| self.outcome(observation));
        outcomes.chain(set.has_error.then(|| RACE.to_owned())).collect()
    }
}

/// Reads the tests of a text.
///
/// # Errors
/// The first mistake.
pub fn parse(text: &str) -> Result<Vec<Litmus>, ParseError> {
    let mut tests = Vec::new();
    let mut draft: Option<Draft<'_>> = None;
    for (index, raw) in text.lines().enumerate() {
        let content = raw.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let line = index + 1;
        let Some((key, rest)) = content.split_once(':') else {
            return ParseError::in_line(
                line,
                content,
                "a line begins with `name:`, `init:`, `T0:` and so on, `show:` or `note:`",
            );
        };
        let (key, rest) = (key.trim(), rest.trim());
        match (&mut draft, key) {
            (_, "name") => {
                let before = draft.replace(Draft { line, name: rest, ..Draft::default() });
                tests.extend(before.map(Draft::finish).transpose()?);
            }
            (None, _) => return ParseError::in_line(line, key, "a test begins with `name:`"),
            (Some(draft), _) => draft.add(line, key, rest)?,
        }
    }
    tests.extend(draft.map(Draft::finish).transpose()?);
    if tests.is_empty() {
        return ParseError::in_line(1, "", "there is no test here");
    }
    Ok(tests)
}

/// A test as far as it was read.
#[derive(Default)]
struct Draft<'t> {
    line: usize,
    name: &'t str,
    globals: Vec<Global>,
    threads: Vec<(BTreeSet<Register>, Vec<Statement>)>,
    shown: Vec<&'t str>,
}

impl<'t> Draft<'t> {
    fn add(&mut self, line: usize, key: &str, rest: &'t str) -> Result<(), ParseError> {
        match key {
            "init" => rest.split_whitespace().try_for_each(|token| self.add_location(line, token)),
            "show" => {
                self.shown.extend(rest.split_whitespace());
                Ok(())
            }
            "note" => Ok(()),
            _ if key == format!("T{}", self.threads.len()) => {
                let thread = thread::parse(&self.globals, line, rest)?;
                self.threads.push(thread);
                Ok(())
            }
            _ => ParseError::in_line(
                line,
                key,
                "a line begins with `name:`, `init:`, `T0:` and so on in this order, `show:` or `note:`",
            ),
        }
    }

    fn add_location(&mut self, line: usize, token: &str) -> Result<(), ParseError> {
        let parsed = token.split_once('=').and_then(|(name, value)| Some((name, value.parse::<i64>().ok()?)));
        let Some((name, value)) = parsed else {
            return ParseError::in_line(line, token, "a location and its first value are written `x=0`");
        };
        if self.globals.iter().any(|global| global.name == name) {
            return ParseError::in_line(line, token, "this location has a first value already");
        }
        self.globals.push(Global { name: name.to_owned(), initial: value.into() });
        Ok(())
    }

    fn finish(self) -> Result<Litmus, ParseError> {
        let is_location = |name: &str| self.globals.iter().any(|global| global.name == name);
        let locations: BTreeSet<&str> = self.shown.iter().copied().filter(|name| is_location(name)).collect();
        let mut procedures: Vec<Procedure> = Vec::new();
        let operation = |name: &ProcedureName| Operation {
            procedure: name.clone(),
            arguments: Vec::new(),
            is_primed: false,
        };
        let mut threads = Vec::new();
        for (index, (registers, body)) in self.threads.into_iter().enumerate() {
            let name = ProcedureName(format!("thread{index}"));
            threads.push(vec![operation(&name)]);
            let results = registers.into_iter().collect();
            procedures.push(Procedure { name, parameters: Vec::new(), results, body });
        }
        let mut last = Vec::new();
        if !locations.is_empty() {
            let name = ProcedureName::from("last");
            last.push(operation(&name));
            procedures.push(thread::reading(name, &self.globals, &locations));
        }
        let program = Program { globals: self.globals, procedures, initial: Vec::new(), threads, last };
        let labels = Label::of(&program);
        let places = |name: &str| {
            let is_it = |label: &Label| label.register.0 == name;
            (0..labels.len()).filter(|&place| is_it(&labels[place])).collect::<Vec<_>>()
        };
        let shown: Vec<_> = self.shown.iter().map(|name| ((*name).to_owned(), places(name))).collect();
        if let Some((name, _)) = shown.iter().find(|(_, places)| places.is_empty()) {
            return ParseError::in_line(self.line, name, "there is no register or location of this name");
        }
        Ok(Litmus { name: self.name.to_owned(), program, shown })
    }
}
