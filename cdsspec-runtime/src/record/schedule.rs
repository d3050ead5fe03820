//! What leads to one execution, for whoever wants to see it again: as data, and as a text without spaces or quotes, for a command line.
//!
//! # Text
//! ```text
//! rc11/0:sst.1:l-s.0:j
//! ```
//! The [name](Schedule::engine) of the memory model comes first, then parts, each behind a `/`.
//!
//! The first part has the operations in the order in which they ran: `0:` says that thread 0 goes on, a dot ends its turn, and each operation is a
//! letter ([`StepKind`]). Unless what follows it says more, a read reads the newest store, a write stands last, and of the program's choices
//! the first was taken. `l5` reads what operation 5 stored, `s5` stands right after it, `-` is the initial value, `c1` took choice 1, and `_`
//! fails spuriously.
//!
//! A part `spins=1f12+,…` has the threads that end in a loop: thread 1, whose last round begins with its operation 12; how it is known that nothing else
//! comes (`f`, `a`, `b`); whether it is after the round as it was before it (`+`) or not (`-`). A part `counts=0c3,…` says which handles had counts with
//! operations: of what thread 0 changed by its third change, from 0. A part `begins=2b9,…` has the threads that begin before their first operation comes: thread 2, when 9
//! operations have run; what they do before that, as the call of a method, begins then. The part `ends` says that the ends of threads were operations.
//!
//! A drawn execution is `random-rc11/uniform/42/17/…`: how it was drawn, the seed, its number, and how long those before it were.

use super::ThreadId;
use std::fmt;
use std::str::FromStr;

/// What leads to one execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The memory model.
    pub memory_model: String,
    /// Which one it is of the programs that the test has checked, from 1.
    pub program: usize,
    /// What it does.
    pub course: Course,
}

/// What an execution does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Course {
    /// Step by step.
    Steps(Steps),
    /// As it was drawn.
    Drawn(Drawn),
}

/// An execution, step by step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    /// The operations, in the order in which they ran.
    pub steps: Vec<ScheduledStep>,
    /// The threads that end in a loop.
    pub spins: Vec<SpinEnd>,
    /// The changes of counts of handles, each by its thread and its number among that one's, which made known that the count has operations.
    pub counts: Vec<(ThreadId, u32)>,
    /// The threads that began before their first operation came: each with the number of operations that had run.
    pub begins: Vec<(ThreadId, u32)>,
    /// Whether the ends of threads are operations.
    pub has_ends: bool,
}

/// One operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledStep {
    /// Who does it.
    pub thread: ThreadId,
    /// What it is.
    pub kind: StepKind,
    /// What it chooses.
    pub choice: StepChoice,
}

/// A store that a step names: the initial one, or that of the step with this number, from 0.
pub type StepStore = Option<u32>;

/// What an operation chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepChoice {
    /// What is newest; of the program's choices, the first.
    Newest,
    /// It reads this store, or stands right after it.
    Store(StepStore),
    /// It reads this store and fails, although it could write.
    Spurious(StepStore),
    /// This one of the program's choices.
    Choice(u32),
}

/// How a thread ends that goes round a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpinEnd {
    /// The thread.
    pub thread: ThreadId,
    /// The index of the operation that its last round begins with, among its own.
    pub from: usize,
    /// Why nothing else comes.
    pub reason: SpinReason,
    /// Whether it is after the round what it was before it.
    pub comes_back: bool,
}

/// How an execution was drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// The strategy, as settings have it.
    pub strategy: String,
    /// What it was drawn by.
    pub seed: u64,
    /// Its number among those drawn, from 0.
    pub number: u64,
    /// The most steps, choices between stores, and expected steps of those before it.
    pub lengths: [u64; 3],
}

