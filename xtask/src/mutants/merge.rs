//! All mutants of a file in one text: to compile costs most, and so is done once.
//!
//! The body of a function that mutants change becomes a `match` on the number of the mutant that is on, with a body for each of them and
//! the one that was there. So a mutant changes nothing else than such bodies.

use std::collections::BTreeMap;
use std::ops::Range;
use syn::visit::{self, Visit};

/// A mutant.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'m> {
    pub(super) number: usize,
    /// Texts, and what takes their place.
    pub(super) changes: &'m [(&'m str, &'m str)],
}

/// The number of no mutant.
pub(super) const NOTHING: usize = 0;

/// The environment variable that says which mutant is on. It is no setting.
pub(super) const VARIABLE: &str = "MUTANT_OF_CDSSPEC";

/// What the crate needs besides. The program asks often, and the process once.
pub(super) const SWITCH: &str = r#"
mod mutant {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    static NUMBER: AtomicUsize = AtomicUsize::new(usize::MAX);

    #[inline]
    pub(crate) fn number() -> usize {
        match NUMBER.load(Relaxed) {
            usize::MAX => ask(),
            number => number,
        }
    }

    #[cold]
    fn ask() -> usize {
        let text = std::env::var("MUTANT_OF_CDSSPEC").unwrap_or_default();
        let number = text.parse().expect("MUTANT_OF_CDSSPEC is a number");
        NUMBER.store(number, Relaxed);
        number
    }
}
"#;

/// The text with all of these mutants in it.
///
/// # Errors
/// It is no Rust; a text that a mutant changes is not there once, or not in a body; or a mutant changes one text twice.
pub(super) fn merge(text: &str, mutants: &[Numbered<'_>]) -> Result<String, String> {
    let bodies = bodies(text)?;
    let mut arms: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for mutant in mutants {
        for (body, broken) in broken_bodies(text, &bodies, mutant.changes)? {
            arms.entry(body).or_default().push(format!("{} => {broken}", mutant.number));
        }
    }
    let mut result = text.to_owned();
    for (&body, arms) in arms.iter().rev() {
        let range = bodies[body].clone();
        let arms = arms.join("\n");
        let body =
            format!("{{ match crate::mutant::number() {{\n{arms}\n_ => {}\n}} }}", &text[range.clone()]);
        result.replace_range(range, &body);
    }
    Ok(result)
}

/// The bodies that these changes break, by index.
fn broken_bodies(
    text: &str,
    bodies: &[Range<usize>],
    changes: &[(&str, &str)],
) -> Result<BTreeMap<usize, String>, String> {
    let mut edits: BTreeMap<usize, Vec<(Range<usize>, &str)>> = BTreeMap::new();
    for &(from, to) in changes {
        let starts: Vec<usize> = text.match_indices(from).map(|(start, _)| start).collect();
        let [start] = starts[..] else { return Err(format!("this is there {} times: {from}", starts.len())) };
        let range = start..start + from.len();
        let is_around = |body: &Range<usize>| body.start < range.start && range.end < body.end;
        let body = bodies.iter().position(is_around);
        let body = body.ok_or_else(|| format!("this is in no body that can be one of several: {from}"))?;
        edits.entry(body).or_default().push((range, to));
    }
    let broken = |(body, mut edits): (usize, Vec<(Range<usize>, &str)>)| {
        edits.sort_by_key(|(range, _)| range.start);
        if edits.windows(2).any(|pair| pair[0].0.end > pair[1].0.start) {
            return Err(format!("changes overlap: {}", &text[edits[0].0.clone()]));
        }
        let start = bodies[body].start;
        let mut broken = text[bodies[body].clone()].to_owned();
        for (range, to) in edits.iter().rev() {
            broken.replace_range(range.start - start..range.end - start, to);
        }
        Ok((body, broken))
    };
    edits.into_iter().map(broken).collect()
}

/// Where the bodies are that can be one of several: not those that run at compile time, are assembler, or have a type of their own for a result.
fn bodies(text: &str) -> Result<Vec<Range<usize>>, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut finder = BodyFinder(Vec::new());
    finder.visit_file(&file);
    Ok(finder.0)
}

