//! Takes crates from the registry, by cargo, and puts one loom or the other in the place of theirs: all of it below `target/loom`.

use super::Side;
use super::suite::Suite;
use crate::Outcome;
use crate::runner::{cargo, read, target_folder};
use crate::source::root;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// loom counts its executions, and says how many there were where its users cannot switch it off.
const COUNTED: [&str; 2] = [
    "info!(parent: None, \"Completed in {} iterations\", i - 1);",
    "eprintln!(\"loom: after {} executions\", i - 1);",
];

/// Where all of it is.
pub(super) fn folder() -> PathBuf {
    static FOLDER: LazyLock<PathBuf> =
        LazyLock::new(|| target_folder().unwrap_or_else(|_| root().join("target")).join("loom"));
    FOLDER.clone()
}

/// Where the sources of the crates are, as published, by their names.
///
/// # Errors
/// What could not be fetched.
pub(super) fn published(suites: &[Suite]) -> Result<Vec<PathBuf>, String> {
    let fetched = folder().join("fetched");
    write(&fetched.join("src/lib.rs"), "")?;
    let dependencies: String =
        suites.iter().map(|suite| format!("{} = \"={}\"\n", suite.name, suite.version)).collect();
    let manifest = "[package]\nname = \"fetched\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n[dependencies]\n";
    write(&fetched.join("Cargo.toml"), &format!("{manifest}{dependencies}"))?;
    let mut command = cargo("metadata --format-version 1");
    command.current_dir(&fetched);
    let metadata: Value = serde_json::from_str(&read(command)?).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let path = |suite: &Suite| {
        let is_it = |package: &&Value| package["name"] == suite.name && package["version"] == suite.version;
        let manifest = packages.iter().find(is_it)?["manifest_path"].as_str()?;
        Some(Path::new(manifest).parent()?.to_owned())
    };
    suites.iter().map(|suite| path(suite).ok_or(format!("{} was not fetched", suite.name))).collect()
}

/// loom as published, but that it says how many executions it has run.
///
/// # Errors
/// What cannot be written; that loom is not what it was.
pub(super) fn counting_loom(published: &Path) -> Outcome {
    let folder = folder().join("counting");
    copy(published, &folder)?;
    let model = folder.join("src/model.rs");
    let text = fs::read_to_string(&model).map_err(|error| format!("{}: {error}", model.display()))?;
    if !text.contains(COUNTED[0]) {
        return Err("loom does not say where it has completed".to_owned());
    }
    write(&model, &text.replace(COUNTED[0], &COUNTED.concat()))?;
    append(&folder.join("Cargo.toml"), "\n[workspace]\n")
}

/// A copy of a crate that is to be built on one side.
///
/// # Errors
/// What cannot be written.
pub(super) fn prepare(suite: &Suite, published: &Path, side: Side) -> Result<PathBuf, String> {
    let folder = folder().join(side.name()).join(suite.name);
    let loom = match side {
        Side::Loom => self::folder().join("counting"),
        Side::Ours => root().join("cdsspec-loom").join("patch"),
    };
    let patch = format!("\n[workspace]\n[patch.crates-io]\nloom = {{ path = {:?} }}\n", loom);
    let manifest = folder.join("Cargo.toml");
    if suite.name == "loom" {
        // Its tests alone: what they test is the dependency.
        copy(&published.join("tests"), &folder.join("tests"))?;
        write(&folder.join("src/lib.rs"), "")?;
        write(&manifest, LOOMS_OWN)?;
    } else {
        copy(published, &folder)?;
    }
    if let Some((old, new)) = suite.edit {
        let text =
            fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        write(&manifest, &text.replace(old, new))?;
    }
    append(&manifest, &patch)?;
    Ok(folder)
}

/// The package of loom's own tests.
const LOOMS_OWN: &str = "[package]\nname = \"loom-tests\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[features]\nfutures = []\n\
    checkpoint = []\n[dependencies]\nloom = { version = \"0.7\", features = [\"futures\"] }\nfutures-util = \"0.3\"\n";

fn write(path: &Path, text: &str) -> Outcome {
    let parent = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn append(path: &Path, text: &str) -> Outcome {
    let old = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    write(path, &format!("{old}{text}"))
}

/// Copies a folder; what is there already is replaced.
fn copy(from: &Path, to: &Path) -> Outcome {
    let describe = |error: std::io::Error| format!("{}: {error}", from.display());
    fs::create_dir_all(to).map_err(describe)?;
    for entry in fs::read_dir(from).map_err(describe)? {
        let path = entry.map_err(describe)?.path();
        let Some(name) = path.file_name() else { continue };
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else {
            // Its permissions are those of the registry, which is not written to.
            fs::read(&path).and_then(|bytes| fs::write(to.join(name), bytes)).map_err(describe)?;
        }
    }
    Ok(())
}