/// The letters of a kind.
macro_rules! letters {
    ($(#[$doc:meta])* $name:ident { $($(#[$text:meta])* $variant:ident = $letter:literal $phrase:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$text])* $variant,)*
        }

        impl $name {
            fn letter(self) -> char {
                match self {
                    $(Self::$variant => $letter,)*
                }
            }

            /// In words.
            pub fn phrase(self) -> &'static str {
                match self {
                    $(Self::$variant => $phrase,)*
                }
            }

            fn of_letter(letter: char) -> Option<Self> {
                match letter {
                    $($letter => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

letters! {
    /// What a step does.
    StepKind {
        /// A load: `l`.
        Load = 'l' "a load",
        /// A store: `s`.
        Store = 's' "a store",
        /// A read-modify-write that always writes: `u`.
        Update = 'u' "a read-modify-write",
        /// A compare-exchange: `x`.
        CompareExchange = 'x' "a compare-exchange",
        /// An exchange of what was just read: `e`.
        ExchangeRead = 'e' "an exchange of what was read",
        /// A load that waits: `w`.
        WaitLoad = 'w' "a wait",
        /// A read-modify-write that waits: `k`, as of a lock.
        WaitUpdate = 'k' "an operation of a lock",
        /// An access of a cell, to read it: `r`.
        ReadCell = 'r' "a read of a cell",
        /// An access of a cell, to write to it: `m`.
        WriteCell = 'm' "a write of a cell",
        /// A fence: `f`.
        Fence = 'f' "a fence",
        /// The creation of a thread: `t`.
        Create = 't' "a spawn",
        /// A join: `j`.
        Join = 'j' "a join",
        /// A choice of the program's: `c`.
        Choice = 'c' "a choice",
    }
}

letters! {
    /// Why a thread does not begin another round.
    SpinReason {
        /// Its last round is futile: `f`.
        Futile = 'f' "its last round is futile",
        /// Its last round is taken to be: `a`.
        Assumed = 'a' "its last round is taken to be futile",
        /// It has reached the bound on rounds: `b`.
        Bounded = 'b' "the bound on rounds",
    }
}

/// What a text of a drawn execution begins with, before the name of the memory model.
const DRAWN: &str = "random-";

impl Schedule {
    /// The name of the engine.
    pub fn engine(&self) -> &str {
        match self.course {
            Course::Steps(_) => &self.memory_model,
            Course::Drawn(_) => "random",
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = if matches!(self.course, Course::Drawn(_)) { DRAWN } else { "" };
        write!(f, "{prefix}{}", self.memory_model)?;
        if self.program != 1 {
            write!(f, "+{}", self.program)?;
        }
        match &self.course {
            Course::Steps(steps) => write!(f, "/{steps}"),
            Course::Drawn(Drawn { strategy, seed, number, lengths: [steps, choices, expected] }) => {
                write!(f, "/{strategy}/{seed}/{number}/{steps}/{choices}/{expected}")
            }
        }
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut last = None;
        for step in &self.steps {
            if last != Some(step.thread) {
                let dot = if last.is_some() { "." } else { "" };
                write!(f, "{dot}{}:", step.thread.index())?;
                last = Some(step.thread);
            }
            write!(f, "{}{}", step.kind.letter(), step.choice)?;
        }
        let sections = [
            ("spins", self.spins.iter().map(SpinEnd::to_string).collect::<Vec<_>>()),
            ("counts", pairs(&self.counts, 'c')),
            ("begins", pairs(&self.begins, 'b')),
        ];
        for (name, entries) in sections.iter().filter(|(_, entries)| !entries.is_empty()) {
            write!(f, "/{name}={}", entries.join(","))?;
        }
        if self.has_ends { f.write_str("/ends") } else { Ok(()) }
    }
}

fn pairs(pairs: &[(ThreadId, u32)], letter: char) -> Vec<String> {
    pairs.iter().map(|(thread, number)| format!("{}{letter}{number}", thread.index())).collect()
}

impl fmt::Display for StepChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Newest => Ok(()),
            Self::Store(None) => f.write_str("-"),
            Self::Store(Some(store)) => write!(f, "{store}"),
            Self::Spurious(store) => write!(f, "{}_", Self::Store(*store)),
            Self::Choice(choice) => write!(f, "{choice}"),
        }
    }
}

impl fmt::Display for SpinEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.comes_back { '+' } else { '-' };
        write!(f, "{}{}{}{sign}", self.thread.index(), self.reason.letter(), self.from)
    }
}

/// A text that is no schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSchedule;

impl FromStr for Schedule {
    type Err = NoSchedule;

    fn from_str(text: &str) -> Result<Self, NoSchedule> {
        parse(text).ok_or(NoSchedule)
    }
}

fn parse(text: &str) -> Option<Schedule> {
    let mut parts = text.split('/');
    let name = parts.next()?;
    let (name, program) = match name.split_once('+') {
        Some((name, program)) => (name, program.parse().ok().filter(|&program| program > 1)?),
        None => (name, 1),
    };
    let drawn = name.strip_prefix(DRAWN);
    let course = match drawn {
        Some(_) => Course::Drawn(parse_drawn(&mut parts)?),
        None => Course::Steps(parse_steps(&mut parts)?),
    };
    let memory_model = drawn.unwrap_or(name).to_owned();
    parts.next().is_none().then_some(Schedule { memory_model, program, course })
}

fn parse_drawn<'t>(parts: &mut impl Iterator<Item = &'t str>) -> Option<Drawn> {
    let strategy = parts.next()?.to_owned();
    let mut number = || parts.next()?.parse().ok();
    Some(Drawn { strategy, seed: number()?, number: number()?, lengths: [number()?, number()?, number()?] })
}

