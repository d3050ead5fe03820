//! Draws programs.

use cdsspec_fence::lsl::{Program, parse};
use std::fmt::Write;

/// Numbers that are the same everywhere: SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn of<'v>(&mut self, values: &[&'v str]) -> &'v str {
        values[self.below(values.len())]
    }
}

const LOCATIONS: [&str; 5] = ["x", "x", "y", "y", "z"];
const REGISTERS: [&str; 3] = ["a", "b", "c"];

/// A thread's code, as far as it is drawn.
struct Draft<'r> {
    random: &'r mut Random,
    text: String,
    /// How many accesses the thread may still have.
    accesses: usize,
    tags: usize,
}

/// A program of at most so many accesses, if each loop has one round.
pub(crate) fn program(random: &mut Random, accesses: usize) -> Program {
    let mut text = String::from("global x = 0\nglobal y = 0\nglobal z = 1\nglobal p = &x\n");
    let thread_count = 2 + random.below(2);
    let is_shape = random.below(2) == 0;
    let mut draft = Draft { random, text: String::new(), accesses: 0, tags: 0 };
    let mut threads = String::new();
    for thread in 0..thread_count {
        threads.push_str("thread {\n");
        draft.accesses = (accesses + thread) / thread_count;
        let operations = if is_shape { 1 } else { 1 + draft.random.below(2) };
        for operation in 0..operations {
            writeln!(
                draft.text,
                "proc t{thread}_{operation}(a)(a, b, c) {{\nb = 0\nc = 1\nx = &x\ny = &y\nz = &z\np = &p"
            )
            .unwrap();
            if is_shape {
                draft.shape();
            } else {
                for _ in 0..2 + draft.random.below(5) {
                    draft.statement(0);
                }
            }
            draft.text.push_str("}\n");
            let argument = draft.random.of(&["0", "1", "2", "choose {0, 1}"]);
            writeln!(threads, "t{thread}_{operation}({argument})()").unwrap();
        }
        threads.push_str("}\n");
    }
    let reads = "proc last()(x, y, z) {\nx = &x\nx = *x\ny = &y\ny = *y\nz = &z\nz = *z\n}\n";
    text = text + &draft.text + reads + &threads + "last { last()() }\n";
    parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

impl Draft<'_> {
    fn register(&mut self) -> &'static str {
        self.random.of(&REGISTERS)
    }

    fn location(&mut self) -> &'static str {
        self.random.of(&LOCATIONS)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn take(&mut self, count: usize) -> bool {
        let is_left = self.accesses >= count;
        self.accesses -= if is_left { count } else { 0 };
        is_left
    }

    fn statement(&mut self, depth: usize) {
        let (register, other, location) = (self.register(), self.register(), self.location());
        match self.random.below(if depth < 2 { 26 } else { 20 }) {
            0..=5 if self.take(1) => self.line(&format!("{register} = *{location}")),
            6..=12 if self.take(1) => self.line(&format!("*{location} = {register}")),
            13 => {
                let value = self.random.below(3);
                self.line(&format!("{register} = {value}"));
            }
            14 | 15 => {
                let operation = self.random.of(&["eq", "ne", "lt", "le", "and", "or", "add", "sub"]);
                self.line(&format!("{register} = {operation}({register}, {other})"));
            }
            16 | 17 => {
                let fence = self.random.of(&["ll", "ls", "sl", "ss", "sc", "acq", "rel"]);
                self.line(&format!("fence {fence}"));
            }
            18 | 19 if self.take(2) => match self.random.below(3) {
                0 => self.line(&format!("q = *p\n{register} = *q")),
                1 => self.line(&format!("q = *p\n*q = {register}")),
                _ => self.line(&format!("*p = {location}\n{register} = *{location}")),
            },
            20 | 21 if self.take(2) => {
                self.line("atomic {");
                self.line(&format!("{register} = *{location}"));
                self.conditional(depth, &format!("*{location} = {other}"));
                self.line("}");
            }
            22 | 23 => self.conditional(depth, ""),
            24 if self.take(2) => {
                self.tags += 1;
                let tag = self.tags;
                self.line(&format!(
                    "t{tag}: {{\n{register} = *{location}\nif ({register}) continue t{tag}\n}}"
                ));
            }
            25 => {
                let word = self.random.of(&["assume", "assert"]);
                self.line(&format!("{word} ({register})"));
            }
            _ => {}
        }
    }

    /// Accesses one after the other, each load into a register of its own, as in litmus tests: these tell memory models apart.
    fn shape(&mut self) {
        let mut registers = ["b", "c", "a"].iter();
        while self.take(1) {
            let location = self.random.of(&["x", "y"]);
            let stored = self.random.of(&["a", "c", "b"]);
            let store = format!("*{location} = {stored}");
            match self.random.below(8) {
                0..=2 => match registers.next() {
                    Some(register) => self.line(&format!("{register} = *{location}")),
                    None => return,
                },
                3 => self.conditional(0, &store),
                _ => self.line(&store),
            }
            if self.random.below(3) == 0 {
                let fence = self.random.of(&["ll", "ls", "sl", "ss"]);
                self.line(&format!("fence {fence}"));
            }
        }
    }

    /// A block that a condition may leave, with what is given or with what is drawn.
    fn conditional(&mut self, depth: usize, body: &str) {
        self.tags += 1;
        let (tag, register) = (self.tags, self.register());
        self.line(&format!("t{tag}: {{\nif ({register}) break t{tag}"));
        if body.is_empty() {
            self.statement(depth + 1);
            self.statement(depth + 1);
        } else {
            self.line(body);
        }
        self.line("}");
    }
}
