//! Files that a failing test leaves: in the folder `cdsspec` of cargo's target directory, one folder for each test binary.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// What all names of such files begin with, wherever the target directory is.
const FOLDER: &str = "target/cdsspec";

/// The name of the file of a test, with this extension: it begins with `target`, wherever the target directory is. `None` if there is none.
pub(crate) fn kept_file(test: &str, extension: &str) -> Option<String> {
    target_folder()?;
    let binary = env::current_exe().ok()?;
    let name = binary.file_stem()?.to_str()?;
    // Cargo adds a hash.
    let binary = name.rsplit_once('-').map_or(name, |(name, _)| name);
    // Cargo says which package it is of, whose binaries may have the same names.
    let name = match env::var("CARGO_PKG_NAME") {
        Ok(package) if package.replace('-', "_") != binary => [package.as_str(), binary].join("."),
        _ => binary.to_owned(),
    };
    let test = test.replace("::", ".");
    Some([FOLDER, &name, &[&test, extension].join(".")].join("/"))
}

/// Where such a file is.
pub(crate) fn kept_path(name: &str) -> Option<PathBuf> {
    let rest = name.strip_prefix(FOLDER)?.strip_prefix('/')?;
    Some(target_folder()?.join("cdsspec").join(rest))
}

/// Writes such a file. A folder that cannot be written to is no reason to fail otherwise.
pub(crate) fn keep(name: &str, text: &str) {
    let write = |path: PathBuf| {
        fs::create_dir_all(path.parent()?).ok()?;
        fs::write(path, text).ok()
    };
    let _ = kept_path(name).and_then(write);
}

/// Cargo's target directory, if the running program is in one: cargo marks it as a cache.
fn target_folder() -> Option<PathBuf> {
    let binary = env::current_exe().ok()?;
    let folder = binary.ancestors().skip(1).take(5).find(|folder| folder.join("CACHEDIR.TAG").is_file());
    folder.map(Path::to_path_buf)
}
