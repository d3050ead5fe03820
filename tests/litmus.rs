//! Every litmus test on the rc11 engine: outcomes and counts, in every order of creation and scheduling, each graph once and
//! consistent.

use crate::litmus_data as data;

use cdsspec_litmus::random::Random;
use cdsspec_litmus::recheck::{self, CanonicalForm};
use cdsspec_litmus::syntax::RACE;
use cdsspec_litmus::{LitmusResult, Loops, ParseError, Setup, parse, run, run_looking};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::graph::{GraphEngine, Options};
use cdsspec_runtime::engine::loom::LoomEngine;
use data::Row;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The engine as these tests want it: racy executions are counted whole.
fn engine(scheduling_seed: Option<u64>) -> GraphEngine {
    let options = Options { goes_on_after_race: true, scheduling_seed, ..Options::default() };
    GraphEngine::with_options(options)
}

fn rows() -> Vec<Row> {
    let rows: Vec<Row> = data::rc11().into_iter().chain(data::classic()).collect();
    assert_eq!(rows.len(), 59 + 56);
    rows
}

/// What differs from what is expected; of a racy test, only the outcomes count.
fn difference(row: &Row, result: &LitmusResult) -> Option<String> {
    let is_racy = row.counts.contains_key(RACE);
    let is_same = if is_racy {
        row.counts.keys().eq(&result.outcomes)
    } else {
        row.counts == result.counts && result.executions == row.counts.values().sum::<u64>()
    };
    let verdict = if is_racy { Verdict::Race } else { Verdict::Holds };
    if is_same && result.blocked == 0 && result.verdict == verdict {
        return None;
    }
    Some(format!("{}expected {:?}\nfound {result:?}\n", row.test, row.counts))
}

#[test]
fn every_litmus_test_has_its_outcomes_and_counts_on_rc11() {
    let rows = rows();
    let differences: Vec<String> = rows
        .iter()
        .filter_map(|row| difference(row, &run(&row.test, &engine(None), &Setup::default())))
        .collect();
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), rows.len(), differences.join("\n"));
}

#[test]
fn counts_depend_neither_on_the_order_of_creation_nor_on_that_of_scheduling() {
    let mut random = Random::new(2026);
    for row in rows() {
        for _ in 0..10 {
            let seed = random.number();
            let order = random.permutation(row.test.threads.len());
            let setup = Setup { creation_order: Some(order.clone()), ..Setup::default() };
            let result = run(&row.test, &engine(Some(seed)), &setup);
            let difference = difference(&row, &result);
            assert_eq!(difference, None, "seed {seed}, created in the order {order:?}");
        }
    }
}

#[test]
fn every_explored_graph_is_consistent_and_is_explored_once() {
    let graph_count = Rc::new(RefCell::new(0_u64));
    for row in rows() {
        let seen = RefCell::new(BTreeSet::new());
        let name = row.test.name.clone();
        let counted = graph_count.clone();
        let result = run_looking(&row.test, &engine(None), &Setup::default(), move |recording| {
            let mo = recording.modification_order.as_ref().expect("rc11 knows the modification order");
            assert_eq!(recheck::check(recording, mo), Ok(()), "{name}: {recording:#?}");
            let form = CanonicalForm::new(recording, mo);
            assert!(seen.borrow_mut().insert(form), "{name}: explored twice: {recording:#?}");
            *counted.borrow_mut() += 1;
        });
        assert_eq!(result.blocked, 0);
    }
    let expected: u64 = rows().iter().flat_map(|row| row.counts.values()).sum();
    let racy: u64 =
        rows().iter().filter(|row| row.counts.contains_key(RACE)).map(|row| row.counts.len() as u64).sum();
    assert!(*graph_count.borrow() >= expected / 2 + racy, "{graph_count:?}");
}

/// Tests that loom gets right: no SeqCst accesses, few threads, no stale compare-exchange.
#[test]
fn the_same_programs_have_the_same_outcomes_on_loom_where_loom_is_exact() {
    let exact =
        ["SB+rlx", "SB+relacq", "SB+scfence", "MP+rlx", "MP+relacq", "MP+fences", "MP+rs+rmw", "LB+rlx"];
    let exact =
        [&exact[..], &["CoRR", "CoWW", "WRC+relacq", "CAS2", "FADD3", "MP+na+relacq", "MP+na+rlx"]].concat();
    let rows = data::rc11();
    for name in &exact {
        let row = rows.iter().find(|row| row.test.name == *name).expect("it is there");
        let result = run(&row.test, &LoomEngine::new(), &Setup::default());
        let is_found = row.counts.keys().eq(&result.outcomes);
        // loom stops at a race.
        let is_race = row.counts.contains_key(RACE) && result.verdict == Verdict::Race;
        assert!(is_found || is_race, "{name}: {:?} instead of {:?}", result.outcomes, row.counts);
    }
}

