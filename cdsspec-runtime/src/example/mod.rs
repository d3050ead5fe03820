//! The form that every example speaks: its programs and seeded bugs, what is expected of each, and one command line.

mod command;
mod seed;

pub use crate::model::Expected;
pub use seed::seeded;

use crate::lineup::{Checks, Explore};
use crate::model::{Builder, EngineKind, Outcome, is_run_by};
use crate::process;
use crate::report::{self, ExampleRow, ExampleTable};
use crate::scenario::Scenario;
use crate::specification::{helper_markers, registry};
use crate::weaken::{Overrides, Programs, advise, weaken};
use command::{Command, Memory, Names};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// The seed from which larger tests are drawn.
const SAMPLE_SEED: u64 = 1;

/// An example: programs that hold, and seeded bugs that are found.
///
/// ```no_run
/// # use cdsspec_runtime::{check::Verdict, example::Example};
/// # fn push__push() {}
/// # fn push__pop() {}
/// fn main() -> std::process::ExitCode {
///     Example::new("stack")
///         .holds("push__push", push__push)
///         .holds("push__pop", push__pop)
///         .preemptions_on_loom(2)
///         .finds("relaxed_push", "push__pop", Verdict::Violated)
///         .main()
/// }
/// ```
#[must_use = "an example does nothing until `main` is called"]
pub struct Example {
    name: &'static str,
    entries: Vec<Entry>,
    /// The orders that advice may begin from, by name.
    orders: Vec<NamedOrders>,
    /// What is generated is checked, a size at a time.
    explored: Vec<Explored>,
}

/// Orders by name.
type NamedOrders = (&'static str, fn() -> Overrides);

struct Entry {
    name: &'static str,
    /// Of a seeded bug: the switch that is on while it runs.
    seed: Option<&'static str>,
    is_bug: bool,
    expected: Expected,
    preemptions_on_loom: Option<usize>,
    is_only_named: bool,
    /// Of a program that holds: what it comes to.
    counts: Option<[u64; 5]>,
    run: Arc<dyn Fn(Builder) -> Outcome + Send + Sync>,
}

/// What the command line says of how to run.
#[derive(Clone, Copy, Default)]
struct Setup<'a> {
    memory: Memory,
    engine: Option<&'a str>,
    memory_model: Option<&'a str>,
}

/// One line of `--json`.
#[derive(Serialize)]
struct Line<'a> {
    example: &'static str,
    #[serde(flatten)]
    outcome: &'a Outcome,
    #[serde(flatten)]
    bug: Option<BugLine>,
}

/// What a seeded bug has beside that.
#[derive(Serialize)]
struct BugLine {
    seeded_bug: &'static str,
    expected: String,
    found: bool,
}

/// Tests that are generated.
struct Explored {
    check: Box<dyn Fn() -> Checks>,
    /// Whether one that is inconclusive is no mistake.
    may_be_open: bool,
}

/// Checks a sample, bounded.
fn sample<T: Send + Sync + 'static>(
    scenario: Scenario<T>,
    [threads, calls]: [usize; 2],
    count: u64,
    limit: impl Fn(Builder) -> Builder,
) -> Checks {
    let bounded = |builder: Builder| {
        // Other engines have no use for it.
        let assumes_spins = is_run_by(&builder, EngineKind::Rc11);
        limit(builder.spurious_failures(false).spin_assume(assumes_spins))
    };
    let explore = Explore::of(scenario).threads(threads).calls(calls);
    explore.sample(count, SAMPLE_SEED).set_up(bounded).run()
}

impl Example {
    /// An example without programs.
    pub fn new(name: &'static str) -> Self {
        Self { name, entries: Vec::new(), orders: Vec::new(), explored: Vec::new() }
    }

    /// Adds a program that holds.
    pub fn holds(self, name: &'static str, program: fn()) -> Self {
        self.program(name, Expected::Holds, move |builder| builder.check(program))
    }

    /// Adds a bug that is seeded by [`seeded`]`(name)` in the structure, the program that shows it, and the class in which it is found.
    ///
    /// # Panics
    /// If no program of that name was added before.
    pub fn finds(self, name: &'static str, program: &'static str, expected: impl Into<Expected>) -> Self {
        let shown_by = self.entries.iter().find(|entry| !entry.is_bug && entry.name == program);
        let shown_by = shown_by.unwrap_or_else(|| panic!("no program `{program}` was added before `{name}`"));
        let run = shown_by.run.clone();
        let entry = Entry {
            name,
            seed: Some(name),
            is_bug: true,
            expected: expected.into(),
            preemptions_on_loom: shown_by.preemptions_on_loom,
            is_only_named: shown_by.is_only_named,
            counts: None,
            run: Arc::new(move |builder| run(builder.name(program))),
        };
        self.entry(entry)
    }

