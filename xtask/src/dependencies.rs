//! How many packages of others a user's first `cargo test` builds: all that `cdsspec` with the feature `check` needs.

use crate::Outcome;
use crate::runner::{cargo, read};
use std::collections::BTreeSet;

/// So many at most, whatever is asked for by other features.
const OTHERS_MAX: usize = 24;

/// Counts them, and prints which they are.
///
/// # Errors
/// That there are too many.
pub(crate) fn check() -> Outcome {
    let others = others()?;
    println!("{}", others.iter().cloned().collect::<Vec<_>>().join("\n"));
    let count = others.len();
    println!("{count} packages of others are built for a user's tests; at most {OTHERS_MAX} are to be");
    if count <= OTHERS_MAX { Ok(()) } else { Err(format!("{count} packages of others, over {OTHERS_MAX}")) }
}

/// The packages, with their versions, on one platform: others have a few of their own.
fn others() -> Result<BTreeSet<String>, String> {
    let words = "tree --package cdsspec --features check --edges normal,build --prefix none --locked";
    let tree = read(cargo(&format!("{words} --target x86_64-unknown-linux-gnu --format {{p}}")))?;
    Ok(packages(&tree).filter(|package| !package.contains('/')).collect())
}

/// Name and version of each line; with a path behind it, if it is one of this workspace.
fn packages(tree: &str) -> impl Iterator<Item = String> {
    let lines = tree.lines().filter(|line| !line.is_empty() && !line.starts_with('['));
    lines.map(|line| line.trim_end_matches(" (*)").trim_end_matches(" (proc-macro)").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_tests_need_few_packages_of_others() {
        let others = others().unwrap();
        assert!(others.iter().any(|package| package.starts_with("corosensei v")), "{others:?}");
        assert!(others.len() <= OTHERS_MAX, "{} packages, over {OTHERS_MAX}: {others:?}", others.len());
    }

    #[test]
    fn a_package_counts_once_and_those_of_this_workspace_do_not() {
        let tree = "cdsspec v0.1.0 (/a/b)\nsyn v3.0.1\nserde_derive v1.0.1 (proc-macro)\n\nsyn v3.0.1 (*)\n[build-dependencies]\n\
                    serde_derive v1.0.1 (proc-macro) (*)\nsyn v2.0.1\n";
        let others: BTreeSet<String> = packages(tree).filter(|package| !package.contains('/')).collect();
        assert_eq!(
            others.into_iter().collect::<Vec<_>>(),
            ["serde_derive v1.0.1", "syn v2.0.1", "syn v3.0.1"]
        );
    }
}
