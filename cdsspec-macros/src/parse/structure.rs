//! The structure tree of a function: how many operations it does, as far as its source tells (CGVT, III.B, figure 6).
//!
//! A body is read as tokens, by the words that control flow begins with, and by the names of what is called. What is read wrongly makes an estimate worse, and nothing wrong.

use super::helper::MARKERS;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::ext::IdentExt;

/// A unit of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    /// So many operations one after the other.
    Sequential(u32),
    /// A loop: how often, if that is written there, and what it does.
    Loop(Option<u32>, Vec<Unit>),
    /// One of these.
    Selection(Vec<Vec<Unit>>),
    /// A call of a function of this name.
    Call(String),
}

/// The units of a body. Calls of functions with `own` names are calls, whatever operation is called so.
pub(crate) fn structure(body: TokenStream, own: &HashSet<String>) -> Vec<Unit> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    Reader { tokens: &tokens, index: 0, own }.all()
}

/// Operations of std's concurrency API, and how many steps each has: what is locked is unlocked as well.
const OPERATIONS: &[(&str, u32)] = &[
    ("load", 1),
    ("store", 1),
    ("swap", 1),
    ("compare_and_swap", 1),
    ("compare_exchange", 1),
    ("compare_exchange_weak", 1),
    ("fetch_add", 1),
    ("fetch_sub", 1),
    ("fetch_and", 1),
    ("fetch_nand", 1),
    ("fetch_or", 1),
    ("fetch_xor", 1),
    ("fetch_not", 1),
    ("fetch_max", 1),
    ("fetch_min", 1),
    ("fetch_ptr_add", 1),
    ("fetch_ptr_sub", 1),
    ("fetch_byte_add", 1),
    ("fetch_byte_sub", 1),
    ("fetch_update", 2),
    ("try_update", 2),
    ("fence", 1),
    ("with", 1),
    ("with_mut", 1),
    ("lock", 2),
    ("try_lock", 2),
    ("read", 2),
    ("try_read", 2),
    ("write", 2),
    ("try_write", 2),
    ("notify_one", 1),
    ("notify_all", 1),
    ("park", 1),
    ("unpark", 1),
    ("yield_now", 1),
];

struct Reader<'a> {
    tokens: &'a [TokenTree],
    index: usize,
    own: &'a HashSet<String>,
}

