//! Whether the runtime has all of std's concurrency API: both are read from the pages that rustdoc makes.
//!
//! `list.txt` is what std has, of the compiler that `rust-toolchain.toml` names, without what is unstable: a product build could not name
//! that. It is read again where the component rust-docs is installed. `left_out.rs` has what the runtime lacks, or has beyond std, with a
//! reason for each.

mod item;
mod left_out;
mod page;

use crate::Outcome;
use crate::runner::{cargo, read, run, target_folder};
use crate::source::root;
use item::Impl;
use left_out::{ADDED, LEFT_OUT, Reason};
use page::{Docs, Page};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules, and what of each: all, or one item.
const MODULES: [(&str, Option<&str>); 7] = [
    ("", Some("thread_local")),
    ("cell", Some("UnsafeCell")),
    ("hint", None),
    ("sync", None),
    ("sync/atomic", None),
    ("sync/mpsc", None),
    ("thread", None),
];

/// What a crate has: lines, and the paths of items that are std's own.
#[derive(Default)]
struct Api {
    lines: BTreeSet<String>,
    handed_on: BTreeSet<String>,
}

/// Compares the runtime with the list; writes the list anew first, if asked to.
///
/// # Errors
/// What is missing or added without a reason, and reasons of nothing.
pub(crate) fn check(is_written: bool) -> Outcome {
    if is_written {
        let folder = std_docs()?.ok_or("the component rust-docs is not installed")?;
        let text = list_of(&folder)?;
        std::fs::write(list_path(), text).map_err(|error| error.to_string())?;
    }
    let mistakes = mistakes(&listed()?, &ours()?);
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

fn list_path() -> PathBuf {
    root().join("xtask/src/std_api/list.txt")
}

/// The lines of the committed list.
fn listed() -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(list_path()).map_err(|error| error.to_string())?;
    Ok(text.lines().skip(1).map(str::to_string).collect())
}

/// The list of the std whose pages are in this folder, after a line that names the compiler.
fn list_of(folder: &Path) -> Result<String, String> {
    let mut command = Command::new("rustc");
    command.arg("--version").current_dir(root());
    let version = read(command)?;
    let lines: Vec<String> = api(folder)?.lines.into_iter().collect();
    Ok(format!("{}\n{}\n", version.trim_end(), lines.join("\n")))
}

/// Where the compiler keeps the pages of std, if they are installed.
fn std_docs() -> Result<Option<PathBuf>, String> {
    let mut command = Command::new("rustc");
    command.args(["--print", "sysroot"]).current_dir(root());
    let folder = Path::new(read(command)?.trim_end()).join("share/doc/rust/html/std");
    Ok(folder.join("index.html").is_file().then_some(folder))
}

/// What the runtime has.
fn ours() -> Result<Api, String> {
    // With the methods that loom has beside those of std.
    run(cargo("doc --quiet --no-deps --package cdsspec-runtime --features loom-api"))?;
    api(&target_folder()?.join("doc/cdsspec_runtime"))
}

/// What the crate has whose pages are in this folder.
fn api(folder: &Path) -> Result<Api, String> {
    let mut docs = Docs::new(folder.to_path_buf());
    let mut api = Api::default();
    for (module, only) in MODULES {
        for page in &docs.pages(module, only)? {
            let path = [module, &page.name].join("/").replace('/', "::");
            let path = path.trim_start_matches("::");
            api.lines.extend(lines(page)?.into_iter().map(|line| format!("{path}: {line}")));
            if page.is_std {
                api.handed_on.insert(path.to_string());
            }
        }
    }
    Ok(api)
}

/// The lines of a page.
fn lines(page: &Page) -> Result<Vec<String>, String> {
    if page.kind == "fn" {
        return Ok(vec![item::function(&page.declaration, None, &BTreeSet::new())?]);
    }
    let mut lines = vec![page.kind.clone()];
    let mut current: Option<Impl> = None;
    for heading in &page.headings {
        match (heading.class.as_str(), &current) {
            ("impl", _) => {
                let found = Impl::parse(&heading.text)?;
                lines.extend(found.line().filter(|line| !is_unnamed(line)));
                current = Some(found);
            }
            ("method", Some(current)) => lines.push(current.method(&heading.text)?),
            _ => lines.push(heading.text.clone()),
        }
    }
    Ok(lines)
}

