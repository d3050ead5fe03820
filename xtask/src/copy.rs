//! A copy of the workspace, to be changed.

use crate::Outcome;
use crate::source::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of what git knows of, in the target folder.
pub(crate) struct Copy {
    folder: PathBuf,
}

impl Copy {
    /// Copies the workspace to a folder of the target folder. What an earlier copy has alike is left as it is, so that little is built again.
    ///
    /// # Errors
    /// What could not be read or written.
    pub(crate) fn new(folder: &str) -> Result<Self, String> {
        Self::changed(folder, &BTreeMap::new())
    }

    /// The same, with these texts in place of some files'.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn changed(folder: &str, texts: &BTreeMap<PathBuf, String>) -> Result<Self, String> {
        let copy = Self { folder: root().join("target").join(folder) };
        let listed = Command::new("git")
            .args(["ls-files", "-z"])
            .current_dir(root())
            .output()
            .map_err(|error| format!("git ls-files: {error}"))?;
        let names = String::from_utf8_lossy(&listed.stdout);
        // A file that was removed, and that git has not been told of, is none.
        let names = names.split('\0').filter(|name| root().join(name).is_file());
        let names: BTreeSet<PathBuf> = names.map(PathBuf::from).collect();
        if !listed.status.success() || names.is_empty() {
            return Err("git ls-files lists nothing".to_owned());
        }
        for name in &names {
            match texts.get(name) {
                Some(text) => copy.put(name, text.as_bytes())?,
                None => copy.take(name)?,
            }
        }
        copy.remove_others(&copy.folder, &names)?;
        Ok(copy)
    }

    /// Where it is.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn take(&self, name: &Path) -> Outcome {
        let from = root().join(name);
        self.put(name, &fs::read(&from).map_err(|error| describe(&from, &error))?)
    }

    fn put(&self, name: &Path, bytes: &[u8]) -> Outcome {
        let to = self.folder.join(name);
        if fs::read(&to).is_ok_and(|known| known == bytes) {
            return Ok(());
        }
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).map_err(|error| describe(folder, &error))?;
        }
        fs::write(&to, bytes).map_err(|error| describe(&to, &error))
    }

    /// Removes what is not in the workspace any more: a test, or a module that has moved.
    fn remove_others(&self, folder: &Path, names: &BTreeSet<PathBuf>) -> Outcome {
        for entry in fs::read_dir(folder).map_err(|error| describe(folder, &error))? {
            let path = entry.map_err(|error| describe(folder, &error))?.path();
            if path.is_dir() {
                self.remove_others(&path, names)?;
            } else if path.strip_prefix(&self.folder).is_ok_and(|name| !names.contains(name)) {
                // cargo's own lock is made there if git does not know of one.
                if !path.ends_with("Cargo.lock") {
                    fs::remove_file(&path).map_err(|error| describe(&path, &error))?;
                }
            }
        }
        Ok(())
    }
}

fn describe(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
