//! One order weakened by one step at a time, and what the programs say (CDSSpec, section 6.4.2).

use super::pool::Pool;
use super::program::Programs;
use super::scope::Scope;
use super::site::{Change, Level, Site, SiteKey};
use super::source::{Description, Sources};
use super::subject::{Answer, Class, LeftOut, Proof, Subject};
use crate::check::Verdict;
use crate::port::Overrides;
use crate::{process, report};
#[cfg(feature = "json")]
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// An order of a place, weakened by one step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Injection {
    /// Which order.
    pub site: Site,
    /// The operation in words, the same wherever the code moves to: `take: top.compare_exchange (success)`.
    pub operation: String,
    /// The line of the source, trimmed, where it can be read.
    pub line: Option<String>,
    /// Whether other operations may share the place, as in a macro invocation: they are weakened together.
    pub is_ambiguous: bool,
    /// What it is weakened to.
    pub to: Level,
    /// What came of it.
    pub result: InjectionResult,
    /// If it was found and [`Programs::classify`] is on: the classes that were seen, in the order of [`Class::ALL`].
    pub classes: Option<Vec<Class>>,
}

/// What came of a weakening.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum InjectionResult {
    /// A program shows it.
    Found(Proof),
    /// All programs that reach the place hold, after so many executions in total.
    Survived {
        /// Those of all programs.
        executions: u64,
        /// The bounds within which they hold; without any, every execution was looked at.
        bounds: Vec<String>,
    },
    /// A limit, or something else that is no answer, is in the way.
    Open {
        /// Of which program.
        program: String,
        /// The verdict.
        verdict: Verdict,
        /// The report of that run.
        report: String,
    },
    /// The time was over before it was known.
    NotReached,
}

/// Every order that programs exercise, weakened by one step at a time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Injections {
    /// What was weakened.
    pub structure: String,
    /// In the order of the source.
    pub injections: Vec<Injection>,
    /// What came of all survivors at once, if there are any: that each survives alone does not say that they do together. Two steps of one
    /// order make the weaker one that is below both.
    pub together: Option<InjectionResult>,
    /// The programs that could not take part.
    pub left_out: Vec<LeftOut>,
    /// How many programs took part.
    pub program_count: usize,
    /// What was begun from instead of the orders that are written ([`Programs::orders`]).
    pub base: Overrides,
    /// How far the runs looked: those of the programs as they are written, and those that survivors rest on.
    pub scope: Scope,
}

/// Weakens every memory order that the programs exercise, one at a time and by one step, and says which of these the specification
/// finds.
///
/// The steps: `SeqCst` to `AcqRel`, of a store to `Release`, of a load to `Acquire`; `AcqRel` to `Release` and to `Acquire`; these to `Relaxed`.
/// The orders of a compare-exchange on success and on failure are weakened apart. A fence is also left out. Runs stop at the first
/// finding. Nothing is compiled again: the orders are overridden, place by place, while the programs run.
///
/// Costs a run of each program for each order and step, on all cores.
pub fn weaken(programs: impl Into<Programs>) -> Injections {
    let programs = programs.into();
    let pool = programs.pool("weakening");
    let subject = Subject::of_those_that_hold(&programs, &pool);
    let steps: Vec<(Site, Level)> = subject
        .sites()
        .into_iter()
        .flat_map(|site| site.weaker(site.base).into_iter().map(move |to| (site, to)))
        .collect();
    let answers = pool.run("single steps", &steps, |step| {
        let change = Change::of(step.0, step.1);
        let answer = subject.ask(&change);
        let classes = match &answer {
            Answer::Fails(proof) if programs.classifies => Some(subject.classes(&change, proof.class)),
            _ => None,
        };
        (answer, classes)
    });
    let together = together(&subject, &pool, &steps, &answers);
    let named = name_operations(steps.iter().map(|(site, _)| *site));
    let mut scope = subject.scope();
    let injections = steps.into_iter().zip(answers).map(|((site, to), answer)| {
        let (answer, classes) = answer.unzip();
        if let Some(Answer::Hold { scope: of_survivor, .. }) = &answer {
            scope = std::mem::take(&mut scope).with(of_survivor);
        }
        let (operation, description) = named[&site.key()].clone();
        let Description { line, is_ambiguous, .. } = description;
        Injection {
            site,
            operation,
            line,
            is_ambiguous,
            to,
            result: result(answer),
            classes: classes.flatten(),
        }
    });
    let injections = injections.collect();
    Injections {
        structure: programs.name,
        base: programs.base,
        injections,
        together,
        program_count: subject.program_count(),
        left_out: subject.left_out,
        scope,
    }
}

