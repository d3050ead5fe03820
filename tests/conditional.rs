//! `#[cfg]` on what is specified: all that is made of it stands under the same condition.

#![allow(clippy::non_minimal_cfg, reason = "conditions that always hold, and that never do")]

use crate::by_hand;

use by_hand::{call_text, op, points, record, specification, value};
use cdsspec::__private::Specification;

/// A type that is not there, as one of another platform.
#[cfg(any())]
struct Elsewhere;

struct Port;

#[cdsspec::spec]
#[declare_state(sent: Vec<i32>)]
#[admit(wait <-> send, m1.c_ret == m2.value)]
#[admit(wait <-> wait)]
#[admit(open <-> send)]
impl Port {
    #[cfg(any())]
    #[side_effect(_ = elsewhere)]
    fn open(&self, elsewhere: Elsewhere) -> Elsewhere {
        elsewhere
    }

    #[cfg(all())]
    #[side_effect(sent.push(value))]
    #[post_condition(concurrent.wait().count() == 0)]
    fn send(&self, value: i32) {
        op("send");
        cdsspec::op_define!(value > 0);
    }

    #[cfg(any())]
    #[post_condition(concurrent.open().count() == 0)]
    fn wait(&self, elsewhere: Elsewhere) -> Elsewhere {
        elsewhere
    }

    /// The other form of the same method.
    #[cfg(all())]
    #[cfg_attr(all(), inline)]
    #[side_effect(sent.pop().unwrap_or_default())]
    #[post_condition(c_ret == s_ret && concurrent.wait().count() == 0)]
    fn wait(&self, #[cfg(any())] _elsewhere: Elsewhere, #[cfg(all())] _unused: i32) -> i32 {
        #[cfg(any())]
        #[op_define(not_there)]
        let not_there = value("not there", true);
        #[cfg(all())]
        #[op_define(there)]
        let there = value("there", true);
        #[cfg(any())]
        #[op_define]
        {
            value("not there", 1)
        }
        #[cfg(all())]
        #[op_define]
        {
            value("last", i32::from(there))
        }
        #[cfg(any())]
        #[op_define]
        if value("not there", true) {
            return 2;
        }
    }
}

/// Everything under a condition that does not hold, below the outer attribute.
#[cdsspec::spec(state = Elsewhere)]
#[cfg(any())]
#[initial(Elsewhere)]
impl Elsewhere {
    #[side_effect(())]
    fn get(&self) -> Elsewhere {
        Elsewhere
    }
}

#[cdsspec::specification]
#[cfg(any())]
#[derive(Clone, Default)]
struct NowhereSpec {
    elsewhere: Elsewhere,
}

#[cdsspec::specification]
#[derive(Clone, Default)]
#[admit(put <-> take)]
struct SharedSpec {
    values: Vec<i32>,
}

struct Shared;

#[cdsspec::spec(for = SharedSpec)]
impl Shared {
    #[cfg(any())]
    #[side_effect(_ = elsewhere)]
    fn put(&self, elsewhere: Elsewhere) {
        drop(elsewhere);
    }

    #[cfg(all())]
    #[side_effect(state.values.push(value))]
    fn put(&self, value: i32) {
        let _ = value;
    }

    #[side_effect(state.values.pop())]
    #[post_condition(concurrent.len_of().count() == 0 && c_ret == s_ret)]
    fn take(&self) -> Option<i32> {
        Some(1)
    }
}

#[cdsspec::spec(for = SharedSpec, object = shared)]
#[cfg(any())]
#[side_effect(state.values.len())]
fn len_of(shared: &Shared, elsewhere: Elsewhere) -> usize {
    0
}

#[cdsspec::spec(for = SharedSpec, object = shared)]
#[cfg(all())]
#[side_effect(state.values.len())]
fn len_of(shared: &Shared) -> usize {
    let _ = shared;
    0
}

struct Slot<T>(T);

#[cdsspec::spec(instance(T = i32))]
#[declare_state(value: T)]
impl<T: Copy> Slot<T> {
    #[cfg(any())]
    #[side_effect(*value = new)]
    fn swap(&self, new: Elsewhere) -> Elsewhere {
        new
    }

    #[cfg(all())]
    #[side_effect(*value)]
    fn get(&self) -> T {
        self.0
    }
}

fn methods(specification: &Specification) -> Vec<&'static str> {
    specification.methods.iter().map(|method| method.name).collect()
}

#[test]
fn a_method_that_is_not_there_is_not_specified_and_the_numbers_of_others_are_right() {
    let port = specification("Port");
    assert_eq!(methods(port), ["send", "wait"]);
    let calls = record(
        || {
            Port.wait(1);
            Port.send(2);
        },
        |recording| recording.calls.iter().map(|call| call_text(port, call)).collect::<Vec<_>>(),
    );
    assert_eq!(calls, ["wait(_) -> 1", "send(2)"]);
    assert_eq!(methods(specification("Slot<T>")), ["get"]);
    Slot(1).get();
}

#[test]
fn a_rule_is_for_the_form_of_a_method_that_is_there() {
    let port = specification("Port");
    let rules: Vec<_> =
        port.rules.iter().map(|rule| (port.method(rule.first).name, port.method(rule.second).name)).collect();
    assert_eq!(rules, [("wait", "send"), ("wait", "wait")]);
}

#[test]
fn an_annotation_on_a_statement_is_there_when_the_statement_is() {
    assert_eq!(record(|| _ = Port.wait(1), points), "there last");
}

#[test]
fn a_shared_specification_has_the_methods_that_are_there() {
    let shared = specification("SharedSpec");
    assert_eq!(methods(shared), ["put", "take", "len_of"]);
    let calls = record(
        || {
            Shared.put(3);
            Shared.take();
            len_of(&Shared);
        },
        |recording| recording.calls.iter().map(|call| call_text(shared, call)).collect::<Vec<_>>(),
    );
    assert_eq!(calls, ["put(3)", "take() -> Some(1)", "len_of(_) -> 0"]);
}