struct BodyFinder(Vec<Range<usize>>);

impl BodyFinder {
    /// Functions in the body are part of it.
    fn add(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, body: &syn::Block) {
        let is_naked =
            attributes.iter().any(|attribute| quote::quote!(#attribute).to_string().contains("naked"));
        let mut opaque = OpaqueFinder(false);
        opaque.visit_return_type(&signature.output);
        if signature.constness.is_none() && !is_naked && !opaque.0 {
            self.0.push(body.brace_token.span.join().byte_range());
        }
    }
}

impl<'ast> Visit<'ast> for BodyFinder {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add(&function.attrs, &function.sig, &function.block);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(&function.attrs, &function.sig, &function.block);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.attrs, &function.sig, body);
        }
    }
}

/// Finds `impl Trait`.
struct OpaqueFinder(bool);

impl<'ast> Visit<'ast> for OpaqueFinder {
    fn visit_type_impl_trait(&mut self, opaque: &'ast syn::TypeImplTrait) {
        self.0 = true;
        visit::visit_type_impl_trait(self, opaque);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
const A: u8 = 1;
// Größer.
fn f(x: u8) -> u8 { let y = x + 1; y * 2 }
impl S {
    fn g(&self) -> bool { fn inner() -> bool { true } inner() }
    const fn h() -> u8 { 3 }
    fn i() -> impl Iterator<Item = u8> { [4].into_iter() }
    #[unsafe(naked)]
    extern fn j() { asm!() }
}
";

    fn merged(mutants: &[&[(&str, &str)]]) -> Result<String, String> {
        let mutants: Vec<Numbered<'_>> =
            (1..).zip(mutants).map(|(number, changes)| Numbered { number, changes }).collect();
        merge(TEXT, &mutants)
    }

    #[test]
    fn a_body_that_mutants_change_becomes_a_choice() {
        let text = merged(&[
            &[("x + 1", "x + 9"), ("y * 2", "y")],
            &[("{ true }", "{ false }")],
            &[("x + 1", "x"), ("{ true }", "{ !true }")],
        ])
        .expect("it can be");
        let f = "fn f(x: u8) -> u8 { match crate::mutant::number() {\n\
                 1 => { let y = x + 9; y }\n3 => { let y = x; y * 2 }\n_ => { let y = x + 1; y * 2 }\n} }\n";
        let g = "fn g(&self) -> bool { match crate::mutant::number() {\n\
                 2 => { fn inner() -> bool { false } inner() }\n3 => { fn inner() -> bool { !true } inner() }\n\
                 _ => { fn inner() -> bool { true } inner() }\n} }\n";
        assert!(text.contains(f) && text.contains(g), "{text}");
        assert!(text.starts_with("const A: u8 = 1;\n// Größer.\n"), "{text}");
        assert!(syn::parse_file(&text).is_ok(), "{text}");
        assert_eq!(merged(&[]).as_deref(), Ok(TEXT));
    }

    #[test]
    fn a_mutant_that_cannot_be_merged_is_refused() {
        let error = |changes: &[(&str, &str)]| merged(&[changes]).expect_err("it cannot be");
        let no_body = ["= 1;", "{ 3 }", "[4]", "asm!()", "u8) -> u8 { let y"];
        for from in no_body {
            let expected = format!("this is in no body that can be one of several: {from}");
            assert_eq!(error(&[(from, "")]), expected);
            assert_eq!(error(&[("x + 1", "x"), (from, "")]), expected);
        }
        assert_eq!(error(&[("x + 2", "x")]), "this is there 0 times: x + 2");
        assert_eq!(error(&[("inner()", "x")]), "this is there 2 times: inner()");
        assert_eq!(error(&[("y = x", "y = 0"), ("x + 1", "x")]), "changes overlap: y = x");
    }

    #[test]
    fn the_switch_asks_for_the_variable() {
        assert!(syn::parse_file(SWITCH).is_ok() && SWITCH.contains(VARIABLE));
    }
}
