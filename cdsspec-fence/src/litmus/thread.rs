//! The code of one thread of a litmus test.

use crate::lsl::error::ParseError;
use crate::lsl::primitive::Primitive;
use crate::lsl::syntax::{
    FenceKind, Global, Jump, Order, Procedure, ProcedureName, Register, Statement, Tag,
};
use crate::lsl::value::Value;
use std::collections::BTreeSet;

type Parsed<T> = Result<T, ParseError>;

/// Reads the code of a thread: the registers that it sets, and its statements.
pub(super) fn parse(
    globals: &[Global],
    line: usize,
    text: &str,
) -> Parsed<(BTreeSet<Register>, Vec<Statement>)> {
    let spaced = text.replace(';', " ; ").replace('{', " { ").replace('}', " } ");
    let tokens = spaced.split_whitespace().collect();
    let mut reader =
        Reader { globals, line, tokens, next: 0, set: BTreeSet::new(), code: Vec::new(), names: 0 };
    reader.code()?;
    match reader.peek() {
        Some(token) => ParseError::in_line(line, token, "there is no `{` that this closes"),
        None => Ok((reader.set, reader.code)),
    }
}

/// A procedure that reads these locations into registers of their names.
pub(super) fn reading(name: ProcedureName, globals: &[Global], locations: &BTreeSet<&str>) -> Procedure {
    let mut body = Vec::new();
    for (index, global) in globals.iter().enumerate().filter(|(_, one)| locations.contains(one.name.as_str()))
    {
        let address = Register::from("address");
        body.push(Statement::Constant { register: address.clone(), value: pointer(index) });
        let register = Register::from(global.name.as_str());
        body.push(Statement::Load { register, address, order: None });
    }
    let results = locations.iter().map(|name| Register::from(*name)).collect();
    Procedure { name, parameters: Vec::new(), results, body }
}

fn pointer(index: usize) -> Value {
    Value::pointer(&[u32::try_from(index).expect("locations fit into 32 bits")])
}

/// What an order is of.
#[derive(Clone, Copy)]
enum Use {
    /// Also a compare-exchange that fails.
    Load,
    Store,
    Update,
}

impl Use {
    fn has(self, order: Order) -> bool {
        match self {
            Self::Load => !matches!(order, Order::Release | Order::AcquireRelease),
            Self::Store => !matches!(order, Order::Acquire | Order::AcquireRelease),
            Self::Update => order != Order::NonAtomic,
        }
    }

    fn orders(self) -> &'static str {
        match self {
            Self::Load => "the orders of a load are rlx, acq, sc, na and -",
            Self::Store => "the orders of a store are rlx, rel, sc, na and -",
            Self::Update => "the orders of a read-modify-write are rlx, acq, rel, acqrel, sc and -",
        }
    }
}

struct Reader<'t, 'g> {
    globals: &'g [Global],
    line: usize,
    tokens: Vec<&'t str>,
    next: usize,
    set: BTreeSet<Register>,
    code: Vec<Statement>,
    /// How many registers and tags of our own there are.
    names: usize,
}