/// Whether it is an impl that no program on a stable compiler can name: what a drop does is the type's own matter.
fn is_unnamed(line: &str) -> bool {
    let traits = ["Drop", "Freeze", "StructuralPartialEq", "UnsafeUnpin"];
    let name = line.strip_prefix("impl ").unwrap_or(line).trim_start_matches('!');
    traits.iter().any(|one| name.strip_prefix(one).is_some_and(|rest| rest.starts_with(" for ")))
}

/// What is wrong, a line each.
fn mistakes(std: &BTreeSet<String>, ours: &Api) -> Vec<String> {
    let is_handed_on =
        |line: &&String| line.split_once(": ").is_some_and(|(path, _)| ours.handed_on.contains(path));
    let missing: Vec<&String> = std.difference(&ours.lines).filter(|line| !is_handed_on(line)).collect();
    let added: Vec<&String> = ours.lines.difference(std).filter(|line| !is_handed_on(line)).collect();
    let mut mistakes = Vec::new();
    mistakes.extend(unexplained("std has it, the runtime has not", &missing, LEFT_OUT));
    mistakes.extend(unexplained("the runtime has it, std has not", &added, ADDED));
    mistakes
}

fn unexplained(what: &str, lines: &[&String], reasons: &[Reason]) -> Vec<String> {
    let is_of = |reason: &Reason, line: &str| reason.items.iter().any(|pattern| is_match(pattern, line));
    let unknown = lines.iter().filter(|line| !reasons.iter().any(|reason| is_of(reason, line)));
    let mut mistakes: Vec<String> = unknown.map(|line| format!("{what}: {line}")).collect();
    let patterns = reasons.iter().flat_map(|reason| reason.items);
    let idle = patterns.filter(|pattern| !lines.iter().any(|line| is_match(pattern, line)));
    mistakes.extend(idle.map(|pattern| format!("a reason for nothing: {pattern}")));
    mistakes
}

/// Whether the whole line is the pattern, in which `*` is any text.
fn is_match(pattern: &str, line: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == line };
    let Some(rest) = line.strip_prefix(before) else { return false };
    (0..=rest.len()).any(|start| rest.is_char_boundary(start) && is_match(after, &rest[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_has_all_of_std_but_for_what_has_a_reason() {
        let mistakes = mistakes(&listed().unwrap(), &ours().unwrap());
        assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    }

    #[test]
    fn the_list_is_what_std_has() {
        // Where rust-docs is not installed there is nothing to compare with.
        let Some(folder) = std_docs().unwrap() else { return };
        let expected = list_of(&folder).unwrap();
        let found = std::fs::read_to_string(list_path()).unwrap();
        assert!(found == expected, "another list than that of std: `cargo xtask std --write`");
    }

    #[test]
    fn a_missing_item_and_a_reason_for_nothing_are_mistakes() {
        let std = BTreeSet::from(["sync::Mutex: struct".to_string(), "sync::Fresh: struct".to_string()]);
        let ours = Api { lines: BTreeSet::from(["sync::Own: struct".to_string()]), ..Api::default() };
        let missing: Vec<&String> = std.difference(&ours.lines).collect();
        let reasons = [Reason { why: "a reason", items: &["sync::Mu*", "sync::Gone: *"] }];
        let mistakes = unexplained("missing", &missing, &reasons);
        assert_eq!(mistakes, ["missing: sync::Fresh: struct", "a reason for nothing: sync::Gone: *"]);
    }

    #[test]
    fn a_pattern_is_the_whole_line() {
        assert!(is_match("a*c", "abc") && is_match("a*c*", "accd") && is_match("abc", "abc"));
        assert!(!is_match("a*c", "abcd") && !is_match("b*", "abc") && !is_match("abc", "abcd"));
    }

    #[test]
    fn every_reason_says_something() {
        assert!(LEFT_OUT.iter().chain(ADDED).all(|reason| reason.why.len() > 20 && !reason.items.is_empty()));
    }
}
