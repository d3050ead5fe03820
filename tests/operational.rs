//! The operational twins of Sc, Tso and Pso agree with machines of others, with each other, and with the axioms.

use crate::litmus_data as data;

use cdsspec_litmus::judge::EFFORT;
use cdsspec_litmus::naive::{Effort, Unrolled, enumerate, enumerate_rounds};
use cdsspec_litmus::operational::OperationalModel::{self, Pso, Sc, Tso};
use cdsspec_litmus::operational::{Bounds, Outcomes, Refusal, count_traces, outcomes};
use cdsspec_litmus::order::with_all_seq_cst;
use cdsspec_litmus::random::{self, Random};
use cdsspec_litmus::syntax::{BLOCKED, Instruction};
use cdsspec_litmus::{Litmus, Setup, parse, run};
use cdsspec_runtime::engine::graph::GraphEngine;
use std::collections::{BTreeMap, BTreeSet};

const SEED: u64 = 20_261_128;

fn within(rounds: usize) -> Bounds {
    Bounds { rounds, ..Bounds::default() }
}

fn on(test: &Litmus, model: OperationalModel, rounds: usize) -> Outcomes {
    outcomes(test, model, within(rounds)).unwrap_or_else(|refusal| panic!("{refusal}\n{test}"))
}

/// Programs that are drawn.
fn programs(draw: fn(&mut Random, String) -> Litmus, count: usize) -> impl Iterator<Item = Litmus> {
    let mut drawn = Random::new(SEED);
    (0..count).map(move |index| draw(&mut drawn, format!("seed {SEED} program {index}")))
}

#[test]
fn the_machines_have_the_outcomes_of_the_machines_outside_on_every_test_without_na() {
    let rows = data::machines();
    let mut state_count = 0;
    for row in &rows {
        for (model, expected) in OperationalModel::ALL.into_iter().zip(&row.outcomes) {
            let found = on(&row.test, model, 0);
            assert_eq!(&found.set, expected, "{model}\n{}", row.test);
            assert!(!found.has_blocked && !found.is_cut, "{model}\n{}", row.test);
            state_count += found.state_count;
        }
    }
    assert_eq!((rows.len(), state_count), (104, 32_070));
}

#[test]
fn a_test_with_na_accesses_is_refused_and_the_location_is_named() {
    let rows = data::rc11().into_iter().chain(data::classic());
    let refusals = rows.filter_map(|row| outcomes(&row.test, Sc, Bounds::default()).err());
    assert_eq!(refusals.count(), 59 + 56 - 104);
    let test = parse("name: n\ninit: x=0 d=0\nT0: W x 1 rlx ; W d 1 na\nshow: d\n").unwrap().remove(0);
    let refusal = count_traces(&test, Bounds::default()).unwrap_err();
    assert_eq!(refusal, Refusal::NonAtomic("d".to_string()));
    assert_eq!(refusal.to_string(), "`d` has `na` accesses: the operational machines know no data races");
}

#[test]
fn a_test_that_is_too_large_is_refused() {
    let test = data::machines().remove(0).test;
    let reached = on(&test, Tso, 0).state_count;
    let bounded = |states_max| outcomes(&test, Tso, Bounds { states_max, ..Bounds::default() });
    assert_eq!(bounded(reached).unwrap().state_count, reached);
    assert_eq!(bounded(reached - 1), Err(Refusal::TooLarge));
    let few = Bounds { states_max: 3, ..Bounds::default() };
    assert_eq!(count_traces(&test, few), Err(Refusal::TooLarge));
    let test = data::loops().remove(0).test;
    assert_eq!(count_traces(&test, Bounds::default()), Err(Refusal::Loop));
}

/// How many programs tell a model from the next.
#[derive(PartialEq, Eq, Debug, Default)]
struct Told {
    sc_from_tso: usize,
    tso_from_pso: usize,
    pso_from_rc11: usize,
}

impl Told {
    /// Each model must allow what the one before it allows.
    fn note(&mut self, test: &Litmus, sets: [&BTreeSet<String>; 4]) {
        let [sc, tso, pso, rc11] = sets;
        assert!(sc.is_subset(tso) && tso.is_subset(pso) && pso.is_subset(rc11), "{test}{sets:?}");
        self.sc_from_tso += usize::from(sc != tso);
        self.tso_from_pso += usize::from(tso != pso);
        self.pso_from_rc11 += usize::from(pso != rc11);
    }
}

