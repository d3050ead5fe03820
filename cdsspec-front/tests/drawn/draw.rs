//! Draws functions of the subset: arithmetic of all widths, shadowing, short circuits, loops, early exits.

use std::fmt::Write;

const TYPES: [&str; 8] = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"];

/// A generator of numbers (SplitMix64), seeded.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).expect("it is below the end")
    }

    fn of<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }
}

struct Drawer<'r> {
    random: &'r mut Random,
    ty: &'static str,
    /// Variables of the type.
    names: Vec<String>,
    count: usize,
}

impl Drawer<'_> {
    fn is_signed(&self) -> bool {
        self.ty.starts_with('i')
    }

    fn name(&mut self) -> String {
        let index = self.random.below(self.names.len());
        self.names[index].clone()
    }

    fn literal(&mut self) -> String {
        let number = self.random.of(&["0", "1", "2", "3", "7", "100", "127"]);
        format!("{number}_{}", self.ty)
    }

    /// An expression of the type.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return if self.random.below(3) == 0 { self.literal() } else { self.name() };
        }
        let (left, right) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(12) {
            0 => format!("({left} {} {right})", self.random.of(&["+", "-", "*"])),
            1 => format!("({left} {} {right})", self.random.of(&["/", "%"])),
            2 => format!("({left} {} {right})", self.random.of(&["&", "|", "^"])),
            3 => format!("{left}.wrapping_{}({right})", self.random.of(&["add", "sub", "mul"])),
            4 => format!("{left}.saturating_{}({right})", self.random.of(&["add", "sub"])),
            5 => format!("{left}.checked_{}({right}).unwrap_or({left})", self.random.of(&["add", "sub"])),
            6 => format!("{left}.{}({right})", self.random.of(&["min", "max", "min", "max"])),
            7 => format!("({left} {} {})", self.random.of(&["<<", ">>"]), self.random.below(8)),
            8 => {
                let other = TYPES[self.random.below(TYPES.len())];
                format!("({left} as {other} as {})", self.ty)
            }
            9 if self.is_signed() => format!("(-{left})"),
            9 => format!("(!{left})"),
            10 => {
                let truth = self.truth(depth - 1);
                format!("if {truth} {{ {left} }} else {{ {right} }}")
            }
            _ => {
                let literal = self.random.of(&["0", "1", "2"]);
                let ty = self.ty;
                format!(
                    "match {left} {{ {literal} => {right}, 3 | 4 => 5_{ty}, other if other > 9 => other, _ => 1_{ty} }}"
                )
            }
        }
    }

    /// A condition, which may change a variable on the way.
    fn truth(&mut self, depth: usize) -> String {
        let (left, right) = (self.number(depth.min(1)), self.number(0));
        let comparison = self.random.of(&["<", "<=", ">", ">=", "==", "!="]);
        // In parentheses: a cast before `<` reads as the beginning of generic arguments.
        let one = format!("({left}) {comparison} {right}");
        if depth == 0 {
            return one;
        }
        match self.random.below(4) {
            0 => format!("!({one})"),
            1 => format!("({one} && {})", self.truth(depth - 1)),
            2 => format!("({one} || {})", self.truth(depth - 1)),
            _ => format!("({one} && {{ seen = seen.wrapping_add(1); {} }})", self.truth(depth - 1)),
        }
    }

    fn statement(&mut self, text: &mut String, depth: usize) {
        let value = self.number(2);
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0 | 1 => {
                // Shadows one in half of all cases.
                let name = if self.random.below(2) == 0 {
                    self.names.last().cloned().unwrap_or_default()
                } else {
                    self.count += 1;
                    format!("v{}", self.count)
                };
                writeln!(text, "let mut {name} = {value};").expect("a string takes all");
                if !self.names.contains(&name) {
                    self.names.push(name);
                }
            }
            2 => writeln!(text, "sum = {value};").expect("a string takes all"),
            3 => {
                let operator = self.random.of(&["+=", "-=", "^=", "|="]);
                writeln!(text, "sum {operator} {value};").expect("a string takes all");
            }
            4 => {
                let truth = self.truth(2);
                self.nested(text, &format!("if {truth} {{"), depth);
                self.nested(text, "else {", depth);
            }
            5 => {
                let truth = self.truth(1);
                self.count += 1;
                let label = format!("'l{}", self.count);
                let exit = self
                    .random
                    .of(&["break", "continue", "break label", "return sum"])
                    .replace("label", &label);
                let head = format!(
                    "for index in 0..{}_{} {{\nif {truth} {{ {exit}; }}\nsum ^= index;",
                    self.random.below(4),
                    self.ty
                );
                self.nested(text, &format!("{label}: {head}"), depth);
            }
            6 => {
                let truth = self.truth(1);
                let head = "let mut rounds = 0_u8;\nwhile rounds < 3 {\nrounds += 1;";
                self.nested(text, &format!("{{ {head}\nif {truth} {{ continue; }}"), depth);
                text.push_str("}\n");
            }
            _ => {
                let (name, truth) = (self.name(), self.truth(1));
                let body = format!(
                    "if {truth} {{ break {value}; }}\nsum = sum.wrapping_add(1);\nif tries == 2 {{ break {name}; }}\ntries += 1;"
                );
                writeln!(text, "let mut tries = 0_u8;\nsum ^= loop {{\n{body}\n}};")
                    .expect("a string takes all");
            }
        }
    }

    fn nested(&mut self, text: &mut String, head: &str, depth: usize) {
        let names = self.names.clone();
        writeln!(text, "{head}").expect("a string takes all");
        self.statement(text, depth - 1);
        text.push_str("}\n");
        self.names = names;
    }
}

/// The function of this number.
fn function(random: &mut Random, number: usize) -> String {
    let ty = TYPES[number % TYPES.len()];
    let names = vec!["a".to_owned(), "b".to_owned(), "sum".to_owned()];
    let mut drawer = Drawer { random, ty, names, count: 0 };
    let mut text = format!(
        "pub(crate) fn f{number}(a: {ty}, b: {ty}) -> {ty} {{\nlet mut sum = a;\nlet mut seen = 0_u8;\n"
    );
    for _ in 0..4 {
        drawer.statement(&mut text, 2);
    }
    let value = drawer.number(1);
    write!(text, "sum ^= {value};\nsum ^ (seen as {ty})\n}}\n").expect("a string takes all");
    text
}

/// A module of so many functions.
pub(crate) fn module(count: usize) -> String {
    let mut random = Random(18);
    let mut text = String::from(
        "// Drawn by `draw.rs`; `UPDATE_EXPECT=1` draws anew.\n#[rustfmt::skip]\n#[allow(warnings, clippy::all, arithmetic_overflow, unconditional_panic, reason = \"drawn code\")]\npub(crate) mod functions {\n",
    );
    (0..count).for_each(|number| text += &function(&mut random, number));
    text += "}\n\n";
    text += "/// Each with the values that its arguments are drawn from.\n#[rustfmt::skip]\npub(crate) fn all() -> Vec<fn(i64, i64) -> i64> {\n    vec![\n";
    for number in 0..count {
        let ty = TYPES[number % TYPES.len()];
        writeln!(text, "        |a, b| functions::f{number}(a as {ty}, b as {ty}) as i64,")
            .expect("a string takes all");
    }
    text + "    ]\n}\n"
}
