//! The code of one thread.

use super::{ParseError, error, is_name};
use crate::syntax::{Instruction, Litmus, LocationIndex, LocationKind, Operand, RegisterIndex};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Reads the code of a thread.
pub(super) fn parse(test: &mut Litmus, line: usize, text: &str) -> Result<Vec<Instruction>, ParseError> {
    let accesses = accesses_before(test);
    let mut block =
        Block { accesses, test, line, tokens: tokens(text), next: 0, held: BTreeSet::new(), is_call: false };
    let code = block.code(&mut BTreeSet::new())?;
    match block.take() {
        Some(token) => error(line, token, "there is no `{` that this closes"),
        None => Ok(code),
    }
}

/// The text cut into words; `;`, `{` and `}` are words of their own.
fn tokens(text: &str) -> Vec<&str> {
    let is_sign = |character: char| matches!(character, ';' | '{' | '}');
    text.split_whitespace()
        .flat_map(|word| {
            word.split_inclusive(is_sign).flat_map(move |part| match part.find(is_sign) {
                Some(at) => [&part[..at], &part[at..]],
                None => [part, ""],
            })
        })
        .filter(|token| !token.is_empty())
        .collect()
}

/// How each location has been accessed so far.
fn accesses_before(test: &Litmus) -> Vec<Option<LocationKind>> {
    fn look(code: &[Instruction], accesses: &mut [Option<LocationKind>]) {
        for instruction in code {
            match instruction {
                Instruction::Write { location, order, .. } | Instruction::Read { location, order, .. } => {
                    accesses[location.0] = Some(kind_of(*order));
                }
                Instruction::Add { location, .. }
                | Instruction::Exchange { location, .. }
                | Instruction::CompareExchange { location, .. }
                | Instruction::Await { location, .. } => accesses[location.0] = Some(LocationKind::Atomic),
                Instruction::Lock { location } | Instruction::Unlock { location } => {
                    accesses[location.0] = Some(LocationKind::Lock);
                }
                Instruction::If { body, .. }
                | Instruction::Loop { body, .. }
                | Instruction::Call { body } => {
                    look(body, accesses);
                }
                Instruction::Fence { .. }
                | Instruction::Move { .. }
                | Instruction::Point
                | Instruction::Clear => {}
            }
        }
    }
    let mut accesses = vec![None; test.locations.len()];
    test.threads.iter().for_each(|code| look(code, &mut accesses));
    accesses
}

fn kind_of(order: Option<Ordering>) -> LocationKind {
    if order.is_some() { LocationKind::Atomic } else { LocationKind::Plain }
}

struct Block<'t, 'a> {
    test: &'t mut Litmus,
    line: usize,
    tokens: Vec<&'a str>,
    next: usize,
    /// How each location is accessed, once it has been.
    accesses: Vec<Option<LocationKind>>,
    /// The locks that the thread has taken.
    held: BTreeSet<LocationIndex>,
    /// Whether this is within a call.
    is_call: bool,
}

/// What an order may stand at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Load,
    Store,
    Update,
    Fence,
    Failure,
}

