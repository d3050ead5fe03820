//! Which room of the runtime may name which, and which puts texts together: DESIGN's list, held. And that an operation is data, where rooms
//! meet.

mod operation;
mod scan;
mod table;
mod words;

use crate::Outcome;
use crate::source::{SourceFile, root, rust_files};
use scan::{Name, names_in};

/// Looks at every file of the runtime.
///
/// # Errors
/// Each place where a room names what it may not, or the text of an operation's name decides.
pub(crate) fn check() -> Outcome {
    let files = rust_files(&root().join("cdsspec-runtime/src"))?;
    let mut mistakes: Vec<_> = files.iter().flat_map(mistakes_of).collect();
    let port = files.iter().find(|file| file.path == operation::PORT_FILE);
    let port = port.ok_or_else(|| format!("{} is not there", operation::PORT_FILE))?;
    mistakes.extend(operation::mistake_in_port(port));
    mistakes.extend(rust_files(&root())?.iter().flat_map(operation::decisions_by_name));
    mistakes.extend(words::mistakes(&files));
    if !mistakes.is_empty() {
        return Err(mistakes.join("\n"));
    }
    println!("{} files: each room names only what it may, and `report` puts texts together", files.len());
    Ok(())
}

fn mistakes_of(file: &SourceFile) -> Vec<String> {
    let module = module_of(&file.path);
    let Some(room) = module.first() else {
        // The root of the crate lists the rooms: it may name all of them.
        return Vec::new();
    };
    if table::room(room).is_none() {
        return vec![format!(
            "{}: `{room}` is no known room: add it to xtask/src/borders/table.rs",
            file.path
        )];
    }
    match names_in(&file.text, &module) {
        Ok(names) => names
            .iter()
            .filter_map(|name| {
                mistake(&file.path, &module, name).or_else(|| hidden(&file.path, &module, name))
            })
            .collect(),
        Err(error) => vec![format!("{}: {error}", file.path)],
    }
}

/// The path of the module that a file is: `port/call.rs` is `port::call`, `port/mod.rs` is `port`, `lib.rs` is the root.
fn module_of(path: &str) -> Vec<String> {
    let mut module: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_string).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

/// A room that a part of a room may not name, although the room may.
fn hidden(path: &str, module: &[String], name: &Name) -> Option<String> {
    let Name::Root { name, line } = name else { return None };
    let room = table::room_of(name)?;
    let (part, _, reason) = table::HIDDEN.iter().find(|(part, hidden, _)| {
        module.len() >= part.len() && part.iter().zip(module).all(|(a, b)| a == b) && hidden.contains(&room)
    })?;
    Some(format!("{path}:{line}: `{}` may not name `{room}`: {reason}", part.join("::")))
}

