//! Reports in words. What is said of a run is all in the value [`Report`](super::Report): nothing here sees a recording.
//!
//! No line is wider than it is to be, but for the path of a file that does not fit: 100 columns in a text that is kept, those of the terminal
//! in what is printed ([`Text`]).

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
mod misuse;
mod name;
mod note;
mod order;
mod page;
mod passed;
mod phrase;
mod smallest;
mod stuck;
mod table;
mod thread_table;
mod width;

pub(crate) use bug::bug;
pub use coverage::{bound_texts, so_far, whole};
pub(crate) use crash::crash;
pub use example_table::{ExampleRow, ExampleTable};
pub use listing::listing;
pub use note::note;
pub(crate) use passed::passed;
pub use stuck::stuck;
pub use table::grouped_table;
pub use width::{Text, paragraph};

use super::ReportedExecution;
use name::Names;
use page::Page;

/// All that can be said of one execution: its worst finding in full, the others in a line each.
pub(super) fn describe(execution: &ReportedExecution, columns: usize) -> String {
    let names = Names::new(execution);
    let finding = &execution.finding;
    let mut page = Page::new(columns);
    page.headline(&headline::text(&names, finding));
    page.rows(&fact::rows(&names));
    page.block(thread_table::lines(&names, &fact::marked(&finding.kind), columns));
    page.titled(
        "under this order of the SeqCst operations, of those that the memory model leaves open",
        interleaving::lines_of(&names, fact::chosen_sc(&finding.kind), columns),
    );
    page.rows(&order::rows(&names));
    page.titled("interleaving, `#0*` is an ordering point of #0", interleaving::lines(&names, columns));
    let also: Vec<_> =
        execution.also.iter().map(|other| format!("  {}", headline::text(&names, other))).collect();
    page.titled("also", also);
    page.to_string()
}