#[test]
fn sc_allows_less_than_tso_than_pso_than_rc11_on_every_test_without_na() {
    let rows: Vec<data::Row> = data::rc11().into_iter().chain(data::classic()).collect();
    let mut told = Told::default();
    for data::MachineRow { test, outcomes: [sc, tso, pso] } in &data::machines() {
        let row = rows.iter().find(|row| row.test == *test).unwrap();
        let rc11 = row.counts.keys().cloned().collect();
        told.note(test, [sc, tso, pso, &rc11]);
    }
    assert_eq!(told, Told { sc_from_tso: 8, tso_from_pso: 3, pso_from_rc11: 16 });
}

#[test]
fn sc_allows_less_than_tso_than_pso_than_rc11_on_three_thousand_random_programs() {
    let mut told = Told::default();
    for test in programs(random::queueing_program, 3_000) {
        let [sc, tso, pso] = OperationalModel::ALL.map(|model| on(&test, model, 0).set);
        let rc11 = run(&test, &GraphEngine::new(), &Setup::default()).outcomes.into_iter().collect();
        told.note(&test, [&sc, &tso, &pso, &rc11]);
    }
    assert_eq!(told, Told { sc_from_tso: 375, tso_from_pso: 343, pso_from_rc11: 475 });
}

/// On which machines an outcome is possible, and why.
struct Rule {
    threads: &'static [&'static str],
    shown: &'static str,
    models: &'static [OperationalModel],
}

const NONE: &[OperationalModel] = &[];
const QUEUES: &[OperationalModel] = &[Tso, Pso];
const ONLY_PSO: &[OperationalModel] = &[Pso];

/// Store buffering: this is between a store to `x` or `y` and a load of the other. That both load 0 shows that stores wait.
const fn buffering(threads: &'static [&'static str], models: &'static [OperationalModel]) -> Rule {
    Rule { threads, shown: "a=0 b=0", models }
}

/// Thread 1 sees the store to `y`, and not that to `x` before it.
const fn passing(threads: &'static [&'static str], models: &'static [OperationalModel]) -> Rule {
    Rule { threads, shown: "a=1 b=0", models }
}

const OTHER: &str = "W y 1 sc ; R b x rlx";
const LOOK: &str = "R a y rlx ; R b x rlx";

const RULES: &[Rule] = &[
    // What waits for the queue.
    buffering(&["W x 1 rlx ; R a y rlx", OTHER], QUEUES),
    buffering(&["W x 1 rel ; R a y rlx", OTHER], QUEUES),
    buffering(&["W x 1 rel ; R a y sc", OTHER], QUEUES),
    buffering(&["W x 1 sc ; R a y rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; W z 1 sc ; R a y rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; F acqrel ; R a y rlx", OTHER], QUEUES),
    buffering(&["W x 1 rlx ; F sc ; R a y rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; ADD c z 0 rlx ; R a y rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; XCHG c z 1 rlx ; R a y rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; CAS c z 0 1 rlx rlx ; R a y rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; CAS c z 5 1 rlx rlx ; R a y rlx", OTHER], NONE),
    buffering(&["XCHG c x 1 rlx ; R a y rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; ADD a y 0 rlx", OTHER], NONE),
    buffering(&["W x 1 rlx ; CAS a y 5 1 rlx rlx", OTHER], NONE),
    // A thread reads its own queue: the newest store there.
    buffering(&["W x 1 rlx ; R c x rlx ; R a y rlx", OTHER], QUEUES),
    Rule { threads: &["W x 1 rlx ; R a x rlx"], shown: "a=0", models: NONE },
    Rule { threads: &["W x 1 rlx ; W x 2 rlx ; R a x rlx"], shown: "a=1", models: NONE },
    // Which stores pass which.
    passing(&["W x 1 rlx ; W y 1 rlx", LOOK], ONLY_PSO),
    passing(&["W x 1 rlx ; W y 1 rel", LOOK], NONE),
    passing(&["W x 1 rlx ; W y 1 sc", LOOK], NONE),
    passing(&["W x 1 rlx ; XCHG c y 1 rlx", LOOK], NONE),
    passing(&["W x 1 rel ; W y 1 rlx", LOOK], ONLY_PSO),
    passing(&["W x 1 rlx ; F rel ; W y 1 rlx", LOOK], NONE),
    passing(&["W x 1 rlx ; F acqrel ; W y 1 rlx", LOOK], NONE),
    passing(&["W x 1 rlx ; F acq ; W y 1 rlx", LOOK], ONLY_PSO),
    passing(&["W x 1 rlx ; W z 1 rel ; W y 1 rlx", LOOK], NONE),
    passing(&["W z 1 rel ; W x 1 rlx ; W y 1 rlx", LOOK], ONLY_PSO),
    Rule { threads: &["W x 1 rlx ; W x 2 rlx", "R a x rlx ; R b x rlx"], shown: "a=2 b=1", models: NONE },
    // Loads do not pass loads, nor stores loads, and all threads see one memory.
    Rule { threads: &["R a x rlx ; W y 1 rlx", "R b y rlx ; W x 1 rlx"], shown: "a=1 b=1", models: NONE },
    Rule {
        threads: &["W x 1 rlx", "W y 1 rlx", "R a x rlx ; R b y rlx", "R c y rlx ; R d x rlx"],
        shown: "a=1 b=0 c=1 d=0",
        models: NONE,
    },
];

