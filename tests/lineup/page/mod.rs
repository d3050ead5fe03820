//! `docs/scenarios.md` shows what there is. `UPDATE_EXPECT=1` writes its report anew.

#[allow(unreachable_pub, reason = "the page shows it as it stands in a crate of its own")]
mod counter {
    include!("counter.rs");
}

use cdsspec::Explore;
use counter::Counter;
use expect_test::expect_file;

const CODE: &str = include_str!("counter.rs");

const BEGIN: &str = "<!-- report -->\n```text\n";
const END: &str = "```\n<!-- /report -->";

#[test]
fn the_page_shows_the_structure_and_its_report() {
    let page = include_str!("../../../docs/scenarios.md");
    assert!(page.contains(&format!("```rust\n{CODE}```\n")), "the page shows another structure");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a report");
    let (_, after) = rest.split_once(END).expect("the report has an end");
    let report = Explore::new(Counter::default).run().to_string();
    expect_file!["../../../docs/scenarios.md"].assert_eq(&format!("{before}{BEGIN}{report}{END}{after}"));
}
