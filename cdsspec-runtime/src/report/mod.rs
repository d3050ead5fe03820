//! The only place that formats: findings and coverage, in words.
//!
//! A report has no address, no time and no order of a hash map in it: the same run gives the same bytes. No line is wider than
//! it is to be, but for the path of a file that does not fit: 100 columns in a text that is kept, those of the terminal in what is
//! printed ([`Text`]).

#![forbid(unsafe_code)]

mod bug;
mod coverage;
mod crash;
mod example_table;
mod fact;
mod headline;
mod hint;
mod hold;
mod interleaving;
mod limit;
mod listing;
mod memory;
mod name;
mod order;
mod page;
mod stuck;
mod table;
mod text;
mod thread_table;

#[cfg(test)]
pub(crate) mod scene;
#[cfg(test)]
mod tests;

pub(crate) use bug::bug;
pub use coverage::{Coverage, so_far, unusable, whole};
pub(crate) use crash::crash;
pub use example_table::{ExampleRow, ExampleTable};
pub use limit::loop_bound;
pub use listing::listing;
pub use stuck::stuck;
pub use table::grouped_table;
pub use text::{Text, paragraph};

use crate::check::Finding;
use crate::record::Recording;
use name::Names;
use page::Page;

/// All that can be said of one execution: its worst finding in full, the others in a line each. Nothing, if there is none.
pub fn describe(recording: &Recording, findings: &[Finding], columns: usize) -> String {
    let Some((worst, others)) = findings.split_first() else { return String::new() };
    let names = Names::new(recording);
    let mut page = Page::new(columns);
    page.headline(&headline::text(&names, worst));
    page.rows(&fact::rows(&names, worst));
    page.block(thread_table::lines(&names, &fact::marked(worst), columns));
    page.titled(
        "under this order of the SeqCst operations, of those that the memory model leaves open",
        interleaving::lines_of(&names, worst.sc(), columns),
    );
    page.rows(&order::rows(&names, worst));
    page.titled("interleaving, `#0*` is an ordering point of #0", interleaving::lines(&names, columns));
    let also: Vec<_> = others.iter().map(|other| format!("  {}", headline::text(&names, other))).collect();
    page.titled("also", also);
    page.to_string()
}

/// A finding in a line.
pub fn brief(recording: &Recording, finding: &Finding) -> String {
    headline::text(&Names::new(recording), finding)
}
