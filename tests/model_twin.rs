//! Engines under a memory model, before the operational twin of that model.

use crate::litmus_data as data;

use cdsspec_litmus::judge::{
    Ask, Judgement, Question, judge_and_shrink_by, judge_machine, judge_traces, judge_within,
};
use cdsspec_litmus::operational::OperationalModel::{self, Pso, Sc, Tso};
use cdsspec_litmus::operational::{Bounds, outcomes};
use cdsspec_litmus::order::with_all_seq_cst;
use cdsspec_litmus::random::{self, Random};
use cdsspec_litmus::{Litmus, LitmusResult, Loops, Setup, run};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::graph::{GraphEngine, MemoryModel, Options};

const SEED: u64 = 20_261_128;

/// A number from the environment, or the default one.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("it is a number"))
}

/// Programs that are drawn, so many of them. `TWIN_SEED` and `TWIN_FACTOR` draw others, and more.
fn programs(draw: fn(&mut Random, String) -> Litmus, count: u64) -> impl Iterator<Item = Litmus> {
    let (seed, count) = (setting("TWIN_SEED", SEED), count * setting("TWIN_FACTOR", 1));
    println!("seed {seed}, {count} programs");
    drawn(draw, seed, count)
}

fn drawn(draw: fn(&mut Random, String) -> Litmus, seed: u64, count: u64) -> impl Iterator<Item = Litmus> {
    let mut random = Random::new(seed);
    (0..count).map(move |index| draw(&mut random, format!("seed {seed} program {index}")))
}

/// All tests without `na` accesses, and three thousand random programs.
fn all_programs() -> impl Iterator<Item = Litmus> {
    let tests = data::machines().into_iter().map(|row| row.test);
    tests.chain(programs(random::queueing_program, 3_000))
}

/// Judges each of the tests; the first on which engine and twin differ is made as small as it can be.
fn judge_all(tests: impl Iterator<Item = Litmus>, judge: impl Fn(&Litmus) -> Judgement) {
    for test in tests {
        match judge_and_shrink_by(&test, &judge) {
            Judgement::Same => {}
            Judgement::Different(text) => panic!("{text}"),
            other => panic!("{other:?}\n{test}"),
        }
    }
}

/// An engine must find the outcomes of a machine.
fn judge_outcomes(tests: impl Iterator<Item = Litmus>, model: OperationalModel, ask: Ask<'_>) {
    judge_all(tests, |test| judge_machine(test, model, Bounds::default(), ask));
}

/// An engine under sequential consistency must have one execution for each Mazurkiewicz trace.
fn judge_executions(tests: impl Iterator<Item = Litmus>, has_spurious_failures: bool, ask: Ask<'_>) {
    let bounds = Bounds { has_spurious_failures, ..Bounds::default() };
    judge_all(tests, |test| judge_traces(test, bounds, ask));
}

fn rc11(test: &Litmus) -> LitmusResult {
    run(test, &GraphEngine::new(), &Setup::default())
}

fn without_spurious_failures(test: &Litmus, model: MemoryModel) -> LitmusResult {
    let mut setup = Setup::default();
    setup.limits.has_spurious_failures = false;
    run(test, &GraphEngine::with_memory_model(model), &setup)
}

/// The engine's memory models, and the machines that judge them.
const MODELS: [(MemoryModel, OperationalModel); 3] =
    [(MemoryModel::Sc, Sc), (MemoryModel::Tso, Tso), (MemoryModel::Pso, Pso)];

#[test]
fn each_memory_model_of_the_engine_has_the_outcomes_of_its_machine_on_every_program() {
    for (model, machine) in MODELS {
        let engine = GraphEngine::with_memory_model(model);
        judge_outcomes(all_programs(), machine, &|test| run(test, &engine, &Setup::default()));
    }
}