fn mistake(text: &str) -> String {
    parse(text).expect_err("it is wrong").to_string()
}

/// A test with this thread.
fn thread(code: &str) -> String {
    format!("name: t\ninit: x=0 d=0\nT0: R a x rlx ; {code}\nshow: a\n")
}

#[test]
fn a_mistake_is_named_with_its_line_and_token() {
    let table = [
        ("".to_string(), "line 1: there is no test here"),
        ("init: x=0".to_string(), "line 1: `init`: a test begins with `name:`"),
        ("name:".to_string(), "line 1: a test has a name"),
        ("name: t\ninit: x".to_string(), "line 2: `x`: a location and its first value are written `x=0`"),
        ("name: t\ninit: x=a".to_string(), "line 2: `x=a`: a first value is a number"),
        ("name: t\ninit: x=0 x=1".to_string(), "line 2: `x=1`: this location has a first value already"),
        ("name: t\nT0: F sc".to_string(), "line 2: `T0`: `init:` comes before the threads"),
        (
            "name: t\ninit: x=0\nT1: F sc".to_string(),
            "line 3: `T1`: the threads are T0, T1 and so on, in this order",
        ),
        ("name: t\ninit: x=0\nshow: x".to_string(), "line 1: `t`: this test has no threads"),
        ("name: t\ninit: x=0\nT0: F sc".to_string(), "line 1: `t`: this test has no `show:`"),
        (
            "name: t\ninit: x=0\nT0: F sc\nshow: b".to_string(),
            "line 4: `b`: there is no register or location of this name",
        ),
        (
            "name: t\n# c\nexists: x".to_string(),
            "line 3: `exists`: a line begins with `name:`, `init:`, `T0:` and so on, `show:` or `note:`",
        ),
        (
            thread("LOAD b x rlx"),
            "line 3: `LOAD`: the instructions are W, R, F, ADD, XCHG, CAS, CASW, AWAIT, LOCK, UNLOCK, IF, LOOP, MOV, CALL, POINT and CLEAR",
        ),
        (thread("R b z rlx"), "line 3: `z`: this location has no first value in `init:`"),
        (thread("R b x relaxed"), "line 3: `relaxed`: the orders are rlx, acq, rel, acqrel, sc and na"),
        (thread("R b x rel"), "line 3: `rel`: a load cannot release"),
        (thread("W x 1 acq"), "line 3: `acq`: a store cannot acquire"),
        (thread("F rlx"), "line 3: `rlx`: a relaxed fence does nothing"),
        (thread("ADD b x 1 na"), "line 3: `na`: only loads and stores can be non-atomic"),
        (thread("CAS b x 0 1 acqrel acqrel"), "line 3: `acqrel`: a load cannot release"),
        (thread("W x b rlx"), "line 3: `b`: this thread may not have written this register"),
        (
            thread("IF a 1 { R b x rlx } ; W x b rlx"),
            "line 3: `b`: this thread may not have written this register",
        ),
        (thread("W x"), "line 3: a value is missing"),
        (thread("W x 1"), "line 3: an order is missing"),
        (thread("W x 1 rlx W x 2 rlx"), "line 3: `W`: `;` separates instructions"),
        (thread("IF a 1 { W x 1 rlx"), "line 3: a `}` is missing"),
        (thread("W x 1 rlx }"), "line 3: `}`: there is no `{` that this closes"),
        (thread("IF a 1 W x 1 rlx"), "line 3: `W`: `{` follows the condition of an IF"),
        (thread("LOOP a 1 R a x rlx"), "line 3: `R`: `{` follows the condition of a LOOP"),
        (thread("LOOP a 1 { R a x rlx"), "line 3: a `}` is missing"),
        (thread("LOOP b 1 { F sc }"), "line 3: `b`: this thread may not have written this register"),
        (
            thread("LOOP a 1 { IF a 2 { MOV b 1 } } ; MOV c b"),
            "line 3: `b`: this thread may not have written this register",
        ),
        (
            thread("LOOP a 1 { LOCK d ; R a x rlx }"),
            "line 3: `LOOP`: its body frees the locks that it takes, and no others",
        ),
        (thread("CALL { CALL { F sc } }"), "line 3: `CALL`: there is no call within a call"),
        (thread("CALL F sc"), "line 3: `F`: `{` follows a CALL"),
        (thread("R b x rlx ; POINT"), "line 3: `POINT`: a marker stands in a call, behind an access"),
        (thread("CALL { MOV b 1 ; CLEAR }"), "line 3: `CLEAR`: a marker stands in a call, behind an access"),
        (thread("MOV b"), "line 3: a value is missing"),
        (thread("W x 1 na"), "line 3: `x`: this location is accessed in another way, too"),
    ];
    for (text, message) in table {
        assert_eq!(mistake(&text), message, "{text}");
    }
    let error = ParseError { line: 3, token: "x".to_string(), message: "no" };
    assert_eq!(error.to_string(), "line 3: `x`: no");
}