/// What came of a step, and the classes of what it shows, if they are told apart.
type Answered = (Answer, Option<Vec<Class>>);

/// Asks about all that survives alone, at once.
fn together(
    subject: &Subject,
    pool: &Pool,
    steps: &[(Site, Level)],
    answers: &[Option<Answered>],
) -> Option<InjectionResult> {
    let is_survivor = |answer: &Option<(Answer, _)>| matches!(answer, Some((Answer::Hold { .. }, _)));
    let survivors = steps.iter().zip(answers).filter(|(_, answer)| is_survivor(answer));
    let change = survivors.fold(Change::default(), |change, ((site, to), _)| {
        change.with(*site, site.meet(change.level(site), *to))
    });
    if change == Change::default() {
        return None;
    }
    Some(result(Some(subject.ask_on(pool, &change))))
}

fn result(answer: Option<Answer>) -> InjectionResult {
    match answer {
        None | Some(Answer::NotReached) => InjectionResult::NotReached,
        Some(Answer::Fails(proof)) => InjectionResult::Found(proof),
        Some(Answer::Hold { executions, scope }) => {
            InjectionResult::Survived { executions, bounds: scope.bounds }
        }
        Some(Answer::Open { program, verdict, report }) => InjectionResult::Open { program, verdict, report },
    }
}

/// A name for the operation of each site, and what the source says. Operations that would be called the same are numbered, in the order of
/// the source.
pub(super) fn name_operations(sites: impl Iterator<Item = Site>) -> BTreeMap<SiteKey, (String, Description)> {
    let mut sources = Sources::default();
    let mut taken: BTreeMap<String, u32> = BTreeMap::new();
    let mut named = BTreeMap::new();
    for site in sites {
        if named.contains_key(&site.key()) {
            continue;
        }
        let description = sources.describe(&site.place);
        let plain = plain_name(&site, &description);
        let number = taken.entry(plain.clone()).or_default();
        *number += 1;
        let name = if *number == 1 { plain } else { format!("{plain} #{number}") };
        named.insert(site.key(), (name, description));
    }
    named
}

fn plain_name(site: &Site, description: &Description) -> String {
    let mut name = String::new();
    if let Some(function) = &description.function {
        name.push_str(&format!("{function}: "));
    }
    if let Some(object) = &description.object {
        name.push_str(&format!("{object}."));
    }
    name.push_str(site.place.name.spelling());
    name.push_str(match site.part {
        super::Part::Only => "",
        super::Part::Success => " (success)",
        super::Part::Failure => " (failure)",
    });
    name
}

impl Injections {
    /// Whether this says what it is to say: programs took part, none was left out, and each weakening was found or survived,
    /// and all survivors at once.
    pub fn is_complete(&self) -> bool {
        let is_answered = |result: &InjectionResult| {
            matches!(result, InjectionResult::Found(_) | InjectionResult::Survived { .. })
        };
        let mut results = self.injections.iter().map(|injection| &injection.result).chain(&self.together);
        self.program_count > 0 && self.left_out.is_empty() && results.all(is_answered)
    }

    /// How many weakenings a program shows.
    pub fn found_count(&self) -> usize {
        self.proofs().count()
    }

    /// How many of them in this class.
    pub fn class_count(&self, class: Class) -> usize {
        self.injections.iter().filter(|injection| injection.class() == Some(class)).count()
    }

    /// Those that no program shows: survivors, and those that a limit leaves open.
    pub fn unfound(&self) -> impl Iterator<Item = &Injection> {
        self.injections.iter().filter(|injection| injection.proof().is_none())
    }

    /// One object a line: what the fields of an [`Injection`] say, in plain words; then what came of all survivors at once, with
    /// `survivors_together`; then the programs that took no part, with `left_out`. With the feature `json`.
    #[cfg(feature = "json")]
    pub fn json_lines(&self) -> String {
        let lines = self.injections.iter().map(|injection| {
            let line = Line::new(&self.structure, injection);
            serde_json::to_string(&line).expect("strings and numbers can be written as JSON") + "\n"
        });
        let left_out = self.left_out.iter().map(|LeftOut { program, verdict }| {
            let line = LeftOutLine { structure: &self.structure, left_out: program, verdict: *verdict };
            serde_json::to_string(&line).expect("strings can be written as JSON") + "\n"
        });
        let together = self.together.as_ref().map(|result| {
            let line = TogetherLine::new(&self.structure, self.survivor_count(), result);
            serde_json::to_string(&line).expect("strings and numbers can be written as JSON") + "\n"
        });
        lines.chain(together).chain(left_out).collect()
    }

