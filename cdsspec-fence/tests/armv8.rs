//! Armv8: outcomes that the literature allows or forbids, and that nothing but load buffering is allowed there which RC11 forbids.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::litmus::{Litmus, RACE, parse};
use cdsspec_fence::lsl;
use cdsspec_fence::memory_model::MemoryModel;
use std::collections::BTreeSet;

fn outcomes(test: &Litmus, model: MemoryModel) -> BTreeSet<String> {
    let mined = Exploration::new(&test.program, Settings::new(model)).observations().unwrap();
    assert!(!mined.is_bounded);
    test.outcomes(&mined.set)
}

/// Threads, what is shown, an outcome, and whether it is allowed. From Pulte et al. (POPL 2018), Alglave, Maranget and Tautschnig, *Herding cats*
/// (TOPLAS 2014), and Maranget, Sarkar and Sewell's tutorial introduction to the Arm and Power models: the shapes are there by these names.
const ROWS: [(&str, &str, &str, &str, bool); 35] = [
    ("MP", "W x 1 rlx ; W y 1 rlx | R a y rlx ; R b x rlx", "a b", "a=1 b=0", true),
    ("MP+rel+acq", "W x 1 rlx ; W y 1 rel | R a y acq ; R b x rlx", "a b", "a=1 b=0", false),
    ("MP+rel+po", "W x 1 rlx ; W y 1 rel | R a y rlx ; R b x rlx", "a b", "a=1 b=0", true),
    ("MP+po+acq", "W x 1 rlx ; W y 1 rlx | R a y acq ; R b x rlx", "a b", "a=1 b=0", true),
    (
        "MP+dmb+dmb.ld",
        "W x 1 rlx ; F rel ; W y 1 rlx | R a y rlx ; F acq ; R b x rlx",
        "a b",
        "a=1 b=0",
        false,
    ),
    (
        "MP+dmb+ctrl",
        "W x 1 rlx ; F rel ; W y 1 rlx | R a y rlx ; MOV b 7 ; IF a 1 { R b x rlx }",
        "a b",
        "a=1 b=0",
        true,
    ),
    ("SB", "W x 1 rlx ; R a y rlx | W y 1 rlx ; R b x rlx", "a b", "a=0 b=0", true),
    ("SB+dmbs", "W x 1 rlx ; F sc ; R a y rlx | W y 1 rlx ; F sc ; R b x rlx", "a b", "a=0 b=0", false),
    ("SB+dmb.lds", "W x 1 rlx ; F acq ; R a y rlx | W y 1 rlx ; F acq ; R b x rlx", "a b", "a=0 b=0", true),
    ("SB+rel+acq", "W x 1 rel ; R a y acq | W y 1 rel ; R b x acq", "a b", "a=0 b=0", false),
    ("SB+rel+po", "W x 1 rel ; R a y rlx | W y 1 rel ; R b x rlx", "a b", "a=0 b=0", true),
    ("LB", "R a x rlx ; W y 1 rlx | R b y rlx ; W x 1 rlx", "a b", "a=1 b=1", true),
    ("LB+data+po", "R a x rlx ; W y a rlx | R b y rlx ; W x 1 rlx", "a b", "a=1 b=1", true),
    ("LB+datas", "R a x rlx ; W y a rlx | R b y rlx ; W x b rlx", "a b", "a=1 b=1", false),
    (
        "LB+ctrls",
        "R a x rlx ; IF a 1 { W y 1 rlx } | R b y rlx ; IF b 1 { W x 1 rlx }",
        "a b",
        "a=1 b=1",
        false,
    ),
    ("LB+rel+rel", "R a x rlx ; W y 1 rel | R b y rlx ; W x 1 rel", "a b", "a=1 b=1", false),
    ("LB+acq+po", "R a x acq ; W y 1 rlx | R b y rlx ; W x 1 rlx", "a b", "a=1 b=1", true),
    ("LB+acqs", "R a x acq ; W y 1 rlx | R b y acq ; W x 1 rlx", "a b", "a=1 b=1", false),
    ("S", "W x 2 rlx ; W y 1 rlx | R a y rlx ; W x 1 rlx", "a x", "a=1 x=2", true),
    ("S+rel+data", "W x 2 rlx ; W y 1 rel | R a y rlx ; W x a rlx", "a x", "a=1 x=2", false),
    ("S+rel+ctrl", "W x 2 rlx ; W y 1 rel | R a y rlx ; IF a 1 { W x 1 rlx }", "a x", "a=1 x=2", false),
    ("R", "W x 1 rlx ; W y 1 rlx | W y 2 rlx ; R a x rlx", "a y", "a=0 y=2", true),
    ("R+dmbs", "W x 1 rlx ; F sc ; W y 1 rlx | W y 2 rlx ; F sc ; R a x rlx", "a y", "a=0 y=2", false),
    ("2+2W", "W x 1 rlx ; W y 2 rlx | W y 1 rlx ; W x 2 rlx", "x y", "x=1 y=1", true),
    ("2+2W+rels", "W x 1 rlx ; W y 2 rel | W y 1 rlx ; W x 2 rel", "x y", "x=1 y=1", false),
    ("CoRR", "W x 1 rlx | R a x rlx ; R b x rlx", "a b", "a=1 b=0", false),
    ("CoRW1", "R a x rlx ; W x 1 rlx", "a", "a=1", false),
    ("CoRW2", "R a x rlx ; W x 1 rlx | W x 2 rlx", "a x", "a=1 x=2", false),
    ("CoWR", "W x 1 rlx ; R a x rlx | W x 2 rlx", "a x", "a=2 x=1", false),
    ("WRC", "W x 1 rlx | R a x rlx ; W y 1 rlx | R b y rlx ; R c x rlx", "a b c", "a=1 b=1 c=0", true),
    (
        "WRC+data+acq",
        "W x 1 rlx | R a x rlx ; W y a rlx | R b y acq ; R c x rlx",
        "a b c",
        "a=1 b=1 c=0",
        false,
    ),
    (
        "IRIW",
        "W x 1 rlx | W y 1 rlx | R a x rlx ; R b y rlx | R c y rlx ; R d x rlx",
        "a b c d",
        "a=1 b=0 c=1 d=0",
        true,
    ),
    (
        "IRIW+acqs",
        "W x 1 rlx | W y 1 rlx | R a x acq ; R b y rlx | R c y acq ; R d x rlx",
        "a b c d",
        "a=1 b=0 c=1 d=0",
        false,
    ),
    (
        "ISA2+rel+data+acq",
        "W x 1 rlx ; W y 1 rel | R a y rlx ; W z a rlx | R b z acq ; R c x rlx",
        "a b c",
        "a=1 b=1 c=0",
        false,
    ),
    ("SB+rmws", "XCHG a x 1 rlx ; R b y rlx | XCHG c y 1 rlx ; R d x rlx", "b d", "b=0 d=0", true),
];