impl<'t> Reader<'t, '_> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.next).copied()
    }

    fn word(&mut self, missing: &str) -> Parsed<&'t str> {
        match self.peek().filter(|word| !matches!(*word, ";" | "{" | "}")) {
            Some(word) => {
                self.next += 1;
                Ok(word)
            }
            None => ParseError::in_line(self.line, self.peek().unwrap_or_default(), missing),
        }
    }

    /// Instructions up to the end or a `}`, which is left.
    fn code(&mut self) -> Parsed<()> {
        loop {
            match self.peek() {
                None | Some("}") => return Ok(()),
                Some(";") => self.next += 1,
                Some(_) => self.instruction()?,
            }
        }
    }

    /// What is read now stands in a body of its own.
    fn body(&mut self) -> Parsed<Vec<Statement>> {
        if self.peek() != Some("{") {
            return ParseError::in_line(
                self.line,
                self.peek().unwrap_or_default(),
                "`{` follows a condition",
            );
        }
        self.next += 1;
        let outer = std::mem::take(&mut self.code);
        self.code()?;
        if self.peek() != Some("}") {
            return ParseError::in_line(self.line, "", "a `}` is missing");
        }
        self.next += 1;
        Ok(std::mem::replace(&mut self.code, outer))
    }

    fn instruction(&mut self) -> Parsed<()> {
        match self.word("an instruction is missing")? {
            "W" => {
                let address = self.location()?;
                let value = self.operand()?;
                let order = self.order(Use::Store)?;
                self.code.push(Statement::Store { address, value, order });
            }
            "R" => {
                let register = self.register()?;
                let address = self.location()?;
                let order = self.order(Use::Load)?;
                self.set.insert(register.clone());
                self.code.push(Statement::Load { register, address, order });
            }
            "F" => {
                let word = self.word("a fence is missing")?;
                let Some(kind) = FenceKind::parse(word) else {
                    return ParseError::in_line(
                        self.line,
                        word,
                        "the fences are ll, ls, sl, ss, acq, rel, acqrel and sc",
                    );
                };
                self.code.push(Statement::Fence { kind, is_candidate: false });
            }
            word @ ("ADD" | "XCHG") => self.update(word == "ADD")?,
            "CAS" => self.compare_exchange()?,
            "MOV" => {
                let register = self.register()?;
                let value = self.operand()?;
                self.set.insert(register.clone());
                self.primitive(register, Primitive::Copy, vec![value]);
            }
            "IF" => {
                let is_wanted = self.comparison()?;
                let body = self.body()?;
                self.conditional(&is_wanted, body);
            }
            "LOOP" => self.repeated()?,
            word => {
                let message = "the instructions are W, R, F, ADD, XCHG, CAS, IF, LOOP and MOV";
                return ParseError::in_line(self.line, word, message);
            }
        }
        Ok(())
    }

    fn fresh(&mut self, word: &str) -> String {
        self.names += 1;
        format!("_{word}{}", self.names)
    }

    fn location(&mut self) -> Parsed<Register> {
        let name = self.word("a location is missing")?;
        let Some(index) = self.globals.iter().position(|global| global.name == name) else {
            return ParseError::in_line(self.line, name, "this location has no first value in `init:`");
        };
        let register = Register(self.fresh("address"));
        self.code.push(Statement::Constant { register: register.clone(), value: pointer(index) });
        Ok(register)
    }

    /// A register that is set here, once the operands behind it are read.
    fn register(&mut self) -> Parsed<Register> {
        let word = self.word("a register is missing")?;
        if word.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return ParseError::in_line(self.line, word, "the name of a register is no number");
        }
        Ok(Register::from(word))
    }

    /// A register that is set before this.
    fn known(&self, word: &str) -> Parsed<Register> {
        let register = Register::from(word);
        if self.set.contains(&register) {
            return Ok(register);
        }
        let message = "this is no number of 64 bits, nor a register that the thread sets before this";
        ParseError::in_line(self.line, word, message)
    }

    fn operand(&mut self) -> Parsed<Register> {
        let word = self.word("a value is missing")?;
        self.operand_of(word)
    }

    fn operand_of(&mut self, word: &str) -> Parsed<Register> {
        match word.parse::<i64>() {
            Ok(number) => {
                let register = Register(self.fresh("number"));
                self.code.push(Statement::Constant { register: register.clone(), value: number.into() });
                Ok(register)
            }
            Err(_) => self.known(word),
        }
    }

    fn order(&mut self, of: Use) -> Parsed<Option<Order>> {
        let word = self.word("an order is missing")?;
        if word == "-" {
            return Ok(None);
        }
        match Order::parse(word).filter(|order| of.has(*order)) {
            Some(order) => Ok(Some(order)),
            None => ParseError::in_line(self.line, word, of.orders()),
        }
    }

    fn primitive(&mut self, register: Register, primitive: Primitive, arguments: Vec<Register>) {
        self.code.push(Statement::Primitive { register, primitive, arguments });
    }

    fn computed(&mut self, primitive: Primitive, arguments: Vec<Register>) -> Register {
        let register = Register(self.fresh("value"));
        self.primitive(register.clone(), primitive, arguments);
        register
    }

    /// `reg val`: whether the register has the value.
    fn comparison(&mut self) -> Parsed<Register> {
        let word = self.word("a register is missing")?;
        let register = self.known(word)?;
        let value = self.operand()?;
        Ok(self.computed(Primitive::Equal, vec![register, value]))
    }

    fn conditional(&mut self, condition: &Register, body: Vec<Statement>) {
        let tag = Tag(self.fresh("if"));
        let skipped = Register(self.fresh("value"));
        let arguments = vec![condition.clone()];
        let head = Statement::Primitive { register: skipped.clone(), primitive: Primitive::Not, arguments };
        let jump = Statement::Jump { condition: skipped, jump: Jump::Break, tag: tag.clone() };
        let body = [head, jump].into_iter().chain(body).collect();
        self.code.push(Statement::Block { tag, is_spin: false, body });
    }

    /// ADD and XCHG: the old value goes into the register.
    fn update(&mut self, is_add: bool) -> Parsed<()> {
        let register = self.register()?;
        let address = self.location()?;
        let operand = self.operand()?;
        let order = self.order(Use::Update)?;
        self.set.insert(register.clone());
        let outer = std::mem::take(&mut self.code);
        // The operand may be the register itself.
        let operand = self.computed(Primitive::Copy, vec![operand]);
        self.code.push(Statement::Load { register: register.clone(), address: address.clone(), order });
        let value = if is_add { self.computed(Primitive::Add, vec![register, operand]) } else { operand };
        self.code.push(Statement::Store { address, value, order });
        let body = std::mem::replace(&mut self.code, outer);
        self.code.push(Statement::Atomic(body));
        Ok(())
    }

    fn compare_exchange(&mut self) -> Parsed<()> {
        let register = self.register()?;
        let address = self.location()?;
        let (expected, new) = (self.operand()?, self.operand()?);
        let (order, failure) = (self.order(Use::Update)?, self.order(Use::Load)?);
        self.set.insert(register.clone());
        let outer = std::mem::take(&mut self.code);
        let operands = [expected, new].map(|operand| self.computed(Primitive::Copy, vec![operand]));
        let [expected, new] = operands;
        let load = |order| Statement::Load { register: register.clone(), address: address.clone(), order };
        let store = Statement::Store { address: address.clone(), value: new, order };
        let comparison = [register.clone(), expected];
        if order == failure {
            self.code.push(load(order));
            let is_expected = self.computed(Primitive::Equal, comparison.to_vec());
            self.conditional(&is_expected, vec![store]);
        } else {
            self.guessed(comparison, [load(order), store, load(failure)]);
        }
        let body = std::mem::replace(&mut self.code, outer);
        self.code.push(Statement::Atomic(body));
        Ok(())
    }

    /// A compare-exchange whose order depends on how it ends: that is guessed, and assumed to be right.
    fn guessed(&mut self, comparison: [Register; 2], [load, store, failing]: [Statement; 3]) {
        let is_right = Register(self.fresh("guess"));
        self.code.push(Statement::Choose { register: is_right.clone(), values: vec![0.into(), 1.into()] });
        let outer = std::mem::take(&mut self.code);
        self.code.push(load);
        let is_expected = self.computed(Primitive::Equal, comparison.to_vec());
        self.code.extend([Statement::Assume(is_expected), store]);
        let right = std::mem::take(&mut self.code);
        self.code.push(failing);
        let is_other = self.computed(Primitive::NotEqual, comparison.to_vec());
        self.code.push(Statement::Assume(is_other));
        let wrong = std::mem::replace(&mut self.code, outer);
        let is_wrong = self.computed(Primitive::Not, vec![is_right.clone()]);
        self.conditional(&is_right, right);
        self.conditional(&is_wrong, wrong);
    }

    /// The body again and again, until the register has the value after it.
    fn repeated(&mut self) -> Parsed<()> {
        let register = self.word("a register is missing")?;
        let word = self.word("a value is missing")?;
        let mut body = self.body()?;
        let register = self.known(register)?;
        let outer = std::mem::take(&mut self.code);
        let value = self.operand_of(word)?;
        let condition = self.computed(Primitive::NotEqual, vec![register, value]);
        let tag = Tag(self.fresh("loop"));
        self.code.push(Statement::Jump { condition, jump: Jump::Continue, tag: tag.clone() });
        body.append(&mut self.code);
        self.code = outer;
        self.code.push(Statement::Block { tag, is_spin: false, body });
        Ok(())
    }
}