    fn survivor_count(&self) -> usize {
        let is_survivor =
            |injection: &&Injection| matches!(injection.result, InjectionResult::Survived { .. });
        self.injections.iter().filter(is_survivor).count()
    }

    fn proofs(&self) -> impl Iterator<Item = &Proof> {
        self.injections.iter().filter_map(Injection::proof)
    }
}

impl Injection {
    /// What shows it; the report is in there.
    pub fn proof(&self) -> Option<&Proof> {
        match &self.result {
            InjectionResult::Found(proof) => Some(proof),
            _ => None,
        }
    }

    /// Which of the places that the report blames it is, from 1; 0: it is none. `None` if that was not asked for, it was not found, or it is a fence that was left out: no order is to blame then.
    pub fn blamed(&self) -> Option<usize> {
        let blamed = self.proof()?.blamed.as_ref().filter(|_| self.to != Level::Absent)?;
        Some(blamed.iter().position(|place| *place == self.site.place).map_or(0, |index| index + 1))
    }

    /// The class, if it was found: as in figure 8 of the CDSSpec paper if [`Programs::classify`] is on, else that of the first finding.
    pub fn class(&self) -> Option<Class> {
        let of_all = self.classes.as_ref().and_then(|classes| classes.first());
        self.proof().map(|proof| *of_all.unwrap_or(&proof.class))
    }

    fn cells(&self) -> Vec<String> {
        let (found, program, executions) = match &self.result {
            InjectionResult::Found(proof) => {
                let class = self.class().unwrap_or(proof.class);
                (class.word().to_owned(), proof.program.clone(), proof.executions.to_string())
            }
            InjectionResult::Survived { executions, bounds } => {
                let survived = if bounds.is_empty() { "survived" } else { "survived within bounds" };
                (survived.to_owned(), String::new(), executions.to_string())
            }
            InjectionResult::Open { program, verdict, .. } => {
                (format!("open: {verdict}"), program.clone(), String::new())
            }
            InjectionResult::NotReached => ("not reached".to_owned(), String::new(), String::new()),
        };
        let step = format!("{} -> {}", self.site.base, self.to);
        let mark = if self.is_ambiguous { " (ambiguous)" } else { "" };
        let line = self.site.place.source.line.to_string() + mark;
        vec![line, self.operation.clone(), step, found, program, executions]
    }
}

const HEADER: [&str; 6] = ["line", "operation", "step", "found", "program", "executions"];

impl Injections {
    /// A table, and how many were found, in so many columns. What is printed ([`Display`](fmt::Display)) is as wide as the terminal, or has
    /// 100 columns where there is none.
    pub fn text(&self, columns: usize) -> String {
        let rows = self.injections.iter().map(|one| (one.site.place.source.file, one.cells()));
        let mut lines = report::grouped_table(&HEADER, &by_file(rows), columns);
        let mut say = |text: &str| lines.push(report::paragraph(text, columns));
        if !self.base.is_empty() {
            say("");
            say(&format!("begun from: {}", self.base));
        }
        let all = self.injections.len();
        let classes: Vec<String> =
            Class::ALL.map(|class| format!("{} {}", self.class_count(class), class.word())).into();
        say("");
        say(&format!("{}: {} of {all} found: {}", self.structure, self.found_count(), classes.join(", ")));
        let count = |is: fn(&InjectionResult) -> bool| {
            self.injections.iter().filter(|injection| is(&injection.result)).count()
        };
        let open = count(|result| matches!(result, InjectionResult::Open { .. }));
        let not_reached = count(|result| matches!(result, InjectionResult::NotReached));
        if open + not_reached > 0 {
            say(&format!("under the limits {open} are open, and {not_reached} were not reached"));
        }
        if self.injections.iter().any(|injection| injection.is_ambiguous) {
            say("ambiguous: operations that share the place, as in a macro, are weakened together");
        }
        if let Some(result) = &self.together {
            say(&together_text(self.survivor_count(), result));
        }
        for LeftOut { program, verdict } in &self.left_out {
            say(&format!("the program {program} took no part: it is {verdict} as it is written"));
        }
        if self.program_count == 0 {
            say("no program took part: this says nothing");
        }
        self.scope.to_string().lines().for_each(say);
        lines.join("\n") + "\n"
    }
}

impl fmt::Display for Injections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(process::columns()))
    }
}