    /// Adds the bug that was added last once more, under another name and with another expectation, for runs that are set up differently:
    /// as with the verdict `uninitialised` switched off, to see what the specification alone finds.
    ///
    /// # Panics
    /// If what was added last is no bug that is [found](Self::finds).
    pub fn finds_again(
        self,
        name: &'static str,
        expected: impl Into<Expected>,
        set: impl Fn(Builder) -> Builder + Send + Sync + 'static,
    ) -> Self {
        let last = self.entries.last().filter(|entry| entry.seed.is_some());
        let last = last.unwrap_or_else(|| panic!("no bug was added before `{name}`"));
        let run = last.run.clone();
        let entry = Entry {
            name,
            seed: last.seed,
            is_bug: true,
            expected: expected.into(),
            preemptions_on_loom: last.preemptions_on_loom,
            is_only_named: last.is_only_named,
            counts: None,
            run: Arc::new(move |builder| run(set(builder))),
        };
        self.entry(entry)
    }

    /// Adds a program, the verdict that it has, and how it is checked.
    pub fn program(
        self,
        name: &'static str,
        expected: impl Into<Expected>,
        run: impl Fn(Builder) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        self.entry(Entry::new(name, false, expected.into(), run))
    }

    /// Adds a seeded bug, the class in which it is found, and how it is checked. Let the builder name the program that shows it.
    pub fn seeded_bug(
        self,
        name: &'static str,
        expected: impl Into<Expected>,
        run: impl Fn(Builder) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        self.entry(Entry::new(name, true, expected.into(), run))
    }

