//! Small histories: what is found is held against brute force.

use cdsspec::Scenario;
use cdsspec::lineup::{LineUp, Precedence};
use cdsspec::localize::Localize;
use cdsspec::localize::model::{Set, SetOperation};
use cdsspec::scenario::{Matrix, Value};
use cdsspec::sync::atomic::{AtomicUsize, Ordering::SeqCst};

const END: usize = 4;

/// A list as that of example 2, without a lock; and without a specification, which the naive machine could not run.
struct Bare([AtomicUsize; END]);

impl Bare {
    fn find(&self, key: usize) -> (usize, usize) {
        let (mut before, mut node) = (0, self.0[0].load(SeqCst));
        while node < key {
            (before, node) = (node, self.0[node].load(SeqCst));
        }
        (before, node)
    }

    fn add(&self, key: usize) -> bool {
        let (before, node) = self.find(key);
        if node != key {
            self.0[key].store(node, SeqCst);
            self.0[before].store(key, SeqCst);
        }
        node != key
    }
}

fn scenario() -> Scenario<Bare> {
    Scenario::new(|| Bare(std::array::from_fn(|_| AtomicUsize::new(END))))
        .op_for("add", 1..END, |list, key| list.add(key).into())
        .op_for("contains", 1..END, |list, key| (list.find(key).1 == key).into())
}

/// The call as one of a set of numbers.
pub(super) fn translate(name: &str, value: &Value) -> Option<(SetOperation<i64>, bool)> {
    let (method, key) = name.trim_end_matches(')').split_once('(')?;
    let key: i64 = key.parse().ok()?;
    let operation = if method == "add" { SetOperation::Add(key) } else { SetOperation::Contains(key) };
    let Value::Bool(result) = value else { return None };
    Some((operation, *result))
}

/// All matrices that make some of the calls at once of another one, but not all, and its other calls as it does.
fn with_fewer(matrix: &Matrix) -> Vec<Matrix> {
    let count: usize = matrix.columns.iter().map(Vec::len).sum();
    let without = |kept: u32| {
        let mut smaller = matrix.clone();
        let mut call = 0;
        for column in &mut smaller.columns {
            column.retain(|_| {
                call += 1;
                kept >> (call - 1) & 1 == 1
            });
        }
        smaller.columns.retain(|column| !column.is_empty());
        smaller
    };
    (0..(1 << count) - 1).map(without).collect()
}

/// In histories of 2 x 3 calls: the test case fails by a naive machine that goes through all interleavings, and none with fewer of the calls at once does.
#[test]
fn a_naive_machine_agrees_on_histories_of_six_calls() {
    let lineup = LineUp::new(scenario()).precedence(Precedence::RealTime);
    let is_refuted = |matrix: &Matrix| Some(lineup.compare(matrix, 100_000)?.refuted?.1);
    let (mut found, mut smaller) = (0, 0);
    for seed in 0..20 {
        let localize = Localize::of(scenario()).calls(3).runs(5).seed(seed);
        let localization = localize.against(Set::new(), translate).run();
        let Some(fault) = &localization.fault else { continue };
        found += 1;
        assert_eq!(is_refuted(&fault.smallest), Some(true), "{localization}");
        for matrix in with_fewer(&fault.smallest) {
            smaller += 1;
            assert_eq!(is_refuted(&matrix), Some(false), "{localization}\n{matrix}");
        }
    }
    assert_eq!((found, smaller), (15, 45));
}
