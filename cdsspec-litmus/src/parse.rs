//! The text format of litmus tests.
//!
//! ```text
//! name: SB+rlx
//! init: x=0 y=0                       locations and their first values
//! T0: W x 1 rlx ; R a y rlx           threads, run in parallel
//! T1: W y 1 rlx ; R b x rlx
//! show: a b                           what an outcome shows: registers, or locations (their last store)
//! ```
//!
//! `W loc val ord` · `R reg loc ord` · `F ord` · `ADD reg loc val ord` · `XCHG reg loc val ord` · `CAS reg loc expected new success
//! failure` · `IF reg val { … }` · `LOOP reg val { … }` runs the block again and again until the register has the value after it · `MOV
//! reg val` sets a register · orders `rlx acq rel acqrel sc`, and `na` for a non-atomic access. `val` is a number or a register.
//! `#` begins a comment, `note:` a remark.
//!
//! Of our own, unknown to other tools: `AWAIT reg loc val ord` spins until it loads the value; `LOCK loc` and `UNLOCK loc` take and free a
//! lock; `CALL { … }` runs the block as a method call, `POINT` behind an access makes it an ordering point of the call, `CLEAR` forgets
//! the points so far; `CASW`, written as `CAS`, may fail spuriously, once for all of its thread with these orders.

mod block;

use crate::syntax::{Litmus, Location, LocationIndex, LocationKind, RegisterIndex, Shown};
use std::fmt;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The token that is wrong; empty where one is missing.
    pub token: String,
    /// What is wrong with it.
    pub message: &'static str,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.token.is_empty() {
            return write!(f, "line {}: {}", self.line, self.message);
        }
        write!(f, "line {}: `{}`: {}", self.line, self.token, self.message)
    }
}

impl std::error::Error for ParseError {}

fn error<T>(line: usize, token: &str, message: &'static str) -> Result<T, ParseError> {
    Err(ParseError { line, token: token.to_string(), message })
}

/// Reads the tests of a text.
///
/// # Errors
/// The first mistake.
pub fn parse(text: &str) -> Result<Vec<Litmus>, ParseError> {
    let mut tests = Vec::new();
    let mut draft: Option<Draft<'_>> = None;
    let mut last = 0;
    for (index, raw) in text.lines().enumerate() {
        let line = index + 1;
        let content = raw.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let Some((key, rest)) = content.split_once(':') else {
            return error(
                line,
                content,
                "a line begins with `name:`, `init:`, `T0:` and so on, `show:` or `note:`",
            );
        };
        let (key, rest) = (key.trim(), rest.trim());
        if key == "name" {
            tests.extend(draft.replace(Draft::new(line, rest)?).map(Draft::finish).transpose()?);
        } else {
            let Some(draft) = &mut draft else { return error(line, key, "a test begins with `name:`") };
            draft.add(line, key, rest)?;
        }
        last = line;
    }
    tests.extend(draft.map(Draft::finish).transpose()?);
    if tests.is_empty() {
        return error(last.max(1), "", "there is no test here");
    }
    Ok(tests)
}

/// A test as far as it was read.
struct Draft<'a> {
    line: usize,
    test: Litmus,
    has_init: bool,
    shown: Option<(usize, Vec<&'a str>)>,
}

impl<'a> Draft<'a> {
    fn new(line: usize, name: &str) -> Result<Self, ParseError> {
        if name.is_empty() {
            return error(line, "", "a test has a name");
        }
        let test = Litmus {
            name: name.to_string(),
            locations: Vec::new(),
            registers: Vec::new(),
            threads: Vec::new(),
            shown: Vec::new(),
        };
        Ok(Self { line, test, has_init: false, shown: None })
    }

    fn add(&mut self, line: usize, key: &str, rest: &'a str) -> Result<(), ParseError> {
        match key {
            "init" if self.has_init => error(line, key, "a test has one `init:`"),
            "init" => self.add_locations(line, rest),
            "show" if self.shown.is_some() => error(line, key, "a test has one `show:`"),
            "show" => {
                self.shown = Some((line, rest.split_whitespace().collect()));
                Ok(())
            }
            "note" => Ok(()),
            _ if is_thread(key) => self.add_thread(line, key, rest),
            _ => error(line, key, "a line begins with `name:`, `init:`, `T0:` and so on, `show:` or `note:`"),
        }
    }

    fn add_locations(&mut self, line: usize, rest: &str) -> Result<(), ParseError> {
        self.has_init = true;
        for token in rest.split_whitespace() {
            let Some((name, value)) = token.split_once('=') else {
                return error(line, token, "a location and its first value are written `x=0`");
            };
            if !is_name(name) {
                return error(line, token, "a location's name is a word that does not begin with a digit");
            }
            if self.test.location(name).is_some() {
                return error(line, token, "this location has a first value already");
            }
            let Ok(initial) = value.parse() else { return error(line, token, "a first value is a number") };
            self.test.locations.push(Location {
                name: name.to_string(),
                initial,
                kind: LocationKind::Atomic,
            });
        }
        Ok(())
    }

    fn add_thread(&mut self, line: usize, key: &str, rest: &str) -> Result<(), ParseError> {
        if !self.has_init {
            return error(line, key, "`init:` comes before the threads");
        }
        if key[1..] != self.test.threads.len().to_string() {
            return error(line, key, "the threads are T0, T1 and so on, in this order");
        }
        let code = block::parse(&mut self.test, line, rest)?;
        self.test.threads.push(code);
        Ok(())
    }

    fn finish(self) -> Result<Litmus, ParseError> {
        let Self { line, mut test, shown, .. } = self;
        let name = test.name.clone();
        let Some((show_line, shown)) = shown else { return error(line, &name, "this test has no `show:`") };
        if test.threads.is_empty() {
            return error(line, &name, "this test has no threads");
        }
        for token in shown {
            let shown = match (test.register(token), test.location(token)) {
                (Some(register), None) => Shown::Register(register),
                (None, Some(location)) => Shown::Location(location),
                (Some(_), Some(_)) => {
                    return error(show_line, token, "this is a register and a location, too");
                }
                (None, None) => {
                    return error(show_line, token, "there is no register or location of this name");
                }
            };
            test.shown.push(shown);
        }
        Ok(test)
    }
}

impl Litmus {
    fn location(&self, name: &str) -> Option<LocationIndex> {
        self.locations.iter().position(|location| location.name == name).map(LocationIndex)
    }

    fn register(&self, name: &str) -> Option<RegisterIndex> {
        self.registers.iter().position(|register| register == name).map(RegisterIndex)
    }
}

fn is_thread(key: &str) -> bool {
    key.strip_prefix('T')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_name(token: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
    token.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && token.bytes().all(is_part)
}
