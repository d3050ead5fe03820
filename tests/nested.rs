//! Calls inside of calls: on the same object internal, on another specified object calls of their own (CDSSpec, section 4.2).

use crate::by_hand;

use by_hand::{op, record};
use cdsspec_runtime::record::Recording;

struct Register;

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    fn set(&self) {
        #[op_define]
        op("register.set");
    }

    #[side_effect(())]
    fn twice(&self) {
        self.set();
        self.set();
    }

    #[side_effect(())]
    fn cleared(&self) {
        self.set();
        #[op_clear_define]
        op("register.cleared");
    }
}

struct Pair {
    first: Register,
    second: Register,
    // So that neither register is where the pair is, with its size.
    _number: i32,
}

#[cdsspec::spec]
impl Pair {
    #[side_effect(())]
    fn set_unmarked(&self) {
        self.first.set();
        self.second.set();
    }

    #[side_effect(())]
    fn set_marked(&self) {
        self.first.set();
        #[op_define]
        self.second.set();
    }

    #[side_effect(())]
    fn set_own(&self) {
        #[op_define]
        op("pair.set_own");
        self.first.twice();
    }

    #[side_effect(())]
    fn offered(&self) {
        #[potential_op(inner)]
        self.first.set();
        self.second.set();
        cdsspec::op_check!(inner);
    }
}

struct Boxed<T>(T);

#[cdsspec::spec(instance(T = i32))]
impl<T> Boxed<T> {
    #[side_effect(())]
    fn touch(&self) {
        let _ = &self.0;
        #[op_define]
        op("boxed.touch");
    }
}

struct Holder {
    number: Boxed<i32>,
    letter: Boxed<char>,
}

#[cdsspec::spec]
impl Holder {
    #[side_effect(())]
    fn touch(&self) {
        self.number.touch();
        self.letter.touch();
    }
}

/// Each call: its object, its method, the operations that are its ordering points.
fn calls(recording: &Recording) -> Vec<String> {
    assert_eq!(recording.errors, []);
    let call_text = |call: &cdsspec_runtime::record::MethodCall| {
        let specification = recording.objects[call.object.index()].specification;
        let points: Vec<_> = call
            .points
            .iter()
            .map(|point| recording.operation(point.operation).place.name.spelling())
            .collect();
        let method = specification.method(call.method).name;
        format!("{}#{}.{method}: {}", specification.name, call.object.index(), points.join(" "))
    };
    recording.calls.iter().map(call_text).collect()
}

fn pair() -> Pair {
    Pair { first: Register, second: Register, _number: 0 }
}

#[test]
fn a_call_on_the_same_object_is_internal_and_its_ordering_points_are_the_outer_calls() {
    record(
        || {
            Register.twice();
            Register.cleared();
        },
        |recording| {
            assert_eq!(
                calls(recording),
                ["Register#0.twice: register.set register.set", "Register#0.cleared: register.cleared",]
            );
        },
    );
}

#[test]
fn a_call_on_another_object_is_its_own_and_offers_the_outer_call_nothing() {
    record(
        || pair().set_unmarked(),
        |recording| {
            let calls = calls(recording);
            assert_eq!(calls[0], "Pair#0.set_unmarked: ");
            assert_eq!(calls[1..], ["Register#1.set: register.set", "Register#1.set: register.set"]);
        },
    );
}

#[test]
fn an_annotation_on_the_statement_of_the_inner_call_makes_its_last_operation_the_outer_calls_too() {
    record(
        || pair().set_marked(),
        |recording| {
            let calls = calls(recording);
            assert_eq!(calls[0], "Pair#0.set_marked: register.set");
            assert_eq!(calls[1..], ["Register#1.set: register.set", "Register#1.set: register.set"]);
        },
    );
}

#[test]
fn an_outer_call_has_its_own_ordering_points_and_a_potential_one_is_the_operation_that_was_offered() {
    record(
        || {
            pair().set_own();
            pair().offered();
        },
        |recording| {
            let calls = calls(recording);
            assert_eq!(calls[0], "Pair#0.set_own: pair.set_own");
            assert_eq!(calls[1], "Register#1.twice: register.set register.set");
            assert!(calls[2].ends_with(".offered: register.set"), "{}", calls[2]);
            let offered = &recording.calls[2].points[0];
            assert_eq!(offered.operation, recording.calls[3].points[0].operation);
        },
    );
}

#[test]
fn the_ordering_points_of_an_unspecified_instance_are_not_the_outer_calls() {
    record(
        || Holder { number: Boxed(1), letter: Boxed('a') }.touch(),
        |recording| {
            assert_eq!(calls(recording), ["Holder#0.touch: ", "Boxed<T>#1.touch: boxed.touch"]);
        },
    );
}

/// A counter that others are made of.
#[derive(Default)]
struct Counter(cdsspec::sync::atomic::AtomicI32);

#[cdsspec::spec]
#[declare_state(count: i32)]
impl Counter {
    #[side_effect({ *count += 1; *count - 1 })]
    fn add(&self) -> i32 {
        #[op_define]
        self.0.fetch_add(1, cdsspec::sync::atomic::Ordering::AcqRel)
    }
}

#[derive(Default)]
struct Tickets(Counter);

#[cdsspec::spec]
#[declare_state(taken: i32)]
impl Tickets {
    #[side_effect({ *taken += 1; *taken - 1 })]
    fn take(&self) -> i32 {
        #[op_define]
        self.0.add()
    }

    #[side_effect({ *taken += 1; *taken - 1 })]
    fn take_unmarked(&self) -> i32 {
        self.0.add()
    }
}

fn in_two_threads(take: fn(&Tickets) -> i32) -> cdsspec::Outcome {
    cdsspec::Builder::new().check(move || {
        let tickets = cdsspec::sync::Arc::new(Tickets::default());
        let other = tickets.clone();
        let other = cdsspec::thread::spawn(move || take(&other));
        take(&tickets);
        other.join().expect("it does not panic");
    })
}

#[test]
fn what_is_made_of_another_specified_object_is_ordered_by_what_that_one_offers() {
    in_two_threads(Tickets::take).assert_verdict(cdsspec::Verdict::Holds);
    let outcome = in_two_threads(Tickets::take_unmarked);
    outcome.assert_verdict(cdsspec::Verdict::Violated);
    assert!(outcome.calls_without_points > 0, "{outcome}");
}