impl Reader<'_> {
    fn all(mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        while self.index < self.tokens.len() {
            self.one(&mut units);
        }
        units
    }

    fn inside(&self, stream: TokenStream) -> Vec<Unit> {
        structure(stream, self.own)
    }

    fn word(&self, at: usize) -> Option<String> {
        match self.tokens.get(at) {
            Some(TokenTree::Ident(word)) => Some(word.to_string()),
            _ => None,
        }
    }

    fn is_punct(&self, at: usize, letter: char) -> bool {
        matches!(self.tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == letter)
    }

    fn group(&self, at: usize, delimiter: Delimiter) -> Option<TokenStream> {
        match self.tokens.get(at) {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group.stream()),
            _ => None,
        }
    }

    /// What stands here, and behind it what belongs to it.
    fn one(&mut self, units: &mut Vec<Unit>) {
        match &self.tokens[self.index] {
            TokenTree::Group(group) => {
                self.index += 1;
                extend(units, self.inside(group.stream()));
            }
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                self.index += 1 + usize::from(self.is_punct(self.index + 1, '!'));
                self.index += usize::from(self.group(self.index, Delimiter::Bracket).is_some());
            }
            TokenTree::Ident(word) => self.word_here(word, units),
            _ => self.index += 1,
        }
    }

    fn word_here(&mut self, word: &Ident, units: &mut Vec<Unit>) {
        self.index += 1;
        match word.to_string().as_str() {
            "loop" => {
                let body = self.block();
                push_loop(units, None, body);
            }
            "while" => {
                let mut round = self.head();
                extend(&mut round, self.block());
                push_loop(units, None, round);
            }
            "for" if !self.is_punct(self.index, '<') => self.for_loop(units),
            "if" => self.selection(units),
            "match" => {
                extend(units, self.head());
                let arms = self.group(self.index, Delimiter::Brace).map(|arms| self.arms(arms));
                self.index += 1;
                push_selection(units, arms.unwrap_or_default());
            }
            // of `let … else`
            "else" => {
                let block = self.block();
                push_selection(units, vec![block]);
            }
            "fn" => {
                self.head();
                self.index += 1;
            }
            _ => self.called(word, units),
        }
    }

    /// Up to the braces that follow.
    fn head(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        while self.index < self.tokens.len() && self.group(self.index, Delimiter::Brace).is_none() {
            let is_block = matches!(self.word(self.index).as_deref(), Some("unsafe" | "const"));
            self.one(&mut units);
            if is_block && self.group(self.index, Delimiter::Brace).is_some() {
                self.one(&mut units);
            }
        }
        units
    }

    fn block(&mut self) -> Vec<Unit> {
        let units = self.group(self.index, Delimiter::Brace).map(|block| self.inside(block));
        self.index += usize::from(units.is_some());
        units.unwrap_or_default()
    }

    fn for_loop(&mut self, units: &mut Vec<Unit>) {
        while self.index < self.tokens.len() && self.word(self.index).as_deref() != Some("in") {
            self.index += 1;
        }
        self.index += 1;
        let count = self.count();
        extend(units, self.head());
        let body = self.block();
        push_loop(units, count, body);
    }

    /// How often a `for` goes round, if a range of numbers stands there.
    fn count(&self) -> Option<u32> {
        let number = |at: usize| match self.tokens.get(at) {
            Some(TokenTree::Literal(literal)) => {
                syn::parse_str::<syn::LitInt>(&literal.to_string()).ok()?.base10_parse().ok()
            }
            _ => None,
        };
        let first: u32 = number(self.index)?;
        if !(self.is_punct(self.index + 1, '.') && self.is_punct(self.index + 2, '.')) {
            return None;
        }
        let is_closed = self.is_punct(self.index + 3, '=');
        let end = self.index + 3 + usize::from(is_closed);
        self.group(end + 1, Delimiter::Brace)?;
        let last: u32 = number(end)?;
        Some(last.saturating_add(u32::from(is_closed)).saturating_sub(first))
    }

    /// Behind `if`.
    fn selection(&mut self, units: &mut Vec<Unit>) {
        extend(units, self.head());
        let mut branches = vec![self.block()];
        if self.word(self.index).as_deref() == Some("else") {
            self.index += 1;
            if self.word(self.index).as_deref() == Some("if") {
                self.index += 1;
                let mut other = Vec::new();
                self.selection(&mut other);
                branches.push(other);
            } else {
                branches.push(self.block());
            }
        }
        push_selection(units, branches);
    }

    /// The arms of a `match`, guards included.
    fn arms(&self, content: TokenStream) -> Vec<Vec<Unit>> {
        let tokens: Vec<TokenTree> = content.into_iter().collect();
        let mut reader = Reader { tokens: &tokens, index: 0, own: self.own };
        let mut arms = Vec::new();
        while reader.index < tokens.len() {
            let mut arm = Vec::new();
            while reader.index < tokens.len() && !reader.is_arrow() {
                match reader.word(reader.index).as_deref() {
                    Some("if") => reader.index += 1,
                    _ => reader.one(&mut arm),
                }
            }
            reader.index += 2;
            if reader.group(reader.index, Delimiter::Brace).is_some() {
                extend(&mut arm, reader.block());
            } else {
                while reader.index < tokens.len() && !reader.is_punct(reader.index, ',') {
                    reader.one(&mut arm);
                }
            }
            reader.index += usize::from(reader.is_punct(reader.index, ','));
            arms.push(arm);
        }
        arms
    }

    /// Whether an arm of a `match` begins here.
    fn is_arrow(&self) -> bool {
        self.is_punct(self.index, '=') && self.is_punct(self.index + 1, '>')
    }

    /// Behind a name that means nothing to the language.
    fn called(&mut self, name: &Ident, units: &mut Vec<Unit>) {
        let name = name.unraw().to_string();
        if self.is_punct(self.index, '!') && MARKERS.contains(&name.as_str()) {
            self.index += 2;
            return;
        }
        self.skip_generics();
        let Some(arguments) = self.group(self.index, Delimiter::Parenthesis) else { return };
        self.index += 1;
        extend(units, self.inside(arguments));
        let steps = OPERATIONS.iter().find(|(operation, _)| *operation == name);
        match steps {
            Some(&(_, steps)) if !self.own.contains(&name) => extend(units, vec![Unit::Sequential(steps)]),
            // `Some(x)` is none.
            // Nor is `return (x)`.
            _ if name.starts_with(|letter: char| letter.is_lowercase() || letter == '_')
                && syn::parse_str::<Ident>(&name).is_ok() =>
            {
                units.push(Unit::Call(name));
            }
            _ => {}
        }
    }

    /// `::<T>`
    fn skip_generics(&mut self) {
        let begins = [':', ':', '<']
            .iter()
            .enumerate()
            .all(|(offset, &letter)| self.is_punct(self.index + offset, letter));
        if !begins {
            return;
        }
        self.index += 3;
        let mut depth = 1;
        while depth > 0 && self.index < self.tokens.len() {
            let is_arrow = self.is_punct(self.index - 1, '-');
            match () {
                () if self.is_punct(self.index, '<') => depth += 1,
                () if self.is_punct(self.index, '>') && !is_arrow => depth -= 1,
                () => {}
            }
            self.index += 1;
        }
    }
}