/// Rows in the order of the source, by file.
pub(super) fn by_file(
    rows: impl Iterator<Item = (&'static str, Vec<String>)>,
) -> Vec<(String, Vec<Vec<String>>)> {
    let mut groups: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for (file, row) in rows {
        match groups.last_mut() {
            Some((known, rows)) if known == file => rows.push(row),
            _ => groups.push((file.to_owned(), vec![row])),
        }
    }
    groups
}

fn together_text(count: usize, result: &InjectionResult) -> String {
    match result {
        InjectionResult::Survived { executions, .. } => {
            format!("all {count} survivors at once: the programs hold, after {executions} executions")
        }
        InjectionResult::Found(Proof { verdict, program, executions, .. }) => format!(
            "the {count} survivors do not survive all at once: {verdict} by {program}, execution {executions}"
        ),
        InjectionResult::Open { program, verdict, .. } => {
            format!("all {count} survivors at once: open: {verdict} by {program}")
        }
        InjectionResult::NotReached => format!("all {count} survivors at once: not reached"),
    }
}

/// A line of JSON: what came of all survivors at once.
#[cfg(feature = "json")]
#[derive(Serialize)]
struct TogetherLine<'a> {
    structure: &'a str,
    /// `survived`, `found`, `open` or `not_reached`.
    survivors_together: &'static str,
    survivors: usize,
    verdict: Option<Verdict>,
    program: Option<&'a str>,
    executions: Option<u64>,
}

#[cfg(feature = "json")]
impl<'a> TogetherLine<'a> {
    fn new(structure: &'a str, survivors: usize, result: &'a InjectionResult) -> Self {
        let (survivors_together, verdict, program, executions) = match result {
            InjectionResult::Survived { executions, .. } => ("survived", None, None, Some(*executions)),
            InjectionResult::Found(Proof { verdict, program, executions, .. }) => {
                ("found", Some(*verdict), Some(program.as_str()), Some(*executions))
            }
            InjectionResult::Open { program, verdict, .. } => {
                ("open", Some(*verdict), Some(program.as_str()), None)
            }
            InjectionResult::NotReached => ("not_reached", None, None, None),
        };
        Self { structure, survivors_together, survivors, verdict, program, executions }
    }
}

/// A line of JSON: a program that took no part.
#[cfg(feature = "json")]
#[derive(Serialize)]
struct LeftOutLine<'a> {
    structure: &'a str,
    left_out: &'a str,
    verdict: Verdict,
}

/// A line of JSON: a weakening.
#[cfg(feature = "json")]
#[derive(Serialize)]
struct Line<'a> {
    structure: &'a str,
    place: String,
    operation: &'a str,
    from: String,
    to: String,
    /// `found`, `survived`, `open` or `not_reached`.
    result: &'static str,
    found: bool,
    class: Option<Class>,
    /// Of all executions, if they were asked for.
    classes: Option<&'a [Class]>,
    /// Which of the places that the report blames it is, from 1, if that was asked for; 0: it is none.
    blamed: Option<usize>,
    verdict: Option<Verdict>,
    program: Option<&'a str>,
    executions: Option<u64>,
    ambiguous: bool,
    /// Of a survivor: within which bounds.
    bounds: Option<&'a [String]>,
    reason: Option<&'static str>,
}

#[cfg(feature = "json")]
impl<'a> Line<'a> {
    fn new(structure: &'a str, injection: &'a Injection) -> Self {
        let source = injection.site.place.source;
        let mut line = Self {
            structure,
            place: format!("{source}:{}", source.column),
            operation: &injection.operation,
            from: injection.site.base.to_string(),
            to: injection.to.to_string(),
            result: "found",
            found: false,
            class: injection.class(),
            classes: injection.classes.as_deref(),
            blamed: injection.blamed(),
            verdict: None,
            program: None,
            executions: None,
            ambiguous: injection.is_ambiguous,
            bounds: None,
            reason: None,
        };
        match &injection.result {
            InjectionResult::Found(Proof { verdict, program, executions, .. }) => {
                line.found = true;
                line.verdict = Some(*verdict);
                line.program = Some(program);
                line.executions = Some(*executions);
            }
            InjectionResult::Survived { executions, bounds } => {
                line.result = "survived";
                line.executions = Some(*executions);
                line.bounds = Some(bounds);
            }
            InjectionResult::Open { program, verdict, .. } => {
                line.verdict = Some(*verdict);
                line.program = Some(program);
                line.result = "open";
                line.reason = Some("open under a limit");
            }
            InjectionResult::NotReached => {
                line.result = "not_reached";
                line.reason = Some("not reached under a limit");
            }
        }
        line
    }
}