    /// Says what the program that was added last comes to on the default engine: executions that ran to their end without rounds of loops that wait,
    /// blocked ones, inadmissible ones, shapes and sequential histories. [`test`](Self::test) holds it to that.
    pub fn comes_to(mut self, counts: [u64; 5]) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.counts = Some(counts);
        }
        self
    }

    /// Sets up the runs of what was added last, and of the bugs that it shows, which are added later.
    pub fn set_up(mut self, set: impl Fn(Builder) -> Builder + Send + Sync + 'static) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            let run = entry.run.clone();
            entry.run = Arc::new(move |builder| run(set(builder)));
        }
        self
    }

    /// Bounds the preemptions of what was added last, on loom: without a bound it would take too long there.
    pub fn preemptions_on_loom(mut self, count_max: usize) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.preemptions_on_loom = Some(count_max);
        }
        self
    }

    /// Leaves what was added last out where nothing is named, in [`test`](Self::test), too: it takes long.
    pub fn when_named(mut self) -> Self {
        if let Some(entry) = self.entries.last_mut() {
            entry.is_only_named = true;
        }
        self
    }

    /// Lets advice begin from other orders than those that are written, with `--advise --from NAME`: as from those that were published.
    pub fn orders(mut self, name: &'static str, orders: fn() -> Overrides) -> Self {
        self.orders.push((name, orders));
        self
    }

    /// Adds all tests of so many threads with so many calls each, of what a structure can be asked to do: they are checked with `--explore`.
    pub fn explores<T: Send + Sync + 'static>(
        mut self,
        scenario: fn() -> Scenario<T>,
        [threads, calls]: [usize; 2],
    ) -> Self {
        let explore = move || Explore::of(scenario()).threads(threads).calls(calls).run();
        self.explored.push(Explored { check: Box::new(explore), may_be_open: false });
        self
    }

    /// The same with so many of them, drawn from seed 1. Each is bounded: there are no spurious failures, and [`Builder::spin_assume`] is on.
    pub fn samples<T: Send + Sync + 'static>(
        mut self,
        scenario: fn() -> Scenario<T>,
        size: [usize; 2],
        count: u64,
    ) -> Self {
        let check = Box::new(move || sample(scenario(), size, count, |builder| builder));
        self.explored.push(Explored { check, may_be_open: false });
        self
    }

    /// The same, of a structure whose tests are large: one that does not fail in so many executions is left open, and counted.
    pub fn samples_up_to<T: Send + Sync + 'static>(
        mut self,
        scenario: fn() -> Scenario<T>,
        size: [usize; 2],
        (count, executions_max): (u64, u64),
    ) -> Self {
        let limit = move |builder: Builder| builder.executions_max(executions_max);
        let check = Box::new(move || sample(scenario(), size, count, limit));
        self.explored.push(Explored { check, may_be_open: true });
        self
    }

    /// Does what the command line asks for: all programs and seeded bugs, or those named; `--engine E`: on this engine; `--memory-model M`: under
    /// this memory model; `--json`: one
    /// object a line; `--list`: the names, and what is specified; `--explore`: tests that are generated; `--weaken`: which weaker memory orders the programs find; `--advise`: which ones they
    /// need, with `--from relaxed` if it had none; both on `--jobs N` cores; `--classify`: each weakening in the class that all executions show ([`Programs::classify`]);
    /// `--uninitialised off` and `--freed off`: without these verdicts, to see what the specification finds alone. Succeeds if each came to what is expected of it; of orders, if nothing is left open
    /// ([`Injections::is_complete`](crate::weaken::Injections::is_complete), [`Advice::is_complete`](crate::weaken::Advice::is_complete)).
    #[must_use = "the exit code says whether the example came to what is expected"]
    pub fn main(self) -> ExitCode {
        match self.run(std::env::args().skip(1), &mut io::stdout().lock()) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("{}", error.to_string().trim_end());
                ExitCode::from(2)
            }
        }
    }

    /// The same with the arguments and the output given: whether each came to what is expected of it.
    ///
    /// # Errors
    /// An argument that is not understood, or an output that cannot be written to.
    pub fn run(
        &self,
        arguments: impl IntoIterator<Item = String>,
        output: &mut dyn Write,
    ) -> io::Result<bool> {
        let names: Vec<_> = self.entries.iter().map(|entry| entry.name).collect();
        let orders: Vec<_> = self.orders.iter().map(|(name, _)| *name).collect();
        let known = Names { example: self.name, programs: &names, orders: &orders };
        let command = match command::parse(arguments, &known) {
            Ok(command) => command,
            // The help that was asked for.
            Err(error) if error.exit_code() == 0 => {
                return write!(output, "{error}").map(|()| true);
            }
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidInput, error.to_string())),
        };
        match command {
            Command::List => print_list(&names, output).map(|()| true),
            Command::Explore => self.explore(output),
            Command::Advise { chosen, memory, jobs, is_json, from } => {
                let orders = self.orders_of(from.as_deref());
                let advice = advise(self.programs(&chosen, memory, jobs).orders(orders));
                let text = if is_json { advice.json_lines() } else { advice.to_string() };
                output.write_all(text.as_bytes()).map(|()| advice.is_complete())
            }
            Command::Weaken { chosen, memory, jobs, is_json, classifies } => {
                let injections = weaken(self.programs(&chosen, memory, jobs).classify(classifies));
                let text = if is_json { injections.json_lines() } else { injections.to_string() };
                output.write_all(text.as_bytes()).map(|()| injections.is_complete())
            }
            Command::Run { chosen, memory, engine, memory_model, is_json } => {
                let (engine, memory_model) = (engine.as_deref(), memory_model.as_deref());
                let setup = Setup { memory, engine, memory_model };
                let print = if is_json { Self::print_lines } else { Self::print_table };
                print(self, &chosen, setup, output)
            }
        }
    }

    /// Checks the tests that are generated, a report a size: whether all of them hold.
    fn explore(&self, output: &mut dyn Write) -> io::Result<bool> {
        let mut holds = !self.explored.is_empty();
        for explored in &self.explored {
            let checks = (explored.check)();
            holds &= checks.holds() || explored.may_be_open && checks.failed == 0 && checks.checked > 0;
            writeln!(output, "{checks}")?;
            output.flush()?;
        }
        Ok(holds)
    }

    /// The orders of this name: those that are written, where there is none.
    fn orders_of(&self, name: Option<&str>) -> Overrides {
        let known = self.orders.iter().find(|(known, _)| Some(*known) == name);
        match (known, name) {
            (Some((_, orders)), _) => orders(),
            (None, Some(command::RELAXED)) => Overrides::relaxed(),
            (None, _) => Overrides::new(),
        }
    }

    /// The programs that hold, of those named or all, to be weakened.
    fn programs(&self, names: &[String], memory: Memory, jobs: Option<usize>) -> Programs {
        let holding = self.chosen(names).filter(|entry| !entry.is_bug && entry.expected == Expected::Holds);
        let programs = holding.fold(Programs::new(self.name), |programs, entry| {
            let run = entry.run.clone();
            programs.run(entry.name, move |builder| run(builder))
        });
        jobs.into_iter().fold(memory.set_all(programs), Programs::jobs)
    }

    /// The test of an example: runs everything on the default engine. All of it comes to what is expected, and each program that holds to what it
    /// [is said](Self::comes_to) to, which is said of each.
    ///
    /// # Panics
    /// With the report, if something does not come to what is expected of it; with all counts as they were found, if one is another.
    #[track_caller]
    pub fn test(&self) {
        let (mut found, mut said) = (Vec::new(), Vec::new());
        for entry in self.chosen(&[]) {
            let outcome = entry.outcome(Setup::default());
            let expected = &entry.expected;
            assert!(expected.includes(outcome.verdict), "{}: {expected} expected\n\n{outcome}", entry.name);
            if !entry.is_bug && outcome.holds() {
                found.push((entry.name, Some(counts(&outcome))));
                said.push((entry.name, entry.counts));
            }
        }
        assert_eq!(found, said, "what the programs come to, and what is said of them");
    }

    fn entry(mut self, entry: Entry) -> Self {
        self.entries.push(entry);
        self
    }

    fn chosen<'a>(&'a self, names: &'a [String]) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| match names {
            [] => !entry.is_only_named,
            names => names.iter().any(|name| name == entry.name),
        })
    }

    fn print_lines(&self, names: &[String], setup: Setup<'_>, output: &mut dyn Write) -> io::Result<bool> {
        let mut is_all_expected = true;
        for entry in self.chosen(names) {
            let outcome = entry.outcome(setup);
            let found = entry.expected.includes(outcome.verdict);
            is_all_expected &= found;
            let bug = entry.is_bug.then(|| BugLine {
                seeded_bug: entry.name,
                expected: entry.expected.to_string(),
                found,
            });
            let line = Line { example: self.name, outcome: &outcome, bug };
            serde_json::to_writer(&mut *output, &line)?;
            writeln!(output)?;
            output.flush()?;
        }
        Ok(is_all_expected)
    }

    /// The table, a row at a time; then in full whatever was asked for by name or is not as expected, and else the first seeded bug.
    fn print_table(&self, names: &[String], setup: Setup<'_>, output: &mut dyn Write) -> io::Result<bool> {
        let columns = process::columns();
        let table = ExampleTable::new(self.chosen(names).map(|entry| (entry.name, entry.is_bug)), columns);
        writeln!(output, "{}", table.header())?;
        let mut ran = Vec::new();
        for entry in self.chosen(names) {
            let outcome = entry.outcome(setup);
            writeln!(output, "{}", table.row(&entry.row(&outcome)))?;
            output.flush()?;
            ran.push((entry, outcome));
        }
        let is_expected = |(entry, outcome): &(&Entry, Outcome)| entry.expected.includes(outcome.verdict);
        let first_bug = ran.iter().position(|(entry, _)| entry.is_bug);
        for (index, row) in ran.iter().enumerate() {
            if !names.is_empty() || !is_expected(row) || Some(index) == first_bug {
                let kind = if row.0.is_bug { "seeded bug" } else { "program" };
                writeln!(output, "\n{kind} {}\n\n{}", row.0.name, row.1.to_string().trim_end())?;
            }
        }
        Ok(ran.iter().all(is_expected))
    }
}