/// Operations one after the other are one unit.
fn extend(units: &mut Vec<Unit>, more: Vec<Unit>) {
    for unit in more {
        match (units.last_mut(), unit) {
            (Some(Unit::Sequential(count)), Unit::Sequential(other)) => *count = count.saturating_add(other),
            (_, unit) => units.push(unit),
        }
    }
}

fn push_loop(units: &mut Vec<Unit>, count: Option<u32>, round: Vec<Unit>) {
    if !round.is_empty() {
        units.push(Unit::Loop(count, round));
    }
}

fn push_selection(units: &mut Vec<Unit>, branches: Vec<Vec<Unit>>) {
    if branches.iter().any(|branch| !branch.is_empty()) {
        units.push(Unit::Selection(branches));
    }
}

#[cfg(test)]
mod tests {
    use super::Unit::{Call, Loop, Selection, Sequential};
    use super::{Unit, structure};
    use quote::quote;
    use std::collections::HashSet;

    fn of(body: proc_macro2::TokenStream) -> Vec<Unit> {
        structure(body, &HashSet::from(["read".to_owned()]))
    }

    /// The operations of figures 1 and 3 of the paper; locking and unlocking are two.
    #[test]
    fn the_trees_of_figure_6() {
        let write = of(quote!(self.d[i].store(v, SeqCst);));
        assert_eq!(write, [Sequential(1)]);
        let read = of(quote! {
            loop {
                let x = self.d[0].load(SeqCst);
                let y = self.d[1].load(SeqCst);
                if x == self.d[0].load(SeqCst) {
                    return (x, y);
                }
            }
        });
        assert_eq!(read, [Loop(None, vec![Sequential(3)])]);
        let add = of(quote! {
            let mut pred = self.head.load(SeqCst);
            let mut curr = unsafe { &*pred }.next.load(SeqCst);
            while unsafe { &*curr }.key.load(SeqCst) < key {
                pred = curr;
                curr = unsafe { &*curr }.next.load(SeqCst);
            }
            let guard = self.lock.lock().unwrap();
            if unsafe { &*curr }.key.load(SeqCst) == key { return false; } else { unsafe { &*pred }.next.store(node, SeqCst); }
            true
        });
        let tail = [Loop(None, vec![Sequential(2)]), Sequential(2), Call("unwrap".into()), Sequential(1)];
        assert_eq!(add[0], Sequential(2));
        assert_eq!(add[1..5], tail);
        assert_eq!(add[5..], [Selection(vec![vec![], vec![Sequential(1)]])]);
    }

    #[test]
    fn branches_of_all_kinds() {
        let units = of(quote! {
            match self.state.load(Acquire) {
                Some(x) if x == self.other.load(Acquire) => { self.a.store(x, Release); self.b.store(x, Release) }
                Node { next } => self.c.swap::<u8>(next, AcqRel),
                _ => (),
            }
            let Some(y) = self.pop() else { return self.d.fetch_add(1, Relaxed) };
            if y { self.read() } else if self.e.load(Acquire) { fence(SeqCst) } else { Some(y) };
        });
        let arms = vec![vec![Sequential(3)], vec![Sequential(1)], vec![]];
        let others = vec![Sequential(1), Selection(vec![vec![Sequential(1)], vec![]])];
        let expected = [
            Sequential(1),
            Selection(arms),
            Call("pop".into()),
            Selection(vec![vec![Sequential(1)]]),
            Selection(vec![vec![Call("read".into())], others]),
        ];
        assert_eq!(units, expected);
    }

    #[test]
    fn rounds_that_are_written_there_count() {
        let units = of(quote! {
            for i in 0..3 { self.a[i].load(Acquire); }
            for i in 1..=4 { self.a[i].load(Acquire); }
            for i in 0..n { self.a[i].load(Acquire); }
            while self.a[0].load(Acquire) { match x { _ => self.b.store(1, Release) } }
        });
        let round = || vec![Sequential(1)];
        let expected = [
            Loop(Some(3), round()),
            Loop(Some(4), round()),
            Loop(None, round()),
            Loop(None, vec![Sequential(1), Selection(vec![vec![Sequential(1)]])]),
        ];
        assert_eq!(units, expected);
    }

    #[test]
    fn annotations_other_functions_and_names_are_nothing() {
        let units = of(quote! {
            #[op_define(self.a.load(Acquire))]
            let x = load;
            op_check!(label, self.b.load(Acquire));
            fn inner(x: &AtomicU8) { x.load(Acquire); }
            let store: for<'a> fn(&'a u8) = other;
            Some(x)
        });
        assert_eq!(units, []);
    }
}
