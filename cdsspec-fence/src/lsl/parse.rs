//! Reads the text form of programs.
//!
//! ```text
//! global x = 0                            a location and its first value; `global q` is undefined
//! proc name(a, b)(r) {                    a procedure: arguments, results, statements
//!   p = &x                                a pointer to a global
//!   n = 1                                 constants: 1, undefined, [0 2]
//!   c = choose {0, 1}                     any of these
//!   o = new                               a new object
//!   s = add(n, c)                         copy eq ne lt le not and or add sub mul div rem bitand bitor bitxor offset select
//!   *p = s                                a store; `*p = s rel` has an order
//!   v = *p                                a load
//!   fence ss                              ll ls sl ss, or an order; `fence? ss` is a candidate
//!   atomic { … }
//!   name(a, b)(r)                         a call
//!   t: { … if (r) break t if (r) continue t }
//!   spin t: { … }                         a loop whose repeated rounds have no effect
//!   assert (r)
//!   assume (r)
//! }
//! initial { name(1, 2)() }                operations before the threads
//! thread { name(choose {0, 1}, 2)() }     operations of a thread; `name'(1)()` does not retry
//! last { … }                              operations after the threads
//! ```

use super::check;
use super::error::{ParseError, Position};
use super::primitive::Primitive;
use super::syntax::{
    Argument, FenceKind, Global, Jump, Operation, Order, Procedure, ProcedureName, Program, Register,
    Statement, Tag,
};
use super::token::{Token, tokens};
use super::value::Value;

/// Reads a program, and checks it as [`check::check`] does.
///
/// # Errors
/// The first mistake. One of the check stands at the beginning of the text and names what it is about.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, program: Program::default() };
    while parser.peek().is_some() {
        parser.item()?;
    }
    check::check(&parser.program).map_err(|mistake| ParseError {
        position: Position { line: 1, column: 1 },
        token: mistake.subject.clone(),
        message: mistake.message().to_owned(),
    })?;
    Ok(parser.program)
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    program: Program,
}