#[test]
fn each_rule_of_the_machines_has_a_row() {
    for Rule { threads, shown, models } in RULES {
        let names: Vec<&str> = shown.split(' ').map(|part| part.split('=').next().unwrap()).collect();
        let mut text = "name: rule\ninit: x=0 y=0 z=0\n".to_string();
        for (thread, code) in threads.iter().enumerate() {
            text.push_str(&format!("T{thread}: {code}\n"));
        }
        text.push_str(&format!("show: {}\n", names.join(" ")));
        let test = parse(&text).unwrap().remove(0);
        let allows = |model: &OperationalModel| on(&test, *model, 0).set.contains(*shown);
        let allowing: Vec<OperationalModel> = OperationalModel::ALL.into_iter().filter(allows).collect();
        assert_eq!(&allowing[..], *models, "{test}{shown}");
    }
    assert_eq!(RULES.len(), 30);
}

#[test]
fn the_traces_are_as_many_as_the_graphs_of_the_axioms_with_every_order_seq_cst() {
    let tests = data::machines().into_iter().map(|row| row.test);
    let small = programs(random::small_program, 500).chain(programs(random::large_program, 200));
    let waiting = programs(random::blocking_program, 300);
    let mut trace_count = 0;
    // RC11 is sequential consistency where every order is `SeqCst`. Compare-exchanges that had other orders fail spuriously together then.
    for test in tests.chain(small).chain(waiting).map(|test| with_all_seq_cst(&test)) {
        let mut expected = enumerate(&test);
        let blocked = expected.remove(BLOCKED).unwrap_or(0);
        let found = count_traces(&test, Bounds::default()).unwrap();
        assert_eq!((&found.counts, found.blocked), (&expected, blocked), "{test}");
        trace_count += expected.values().sum::<u64>() + blocked;
        let whole = on(&test, Sc, 0);
        let set: BTreeSet<String> = expected.into_keys().collect();
        assert_eq!((whole.set, whole.has_blocked), (set, blocked > 0), "{test}");
    }
    assert_eq!(trace_count, 9_031);
}

/// The location of each access of a thread, and whether it writes. The test has loads and stores only.
fn accesses(code: &[Instruction]) -> Vec<(usize, bool)> {
    let access = |instruction: &Instruction| match instruction {
        Instruction::Read { location, .. } => (location.0, false),
        Instruction::Write { location, .. } => (location.0, true),
        other => panic!("{other:?}"),
    };
    code.iter().map(access).collect()
}

/// All interleavings, as the threads whose turn it is.
fn interleavings(left: &mut [usize], begun: &mut Vec<usize>, all: &mut BTreeSet<Vec<usize>>) {
    if left.iter().all(|&count| count == 0) {
        all.insert(begun.clone());
    }
    for thread in 0..left.len() {
        if left[thread] > 0 {
            left[thread] -= 1;
            begun.push(thread);
            interleavings(left, begun, all);
            begun.pop();
            left[thread] += 1;
        }
    }
}

/// The interleavings that a swap of two independent neighbours makes of this one.
fn swapped(interleaving: &[usize], threads: &[Vec<(usize, bool)>]) -> Vec<Vec<usize>> {
    let access = |at: usize| {
        let thread = interleaving[at];
        let position = interleaving[..at].iter().filter(|&&other| other == thread).count();
        threads[thread][position]
    };
    let is_independent = |&at: &usize| {
        let ((one, one_writes), (other, other_writes)) = (access(at), access(at + 1));
        interleaving[at] != interleaving[at + 1] && (one != other || !one_writes && !other_writes)
    };
    let swap = |at: usize| {
        let mut swapped = interleaving.to_vec();
        swapped.swap(at, at + 1);
        swapped
    };
    (0..interleaving.len().saturating_sub(1)).filter(is_independent).map(swap).collect()
}

