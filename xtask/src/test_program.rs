//! Which test program has which file of `tests/`. A package names its programs in its manifest (`autotests = false`), and a program its modules:
//! a file that none names would not be tested.

use crate::source::root;
use std::path::{Path, PathBuf};

/// The test program of a package that has this file or folder of `tests/`: one of which it is a module, or it is the program.
///
/// # Errors
/// There is none, or more than one.
pub(crate) fn program_with(folder: &str, name: &str) -> Result<String, String> {
    let tests = root().join(folder).join("tests");
    let programs = programs_with(&tests, name)?;
    let is_program = tests.join(name).join("main.rs").is_file() || tests.join(format!("{name}.rs")).is_file();
    match &programs[..] {
        [program] => Ok(program.clone()),
        [] if is_program => Ok(name.to_owned()),
        _ => Err(format!("{folder}/tests/{name} is in {} test programs", programs.len())),
    }
}

/// The files right in this folder that have such a module, without their suffix.
fn programs_with(tests: &Path, name: &str) -> Result<Vec<String>, String> {
    let declaration = format!("mod {name};");
    let mut programs = Vec::new();
    for (file, path) in entries(tests)? {
        let Some(file) = file.strip_suffix(".rs") else { continue };
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if text.lines().any(|line| line == declaration) {
            programs.push(file.to_owned());
        }
    }
    Ok(programs)
}

/// What is in a folder, sorted by name.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let describe = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(describe)?;
    let named = entries.map(|entry| {
        let entry = entry.map_err(describe)?;
        Ok((entry.file_name().to_string_lossy().into_owned(), entry.path()))
    });
    let mut all = named.collect::<Result<Vec<_>, String>>()?;
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_module_of_a_test_program_or_one_itself() {
        assert_eq!(program_with(".", "treiber").as_deref(), Ok("all"));
        assert_eq!(program_with(".", "heap").as_deref(), Ok("allocator"));
        assert_eq!(program_with("cdsspec-linearize", "histories").as_deref(), Ok("histories"));
        assert_eq!(program_with("cdsspec-contracts", "kept").as_deref(), Ok("kept"));
        assert!(program_with(".", "no_such_file").is_err());
        // Two programs have it: what it has is no tests, but what tests share.
        assert!(program_with(".", "child").is_err());
    }

    /// The packages whose programs the manifest names.
    const PACKAGES: [&str; 3] = [".", "cdsspec-fence", "cdsspec-runtime"];

    /// The files and folders of `tests/` that no program has.
    fn left_out(folder: &str) -> Vec<String> {
        let folder = root().join(folder);
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("the manifest is there");
        assert!(manifest.contains("\nautotests = false\n"), "{folder:?}");
        let is_left_out = |(name, path): &(String, PathBuf)| {
            let is_source =
                name.ends_with(".rs") || path.join("mod.rs").is_file() || path.join("main.rs").is_file();
            let name = name.trim_end_matches(".rs");
            let is_program = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
            let programs = programs_with(&folder.join("tests"), name).expect("they can be read");
            is_source && !is_program && programs.is_empty()
        };
        let all = entries(&folder.join("tests")).expect("they can be read");
        all.into_iter().filter(is_left_out).map(|(name, _)| name).collect()
    }

    #[test]
    fn every_file_of_tests_is_in_a_test_program() {
        for package in PACKAGES {
            assert_eq!(left_out(package), [""; 0], "{package}");
        }
    }
}