#[test]
fn outcomes_are_those_of_the_literature() {
    for (name, threads, shown, outcome, is_allowed) in ROWS {
        let threads: String =
            threads.split('|').enumerate().map(|(thread, code)| format!("T{thread}: {code}\n")).collect();
        let text = format!("name: {name}\ninit: x=0 y=0 z=0\n{threads}show: {shown}\n");
        let test = parse(&text).unwrap().remove(0);
        let found = outcomes(&test, MemoryModel::Armv8);
        assert_eq!(found.contains(outcome), is_allowed, "{name}: {found:?}");
    }
}

#[test]
fn a_load_through_a_loaded_pointer_is_not_early() {
    let program = |order: &str| {
        let text = format!(
            "global x = 0 global y = 0 global p = &y
             proc write()() {{ x = &x p = &p one = 1 *x = one *p = x {order} }}
             proc read()(q, v) {{ p = &p q = *p v = *q }}
             thread {{ write()() }} thread {{ read()() }}"
        );
        lsl::parse(&text).unwrap()
    };
    for (order, count) in [("rel", 2), ("", 3)] {
        let program = program(order);
        let mined = Exploration::new(&program, Settings::new(MemoryModel::Armv8)).observations().unwrap();
        assert_eq!(mined.set.observations.len(), count, "{order}");
    }
}

#[test]
fn only_load_buffering_is_allowed_that_rc11_forbids() {
    let files =
        [include_str!("../../tests/litmus/rc11.litmus"), include_str!("../../tests/litmus/classic.litmus")];
    let tests: Vec<Litmus> = files.into_iter().flat_map(|text| parse(text).unwrap()).collect();
    assert_eq!(tests.len(), 115);
    let [mut compared, mut buffering, mut stronger] = [0; 3];
    for test in tests {
        let rc11 = outcomes(&test, MemoryModel::Rc11);
        // What races means nothing under RC11.
        if rc11.contains(RACE) {
            continue;
        }
        let acyclic = outcomes(&test, MemoryModel::Armv8NoLoadBuffering);
        assert!(acyclic.is_subset(&rc11), "{}: {acyclic:?}", test.name);
        let all = outcomes(&test, MemoryModel::Armv8);
        assert!(acyclic.is_subset(&all), "{}: {all:?}", test.name);
        compared += 1;
        buffering += usize::from(!all.is_subset(&rc11));
        stronger += usize::from(!rc11.is_subset(&all));
    }
    assert_eq!([compared, buffering, stronger], [112, 6, 20]);
}