/// How many classes of interleavings there are, of which each can be made of each by such swaps: the definition.
fn class_count(test: &Litmus) -> u64 {
    let threads: Vec<_> = test.threads.iter().map(|code| accesses(code)).collect();
    let mut left: Vec<usize> = threads.iter().map(Vec::len).collect();
    let mut all = BTreeSet::new();
    interleavings(&mut left, &mut Vec::new(), &mut all);
    let mut classes = 0;
    while let Some(first) = all.pop_first() {
        classes += 1;
        let mut same = vec![first];
        while let Some(one) = same.pop() {
            same.extend(swapped(&one, &threads).into_iter().filter(|other| all.remove(other)));
        }
    }
    classes
}

#[test]
fn the_traces_are_the_classes_of_interleavings_that_swaps_of_independent_neighbours_make_equal() {
    let mut classes = 0;
    for test in programs(random::small_program, 1_000) {
        let expected = class_count(&test);
        let counts = count_traces(&test, Bounds::default()).unwrap().counts;
        assert_eq!(counts.values().sum::<u64>(), expected, "{test}");
        classes += expected;
    }
    assert_eq!(classes, 6_542);
}

#[test]
fn a_failed_compare_exchange_is_a_read_in_a_trace() {
    let failing = "name: failing\ninit: x=0\nT0: CAS a x 5 6 sc sc\nT1: CAS b x 5 6 sc sc\nshow: a b\n";
    let weak = "name: weak\ninit: x=0\nT0: CASW a x 0 1 sc sc\nT1: R b x rlx\nshow: a b x\n";
    let count = |text: &str, has_spurious_failures| {
        let test = parse(text).unwrap().remove(0);
        count_traces(&test, Bounds { has_spurious_failures, ..Bounds::default() }).unwrap().counts
    };
    assert_eq!(count(failing, true), BTreeMap::from([("a=0 b=0".to_string(), 1)]));
    let expected = [("a=0 b=0 x=1".to_string(), 1), ("a=0 b=1 x=1".to_string(), 1)];
    assert_eq!(count(weak, false), BTreeMap::from(expected.clone()));
    let spurious = [("a=0 b=0 x=0".to_string(), 1)];
    assert_eq!(count(weak, true), expected.into_iter().chain(spurious).collect());
}

#[test]
fn loops_are_followed_for_their_rounds_as_by_the_axioms() {
    let (mut outcome_count, mut cut_count, mut more) = (0, 0, 0);
    for row in data::loops() {
        let expected = enumerate_rounds(&with_all_seq_cst(&row.test), row.rounds, Effort::UNBOUNDED).unwrap();
        let sc = on(&row.test, Sc, row.rounds);
        let set: BTreeSet<String> = expected.outcomes().into_iter().map(str::to_owned).collect();
        assert_eq!((&sc.set, sc.is_cut), (&set, expected.is_cut), "{} rounds\n{}", row.rounds, row.test);
        let (tso, pso) = (on(&row.test, Tso, row.rounds), on(&row.test, Pso, row.rounds));
        let rc11: BTreeSet<String> = row.outcomes.into_iter().collect();
        assert!(sc.set.is_subset(&tso.set) && tso.set.is_subset(&pso.set), "{}", row.test);
        assert!(pso.set.is_subset(&rc11) && (row.is_cut || !pso.is_cut), "{}", row.test);
        outcome_count += pso.set.len();
        cut_count += usize::from(pso.is_cut);
        more += usize::from(sc.set != pso.set);
    }
    assert_eq!((outcome_count, cut_count, more), (108, 60, 6));
}

#[test]
fn random_loops_and_locks_are_those_of_the_axioms() {
    let (mut too_large, mut outcome_count, mut cut_count) = (0, 0, 0);
    for test in programs(random::looping_program, 1_000) {
        for rounds in 1..=2 {
            let all_sc = with_all_seq_cst(&test);
            let expected =
                (enumerate_rounds(&all_sc, rounds, EFFORT), enumerate_rounds(&test, rounds, EFFORT));
            let (Ok(sc_expected), Ok(rc11)) = expected else {
                too_large += 1;
                continue;
            };
            let [sc, tso, pso] = OperationalModel::ALL.map(|model| on(&test, model, rounds));
            let all = |unrolled: &Unrolled| -> BTreeSet<String> {
                unrolled.outcomes().into_iter().map(str::to_owned).collect()
            };
            assert_eq!((&sc.set, sc.is_cut), (&all(&sc_expected), sc_expected.is_cut), "{rounds}\n{test}");
            assert!(sc.set.is_subset(&tso.set) && tso.set.is_subset(&pso.set), "{rounds}\n{test}");
            assert!(pso.set.is_subset(&all(&rc11)) && (rc11.is_cut || !pso.is_cut), "{rounds}\n{test}");
            outcome_count += pso.set.len();
            cut_count += usize::from(pso.is_cut);
        }
    }
    assert_eq!((too_large, outcome_count, cut_count), (74, 2_895, 1_740));
}
