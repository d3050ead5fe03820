//! Where an ordering point annotation can stand, and which operation it marks.

#![expect(
    clippy::allow_attributes_without_reason,
    clippy::needless_late_init,
    clippy::never_loop,
    clippy::redundant_pattern_matching,
    clippy::single_match,
    clippy::undocumented_unsafe_blocks,
    reason = "the rows are odd on purpose"
)]

use crate::by_hand;

/// A table: the operations that each method of `Row` marks; after `!`, that there is a mistake.
macro_rules! rows {
    ($count:literal rows; $($name:ident => $points:literal;)*) => {
        #[test]
        fn each_annotation_marks_the_last_operation_of_its_statements_value() {
            let rows: Vec<(&str, &str, String)> = vec![
                $((stringify!($name), $points, record(|| _ = Row.$name(), points))),*
            ];
            let wrong: Vec<_> = rows.iter().filter(|(_, expected, found)| expected != found).collect();
            assert!(wrong.is_empty(), "{wrong:#?}");
            assert_eq!(rows.len(), $count);
        }
    };
}

mod annotations;
mod calls;
mod heads;
mod missing;
mod places;
mod statements;

use by_hand::record;
use cdsspec_runtime::record::{SpecificationError, SpecificationErrorKind};

/// The mistakes that a program makes, each with its line.
fn errors(program: impl FnOnce()) -> Vec<(u32, SpecificationErrorKind)> {
    let text = |error: &SpecificationError| (error.marker.line, error.kind.clone());
    record(program, |recording| recording.errors.iter().map(text).collect())
}

/// The line that stands so far below the head of a function of this source.
fn line(source: &str, name: &str, below: u32) -> u32 {
    let position = source.lines().position(|line| line.contains(&format!("fn {name}(")));
    u32::try_from(position.expect("the row is there")).expect("it fits") + 1 + below
}