#[test]
fn conditions_nest_and_spaces_are_free() {
    let text = "name: n # c\nnote: a remark: with a colon\ninit: x=-1\nT0:R a x rlx;IF a -1{R b x sc;IF b -1{W x 5 rel;};W x a rlx}\nshow: a b x\n";
    let test = parse(text).unwrap().remove(0);
    let again = "name: n\ninit: x=-1\nT0: R a x rlx ; IF a -1 { R b x sc ; IF b -1 { W x 5 rel } ; W x a rlx }\nshow: a b x\n";
    assert_eq!(test.to_string(), again);
    let result = run(&test, &engine(None), &Setup::default());
    assert_eq!(result.outcomes, ["a=-1 b=-1 x=-1"]);
}

#[test]
fn a_loop_runs_its_block_until_the_register_has_the_value_after_it() {
    let text = "name: l\ninit: x=0\nT0:MOV w 2;LOOP n w{ADD n x 1 rlx;IF n 0{MOV f n};MOV last n}\nshow: n f last w x\n";
    let test = parse(text).unwrap().remove(0);
    let again = "name: l\ninit: x=0\nT0: MOV w 2 ; LOOP n w { ADD n x 1 rlx ; IF n 0 { MOV f n } ; MOV last n }\nshow: n f last w x\n";
    assert_eq!(test.to_string(), again);
    for loops in [Loops::Hinted, Loops::Bare, Loops::Unrolled(3)] {
        let result = run(&test, &engine(None), &Setup { loops, ..Setup::default() });
        assert_eq!((&*result.outcomes, result.cut), (&["n=2 f=0 last=2 w=2 x=3".to_owned()][..], false));
    }
    let result = run(&test, &engine(None), &Setup { loops: Loops::Unrolled(2), ..Setup::default() });
    assert_eq!((result.outcomes.len(), result.cut, result.executions), (0, true, 0));
}

/// The outcomes that RC11 allows, of which the engine and the axioms by brute force say the same.
fn outcomes(text: &str) -> Vec<String> {
    let test = parse(text).expect("it is a litmus test").remove(0);
    let result = run(&test, &engine(None), &Setup::default());
    assert_eq!(result.counts, cdsspec_litmus::naive::enumerate(&test), "{text}");
    result.outcomes
}

/// `docs/survivors.md`: why nothing shows that `push` of the Chase-Lev deque acquires `top`. A thief reads the slot and moves `top`; the owner sees
/// that and reuses the slot. That the thief got the new item is a cycle of program order and reads-from.
#[test]
fn who_reuses_a_slot_that_was_left_is_not_read_before_even_if_it_does_not_acquire() {
    let owner = "T1: R b top rlx ; IF b 1 { W slot 2 rlx }\nshow: a b\n";
    let thief = "name: slot\ninit: slot=1 top=0\nT0: R a slot rlx ; ADD c top 1 rlx\n";
    assert_eq!(outcomes(&format!("{thief}{owner}")), ["a=1 b=0", "a=1 b=1"]);
    let hasty = "name: slot\ninit: slot=1 top=0\nT0: ADD c top 1 rlx ; R a slot rlx\n";
    assert_eq!(outcomes(&format!("{hasty}{owner}")), ["a=1 b=0", "a=1 b=1", "a=2 b=1"], "the order matters");
}

/// `docs/survivors.md`: why nothing shows that the exchange in `steal` of the Chase-Lev deque is `SeqCst`. A thief moves `top`; the owner moves `bottom` and
/// does not see that; another thief sees `top` moved, and `bottom` not: both would take the item. The two fences alone forbid it in RC11, as in
/// C++20, where fences order what was read before them, too; the exchange may be relaxed for that.
#[test]
fn two_fences_keep_a_thief_and_the_owner_apart_whatever_the_order_of_the_exchange_between_them() {
    let program = |exchange: &str, fence: &str| {
        format!(
            "name: top\ninit: bottom=1 top=0\nT0: W bottom 0 rlx ; {fence} ; R a top rlx\nT1: ADD d top 1 {exchange}\nT2: R b top rlx ; {fence} ; R c bottom rlx\nshow: a b c\n"
        )
    };
    let both_take = "a=0 b=1 c=1".to_owned();
    for exchange in ["rlx", "acqrel", "sc"] {
        let allowed = outcomes(&program(exchange, "F sc"));
        assert_eq!((allowed.len(), allowed.contains(&both_take)), (7, false), "{exchange}: {allowed:?}");
    }
    assert!(outcomes(&program("sc", "F acqrel")).contains(&both_take));
}
