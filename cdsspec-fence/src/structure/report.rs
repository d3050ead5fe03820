//! The report of a test, over source lines.

use super::call::Given;
use super::check::{Check, Named};
use super::outcome::Outcome;
use super::shape::shown;
use crate::explore::{Statistics, Verdict};
use crate::flat::Site;
use crate::lsl::syntax::{AccessKind, Argument, Program};
use crate::lsl::value::Value;
use crate::trace::Trace;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How wide a report is, in columns.
const WIDTH_MAX: usize = 100;

impl Check {
    pub(super) fn outcome(
        &self,
        test: &str,
        program: &Program,
        verdict: Verdict,
        serial: Option<(usize, bool)>,
        statistics: Statistics,
    ) -> Outcome {
        let mut report = String::new();
        let model = self.settings.memory_model.name();
        let said = match &verdict {
            Verdict::Holds => "every execution shows what a serial one shows".to_owned(),
            Verdict::HoldsWithin => format!(
                "every execution in which no loop has more than {} rounds shows what a serial one shows",
                self.settings.rounds_max
            ),
            Verdict::Violated(trace) => why(trace).to_owned(),
            Verdict::NoExecution if serial.is_some_and(|(count, _)| count == 0) => {
                "no serial execution is complete, so that there is nothing to compare with: test operations that return without others".to_owned()
            }
            Verdict::NoExecution => "no execution is complete: nothing was checked".to_owned(),
            Verdict::Inconclusive => "the solver reached its limit".to_owned(),
        };
        let add = |report: &mut String, line: &str| {
            report.push_str(line);
            report.push('\n');
        };
        add(&mut report, &format!("{}: {said}\n", verdict.name()));
        add(&mut report, &format!("  test   {test}"));
        add(&mut report, &format!("  model  {model}"));
        add(&mut report, &format!("  file   {}", self.source.file()));
        if let Some((count, is_bounded)) = serial {
            let bound = if is_bounded {
                format!(", of executions in which no loop has more than {} rounds", self.settings.rounds_max)
            } else {
                String::new()
            };
            add(&mut report, &format!("  serial {count} observations{bound}"));
        }
        if let Verdict::Violated(trace) = &verdict {
            self.write_trace(&mut report, program, trace);
        }
        Outcome { verdict, serial: serial.map(|(count, _)| count), statistics, report }
    }

    /// What an execution comes to that shows what no serial one shows, as far as these were looked at.
    pub(super) fn doubtful(
        &self,
        test: &str,
        program: &Program,
        serial: (usize, bool),
        statistics: Statistics,
        trace: &Trace,
    ) -> Outcome {
        let mut outcome = self.outcome(test, program, Verdict::Inconclusive, Some(serial), statistics);
        let (_, rest) = outcome.report.split_once('\n').expect("a report has a first line");
        outcome.report = format!(
            "inconclusive: an execution shows what no serial one shows in which no loop has more than {} rounds\n{rest}",
            self.settings.rounds_max
        );
        self.write_trace(&mut outcome.report, program, trace);
        outcome
    }

    fn write_trace(&self, report: &mut String, program: &Program, trace: &Trace) {
        report.push('\n');
        self.write_calls(report, program, trace);
        report.push('\n');
        self.write_accesses(report, program, trace);
    }

    /// The operation that a letter of the program is of.
    fn named(&self, procedure: &str, arguments: &[Argument]) -> Option<&Named> {
        let is_it = |named: &&Named| {
            named.function.procedure == procedure && named.given(self).as_slice() == arguments
        };
        self.operations.iter().find(is_it)
    }

    /// Each call, with what it was given and what it returned.
    fn write_calls(&self, report: &mut String, program: &Program, trace: &Trace) {
        let mut values = trace.observation.0.iter().cloned();
        for (sequence, operations) in program.sequences().enumerate() {
            for operation in operations {
                let procedure = operation.procedure.to_string();
                let Some(named) = self.named(&procedure, &operation.arguments) else { continue };
                let call = self.called(named, &mut values);
                let place = sequence_name(program, sequence);
                writeln!(report, "  {place:9} {call}").expect("a string takes all");
            }
        }
    }