/// Executions that ran to their end without delayed ones, blocked ones, inadmissible ones, shapes and sequential histories.
fn counts(outcome: &Outcome) -> [u64; 5] {
    let &Outcome { complete_executions, delayed_executions, blocked, inadmissible, .. } = outcome;
    [complete_executions - delayed_executions, blocked, inadmissible, outcome.shapes, outcome.histories]
}

/// The programs, then the specifications.
fn print_list(names: &[&str], output: &mut dyn Write) -> io::Result<()> {
    for name in names {
        writeln!(output, "{name}")?;
    }
    let specifications = registry();
    if !specifications.is_empty() {
        write!(output, "\n{}", report::listing(&specifications, &helper_markers(), process::columns()))?;
    }
    Ok(())
}

impl Entry {
    fn new(
        name: &'static str,
        is_bug: bool,
        expected: Expected,
        run: impl Fn(Builder) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            seed: None,
            is_bug,
            expected,
            preemptions_on_loom: None,
            is_only_named: false,
            counts: None,
            run: Arc::new(run),
        }
    }

    fn row(&self, outcome: &Outcome) -> ExampleRow<'static> {
        ExampleRow {
            name: self.name,
            is_bug: self.is_bug,
            verdict: outcome.verdict,
            expected: self.expected.to_string(),
            is_expected: self.expected.includes(outcome.verdict),
            numbers: [outcome.executions, outcome.inadmissible, outcome.shapes, outcome.histories],
            seconds: outcome.seconds,
        }
    }

    /// Runs it. A program is called here what the example calls it.
    fn outcome(&self, setup: Setup<'_>) -> Outcome {
        let mut builder = setup.memory.set(Builder::new().name(self.name));
        if let Some(engine) = setup.engine {
            builder = builder.engine(engine.to_owned());
        }
        if let Some(memory_model) = setup.memory_model {
            builder = builder.memory_model(memory_model.to_owned());
        }
        if let Some(count_max) = self.preemptions_on_loom
            && is_run_by(&builder, EngineKind::Loom)
        {
            builder = builder.preemptions_max(count_max);
        }
        let outcome = seed::with_seed(self.seed, || (self.run)(builder));
        if self.is_bug { outcome } else { outcome.renamed(self.name) }
    }
}

#[cfg(test)]
mod tests;
