//! The structures of `examples/`, and their programs as they are built.

use crate::published::FIGURE_7;
use crate::runner::{cargo, run, target_folder};
use crate::source::root;
use std::path::{Path, PathBuf};

/// How the examples are built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Profile {
    /// As the tests have built them already: where no time is told.
    Dev,
    /// In release.
    Release,
}

/// Builds the examples: where they are.
///
/// # Errors
/// That they cannot be built.
pub(crate) fn built(profile: Profile) -> Result<PathBuf, String> {
    let (switch, folder) = match profile {
        Profile::Dev => ("", "debug/examples"),
        Profile::Release => ("--release", "release/examples"),
    };
    // All default members at once, as in `cargo test`: chosen by itself, an example would have other features.
    run(cargo(&format!("build --quiet {switch} --examples")))?;
    Ok(target_folder()?.join(folder))
}

/// The structures in `examples/`: those of the CDSSpec paper first, in the order of its figure, then the others by name.
///
/// # Errors
/// That the folder cannot be read.
pub(crate) fn structures() -> Result<Vec<String>, String> {
    let examples = root().join("examples");
    let entries = std::fs::read_dir(&examples).map_err(|error| format!("{}: {error}", examples.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| root().join(source_of(name)).is_file())
        .collect();
    let place =
        |name: &String| FIGURE_7.iter().position(|one| one.structure == name).unwrap_or(FIGURE_7.len());
    names.sort_by_key(|name| (place(name), name.clone()));
    Ok(names)
}

/// The file of a structure and its specification, under the root of the workspace.
pub(crate) fn source_of(structure: &str) -> PathBuf {
    Path::new("examples").join(structure).join(format!("{structure}.rs"))
}

/// The other files of a structure: what it is made of, but neither its programs nor the table of these. Sorted.
///
/// # Errors
/// That the folder cannot be read.
pub(crate) fn helpers_of(structure: &str) -> Result<Vec<PathBuf>, String> {
    let folder = root().join("examples").join(structure);
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let others = [format!("{structure}.rs"), "main.rs".to_owned(), "program.rs".to_owned()];
    let is_helper = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.ends_with(".rs") && others.iter().all(|other| *other != name)
    };
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_helper).collect();
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_structure_is_made_of_all_files_but_its_programs() {
        let names = |structure| {
            let helpers = helpers_of(structure).unwrap();
            helpers.iter().map(|path| path.file_name().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("ms_queue"), ["node.rs"]);
        assert_eq!(names("rcu"), [""; 0]);
    }
}
