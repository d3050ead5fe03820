//! Runs under an engine that replays recordings made by hand.

use super::environment::{SettingError, refuse_unknown};
use super::identity::Identity;
use super::run::run;
use super::setting::{Settings, resolve};
use super::watchdog::Patience;
use super::{Builder, ContractLevel, EngineKind, Histories, Outcome, SeqCstOrder, Strategy};
use crate::check::Verdict;
use crate::contract::ContractOptions;
use crate::engine::{Capabilities, Engine, Exploration, Limits, MemoryClasses, Program, Visitor};
use crate::memory_model::MemoryModel;
use crate::record::{Ending, Limit, LimitKind, Recorder, WaitReason, operation_name};
use crate::report::scene;
use expect_test::expect;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Makes a recording.
type Make = fn() -> Recorder;

/// Replays recordings, and then says how the exploration ended.
struct FakeEngine {
    recordings: Vec<Make>,
    exploration: Exploration,
    is_complete: bool,
    restarts: bool,
}

fn fake(recordings: &[Make]) -> FakeEngine {
    FakeEngine {
        recordings: recordings.to_vec(),
        exploration: Exploration::Complete,
        is_complete: true,
        restarts: false,
    }
}

impl Engine for FakeEngine {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { is_complete: self.is_complete, ..Capabilities::default() }
    }

    fn not_modelled(&self) -> &'static [&'static str] {
        &["reality"]
    }

    fn explore(&self, _: Program, _: &Limits, visitor: Rc<RefCell<dyn Visitor>>) -> Exploration {
        if self.restarts {
            let _ = visitor.borrow_mut().visit(scene::panic().recording());
            visitor.borrow_mut().restart();
        }
        for make in &self.recordings {
            if visitor.borrow_mut().visit(make().recording()) == ControlFlow::Break(()) {
                return Exploration::Stopped;
            }
        }
        self.exploration.clone()
    }
}

fn good() -> Recorder {
    scene::push_pop(scene::exact_stack())
}

fn bad() -> Recorder {
    scene::stale_pop(scene::exact_stack())
}

fn inadmissible() -> Recorder {
    scene::push_beside_pop_none(scene::admitting_stack())
}

fn by_product() -> Recorder {
    scene::ended(Ending::ByProduct { reached: None })
}

fn limited(kind: LimitKind) -> Ending {
    Ending::Limit(Limit { kind, value: 7 })
}

fn settings(builder: &Builder) -> Settings {
    resolve(builder, &|_| None).unwrap()
}

fn check_with(engine: &FakeEngine, builder: Builder) -> Outcome {
    let identity =
        Identity { program: "program".to_owned(), test: None, overrides: String::new(), number: None };
    let mut outcome = run(engine, &settings(&builder), identity, {
        let program: Program = Arc::new(|| {});
        program
    });
    outcome.seconds = 0.0;
    outcome
}

fn check(engine: &FakeEngine) -> Outcome {
    check_with(engine, Builder::new().stop_at_first(false))
}

#[test]
fn a_run_has_the_worst_verdict_of_its_executions() {
    let rows: &[(&[Make], Verdict)] = &[
        (&[good], Verdict::Holds),
        (&[good, bad], Verdict::Violated),
        (&[bad, || scene::stale_pop(scene::lazy_stack())], Verdict::Violated),
        (&[bad, scene::race, good], Verdict::Race),
        (&[|| scene::blocked(operation_name!("lock"), WaitReason::Blocking), bad], Verdict::Deadlock),
        (
            &[|| scene::blocked(operation_name!("load", Load), WaitReason::Spinning), scene::panic],
            Verdict::Panic,
        ),
        (&[scene::stray_marker, scene::race], Verdict::SpecError),
        (&[scene::cycle, good], Verdict::Cyclic),
        (&[good, inadmissible], Verdict::Holds),
        (&[inadmissible, inadmissible], Verdict::Inadmissible),
        (&[inadmissible, bad], Verdict::Violated),
        (&[good, by_product], Verdict::Holds),
        (&[by_product], Verdict::Inconclusive),
        (&[], Verdict::Inconclusive),
    ];
    for (index, (recordings, verdict)) in rows.iter().enumerate() {
        let outcome = check(&fake(recordings));
        assert_eq!(outcome.verdict, *verdict, "row {index}: {outcome}");
        assert_eq!(outcome.executions, recordings.len() as u64, "row {index}");
        assert!(outcome.report().starts_with(&format!("{verdict}: ")), "row {index}: {outcome}");
    }
}