type Parsed<T> = Result<T, ParseError>;

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<&'t str> {
        self.tokens.get(self.next + ahead).map(|token| token.text)
    }

    /// An error at the next token.
    fn error<T>(&self, message: &str) -> Parsed<T> {
        let end = Position { line: 1, column: 1 };
        let last = self.tokens.last().map_or(end, |token| token.position);
        let token = self.tokens.get(self.next);
        Err(ParseError {
            position: token.map_or(last, |token| token.position),
            token: token.map_or(String::new(), |token| token.text.to_owned()),
            message: message.to_owned(),
        })
    }

    fn eat(&mut self, text: &str) -> bool {
        let is_it = self.peek() == Some(text);
        self.next += usize::from(is_it);
        is_it
    }

    fn expect(&mut self, text: &str, message: &str) -> Parsed<()> {
        if self.eat(text) { Ok(()) } else { self.error(message) }
    }

    fn word(&mut self, message: &str) -> Parsed<&'t str> {
        let is_word = |word: &str| word.starts_with(|first: char| first.is_alphabetic() || first == '_');
        match self.peek().filter(|word| is_word(word)) {
            Some(word) => {
                self.next += 1;
                Ok(word)
            }
            None => self.error(message),
        }
    }

    fn register(&mut self) -> Parsed<Register> {
        self.word("a register is expected: a name").map(Register::from)
    }

    /// `(x, …)`.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.expect("(", "`(` is expected: a list is written `(a, b)`")?;
        let mut list = Vec::new();
        while !self.eat(")") {
            if !list.is_empty() {
                self.expect(",", "`,` or `)` is expected")?;
            }
            list.push(one(self)?);
        }
        Ok(list)
    }

    fn item(&mut self) -> Parsed<()> {
        match self.peek() {
            Some("global") => self.global(),
            Some("proc") => self.procedure(),
            Some("initial") => {
                let operations = self.operations()?;
                self.program.initial.extend(operations);
                Ok(())
            }
            Some("thread") => {
                let operations = self.operations()?;
                self.program.threads.push(operations);
                Ok(())
            }
            Some("last") => {
                let operations = self.operations()?;
                self.program.last.extend(operations);
                Ok(())
            }
            _ => self.error("a program has items `global`, `proc`, `initial`, `thread` and `last`"),
        }
    }

    fn global(&mut self) -> Parsed<()> {
        self.next += 1;
        let name = self.word("the name of a location is expected")?.to_owned();
        let initial = if self.eat("=") { self.value()? } else { Value::Undefined };
        self.program.globals.push(Global { name, initial });
        Ok(())
    }

    fn procedure(&mut self) -> Parsed<()> {
        self.next += 1;
        let name = ProcedureName::from(self.word("the name of a procedure is expected")?);
        let parameters = self.list(Self::register)?;
        let results = self.list(Self::register)?;
        let body = self.body()?;
        self.program.procedures.push(Procedure { name, parameters, results, body });
        Ok(())
    }

    fn operations(&mut self) -> Parsed<Vec<Operation>> {
        self.next += 1;
        self.expect("{", "`{` is expected: operations stand in braces")?;
        let mut operations = Vec::new();
        while !self.eat("}") {
            let procedure = ProcedureName::from(self.word("an operation or `}` is expected")?);
            let is_primed = self.eat("'");
            let arguments = self.list(Self::argument)?;
            self.expect("(", "`()` is expected: all results of an operation are observed")?;
            self.expect(")", "`()` is expected: all results of an operation are observed")?;
            operations.push(Operation { procedure, arguments, is_primed });
        }
        Ok(operations)
    }

    fn argument(&mut self) -> Parsed<Argument> {
        if self.eat("choose") { self.values().map(Argument::Open) } else { self.value().map(Argument::Fixed) }
    }

    fn body(&mut self) -> Parsed<Vec<Statement>> {
        self.expect("{", "`{` is expected: statements stand in braces")?;
        let mut body = Vec::new();
        while !self.eat("}") {
            body.push(self.statement()?);
        }
        Ok(body)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        match (self.peek(), self.peek_at(1)) {
            (Some("*"), _) => self.store(),
            (Some("fence"), _) => self.fence(),
            (Some("atomic"), Some("{")) => {
                self.next += 1;
                Ok(Statement::Atomic(self.body()?))
            }
            (Some("spin"), Some(_)) if self.peek_at(2) == Some(":") => {
                self.next += 1;
                self.block(true)
            }
            (Some("if"), Some("(")) => self.jump(),
            (Some("assert"), Some("(")) => {
                self.next += 1;
                Ok(Statement::Assert(self.condition()?))
            }
            (Some("assume"), Some("(")) => {
                self.next += 1;
                Ok(Statement::Assume(self.condition()?))
            }
            (Some(_), Some(":")) => self.block(false),
            (Some(_), Some("(")) => self.call(),
            (Some(_), Some("=")) => self.assignment(),
            _ => self.error("a statement or `}` is expected"),
        }
    }

    fn condition(&mut self) -> Parsed<Register> {
        self.expect("(", "`(` is expected: a condition is written `(r)`")?;
        let register = self.register()?;
        self.expect(")", "`)` is expected: a condition is one register")?;
        Ok(register)
    }

    fn store(&mut self) -> Parsed<Statement> {
        self.next += 1;
        let address = self.register()?;
        self.expect("=", "`=` is expected: a store is written `*p = r`")?;
        let value = self.register()?;
        Ok(Statement::Store { address, value, order: self.order() })
    }

    /// An order, if one stands here and is not the beginning of the next statement.
    fn order(&mut self) -> Option<Order> {
        let order = self.peek().and_then(Order::parse)?;
        if matches!(self.peek_at(1), Some("=" | "(" | ":")) {
            return None;
        }
        self.next += 1;
        Some(order)
    }

    fn fence(&mut self) -> Parsed<Statement> {
        self.next += 1;
        let is_candidate = self.eat("?");
        match self.peek().and_then(FenceKind::parse) {
            Some(kind) => {
                self.next += 1;
                Ok(Statement::Fence { kind, is_candidate })
            }
            None => self.error("the fences are ll, ls, sl, ss, acq, rel, acqrel and sc"),
        }
    }

    fn block(&mut self, is_spin: bool) -> Parsed<Statement> {
        let tag = Tag::from(self.word("the tag of a block is expected")?);
        self.expect(":", "`:` is expected: a block is written `t: { … }`")?;
        Ok(Statement::Block { tag, is_spin, body: self.body()? })
    }

    fn jump(&mut self) -> Parsed<Statement> {
        self.next += 1;
        let condition = self.condition()?;
        let jump = match self.peek() {
            Some("break") => Jump::Break,
            Some("continue") => Jump::Continue,
            _ => return self.error("`break t` or `continue t` is expected"),
        };
        self.next += 1;
        let tag = Tag::from(self.word("the tag of an enclosing block is expected")?);
        Ok(Statement::Jump { condition, jump, tag })
    }

    fn call(&mut self) -> Parsed<Statement> {
        let procedure = ProcedureName::from(self.word("the name of a procedure is expected")?);
        let arguments = self.list(Self::register)?;
        let results = self.list(Self::register)?;
        Ok(Statement::Call { procedure, arguments, results })
    }

    fn assignment(&mut self) -> Parsed<Statement> {
        let register = self.register()?;
        self.next += 1;
        if self.eat("*") {
            let address = self.register()?;
            return Ok(Statement::Load { register, address, order: self.order() });
        }
        if let (Some(name), Some("(")) = (self.peek(), self.peek_at(1)) {
            let Some(primitive) = Primitive::parse(name) else {
                return self.error("there is no such operation; a call is written `p(a)(r)`");
            };
            self.next += 1;
            let arguments = self.list(Self::register)?;
            if arguments.len() != primitive.arity() {
                self.next -= 1;
                return self.error("there are too few or too many arguments of the operation before this");
            }
            return Ok(Statement::Primitive { register, primitive, arguments });
        }
        if self.eat("new") {
            return Ok(Statement::New { register });
        }
        if self.eat("choose") {
            return Ok(Statement::Choose { register, values: self.values()? });
        }
        Ok(Statement::Constant { register, value: self.value()? })
    }

    /// `{v, …}`, at least one.
    fn values(&mut self) -> Parsed<Vec<Value>> {
        self.expect("{", "`{` is expected: choices are written `choose {0, 1}`")?;
        let mut values = vec![self.value()?];
        while !self.eat("}") {
            self.expect(",", "`,` or `}` is expected")?;
            values.push(self.value()?);
        }
        Ok(values)
    }

    fn value(&mut self) -> Parsed<Value> {
        if self.eat("undefined") {
            return Ok(Value::Undefined);
        }
        if self.eat("&") {
            let Some(name) = self.peek() else { return self.error("the name of a global is expected") };
            let base = self.program.globals.iter().position(|global| global.name == name);
            let Some(base) = base.and_then(|base| u32::try_from(base).ok()) else {
                return self.error("there is no global of this name before this");
            };
            self.next += 1;
            return Ok(Value::pointer(&[base]));
        }
        if self.eat("[") {
            let mut components = Vec::new();
            while !self.eat("]") {
                components.push(self.number::<u32>()?);
            }
            return match components.as_slice() {
                [] => self.error("a pointer has at least its base: `[0]` was expected before this"),
                components => Ok(Value::pointer(components)),
            };
        }
        self.number::<i64>().map(Value::Number)
    }

    fn number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        match self.peek().and_then(|token| token.parse().ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => self.error("a value is a number, `undefined`, `&x` or a pointer `[0 1]`"),
        }
    }
}
