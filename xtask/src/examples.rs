//! Every example runs and prints what it promises: with `--json`, one object a line, and every seeded bug is found.

use crate::Outcome;
use crate::runner::{self, cargo, read, read_any, target_folder};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What each line has.
const KEYS: [&str; 11] = [
    "program",
    "engine",
    "verdict",
    "executions",
    "complete",
    "blocked",
    "inadmissible",
    "shapes",
    "histories",
    "seconds",
    "bounds",
];

/// The examples of which no tests can be generated, and why.
const UNEXPLORED: [(&str, &str); 1] =
    [("oneshot", "its receiver stays with the thread that made it, and tests make their calls on others")];

/// Runs the examples of the root package in the dev profile, and the tests that are generated of them, which the tests have built already.
///
/// # Errors
/// What an example should not have printed, or that it failed.
pub(crate) fn check() -> Outcome {
    let metadata = read(cargo("metadata --format-version 1 --no-deps --locked"))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let names = names(&metadata);
    // All default members at once, as in `cargo test`: chosen by itself, an example would have other features, and all would be built again.
    runner::run(cargo("build --quiet --examples"))?;
    let folder = target_folder()?.join("debug/examples");
    let run_both = |name: &&str| run(&folder, name).and_then(|()| explore(&folder, name)).err();
    let mistakes: Vec<String> = names.iter().filter_map(run_both).collect();
    if !mistakes.is_empty() {
        return Err(mistakes.join("\n"));
    }
    println!("{} examples ran", names.len());
    Ok(())
}

/// The examples of the root package, sorted.
fn names(metadata: &Value) -> Vec<&str> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let targets = packages
        .filter(|package| package["name"] == "cdsspec")
        .flat_map(|package| package["targets"].as_array());
    let is_example =
        |target: &&Value| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&"example".into()));
    let mut names: Vec<&str> =
        targets.flatten().filter(is_example).filter_map(|target| target["name"].as_str()).collect();
    names.sort_unstable();
    names
}

/// Where cargo puts examples of the dev profile.
fn run(folder: &Path, name: &str) -> Outcome {
    let mut command = Command::new(folder.join(name));
    command.arg("--json");
    let output = read(command)?;
    println!("{name}: {} lines", output.lines().count());
    let mistakes: Vec<_> =
        output.lines().filter_map(|line| mistake(line).map(|mistake| format!("{name}: {mistake}"))).collect();
    if output.trim().is_empty() {
        return Err(format!("{name}: `--json` printed nothing"));
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
}

/// All tests that are generated hold.
fn explore(folder: &Path, name: &str) -> Outcome {
    if let Some((_, reason)) = UNEXPLORED.iter().find(|(known, _)| *known == name) {
        println!("{name}: no tests are generated: {reason}");
        return Ok(());
    }
    let mut command = Command::new(folder.join(name));
    command.arg("--explore");
    let (output, holds) = read_any(command)?;
    if !holds {
        return Err(format!("{name}: a test that is generated does not hold:\n{output}"));
    }
    output.lines().filter(|line| line.starts_with("  tests")).for_each(|line| println!("{name}:{line}"));
    Ok(())
}

/// What is wrong with a line.
fn mistake(line: &str) -> Option<String> {
    let Ok(Value::Object(object)) = serde_json::from_str(line) else {
        return Some(format!("no JSON object: {line}"));
    };
    if let Some(key) = KEYS.iter().find(|key| !object.contains_key(**key)) {
        return Some(format!("no `{key}`: {line}"));
    }
    let is_seeded_bug = object.get("seeded_bug").is_some_and(|value| !value.is_null());
    let is_found = object.get("found") == Some(&Value::Bool(true));
    (is_seeded_bug && !is_found).then(|| format!("a seeded bug that is not found: {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(extra: &str) -> String {
        let keys: Vec<String> = KEYS.iter().map(|key| format!("\"{key}\":0")).collect();
        format!("{{{}{extra}}}", keys.join(","))
    }

    #[test]
    fn a_line_with_every_key_passes() {
        assert_eq!(mistake(&line("")), None);
        assert_eq!(mistake(&line(r#","seeded_bug":null"#)), None);
        assert_eq!(mistake(&line(r#","seeded_bug":"lifo","found":true"#)), None);
    }

    #[test]
    fn a_seeded_bug_must_be_found() {
        assert!(mistake(&line(r#","seeded_bug":"lifo","found":false"#)).is_some());
        assert!(mistake(&line(r#","seeded_bug":"lifo""#)).is_some());
    }

    #[test]
    fn what_is_no_object_or_lacks_a_key_is_a_mistake() {
        assert!(mistake("holds").is_some());
        assert!(mistake("[]").is_some());
        assert!(mistake("{}").is_some_and(|text| text.contains("program")));
    }
}
