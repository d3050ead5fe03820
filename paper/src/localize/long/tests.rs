//! Each is found, and nothing where it is not.

use super::{Long, LongVisitor, long_faults};
use cdsspec::{Builder, Strategy, Verdict};
use cdsspec_runtime::scenario::Scenario;

/// So many calls of each thread are few.
const FEW: usize = 2;

/// Draws long runs of one of them.
struct Drawn {
    name: &'static str,
    is_there: bool,
}

impl LongVisitor for Drawn {
    fn visit<T: Send + Sync + 'static>(&mut self, long: Long<T>) {
        if long.name != self.name {
            return;
        }
        self.is_there = true;
        let draw = |scenario: &Scenario<T>| {
            let builder = Builder::new().engine("random").memory_model("sc").seed(1).runs(long.runs);
            let program = scenario.clone().initial(&long.initial);
            let program = program.program(&program.matrix(&long.columns));
            builder.strategy(Strategy::Pct { depth: 4 }).check(program)
        };
        let found = draw(&long.scenario);
        assert_eq!(found.verdict, Verdict::Violated, "{}: {found}", long.fault);
        let right = draw(&long.correct);
        assert_eq!((right.verdict, right.executions), (Verdict::HoldsWithin, long.runs), "{right}");
        // The first few calls, in every execution; they are too few for the fault.
        for scenario in [&long.correct, &long.scenario] {
            let few = long.columns.each_ref().map(|calls| calls.iter().take(FEW));
            let whole = Builder::new().check(scenario.program(&scenario.matrix(few)));
            assert_eq!(whole.verdict, Verdict::Holds, "{}: {whole}", long.name);
        }
    }
}

fn is_drawn(name: &'static str) {
    let mut drawn = Drawn { name, is_there: false };
    long_faults(&mut drawn);
    assert!(drawn.is_there, "{name}");
}

#[test]
fn positions_of_8_bits_compared_in_16_are_found() {
    is_drawn("Ring");
}

#[test]
fn a_tag_of_16_bits_that_wraps_is_found() {
    is_drawn("Journal");
}

#[test]
fn a_steal_beside_a_resize_is_found() {
    is_drawn("SharedWork");
}

#[test]
fn a_node_that_is_used_again_after_a_lap_is_found() {
    is_drawn("LapRing");
}

#[test]
fn a_block_that_is_taken_back_too_early_is_found() {
    is_drawn("Blocks");
}

#[test]
fn an_epoch_that_two_threads_disagree_on_is_found() {
    is_drawn("Epochs");
}