#[test]
fn a_bound_is_never_a_pass() {
    let endings: [Make; 5] = [
        || scene::ended(limited(LimitKind::Branches)),
        || scene::ended(limited(LimitKind::RecordingSize)),
        || scene::ended(limited(LimitKind::Threads)),
        || scene::ended(limited(LimitKind::Histories)),
        || scene::ended(Ending::EngineFailed("no memory".to_owned())),
    ];
    for ending in endings {
        for recordings in [[good, ending], [ending, good], [ending, inadmissible]] {
            let outcome = check(&fake(&recordings));
            assert_eq!(outcome.verdict, Verdict::Inconclusive, "{outcome}");
            assert!(!outcome.holds());
        }
        assert_eq!(check(&fake(&[ending, bad])).verdict, Verdict::Violated);
    }
    let kinds = [
        LimitKind::Executions,
        LimitKind::DurationMs,
        LimitKind::Branches,
        LimitKind::Histories,
        LimitKind::RecordingSize,
        LimitKind::Threads,
    ];
    let limits = kinds.map(|kind| Exploration::Limit(Limit { kind, value: 7 }));
    let others = [Exploration::Stopped, Exploration::Failed("no memory".to_owned())];
    for exploration in limits.into_iter().chain(others) {
        let one: [Make; 3] = [good, inadmissible, by_product];
        for recordings in [&[][..], &one[..1], &one[1..2], &one[2..]] {
            let engine = FakeEngine { exploration: exploration.clone(), ..fake(recordings) };
            let outcome = check(&engine);
            assert_eq!(outcome.verdict, Verdict::Inconclusive, "{outcome}");
            assert!(!outcome.is_complete);
        }
        let engine = FakeEngine { exploration, ..fake(&[good, bad]) };
        assert_eq!(check(&engine).verdict, Verdict::Violated);
    }
}

#[test]
fn histories_beyond_their_limit_are_inconclusive() {
    let outcome = check_with(&fake(&[good]), Builder::new().histories_max(0));
    assert_eq!(outcome.verdict, Verdict::Inconclusive, "{outcome}");
    assert!(outcome.report().contains("CDSSPEC_HISTORIES_MAX"), "{outcome}");
}

#[test]
fn a_run_holds_only_within_its_bounds() {
    let loom_like = FakeEngine { is_complete: false, ..fake(&[good]) };
    let random = Builder::new().histories(Histories::Random(9)).seed(3);
    let rows = [
        (check(&fake(&[good])), Verdict::Holds, vec![]),
        (check(&loom_like), Verdict::HoldsWithin, vec!["fake is never exhaustive"]),
        (
            check_with(&loom_like, Builder::new().call_clock(false)),
            Verdict::HoldsWithin,
            vec!["fake is never exhaustive", "call clock off"],
        ),
        (
            check_with(&fake(&[good]), Builder::new().engine(EngineKind::Loom).preemptions_max(2)),
            Verdict::HoldsWithin,
            vec!["preemptions_max = 2"],
        ),
        (check_with(&fake(&[good]), random), Verdict::HoldsWithin, vec!["histories = random(9), seed 3"]),
    ];
    for (outcome, verdict, bounds) in rows {
        assert_eq!(
            (outcome.verdict, &outcome.bounds),
            (verdict, &bounds.into_iter().map(String::from).collect())
        );
        outcome.assert_holds();
    }
}

#[test]
fn a_run_stops_at_the_first_fault_unless_told_otherwise() {
    let engine = fake(&[good, bad, bad, scene::race]);
    let first = check_with(&engine, Builder::new());
    assert_eq!((first.verdict, first.executions, first.is_complete), (Verdict::Violated, 2, false));
    assert!(first.report().contains("execution 2 of 2, stopped there"), "{first}");
    let all = check(&engine);
    assert_eq!((all.verdict, all.executions, all.is_complete), (Verdict::Race, 4, true));
    assert_eq!(all.counts, BTreeMap::from([(Verdict::Race, 1), (Verdict::Violated, 2), (Verdict::Holds, 1)]));
    assert!(all.report().contains("execution 4 of 4, complete"), "{all}");
}

#[test]
fn what_was_seen_before_a_restart_is_forgotten() {
    let outcome = check_with(&FakeEngine { restarts: true, ..fake(&[good]) }, Builder::new());
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Holds, 1));
}

#[test]
fn each_shape_is_checked_once() {
    let outcome = check(&fake(&[good, good, bad, bad]));
    // The history that breaks is not a complete one.
    assert_eq!((outcome.shapes, outcome.histories), (2, 1));
    assert_eq!(outcome.counts[&Verdict::Violated], 2);
}