impl<'a> Block<'_, 'a> {
    fn take(&mut self) -> Option<&'a str> {
        let token = self.tokens.get(self.next).copied();
        self.next += 1;
        token
    }

    fn word(&mut self, missing: &'static str) -> Result<&'a str, ParseError> {
        match self.take() {
            Some(";" | "{" | "}") | None => error(self.line, "", missing),
            Some(word) => Ok(word),
        }
    }

    fn sign(&mut self, sign: &str, message: &'static str) -> Result<(), ParseError> {
        match self.take() {
            Some(token) if token == sign => Ok(()),
            token => error(self.line, token.unwrap_or_default(), message),
        }
    }

    /// Instructions up to the end or a `}`, which is left. `written` are the registers that certainly have a value.
    fn code(&mut self, written: &mut BTreeSet<RegisterIndex>) -> Result<Vec<Instruction>, ParseError> {
        let mut code = Vec::new();
        loop {
            match self.tokens.get(self.next).copied() {
                None | Some("}") => return Ok(code),
                Some(";") => self.next += 1,
                Some(token) => {
                    let instruction = self.instruction(written)?;
                    self.check_marker(token, &instruction, code.last())?;
                    code.push(instruction);
                    if !matches!(self.tokens.get(self.next).copied(), None | Some(";" | "}")) {
                        let token = self.tokens[self.next];
                        return error(self.line, token, "`;` separates instructions");
                    }
                }
            }
        }
    }

    fn instruction(&mut self, written: &mut BTreeSet<RegisterIndex>) -> Result<Instruction, ParseError> {
        match self.word("an instruction is missing")? {
            "W" => {
                let location = self.location()?;
                let value = self.operand(written)?;
                let order = self.order(Use::Store)?;
                self.note_access(location, kind_of(order))?;
                Ok(Instruction::Write { location, value, order })
            }
            "R" => {
                let register = self.register()?;
                let location = self.location()?;
                let order = self.order(Use::Load)?;
                self.note_access(location, kind_of(order))?;
                written.insert(register);
                Ok(Instruction::Read { register, location, order })
            }
            "F" => Ok(Instruction::Fence { order: self.atomic_order(Use::Fence)? }),
            word @ ("ADD" | "XCHG") => {
                let register = self.register()?;
                let location = self.location()?;
                let value = self.operand(written)?;
                let order = self.atomic_order(Use::Update)?;
                self.note_access(location, LocationKind::Atomic)?;
                written.insert(register);
                Ok(match word {
                    "ADD" => Instruction::Add { register, location, value, order },
                    _ => Instruction::Exchange { register, location, value, order },
                })
            }
            word @ ("CAS" | "CASW") => self.compare_exchange(word == "CASW", written),
            "AWAIT" => {
                let register = self.register()?;
                let location = self.location()?;
                let value = self.operand(written)?;
                let order = self.atomic_order(Use::Load)?;
                self.note_access(location, LocationKind::Atomic)?;
                written.insert(register);
                Ok(Instruction::Await { register, location, value, order })
            }
            word @ ("LOCK" | "UNLOCK") => self.lock(word),
            "IF" => self.conditional(written),
            "LOOP" => self.repeated(written),
            "CALL" => self.call(written),
            "POINT" => Ok(Instruction::Point),
            "CLEAR" => Ok(Instruction::Clear),
            "MOV" => {
                let register = self.register()?;
                let value = self.operand(written)?;
                written.insert(register);
                Ok(Instruction::Move { register, value })
            }
            word => error(
                self.line,
                word,
                "the instructions are W, R, F, ADD, XCHG, CAS, CASW, AWAIT, LOCK, UNLOCK, IF, LOOP, MOV, CALL, POINT and CLEAR",
            ),
        }
    }

    fn compare_exchange(
        &mut self,
        is_weak: bool,
        written: &mut BTreeSet<RegisterIndex>,
    ) -> Result<Instruction, ParseError> {
        let register = self.register()?;
        let location = self.location()?;
        let expected = self.operand(written)?;
        let new = self.operand(written)?;
        let success = self.atomic_order(Use::Update)?;
        let failure = self.atomic_order(Use::Failure)?;
        self.note_access(location, LocationKind::Atomic)?;
        written.insert(register);
        Ok(Instruction::CompareExchange { register, location, expected, new, success, failure, is_weak })
    }

    fn lock(&mut self, word: &str) -> Result<Instruction, ParseError> {
        let token = self.tokens.get(self.next).copied().unwrap_or_default();
        let location = self.location()?;
        self.note_access(location, LocationKind::Lock)?;
        if word == "LOCK" {
            return match self.held.insert(location) {
                true => Ok(Instruction::Lock { location }),
                false => error(self.line, token, "this thread has taken this lock already"),
            };
        }
        match self.held.remove(&location) {
            true => Ok(Instruction::Unlock { location }),
            false => error(self.line, token, "this thread has not taken this lock"),
        }
    }

    fn conditional(&mut self, written: &BTreeSet<RegisterIndex>) -> Result<Instruction, ParseError> {
        let token = self.word("a register is missing")?;
        let register = self.written_register(token, written)?;
        let value = self.operand(written)?;
        self.sign("{", "`{` follows the condition of an IF")?;
        let held = self.held.clone();
        let body = self.code(&mut written.clone())?;
        self.sign("}", "a `}` is missing")?;
        if held != self.held {
            return error(self.line, "IF", "its body frees the locks that it takes, and no others");
        }
        Ok(Instruction::If { register, value, body })
    }

    /// A loop. Its body runs at least once, so that what the body certainly writes is written after it, and when it is asked whether
    /// it ends.
    fn repeated(&mut self, written: &mut BTreeSet<RegisterIndex>) -> Result<Instruction, ParseError> {
        let (register_token, value_token) =
            (self.word("a register is missing")?, self.word("a value is missing")?);
        self.sign("{", "`{` follows the condition of a LOOP")?;
        let held = self.held.clone();
        let body = self.code(written)?;
        self.sign("}", "a `}` is missing")?;
        if held != self.held {
            return error(self.line, "LOOP", "its body frees the locks that it takes, and no others");
        }
        let register = self.written_register(register_token, written)?;
        let value = self.operand_of(value_token, written)?;
        Ok(Instruction::Loop { register, value, body })
    }

    fn call(&mut self, written: &mut BTreeSet<RegisterIndex>) -> Result<Instruction, ParseError> {
        if std::mem::replace(&mut self.is_call, true) {
            return error(self.line, "CALL", "there is no call within a call");
        }
        self.sign("{", "`{` follows a CALL")?;
        let body = self.code(written)?;
        self.sign("}", "a `}` is missing")?;
        self.is_call = false;
        Ok(Instruction::Call { body })
    }

    /// Whether a marker, if it is one, has an access that it can mean.
    fn check_marker(
        &self,
        token: &str,
        instruction: &Instruction,
        before: Option<&Instruction>,
    ) -> Result<(), ParseError> {
        let is_marker =
            |instruction: &Instruction| matches!(instruction, Instruction::Point | Instruction::Clear);
        let is_marked = |before: &Instruction| before.is_operation() || is_marker(before);
        if !is_marker(instruction) || self.is_call && before.is_some_and(is_marked) {
            return Ok(());
        }
        error(self.line, token, "a marker stands in a call, behind an access")
    }

    fn location(&mut self) -> Result<LocationIndex, ParseError> {
        let token = self.word("a location is missing")?;
        match self.test.location(token) {
            Some(location) => Ok(location),
            None => error(self.line, token, "this location has no first value in `init:`"),
        }
    }

    fn register(&mut self) -> Result<RegisterIndex, ParseError> {
        let token = self.word("a register is missing")?;
        if !is_name(token) {
            return error(self.line, token, "a register's name is a word that does not begin with a digit");
        }
        Ok(self.test.register(token).unwrap_or_else(|| {
            self.test.registers.push(token.to_string());
            RegisterIndex(self.test.registers.len() - 1)
        }))
    }

    fn written_register(
        &self,
        token: &str,
        written: &BTreeSet<RegisterIndex>,
    ) -> Result<RegisterIndex, ParseError> {
        match self.test.register(token) {
            Some(register) if written.contains(&register) => Ok(register),
            _ => error(self.line, token, "this thread may not have written this register"),
        }
    }

    fn operand(&mut self, written: &BTreeSet<RegisterIndex>) -> Result<Operand, ParseError> {
        let token = self.word("a value is missing")?;
        self.operand_of(token, written)
    }

    fn operand_of(&self, token: &str, written: &BTreeSet<RegisterIndex>) -> Result<Operand, ParseError> {
        match token.parse() {
            Ok(number) => Ok(Operand::Number(number)),
            Err(_) if is_name(token) => Ok(Operand::Register(self.written_register(token, written)?)),
            Err(_) => error(self.line, token, "a value is a number or a register"),
        }
    }

    /// An order; `None` is `na`.
    fn order(&mut self, at: Use) -> Result<Option<Ordering>, ParseError> {
        let token = self.word("an order is missing")?;
        let order = match token {
            "na" => None,
            "rlx" => Some(Ordering::Relaxed),
            "acq" => Some(Ordering::Acquire),
            "rel" => Some(Ordering::Release),
            "acqrel" => Some(Ordering::AcqRel),
            "sc" => Some(Ordering::SeqCst),
            _ => return error(self.line, token, "the orders are rlx, acq, rel, acqrel, sc and na"),
        };
        let message = match (at, order) {
            (Use::Load | Use::Failure, Some(Ordering::Release | Ordering::AcqRel)) => "a load cannot release",
            (Use::Store, Some(Ordering::Acquire | Ordering::AcqRel)) => "a store cannot acquire",
            (Use::Fence, Some(Ordering::Relaxed)) => "a relaxed fence does nothing",
            (Use::Update | Use::Fence | Use::Failure, None) => "only loads and stores can be non-atomic",
            _ => return Ok(order),
        };
        error(self.line, token, message)
    }

    fn atomic_order(&mut self, at: Use) -> Result<Ordering, ParseError> {
        match self.order(at)? {
            Some(order) => Ok(order),
            None => error(self.line, "na", "only loads and stores can be non-atomic"),
        }
    }

    fn note_access(&mut self, location: LocationIndex, kind: LocationKind) -> Result<(), ParseError> {
        let known = self.accesses[location.0].get_or_insert(kind);
        let location = &mut self.test.locations[location.0];
        location.kind = kind;
        if *known != kind {
            return error(self.line, &location.name, "this location is accessed in another way, too");
        }
        if kind == LocationKind::Lock && location.initial != 0 {
            return error(self.line, &location.name, "a lock is free at first: 0");
        }
        Ok(())
    }
}