    fn called(&self, named: &Named, values: &mut dyn Iterator<Item = Value>) -> String {
        let mut arguments = Vec::new();
        let is_method = named.call.path.contains('.');
        for (index, (given, shape)) in named.arguments.iter().zip(&named.function.parameters).enumerate() {
            let text = match given {
                Given::Open => shown(&mut shape.chars(), values),
                Given::Number(number) => {
                    shown(&mut shape.chars(), &mut std::iter::once(Value::Number(*number)))
                }
                Given::Object(name) => format!("&{name}"),
            };
            if index > 0 || !is_method {
                arguments.push(text);
            }
        }
        let returned = shown(&mut named.function.returned.chars(), values);
        let arrow = if returned == "()" { String::new() } else { format!(" -> {returned}") };
        format!("{}({}){arrow}", named.call.path, arguments.join(", "))
    }

    /// The accesses, and errors, with their places.
    fn write_accesses(&self, report: &mut String, program: &Program, trace: &Trace) {
        let places = self.source.places();
        let names: BTreeMap<usize, String> =
            program.procedures.iter().map(|procedure| procedure.name.to_string()).enumerate().collect();
        let place = |site: Site| {
            let place = places.get(names.get(&site.procedure)?)?.get(site.statement).copied().flatten()?;
            let line = self.source.line(place.line).unwrap_or_default();
            Some((format!("{}:{}", place.line, place.column), line))
        };
        let object = |address: &Value| match address.path().map(|path| path.components()) {
            Some([base, rest @ ..]) => {
                let name = usize::try_from(*base).ok().and_then(|base| self.objects.get(base));
                let name = name.map_or_else(|| format!("#{base}"), |(name, ..)| name.clone());
                rest.iter().fold(name, |name, index| format!("{name}.{index}"))
            }
            _ => address.to_string(),
        };
        let value = |value: &Value| {
            if value.path().is_some() { format!("&{}", object(value)) } else { value.to_string() }
        };
        let mut numbers = BTreeMap::new();
        for (index, access) in trace.accesses.iter().enumerate() {
            let Some(place) = place(access.site) else { continue };
            let number = numbers.len();
            numbers.insert(index, number);
            let (word, sign) =
                if access.kind == AccessKind::Load { ("load ", "==") } else { ("store", ":=") };
            let from = match (access.kind, access.source) {
                (AccessKind::Load, Some(store)) => {
                    numbers.get(&store).map(|number| format!(" from {number}")).unwrap_or_default()
                }
                _ => String::new(),
            };
            let thread = sequence_name(program, access.sequence);
            let what = format!("{} {sign} {}{from}", object(&access.address), value(&access.value));
            let left = format!("  {number:3} {thread:9} {word} {what:25} {:7} ", place.0);
            writeln!(report, "{}", cut(left + &place.1)).expect("a string takes all");
        }
        for fault in &trace.faults {
            if let Some(place) = place(fault.site) {
                let thread = sequence_name(program, fault.sequence);
                let line = format!("  error in {thread}: {}  {}", place.0, place.1);
                writeln!(report, "{}", cut(line)).expect("a string takes all");
            }
        }
    }
}

/// The line, as far as a report is wide.
fn cut(line: String) -> String {
    if line.chars().count() <= WIDTH_MAX {
        return line.trim_end().to_owned();
    }
    line.chars().take(WIDTH_MAX - 1).chain(['…']).collect()
}

/// What is wrong with an execution, in a line.
fn why(trace: &Trace) -> &'static str {
    if trace.is_race {
        "an execution has a data race"
    } else if trace.faults.is_empty() {
        "an execution shows what no serial one shows"
    } else {
        "an execution has an error: a panic, or the use of what was not initialised, or not yet"
    }
}

fn sequence_name(program: &Program, sequence: usize) -> String {
    match sequence {
        0 => "first".to_owned(),
        _ if sequence == program.threads.len() + 1 => "last".to_owned(),
        thread => format!("thread {}", thread - 1),
    }
}
