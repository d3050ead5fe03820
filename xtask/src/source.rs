//! Which files of this workspace are source.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask is a folder of the workspace").to_path_buf()
}

/// A file of Rust code: its path under the folder that was listed, with `/`, and its text.
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// All Rust files under `folder` of the workspace, sorted by path. Build output is left out, and so are the programs of `tests/ui`,
/// which are wrong on purpose, and those of `tests/expansion`, which macros wrote.
///
/// # Errors
/// What could not be read.
pub(crate) fn rust_files(folder: &Path) -> Result<Vec<SourceFile>, String> {
    let mut paths = Vec::new();
    list(folder, &mut paths)?;
    paths.sort();
    paths.iter().map(|path| read(folder, path)).collect()
}

fn read(folder: &Path, path: &Path) -> Result<SourceFile, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let path = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
    Ok(SourceFile { path, text })
}

fn list(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let describe = |error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(describe)? {
        let path = entry.map_err(describe)?.path();
        if path.is_dir() {
            if !is_skipped(&path) {
                list(&path, paths)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

fn is_skipped(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_written = folder.ends_with("tests/ui") || folder.ends_with("tests/expansion");
    name == "target" || name.starts_with('.') || is_written
}
