//! Where texts are put together: in `report`, and by whoever runs programs for people.

use super::module_of;
use crate::source::SourceFile;
use proc_macro2::Span;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// What formats.
const MACROS: [&str; 8] =
    ["format", "format_args", "write", "writeln", "print", "println", "eprint", "eprintln"];

/// The rooms that speak to people, beside those that speak through `report`.
const ROOMS: [&str; 6] = ["report", "weaken", "scenario", "lineup", "localize", "example"];

/// Files of other rooms that format, each with the reason. `Display` and `Debug` of a type are its words for whoever formats, and need none.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("engine/loom/exploration.rs", "what loom says becomes the message of an ending"),
    ("engine/loom/port.rs", "what loom says becomes the message of an ending"),
    ("engine/loom/thread.rs", "a mistake of ours, where nothing can unwind any more"),
    ("engine/loom/trace.rs", "what was done else than before becomes the message of an ending"),
    ("model/smaller.rs", "a test that passes prints the line of `report`, where a harness keeps it back"),
    ("model/outcome.rs", "a `main` that returns an outcome prints its report"),
    (
        "port/outside.rs",
        "what a thread outside of the program does is told at once, whatever becomes of the run",
    ),
    ("process/crash.rs", "the line of each crash is made ready before, since a signal handler can make none"),
    ("process/stderr.rs", "a line is written whole, with its end"),
    ("record/ending.rs", "panics of the program that follow one another become one message"),
    ("model/again.rs", "a mistake of ours, in builds of tests"),
    ("record/schedule.rs", "a schedule is a text, which `Display` puts together of its parts"),
    ("run/play.rs", "what was done else than before becomes the end of the exploration"),
    ("run/playback.rs", "what was done else than before becomes the end of the exploration"),
    ("run/replay.rs", "what was done else than before becomes the message of an ending"),
    ("run/thread.rs", "what was done else than before becomes the message of an ending"),
    ("specification/expansion.rs", "recorded values become text as the user's `Debug` has it"),
    ("specification/integer.rs", "recorded values become text as the user's `Debug` has it"),
    ("sync/residence.rs", "what the engine cannot run is said by who asks for it"),
    ("sync/rwlock.rs", "the `Debug` of a lock that is held says so, as std's does"),
];

/// Each place that formats and may not; each exception that is none any more.
pub(super) fn mistakes(files: &[SourceFile]) -> Vec<String> {
    let parsed: Vec<_> =
        files.iter().filter_map(|file| Some((file, syn::parse_file(&file.text).ok()?))).collect();
    let tests: BTreeSet<_> =
        parsed.iter().flat_map(|(file, syntax)| test_modules(&file.path, syntax)).collect();
    let mut mistakes = Vec::new();
    let mut unused: BTreeSet<_> = EXCEPTIONS.iter().map(|(path, _)| *path).collect();
    for (file, syntax) in &parsed {
        let module = module_of(&file.path);
        let speaks = module.first().is_none_or(|room| ROOMS.contains(&room.as_str()));
        if speaks || tests.contains(&module) {
            continue;
        }
        let mut words = Words::default();
        words.visit_file(syntax);
        let is_exception = EXCEPTIONS.iter().any(|(path, _)| *path == file.path);
        if !words.lines.is_empty() && is_exception {
            unused.remove(file.path.as_str());
        } else {
            let text = "only `report` puts texts together; hand it a value, or list the file with a reason in xtask/src/borders/words.rs";
            mistakes.extend(words.lines.iter().map(|line| format!("{}:{line}: {text}", file.path)));
        }
    }
    let unused = unused.into_iter().filter(|path| files.iter().any(|file| file.path == *path));
    mistakes.extend(
        unused.map(|path| {
            format!("{path}: formats nothing: it needs no exception in xtask/src/borders/words.rs")
        }),
    );
    mistakes
}

/// The modules that are tests, each a file of its own, by what their parents say.
fn test_modules(path: &str, syntax: &syn::File) -> Vec<Vec<String>> {
    let modules = syntax.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if module.content.is_none() && is_test(&module.attrs) => Some(&module.ident),
        _ => None,
    });
    modules.map(|name| [module_of(path), vec![name.to_string()]].concat()).collect()
}

/// Whether something is there in tests alone.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// The lines of a file that format.
#[derive(Default)]
struct Words {
    lines: Vec<usize>,
}

impl Words {
    fn note(&mut self, path: &syn::Path, span: Span) {
        if path.segments.last().is_some_and(|last| MACROS.iter().any(|name| last.ident == name)) {
            self.lines.push(span.start().line);
        }
    }
}

impl<'ast> Visit<'ast> for Words {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.note(&call.path, call.span());
        // What stands in `macro_rules!` or in arguments is looked into as far as it is Rust.
        if let Ok(arguments) =
            call.parse_body_with(syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated)
        {
            arguments.iter().for_each(|argument| self.visit_expr(argument));
        }
        visit::visit_macro(self, call);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let of = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        if !of.is_some_and(|last| last.ident == "Display" || last.ident == "Debug") {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(files: &[(&str, &str)]) -> Vec<String> {
        let file =
            |(path, text): &(&str, &str)| SourceFile { path: (*path).to_owned(), text: (*text).to_owned() };
        let mistakes = mistakes(&files.iter().map(file).collect::<Vec<_>>());
        mistakes.iter().map(|mistake| mistake.split(": ").next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn only_the_rooms_that_speak_format() {
        let text = "fn f() {\n format!(\"x\"); }";
        assert_eq!(lines(&[("check/object.rs", text)]), ["check/object.rs:2"]);
        assert_eq!(
            lines(&[("model/tally.rs", "fn f() { g(vec![h(std::format!(\"x\"))]); }")]),
            ["model/tally.rs:1"]
        );
        assert_eq!(lines(&[("history/a.rs", "impl A { fn f() { eprintln!(); } }")]), ["history/a.rs:1"]);
        for room in ROOMS {
            assert!(lines(&[(&format!("{room}/a.rs"), text)]).is_empty(), "{room}");
        }
    }

    #[test]
    fn tests_and_the_words_of_a_type_may_format() {
        let text = "fn f() { format!(\"x\"); }";
        let parent = "#[cfg(test)]\nmod toy;\n#[cfg(test)] mod tests { fn f() { format!(\"x\"); } }";
        assert!(lines(&[("history/mod.rs", parent), ("history/toy.rs", text)]).is_empty());
        assert_eq!(lines(&[("history/mod.rs", "mod toy;"), ("history/toy.rs", text)]), ["history/toy.rs:1"]);
        assert!(
            lines(&[("check/note.rs", "impl fmt::Display for A { fn f() { write!(f, \"x\"); } }")])
                .is_empty()
        );
        assert!(lines(&[("check/note.rs", "fn f() { panic!(\"{x}\"); assert!(a, \"{x}\"); }")]).is_empty());
    }

    #[test]
    fn an_exception_that_formats_nothing_is_a_mistake() {
        assert_eq!(lines(&[("record/ending.rs", "fn f() {}")]), ["record/ending.rs"]);
        assert!(lines(&[("record/ending.rs", "fn f() { format!(\"x\"); }")]).is_empty());
    }
}
