//! A panic of our own: no verdict, and nothing about the program.

use super::page::{Page, Row};
use crate::process::Bug;

/// What is said when the checker itself panicked while it ran `program`, in the test of this name, on this engine.
pub(crate) fn bug(bug: &Bug, program: &str, test: Option<&str>, engine: &str, columns: usize) -> String {
    let mut page = Page::new(columns);
    page.headline(&format!("cdsspec bug: {}", bug.message));
    let mut rows = Vec::new();
    rows.extend(bug.place.as_ref().map(|place| Row::new("at", place.clone())));
    let version = env!("CARGO_PKG_VERSION");
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    rows.push(Row::new("version", format!("cdsspec {version}, engine {engine}, {system} on {processor}")));
    rows.push(Row::new("program", program));
    rows.extend(test.map(|test| Row::new("test", test)));
    rows.push(Row::new(
        "do",
        "this is a mistake of the checker, and says nothing about the program: please send these lines to the maintainers of \
         cdsspec, with the program, and the orders and settings that it was run with, if you may",
    ));
    page.rows(&rows);
    page.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_and_what_to_send_are_named() {
        let place = Some("cdsspec-runtime/src/record/recorder.rs:1:2".to_owned());
        let text = bug(
            &Bug { message: "index out of bounds".to_owned(), place },
            "push__pop",
            Some("a::b"),
            "rc11",
            100,
        );
        assert!(text.starts_with("cdsspec bug: index out of bounds\n\n  at "), "{text}");
        let version = format!("\n  version  cdsspec {}, engine rc11, ", env!("CARGO_PKG_VERSION"));
        for phrase in [version.as_str(), "\n  program  push__pop\n  test     a::b\n", "please send these"] {
            assert!(text.contains(phrase), "{phrase}: {text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}
