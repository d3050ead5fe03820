//! Faults of long histories, localized: the two examples of the paper (CGVT), and what correct structures come to.

mod counter;
mod list;
mod pair;
mod twin;
mod unlike;

use cdsspec::localize::model::Set;
use cdsspec::localize::{HistorySource, Localization, Localize, LocalizedFault, Obstacle, Reveal, linearize};
use cdsspec::{Builder, Scenario, Strategy, Verdict};
use counter::{Bounded, Concurrent, Halved, Panics};
use expect_test::expect_file;
use list::List;
use pair::Pair;

/// Example 2 in 20 histories of 2 x 50.
fn list() -> Localize<List> {
    Localize::new(List::new).stop_at_first(false)
}

/// Example 1, which takes a read that is interrupted twice.
fn pair() -> Localize<Pair> {
    Localize::new(Pair::new).runs(200).set_up(|builder| builder.strategy(Strategy::Pos))
}

fn fault(localization: &Localization) -> &LocalizedFault {
    assert_eq!(localization.verdict, Verdict::Violated, "{localization}");
    localization.fault.as_ref().expect("a test case fails")
}

/// Whether both proofs are complete: it fails, and not without any of its calls at once.
fn assert_proven(fault: &LocalizedFault) {
    let proof = fault.proof.as_ref().expect("it is explored");
    assert!(proof.is_sufficient() && proof.is_minimal(), "{proof:?}");
    let count: usize = fault.smallest.columns.iter().map(Vec::len).sum();
    assert_eq!(proof.necessary.len(), count);
}

#[test]
fn two_adds_trigger_what_a_later_call_reveals() {
    let localization = list().run();
    let fault = fault(&localization);
    assert_eq!((localization.histories, localization.nonlinearizable), (20, 15));
    assert_eq!((fault.concurrent_size(), fault.reveal()), (2, Reveal::Later));
    assert_proven(fault);
    expect_file!["list.txt"].assert_eq(&localization.to_string());
}

#[test]
fn four_writes_beside_a_read_trigger_what_the_read_reveals_at_once() {
    let localization = pair().run();
    let fault = fault(&localization);
    assert_eq!((fault.concurrent_size(), fault.reveal()), (5, Reveal::AtOnce), "{localization}");
    assert_proven(fault);
    let mut sizes: Vec<usize> = fault.smallest.columns.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [1, 4]);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    let of = |seed| list().calls(20).seed(seed).run().to_string();
    assert_eq!(of(3), of(3));
    assert_ne!(of(3), of(4));
}

#[test]
fn the_rule_of_one_call_finds_as_few_calls_in_no_more_test_cases() {
    let (all, some) = (list().prove(false).run(), list().prove(false).one_call_first(true).run());
    assert_eq!(fault(&some).concurrent_size(), 2);
    assert!(fault(&some).check_count <= fault(&all).check_count);
    assert!(fault(&some).proof.is_none());
}

#[test]
fn a_correct_list_holds_within_its_histories() {
    let localization = Localize::new(List::correct).run();
    assert_eq!((localization.verdict, localization.histories), (Verdict::HoldsWithin, 20), "{localization}");
    cdsspec::localize(List::correct);
}

#[test]
fn a_specification_by_hand_refuses_the_same_histories() {
    use cdsspec::lineup::Invoked;
    let by_hand = Localize::of(List::invoked(Scenario::new(List::new)))
        .stop_at_first(false)
        .against(Set::new(), twin::translate)
        .run();
    let own = list().run();
    assert_eq!(
        (by_hand.nonlinearizable, by_hand.history.clone()),
        (own.nonlinearizable, own.history.clone())
    );
    assert_eq!(fault(&by_hand).matrix, fault(&own).matrix);
}

#[test]
fn on_real_threads_a_serial_fault_is_found_and_a_correct_list_holds() {
    let of = |calls| Localize::new(Halved::new).source(HistorySource::RealThreads).calls(calls).run();
    // The second increment returns 0 again.
    let localization = of(4);
    assert_eq!(localization.verdict, Verdict::Violated, "{localization}");
    assert_eq!((localization.histories, localization.unknown), (1, 0));
    let correct = Localize::new(List::correct).source(HistorySource::RealThreads).run();
    assert_eq!((correct.verdict, correct.histories), (Verdict::HoldsWithin, 20), "{correct}");
}

#[test]
fn conditions_are_judged_and_states_need_no_equality() {
    let localization = Localize::new(Bounded::new).calls(6).run();
    assert_eq!((localization.verdict, localization.histories), (Verdict::HoldsWithin, 20), "{localization}");
}

#[test]
fn what_cannot_be_judged_is_said() {
    let limit = |localization: &Localization| localization.limit.clone().expect("it says why");
    let looks = Localize::new(Concurrent::new).run();
    assert_eq!(looks.verdict, Verdict::Inconclusive);
    assert_eq!(
        limit(&looks),
        Obstacle::Runs(
            "the conditions of `increment` look at `concurrent`, which no history in time has".into()
        )
    );
    let panics = Localize::new(Panics::new).run();
    assert_eq!(panics.verdict, Verdict::SpecError);
    assert!(matches!(limit(&panics), Obstacle::Specification(text) if text.contains("it counts to one")));
    let scenario = || Scenario::new(|| ()).op("a()", |()| ().into());
    assert!(
        matches!(limit(&Localize::of(scenario()).run()), Obstacle::Runs(text) if text.starts_with("no call"))
    );
    assert_eq!(limit(&Localize::of(scenario().exempt("a()")).run()), Obstacle::Exempt("a()".into()));
    assert_eq!(limit(&Localize::of(Scenario::new(|| ())).run()), Obstacle::NothingToInvoke);
}

/// Two threads that add, and then the main thread looks.
fn program(make: fn() -> List) -> impl Fn() + Send + Sync + 'static {
    move || {
        let list = std::sync::Arc::new(make());
        let other = list.clone();
        let adding = cdsspec::thread::spawn(move || other.add(1));
        list.add(2);
        adding.join().expect("it does not panic");
        list.contains(1);
        list.contains(2);
    }
}

#[test]
fn the_calls_of_any_program_are_judged() {
    let linearization = linearize(Builder::new().runs(100), program(List::new));
    assert_eq!(linearization.verdict, Verdict::Violated, "{linearization}");
    expect_file!["program.txt"].assert_eq(&linearization.to_string());
    let correct = linearize(Builder::new().runs(100), program(List::correct));
    assert_eq!((correct.verdict, correct.histories), (Verdict::HoldsWithin, 100));
    let nothing = linearize(Builder::new().runs(3), || ());
    assert_eq!((nothing.verdict, nothing.executions), (Verdict::Inconclusive, 3));
    let panics = linearize(Builder::new().runs(3), || {
        let counter = Panics::new();
        counter.increment();
        counter.increment();
    });
    assert_eq!(panics.verdict, Verdict::SpecError, "{panics}");
}