#[test]
fn an_outcome_is_one_json_object() {
    let outcome = check(&fake(&[good, inadmissible, by_product]));
    expect![[r#"
        {
          "program": "program",
          "engine": "fake",
          "verdict": "holds",
          "executions": 3,
          "complete": true,
          "complete_executions": 2,
          "blocked": 0,
          "delayed_executions": 0,
          "inadmissible": 1,
          "by_products": 1,
          "shapes": 2,
          "histories": 1,
          "forgotten_states": 0,
          "seconds": 0.0,
          "bounds": [],
          "counts": {
            "inadmissible": 1,
            "holds": 1
          },
          "calls_without_points": 0,
          "left_calls": 0,
          "unchecked_objects": 0,
          "left_blocks": 0,
          "left_bytes": 0,
          "limit": null,
          "not_modelled": [
            "reality",
            "freed or uninitialised memory (it takes `cdsspec::allocator!()`)"
          ],
          "notes": []
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&outcome).unwrap());
}

#[test]
fn the_json_of_an_outcome_has_the_execution_that_shows_a_fault() {
    let outcome = check(&fake(&[good, bad]));
    let json = serde_json::to_value(&outcome).unwrap();
    let report = &json["report"];
    assert_eq!(report["verdict"], "violated");
    assert_eq!(report["execution"], 2);
    assert_eq!(report["finding"]["state"], "[1]");
    assert_eq!(report["calls"][3]["method"], "pop");
    assert_eq!(report["coverage"]["executions"], json["executions"]);
    assert_eq!(report["coverage"]["counts"], json["counts"]);
    assert_eq!(outcome.details().execution.as_ref().unwrap().calls.len(), 4);
    let passed = check(&fake(&[good]));
    assert_eq!(serde_json::to_value(&passed).unwrap().get("report"), None, "there is nothing to show");
    assert_eq!(passed.details().coverage.counts.executions, 1);
}

#[test]
#[should_panic(expected = "violated: `pop` returned None, the specification says Some(1)")]
fn assert_holds_panics_with_the_report() {
    check(&fake(&[bad])).assert_holds();
}

fn lookup<'a>(table: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> + 'a {
    |name| table.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
}

#[test]
fn the_builder_comes_before_cdsspec_variables_and_those_before_looms() {
    type Get = fn(&Settings) -> Option<u64>;
    let executions: Get = |settings| settings.limits.executions_max;
    let duration: Get =
        |settings| settings.limits.duration_max.map(|duration| u64::try_from(duration.as_millis()).unwrap());
    let preemptions: Get = |settings| settings.limits.preemptions_max.map(|count| count as u64);
    let branches: Get = |settings| Some(settings.limits.branches_max as u64);
    let rows = [
        ("EXECUTIONS_MAX", "PERMUTATIONS", 1, None, Builder::new().executions_max(3), executions),
        (
            "DURATION_MAX_MS",
            "DURATION",
            1000,
            None,
            Builder::new().duration_max(Duration::from_millis(3)),
            duration,
        ),
        ("PREEMPTIONS_MAX", "PREEMPTIONS", 1, None, Builder::new().preemptions_max(3), preemptions),
        ("BRANCHES_MAX", "BRANCHES", 1, Some(10_000), Builder::new().branches_max(3), branches),
    ];
    for (own, loom, loom_unit, default, builder, get) in rows {
        let (own, loom) = (format!("CDSSPEC_{own}"), format!("LOOM_MAX_{loom}"));
        let both = [(own.as_str(), "2"), (loom.as_str(), "1")];
        let (plain, builder) = (Builder::new().engine(EngineKind::Loom), builder.engine(EngineKind::Loom));
        let resolved =
            |builder: &Builder, table: &[(&str, &str)]| get(&resolve(builder, &lookup(table)).unwrap());
        assert_eq!(resolved(&plain, &[]), default, "{own}");
        assert_eq!(resolved(&plain, &both[1..]), Some(loom_unit), "{own}");
        assert_eq!(resolved(&plain, &both), Some(2), "{own}");
        assert_eq!(resolved(&builder, &both), Some(3), "{own}");
    }
}

#[test]
fn every_setting_has_a_variable() {
    let table = [
        ("CDSSPEC_ENGINE", "loom"),
        ("CDSSPEC_RECORDING_MAX", "11"),
        ("CDSSPEC_HISTORIES_MAX", "12"),
        ("CDSSPEC_HISTORIES", "random:13"),
        ("CDSSPEC_SC_ORDER", "partial"),
        ("CDSSPEC_SHRINK", "0"),
        ("CDSSPEC_VERBOSE", "1"),
        ("CDSSPEC_CONTRACT_CONTINUE", "1"),
        ("CDSSPEC_CONTRACT_INVOCATIONS", "1"),
        ("CDSSPEC_CONTRACT_LEVEL", "audit"),
        ("CDSSPEC_SEED", "14"),
        ("CDSSPEC_RUNS", "19"),
        ("CDSSPEC_STRATEGY", "pct:4"),
        ("CDSSPEC_CALL_CLOCK", "0"),
        ("CDSSPEC_STOP_AT_FIRST", "false"),
        ("CDSSPEC_STACK_BYTES", "15"),
        ("CDSSPEC_SPURIOUS_FAILURES", "0"),
        ("CDSSPEC_SPURIOUS_WAKEUPS", "0"),
        ("CDSSPEC_LOOP_ROUNDS_MAX", "16"),
        ("CDSSPEC_WATCHDOG_MS", "17"),
        ("CDSSPEC_WATCHDOG_EXIT_MS", "18"),
        ("CDSSPEC_UNINITIALISED", "0"),
        ("CDSSPEC_FREED", "0"),
        ("CDSSPEC_LEAKS", "1"),
        ("CDSSPEC_STRICT", "1"),
    ];
    let settings = resolve(&Builder::new(), &lookup(&table)).unwrap();
    let limits = Limits {
        recording_max: 11,
        stack_bytes: 15,
        has_call_clock: false,
        has_spurious_failures: false,
        has_spurious_wakeups: false,
        loop_rounds_max: Some(16),
        memory: MemoryClasses { uninitialised: false, freed: false, leaks: true, ..MemoryClasses::default() },
        contract_level: ContractLevel::Audit,
        ..Limits::default()
    };
    let expected = Settings {
        engine: EngineKind::Loom,
        memory_model: MemoryModel::Rc11,
        limits,
        histories: Histories::Random(13),
        histories_max: 12,
        sc_order: SeqCstOrder::Partial,
        contract: ContractOptions {
            by_invocation: true,
            level: ContractLevel::Audit,
            finds_all: true,
            is_sc: false,
        },
        runs: 19,
        strategy: Strategy::Pct { depth: 4 },
        seed: 14,
        is_strict: true,
        shrinks: false,
        is_verbose: true,
        replay: None,
        stop_at_first: false,
        is_quiet: false,
        patience: Patience {
            before_telling: Some(Duration::from_millis(17)),
            before_exit: Some(Duration::from_millis(18)),
        },
    };
    assert_eq!(settings, expected);
}

#[test]
fn a_malformed_variable_is_inconclusive_and_says_what_is_expected() {
    let rows = [
        ("CDSSPEC_EXECUTIONS_MAX", "many", "a whole number"),
        ("CDSSPEC_HISTORIES", "random:0", "`all`, or `random:N` with N above 0"),
        ("CDSSPEC_SC_ORDER", "any", "`total` or `partial`"),
        ("CDSSPEC_STRATEGY", "pct:0", "`uniform`, `pos`, or `pct:N` with N above 0"),
        ("CDSSPEC_CONTRACT_LEVEL", "all", "`default`, `audit` or `axiom`"),
        ("CDSSPEC_CALL_CLOCK", "on", "`1`, `0`, `true` or `false`"),
        ("LOOM_MAX_DURATION", "1.5", "a whole number of seconds"),
    ];
    for (variable, value, form) in rows {
        let table = [(variable, value), ("CDSSPEC_ENGINE", "loom")];
        let outcome = Builder::new().check_with(Arc::new(|| {}), &lookup(&table));
        let expected =
            format!("inconclusive: the environment variable {variable} is \"{value}\": expected {form}");
        assert_eq!(outcome.verdict, Verdict::Inconclusive);
        assert_eq!(outcome.report().split_whitespace().collect::<Vec<_>>().join(" "), expected);
    }
}

#[test]
fn a_misspelt_variable_is_refused_and_others_are_none_of_ours() {
    let refuse = |names: &[&str]| refuse_unknown(names.iter().map(|&name| name.to_owned()));
    assert_eq!(
        refuse(&[
            "CDSSPEC_ENGINE",
            "CDSSPEC_STACK_BYTES",
            "CDSSPEC_CONTRACTS",
            "HOME",
            "LOOM_LOG",
            "MY_CDSSPEC_X"
        ]),
        Ok(())
    );
    let error = refuse(&["HOME", "CDSSPEC_SEEDS", "CDSSPEC_EXECUTION_MAX"]).expect_err("two are misspelt");
    assert_eq!(error, SettingError::UnknownVariable { name: "CDSSPEC_EXECUTION_MAX".to_owned() });
    let text = error.to_string();
    assert!(text.contains("no setting: those are CDSSPEC_ENGINE, CDSSPEC_MEMORY_MODEL, "), "{text}");
    assert!(text.ends_with(", CDSSPEC_CONTRACTS, CDSSPEC_CONTRACTS_FOREIGN"), "{text}");
}

#[test]
fn an_unknown_engine_is_an_error_that_says_who_named_it() {
    let by_builder = resolve(&Builder::new().engine("rc12"), &|_| None);
    let by_variable = resolve(&Builder::new(), &lookup(&[("CDSSPEC_ENGINE", "rc12")]));
    let error = |source| Err(SettingError::UnknownEngine { name: "rc12".to_owned(), source });
    assert_eq!(by_builder, error("Builder::engine"));
    assert_eq!(by_variable, error("CDSSPEC_ENGINE"));
    let error = resolve(&Builder::new().engine(EngineKind::Rc11).preemptions_max(2), &|_| None);
    assert_eq!(
        error,
        Err(SettingError::Unsupported { setting: "preemptions_max", engine: "rc11", other: "loom" })
    );
    assert_eq!(settings(&Builder::new().engine(EngineKind::Default)).engine, EngineKind::Rc11);
}

#[test]
fn what_an_engine_has_no_use_for_is_refused_and_variables_are_for_those_that_have() {
    let resolve_on = |builder: Builder| resolve(&builder, &|_| None).map(|settings| settings.sampling());
    let unsupported = |setting, engine, other| Err(SettingError::Unsupported { setting, engine, other });
    let on = |engine: EngineKind| Builder::new().engine(engine);
    assert_eq!(resolve_on(on(EngineKind::Rc11).runs(3)), unsupported("runs", "rc11", "random"));
    assert_eq!(
        resolve_on(on(EngineKind::Default).strategy(Strategy::Pos)),
        unsupported("strategy", "rc11", "random")
    );
    assert_eq!(
        resolve_on(on(EngineKind::Random).preemptions_max(3)),
        unsupported("preemptions_max", "random", "loom")
    );
    assert_eq!(
        resolve_on(on(EngineKind::Random).spin_assume(true)),
        unsupported("spin_assume", "random", "rc11")
    );
    assert_eq!(
        resolve_on(on(EngineKind::Random).loop_rounds_max(2)),
        unsupported("loop_rounds_max", "random", "rc11")
    );
    let sampling = resolve_on(on(EngineKind::Random).runs(3).seed(4)).unwrap();
    assert_eq!((sampling.runs, sampling.seed, sampling.strategy), (3, 4, Strategy::Uniform));
    let table = [("CDSSPEC_RUNS", "5"), ("CDSSPEC_STRATEGY", "pct")];
    assert_eq!(resolve(&on(EngineKind::Rc11), &lookup(&table)).unwrap().engine, EngineKind::Rc11);
    let sampling = resolve(&on(EngineKind::Random), &lookup(&table)).unwrap().sampling();
    assert_eq!((sampling.runs, sampling.strategy), (5, Strategy::Pct { depth: 3 }));
}

#[test]
fn memory_models_are_known_by_name_and_loom_has_but_one() {
    for model in MemoryModel::ALL {
        assert_eq!(settings(&Builder::new().memory_model(model)).memory_model, model);
        let table = [("CDSSPEC_MEMORY_MODEL", model.name())];
        assert_eq!(resolve(&Builder::new(), &lookup(&table)).unwrap().memory_model, model);
    }
    let by_builder = resolve(&Builder::new().memory_model("c11"), &|_| None);
    let by_variable = resolve(&Builder::new(), &lookup(&[("CDSSPEC_MEMORY_MODEL", "c11")]));
    let error = |source| Err(SettingError::UnknownMemoryModel { name: "c11".to_owned(), source });
    assert_eq!(by_builder, error("Builder::memory_model"));
    assert_eq!(by_variable, error("CDSSPEC_MEMORY_MODEL"));
    let on_loom = Builder::new().engine(EngineKind::Loom).memory_model(MemoryModel::Tso);
    let unsupported = SettingError::Unsupported { setting: "memory_model", engine: "loom", other: "rc11" };
    assert_eq!(resolve(&on_loom, &|_| None), Err(unsupported));
}
