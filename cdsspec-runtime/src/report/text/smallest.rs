//! The smallest test that fails alike.

use super::super::data::SmallestTest;
use super::name::Names;
use super::page::Page;
use super::{fact, thread_table};

/// How many statements are enough, the test, and its calls by thread.
pub(super) fn write(page: &mut Page, smallest: &SmallestTest, columns: usize) {
    let SmallestTest { statements, of, is_smallest, source, execution } = smallest;
    let (word, more) = if *is_smallest {
        ("smallest", "")
    } else {
        ("smaller", "; more executions would have been too many")
    };
    let title = format!("{word} test that fails alike, {statements} of {of} statements{more}:");
    page.block([title]);
    page.verbatim(source.trim_end());
    let names = Names::new(execution);
    page.block(thread_table::lines(&names, &fact::marked(&execution.finding.kind), columns));
}