fn parse_steps<'t>(parts: &mut impl Iterator<Item = &'t str>) -> Option<Steps> {
    let turns = parts.next()?;
    let mut steps = Steps::default();
    for turn in turns.split('.').filter(|_| !turns.is_empty()) {
        let (thread, rest) = turn.split_once(':')?;
        let thread = ThreadId::new(usize::from(thread.parse::<u16>().ok()?));
        let mut rest = UnreadText(rest);
        while !rest.0.is_empty() {
            let kind = StepKind::of_letter(rest.next()?)?;
            steps.steps.push(ScheduledStep { thread, kind, choice: rest.choice(kind)? });
        }
    }
    for part in parts {
        match part.split_once('=') {
            Some(("spins", entries)) => steps.spins = all(entries, parse_spin)?,
            Some(("counts", entries)) => steps.counts = all(entries, |text| parse_pair(text, 'c'))?,
            Some(("begins", entries)) => steps.begins = all(entries, |text| parse_pair(text, 'b'))?,
            None if part == "ends" => steps.has_ends = true,
            _ => return None,
        }
    }
    Some(steps)
}

fn all<T>(entries: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    entries.split(',').map(parse).collect()
}

fn parse_spin(text: &str) -> Option<SpinEnd> {
    let mut rest = UnreadText(text);
    let thread = rest.thread()?;
    let reason = SpinReason::of_letter(rest.next()?)?;
    let from = rest.number()? as usize;
    let comes_back = match rest.next()? {
        '+' => true,
        '-' => false,
        _ => return None,
    };
    rest.0.is_empty().then_some(SpinEnd { thread, from, reason, comes_back })
}

/// A thread and a number, with a letter between them.
fn parse_pair(text: &str, letter: char) -> Option<(ThreadId, u32)> {
    let mut rest = UnreadText(text);
    let thread = rest.thread()?;
    let number = (rest.next()? == letter).then(|| rest.number())??;
    rest.0.is_empty().then_some((thread, number))
}

/// What is left of a text.
struct UnreadText<'t>(&'t str);

impl UnreadText<'_> {
    fn next(&mut self) -> Option<char> {
        let mut rest = self.0.chars();
        let letter = rest.next()?;
        self.0 = rest.as_str();
        Some(letter)
    }

    fn skip(&mut self, letter: char) -> bool {
        let rest = self.0.strip_prefix(letter);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn number(&mut self) -> Option<u32> {
        let end = self.0.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.0.len());
        let (number, rest) = self.0.split_at(end);
        self.0 = rest;
        number.parse().ok()
    }

    fn thread(&mut self) -> Option<ThreadId> {
        self.number().map(|number| ThreadId::new(number as usize))
    }

    fn choice(&mut self, kind: StepKind) -> Option<StepChoice> {
        let store = match self.0.chars().next() {
            Some('-') => {
                self.next();
                None
            }
            Some(digit) if digit.is_ascii_digit() => Some(self.number()?),
            _ => return Some(StepChoice::Newest),
        };
        match (kind, store) {
            (StepKind::Choice, choice) => choice.map(StepChoice::Choice),
            (_, store) if self.skip('_') => Some(StepChoice::Spurious(store)),
            (_, store) => Some(StepChoice::Store(store)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoSchedule, Schedule};

    #[test]
    fn a_schedule_is_read_as_it_is_written() {
        let texts = [
            "rc11/",
            "rc11/0:sst.1:l-su3.0:x5_x-_c1rmfjwke.12:l",
            "tso+3/0:t/spins=1f12+,2b0-/counts=0c3,4c0/begins=2b9/ends",
            "sc/0:t/ends",
            "random-rc11/pct:3/42/17/120/30/0",
            "random-sc+2/uniform/0/0/0/0/0",
        ];
        for text in texts {
            let schedule: Schedule = text.parse().unwrap();
            assert_eq!(schedule.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_schedule_is_not_read() {
        let texts = [
            "",
            "rc11",
            "rc11/0",
            "rc11/0:z",
            "rc11/0:c-",
            "rc11/0:l5__",
            "rc11+1/0:l",
            "rc11/0:l/spin=1f2+",
            "rc11/0:l/spins=1f2",
            "rc11/0:l/counts=1",
            "rc11/70000:l",
            "rc11/0:l99999999999",
            "random-rc11/uniform/1/2/3/4",
            "random-rc11/uniform/1/2/3/4/5/6",
            "target/cdsspec/test.json",
        ];
        for text in texts {
            assert_eq!(text.parse::<Schedule>(), Err(NoSchedule), "{text}");
        }
    }
}
