//! The stated minimum Rust version, as far as it can be checked here.
//!
//! Only a build by that compiler proves it; this machine may not have it. Without it there are two weaker checks: no dependency of the
//! user crates statess a newer one, and clippy finds no call of a standard function that is newer.

use crate::Outcome;
use crate::runner::{cargo, read, run};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates that users build.
const USER_CRATES: [&str; 7] = [
    "cdsspec",
    "cdsspec-fence",
    "cdsspec-front",
    "cdsspec-linearize",
    "cdsspec-loom",
    "cdsspec-macros",
    "cdsspec-runtime",
];

/// Runs every check that this machine allows.
///
/// # Errors
/// What needs a newer compiler than the manifest states.
pub(crate) fn check() -> Outcome {
    let metadata = read(cargo("metadata --format-version 1 --all-features --locked"))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let packages = packages(&metadata);
    let stated = stated(&packages)?;
    let reached = reached(&metadata, &packages);
    let newer = newer(&packages, &reached, stated);
    if !newer.is_empty() {
        return Err(newer.join("\n"));
    }
    println!("{} packages: none states a Rust newer than {}", reached.len(), stated.text());
    run(cargo("clippy --lib --all-features -- -D clippy::incompatible_msrv"))?;
    println!("clippy: no standard function newer than {}", stated.text());
    build(stated)
}

/// Builds with the stated compiler, if there is one.
fn build(stated: Version) -> Outcome {
    let toolchain = stated.text();
    if !installed()
        .lines()
        .any(|line| line.starts_with(&format!("{toolchain}.")) || line.starts_with(&format!("{toolchain}-")))
    {
        println!("rustc {toolchain} is not installed: the compiler itself was not run");
        return Ok(());
    }
    let mut command = Command::new("cargo");
    command.arg(format!("+{toolchain}")).args(["check", "--lib", "--all-features", "--locked"]);
    command.args(["--target-dir", "target/msrv"]).current_dir(crate::source::root());
    // Set by the cargo that runs this chore; it would win over `+`.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    run(command)
}

/// The toolchains that rustup lists; nothing if there is no rustup.
pub(crate) fn installed() -> String {
    let output = Command::new("rustup").args(["toolchain", "list"]).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
}

/// A Rust version; the patch level does not matter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Version {
    major: u32,
    minor: u32,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(|part| part.parse().ok());
        Some(Self { major: parts.next()??, minor: parts.next()?? })
    }

    fn text(self) -> String {
        format!("{}.{}", self.major, self.minor)
    }
}

/// Packages by their id.
type Packages<'a> = BTreeMap<&'a str, &'a Value>;

fn packages(metadata: &Value) -> Packages<'_> {
    let all = metadata["packages"].as_array().into_iter().flatten();
    all.filter_map(|package| Some((package["id"].as_str()?, package))).collect()
}

/// The version that the root package states.
fn stated(packages: &Packages<'_>) -> Result<Version, String> {
    let root = packages.values().find(|package| package["name"] == USER_CRATES[0]);
    root.and_then(|root| root["rust_version"].as_str())
        .and_then(Version::parse)
        .ok_or_else(|| format!("{} states no rust-version", USER_CRATES[0]))
}

/// What a build of the user crates may compile: their normal and build dependencies, for every platform.
fn reached<'a>(metadata: &'a Value, packages: &Packages<'a>) -> BTreeSet<&'a str> {
    let nodes = metadata["resolve"]["nodes"].as_array().into_iter().flatten();
    let nodes: BTreeMap<&str, &Value> = nodes.filter_map(|node| Some((node["id"].as_str()?, node))).collect();
    let is_user_crate = |package: &Value| USER_CRATES.iter().any(|name| package["name"] == *name);
    let mut waiting: Vec<&str> =
        packages.iter().filter(|(_, package)| is_user_crate(package)).map(|(id, _)| *id).collect();
    let mut reached = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if reached.insert(id) {
            waiting.extend(nodes.get(id).into_iter().flat_map(|node| dependencies(node)));
        }
    }
    reached
}

fn dependencies(node: &Value) -> impl Iterator<Item = &str> {
    let all = node["deps"].as_array().into_iter().flatten();
    all.filter(|dependency| {
        let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind["kind"] != "dev")
    })
    .filter_map(|dependency| dependency["pkg"].as_str())
}

/// The packages that state a newer version.
fn newer(packages: &Packages<'_>, reached: &BTreeSet<&str>, stated: Version) -> Vec<String> {
    let states_newer = |id: &&str| {
        let package = packages.get(id)?;
        let version = package["rust_version"].as_str()?;
        (Version::parse(version)? > stated)
            .then(|| format!("{id} states Rust {version}, newer than {}", stated.text()))
    };
    reached.iter().filter_map(states_newer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn metadata(dependency_kind: Value) -> Value {
        json!({
            "packages": [
                { "id": "root", "name": "cdsspec", "rust_version": "1.88" },
                { "id": "old", "name": "old", "rust_version": "1.9.3" },
                { "id": "silent", "name": "silent", "rust_version": null },
                { "id": "new", "name": "new", "rust_version": "1.90" },
            ],
            "resolve": { "nodes": [
                { "id": "root", "deps": [
                    { "pkg": "old", "dep_kinds": [{ "kind": null }] },
                    { "pkg": "silent", "dep_kinds": [{ "kind": "build" }] },
                ] },
                { "id": "old", "deps": [{ "pkg": "new", "dep_kinds": [{ "kind": dependency_kind }] }] },
            ] },
        })
    }

    fn newer_in(metadata: &Value) -> Vec<String> {
        let packages = packages(metadata);
        newer(&packages, &reached(metadata, &packages), stated(&packages).expect("the root states one"))
    }

    #[test]
    fn a_dependency_of_a_dependency_that_states_a_newer_version_is_found() {
        assert_eq!(newer_in(&metadata(Value::Null)), ["new states Rust 1.90, newer than 1.88"]);
    }

    #[test]
    fn dev_dependencies_do_not_count() {
        assert!(newer_in(&metadata(json!("dev"))).is_empty());
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(Version::parse("1.9.3") < Version::parse("1.88"));
        assert!(Version::parse("1.100") > Version::parse("1.88"));
        assert_eq!(Version::parse("1.88.1"), Version::parse("1.88"));
        assert_eq!(Version::parse("one"), None);
    }
}