fn mistake(path: &str, module: &[String], name: &Name) -> Option<String> {
    let room = &module[0];
    let line = name.line();
    match name {
        Name::Root { name, .. } => match table::room_of(name) {
            Some(named) if named == room || table::is_allowed(room, named) => None,
            Some(named) => Some(format!(
                "{path}:{line}: `{room}` names `{named}`; it may name {}",
                table::allowed(room).join(", ")
            )),
            None => Some(format!(
                "{path}:{line}: `crate::{name}` is in no room: name it by the room that it is in"
            )),
        },
        Name::Loom { .. } if module.starts_with(&table::LOOM_MODULE.map(str::to_string)) => None,
        Name::Loom { .. } => Some(format!("{path}:{line}: only `engine::loom` names the crate loom")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(path: &str, text: &str) -> Vec<String> {
        mistakes_of(&SourceFile { path: path.to_string(), text: text.to_string() })
    }

    #[test]
    fn the_runtime_keeps_its_borders() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn an_allowed_edge_passes() {
        assert!(
            mistakes("port/call.rs", "use crate::record::CallId; use crate::specification::Specification;")
                .is_empty()
        );
        assert!(mistakes("model/run.rs", "use crate::{engine, report::render};").is_empty());
    }

    #[test]
    fn an_edge_to_a_later_room_is_a_mistake() {
        assert_eq!(
            mistakes("record/call.rs", "\nuse crate::port::Port;"),
            ["record/call.rs:2: `record` names `port`; it may name specification"]
        );
        assert_eq!(mistakes("relation/mod.rs", "fn f() { crate::check::g(); }").len(), 1);
    }

    #[test]
    fn the_text_of_a_report_sees_nothing_but_its_value() {
        assert_eq!(mistakes("report/text/order.rs", "use crate::relation::OrderRelation;").len(), 1);
        assert_eq!(mistakes("report/text/mod.rs", "fn f() { crate::history::g(); }").len(), 1);
        assert!(mistakes("report/data/relation.rs", "use crate::relation::OrderRelation;").is_empty());
        assert!(mistakes("report/text/page.rs", "use crate::process::wrap;").is_empty());
    }

    #[test]
    fn groups_renames_and_nested_paths_are_seen() {
        assert_eq!(mistakes("history/mod.rs", "use crate::{record::CallId, port::{self, Port}};").len(), 2);
        assert_eq!(mistakes("history/mod.rs", "use crate::engine as e;").len(), 1);
        assert_eq!(mistakes("history/mod.rs", "fn f(x: Vec<crate::engine::Limits>) {}").len(), 1);
        assert_eq!(mistakes("history/mod.rs", "pub(in crate::engine) fn f() {}").len(), 1);
    }

    #[test]
    fn paths_through_super_are_resolved() {
        assert_eq!(mistakes("record/mod.rs", "use super::port::Port;").len(), 1);
        assert_eq!(mistakes("record/call.rs", "use super::super::port::Port;").len(), 1);
        assert!(mistakes("record/call.rs", "use super::port::Port;").is_empty());
        assert_eq!(mistakes("record/mod.rs", "mod a { use super::super::port::Port; }").len(), 1);
    }

    #[test]
    fn macros_are_looked_into() {
        assert_eq!(mistakes("record/mod.rs", "fn f() { vec![crate::port::X]; }").len(), 1);
        assert_eq!(mistakes("record/mod.rs", "macro_rules! m { () => { $crate::port::X } }").len(), 1);
        assert_eq!(mistakes("record/mod.rs", "m! { use crate::{port, engine}; }").len(), 2);
        assert_eq!(mistakes("record/mod.rs", "m! { use ::loom::thread; }").len(), 1);
    }

    #[test]
    fn comments_strings_and_links_are_not_code() {
        let text =
            "//! [`crate::port`]\n/// crate::engine\n// crate::model\nconst A: &str = \"crate::report\";";
        assert!(mistakes("record/mod.rs", text).is_empty());
    }

    #[test]
    fn test_modules_are_held_to_the_same_list() {
        assert_eq!(
            mistakes("record/mod.rs", "#[cfg(test)] mod tests { use crate::model::Builder; }").len(),
            1
        );
    }

    #[test]
    fn only_the_loom_engine_names_loom() {
        assert!(
            mistakes("engine/loom/run.rs", "use loom::thread; fn f() { ::loom::model(|| ()); }").is_empty()
        );
        assert_eq!(
            mistakes("sync/atomic.rs", "use loom::sync::atomic::AtomicUsize;"),
            ["sync/atomic.rs:1: only `engine::loom` names the crate loom"]
        );
        assert_eq!(mistakes("sync/mod.rs", "fn f() { ::loom::skip_branch(); }").len(), 1);
        assert_eq!(mistakes("sync/mod.rs", "extern crate loom;").len(), 1);
    }

    #[test]
    fn a_module_named_loom_is_not_the_crate() {
        assert!(mistakes("engine/mod.rs", "pub mod loom; fn f() { loom::Loom::new(); }").is_empty());
        assert!(mistakes("model/run.rs", "use crate::engine::loom::Loom;").is_empty());
    }

    #[test]
    fn the_root_is_no_way_around_the_list() {
        assert_eq!(
            mistakes("record/mod.rs", "use crate::Builder;"),
            ["record/mod.rs:1: `crate::Builder` is in no room: name it by the room that it is in"]
        );
        assert_eq!(mistakes("record/mod.rs", "use crate::*;").len(), 1);
    }

    #[test]
    fn an_exported_macro_is_of_its_room() {
        assert!(mistakes("specification/mod.rs", "pub use crate::__show as show;").is_empty());
        assert_eq!(
            mistakes("sync/mod.rs", "fn f() { crate::__show!(x); }"),
            ["sync/mod.rs:1: `sync` names `specification`; it may name record, port"]
        );
    }

    #[test]
    fn an_unknown_room_must_be_added_to_the_list() {
        assert_eq!(mistakes("attic/mod.rs", "").len(), 1);
    }

    #[test]
    fn the_list_has_no_cycle_but_the_documented_one() {
        let is_documented =
            |from, to| [("record", "specification"), ("specification", "record")].contains(&(from, to));
        for room in table::ROOMS {
            for to in table::allowed(room.name) {
                let goes_back = table::is_allowed(to, room.name);
                assert!(!goes_back || is_documented(room.name, to), "{} and {to} name each other", room.name);
            }
        }
    }
}