#[test]
fn each_memory_model_of_the_engine_has_the_outcomes_of_its_machine_in_any_order_of_threads() {
    for (model, machine) in MODELS {
        let seed = setting("TWIN_SEED", SEED);
        let options = Options { memory_model: model, scheduling_seed: Some(seed), ..Options::default() };
        let engine = GraphEngine::with_options(options);
        let shuffled = |test: &Litmus| {
            let creation_order = Some(Random::new(seed).permutation(test.threads.len()));
            run(test, &engine, &Setup { creation_order, ..Setup::default() })
        };
        judge_outcomes(programs(random::large_program, 1_000), machine, &shuffled);
    }
}

#[test]
fn each_memory_model_of_the_engine_has_the_outcomes_of_its_machine_where_threads_wait() {
    for (model, machine) in MODELS {
        let engine = GraphEngine::with_memory_model(model);
        let ask = |test: &Litmus| run(test, &engine, &Setup::default());
        judge_outcomes(programs(random::blocking_program, 1_000), machine, &ask);
    }
}

#[test]
fn each_memory_model_of_the_engine_has_the_outcomes_of_its_machine_on_programs_with_loops() {
    for (model, machine) in MODELS {
        let judged = judge_loops(model, |test, bounds, ask| judge_machine(test, machine, bounds, ask));
        assert_eq!(judged, (0, 0), "{machine}");
    }
}

#[test]
fn the_engine_has_an_execution_for_each_trace_under_sc() {
    judge_executions(all_programs(), false, &|test| without_spurious_failures(test, MemoryModel::Sc));
    let engine = GraphEngine::with_memory_model(MemoryModel::Sc);
    judge_executions(all_programs(), true, &|test| run(test, &engine, &Setup::default()));
    let large = programs(random::large_program, 1_000);
    judge_executions(large, true, &|test| run(test, &engine, &Setup::default()));
}

/// Compare-exchanges of one thread fail spuriously together if their orders are equal, so that with spurious failures the machine gets
/// these orders, too.
#[test]
fn rc11_with_every_order_seq_cst_is_sc() {
    let tests = || all_programs().map(|test| with_all_seq_cst(&test));
    judge_outcomes(tests(), Sc, &rc11);
    judge_executions(tests(), true, &rc11);
}

#[test]
fn rc11_with_every_order_seq_cst_has_an_execution_for_each_trace() {
    let ask = |test: &Litmus| without_spurious_failures(&with_all_seq_cst(test), MemoryModel::Rc11);
    judge_executions(all_programs(), false, &ask);
}

#[test]
fn rc11_allows_what_pso_allows() {
    judge_all(all_programs(), |test| judge_within(test, Pso, Bounds::default(), &rc11));
    let waiting = programs(random::blocking_program, 500);
    judge_all(waiting, |test| judge_within(test, Pso, Bounds::default(), &rc11));
}

/// How a test with loops is run.
fn question(index: usize, rounds: usize) -> Question {
    let loops = if index.is_multiple_of(3) { Loops::Bare } else { Loops::Hinted };
    Question { rounds, loops, seed: None }
}

