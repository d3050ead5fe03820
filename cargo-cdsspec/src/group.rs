//! Which lines are parts of one search.

use super::read::Line;
use std::collections::BTreeMap;

/// The lines of one search, in the order in which they were read.
pub(crate) struct Group<'a> {
    pub(crate) parts: Vec<&'a Line>,
}

/// What is the same in all parts of a search: where it stands in the code, what it is about, and which tests.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str);

fn key(line: &Line) -> Key<'_> {
    let result = &line.result;
    (&result.package, &result.program, &result.test, &result.title, &result.tests)
}

/// The searches, in the order of their names.
pub(crate) fn groups(lines: &[Line]) -> Vec<Group<'_>> {
    let mut groups: BTreeMap<Key<'_>, Vec<&Line>> = BTreeMap::new();
    for line in lines {
        groups.entry(key(line)).or_default().push(line);
    }
    groups.into_values().map(|parts| Group { parts }).collect()
}

impl Group<'_> {
    /// Where the search stands, and what it is about.
    pub(crate) fn name(&self) -> String {
        let result = &self.parts[0].result;
        let words = [&result.package, &result.program, &result.test].map(String::as_str);
        let place: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        format!("{}: `{}`, {}", place.join(" "), result.title, result.tests)
    }

    /// Searches at the same place of other tests: of another seed, say, which is why a part is missing.
    pub(crate) fn relatives(&self, groups: &[Self]) -> String {
        let (package, program, test, title, tests) = key(self.parts[0]);
        let others = groups.iter().map(|group| key(group.parts[0])).filter(|other| {
            (other.0, other.1, other.2, other.3) == (package, program, test, title) && other.4 != tests
        });
        others.map(|other| format!("; there is a search there of other tests: {}", other.4)).collect()
    }
}
