//! 600 histories with their verdicts, which another program found by trying all orders.

use cdsspec_linearize::file::{Model, read_json_lines};
use cdsspec_linearize::{Limits, Verdict};
use serde_json::Value;

const GIVEN: &str = include_str!("given.jsonl");

#[test]
fn the_verdicts_of_another_program_are_ours() {
    let histories = read_json_lines(GIVEN, None, None).expect("they are histories");
    let (mut counts, mut pending_count) = ([0; 2], 0);
    for (history, line) in histories.iter().zip(GIVEN.lines()) {
        let line: Value = serde_json::from_str(line).expect("it is JSON");
        let verdict = history.judge(Limits::default());
        let is_linearizable = matches!(verdict, Verdict::Linearizable(_));
        assert_eq!(line["linearizable"], is_linearizable, "{line}");
        assert!(!matches!(verdict, Verdict::Inconclusive(_)));
        counts[usize::from(is_linearizable)] += 1;
        let calls = line["calls"].as_array().expect("it has calls");
        pending_count += usize::from(calls.iter().any(|call| call["returned"].is_null()));
    }
    assert_eq!((histories.len(), counts, pending_count), (600, [221, 379], 268));
    let of = |model| histories.iter().filter(|history| history.model() == model).count();
    let models = [Model::Register, Model::CasRegister, Model::Queue, Model::Stack, Model::Set, Model::Mutex];
    assert_eq!(models.map(of), [103, 112, 102, 98, 89, 96]);
}