/// Judges programs with loops, for one and for two rounds; returns how many are too large and on how many the engine comes to its limit.
fn judge_loops(
    memory_model: MemoryModel,
    judge: impl Fn(&Litmus, Bounds, Ask<'_>) -> Judgement,
) -> (u64, u64) {
    let engine = GraphEngine::with_memory_model(memory_model);
    let (mut too_large, mut unfinished) = (0, 0);
    for (index, test) in programs(random::looping_program, 500).enumerate() {
        for rounds in 1..=2 {
            let question = question(index, rounds);
            let ask = |test: &Litmus| run(test, &engine, &question.setup(test));
            let bounds = Bounds { rounds, ..Bounds::default() };
            match judge_and_shrink_by(&test, |test| judge(test, bounds, &ask)) {
                Judgement::Same => {}
                Judgement::TooLarge => too_large += 1,
                Judgement::Unfinished => unfinished += 1,
                Judgement::Different(text) => panic!("{text}"),
            }
        }
    }
    (too_large, unfinished)
}

#[test]
fn rc11_with_every_order_seq_cst_is_sc_on_programs_with_loops() {
    let judged = judge_loops(MemoryModel::Rc11, |test, bounds, ask| {
        judge_machine(&with_all_seq_cst(test), Sc, bounds, ask)
    });
    assert_eq!(judged, (0, 0));
}

#[test]
fn rc11_allows_what_pso_allows_on_programs_with_loops() {
    assert_eq!(
        judge_loops(MemoryModel::Rc11, |test, bounds, ask| judge_within(test, Pso, bounds, ask)),
        (0, 0)
    );
}

/// A machine that takes the part of an engine.
fn machine(test: &Litmus, model: OperationalModel) -> LitmusResult {
    let found = outcomes(test, model, Bounds::default()).expect("it is a small test");
    LitmusResult {
        name: test.name.clone(),
        engine: model.to_string(),
        executions: 0,
        blocked: u64::from(found.has_blocked),
        outcomes: found.set.into_iter().collect(),
        counts: Default::default(),
        delayed: Default::default(),
        cut: found.is_cut,
        is_limited: false,
        is_bounded: false,
        verdict: Verdict::Holds,
    }
}

#[test]
fn an_engine_that_allows_too_much_or_too_little_is_noticed() {
    let count = |judged: OperationalModel, played: OperationalModel| {
        let ask = |test: &Litmus| machine(test, played);
        let differs = |test: &Litmus| {
            matches!(judge_machine(test, judged, Bounds::default(), &ask), Judgement::Different(_))
        };
        drawn(random::queueing_program, SEED, 1_000).filter(differs).count()
    };
    let counts = [(Sc, Tso), (Tso, Sc), (Tso, Pso), (Pso, Tso)].map(|(judged, played)| count(judged, played));
    assert_eq!(counts, [127, 127, 111, 111]);
}

#[test]
fn a_program_on_which_engine_and_machine_differ_is_made_small() {
    let ask = |test: &Litmus| machine(test, Sc);
    let judge = |test: &Litmus| judge_machine(test, Tso, Bounds::default(), &ask);
    let text = drawn(random::queueing_program, SEED, 100)
        .find_map(|test| match judge_and_shrink_by(&test, judge) {
            Judgement::Different(text) => Some(text),
            _ => None,
        })
        .expect("some programs tell these models apart");
    let lines: Vec<&str> = text.lines().take_while(|line| !line.starts_with("machine")).collect();
    let small = [
        "init: x=0 y=0",
        "T0: W x 2 rel ; W y 1 rlx",
        "T1: W y 2 rlx ; R r1_0 x sc",
        "show: r1_0 x y",
        "tso, Bounds { rounds: 3, states_max: 500000, has_spurious_failures: true }",
        "Difference { missing: {\"r1_0=0 x=2 y=2\"}, too_many: {} }",
    ];
    assert_eq!(lines[1..], small);
}

#[test]
fn an_engine_with_too_many_or_too_few_executions_is_noticed() {
    let test = data::machines().remove(0).test;
    let judge = |change: fn(&mut LitmusResult)| {
        judge_traces(&test, Bounds::default(), &|test| {
            let mut result = rc11(&with_all_seq_cst(test));
            change(&mut result);
            result
        })
    };
    assert_eq!(judge(|_| {}), Judgement::Same);
    let is_noticed = |change| matches!(judge(change), Judgement::Different(_));
    assert!(is_noticed(|result| *result.counts.values_mut().next().unwrap() += 1));
    assert!(is_noticed(|result| drop(result.counts.pop_first())));
    assert!(is_noticed(|result| result.blocked = 1));
    let limited = |result: &mut LitmusResult| {
        result.counts.pop_first();
        result.is_limited = true;
    };
    assert_eq!(judge(limited), Judgement::Unfinished);
}
