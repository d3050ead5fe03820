//! The data types of table 1, in LSL.

use cdsspec_fence::lsl::parse;
use cdsspec_fence::lsl::syntax::ProcedureName;
use cdsspec_fence::notation::{DataType, Letter};

/// A data type, and how its candidate fences are called, in the order of their sites.
pub(super) struct Implementation {
    /// As in table 1.
    pub(super) name: &'static str,
    text: &'static str,
    /// Each fence, and a test that fails without it alone.
    pub(super) fences: &'static [(&'static str, &'static str)],
    /// The tests that hold on Relaxed without any fence.
    pub(super) holds_unfenced: &'static [&'static str],
}

pub(super) const IMPLEMENTATIONS: [Implementation; 2] = [
    Implementation {
        name: "ms2",
        text: include_str!("implementations/ms2.lsl"),
        fences: &[
            ("store-store, before a node is linked", "T0"),
            ("load-load, before a node's value is read", "T0"),
        ],
        holds_unfenced: &["Ti2"],
    },
    Implementation {
        name: "msn",
        text: include_str!("implementations/msn.lsl"),
        fences: &[
            ("store-store, line 29", "T0"),
            ("load-load, line 32", "Ti2"),
            ("load-load, line 34", "T1"),
            ("store-store, line 44", "T0"),
            ("load-load, line 53", "T1"),
            ("load-load, line 55", "T0"),
            ("load-load, line 57", "T1"),
        ],
        holds_unfenced: &[],
    },
];

/// A test of figure 8.
pub(super) struct NamedTest {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

const fn named(name: &'static str, text: &'static str) -> NamedTest {
    NamedTest { name, text }
}

/// The queue tests. Of Tpc5, Tpc6 and T53 to T55 the paper's figure has lost letters: they are taken to have as many `e` as `d` where that is the pattern.
pub(super) const QUEUE_TESTS: [NamedTest; 13] = [
    named("T0", "( e | d )"),
    named("T1", "( e | e | d | d )"),
    named("Ti2", "e ( ed | de )"),
    named("Ti3", "e ( de | dde )"),
    named("Tpc2", "( ee | dd )"),
    named("Tpc3", "( eee | ddd )"),
    named("Tpc4", "( eeee | dddd )"),
    named("Tpc5", "( eeeee | ddddd )"),
    named("Tpc6", "( eeeeee | dddddd )"),
    named("T53", "( eeee | d | d )"),
    named("T54", "( eee | e | d | d )"),
    named("T55", "( ee | e | e | d | d )"),
    named("T56", "( e | e | e | e | d | d )"),
];

impl Implementation {
    /// The data type, which is a queue.
    pub(super) fn data_type(&self) -> DataType {
        let letter = |name: &str, procedure: &str| Letter {
            name: name.to_owned(),
            procedure: ProcedureName::from(procedure),
            arguments: None,
        };
        DataType {
            implementation: parse(self.text).expect("our own text is a program"),
            prepare: ProcedureName::from("init_queue"),
            letters: vec![letter("e", "enqueue"), letter("d", "dequeue")],
            arguments: vec![0.into(), 1.into()],
        }
    }
}
