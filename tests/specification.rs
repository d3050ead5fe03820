//! Specifications as the macro makes them: their clauses, rules, rendering and recorded values, run by hand.

use cdsspec::__private as private;
use private::{ClauseKind, Specification, Step, StepMode};
use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;

/// What a queue of the tests does, so that calls of its methods can be made without an engine.
#[derive(Default)]
pub struct Queue {
    items: RefCell<VecDeque<i32>>,
}

#[cdsspec::spec]
#[declare_state(q: VecDeque<i32>)]
#[admit(deq <-> enq, m1.c_ret.is_none())]
#[admit(deq <-> deq)]
impl Queue {
    /// Puts a value in.
    #[side_effect(q.push_back(val))]
    pub fn enq(&self, val: i32) {
        #[op_define(linked)]
        let linked = {
            self.items.borrow_mut().push_back(val);
            true
        };
    }

    /// Takes a value out.
    #[side_effect({
        let front = q.front().copied();
        if front.is_some() && c_ret.is_some() {
            q.pop_front();
        }
        front
    })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    pub fn deq(&self) -> Option<i32> {
        #[op_clear_define]
        self.items.borrow_mut().pop_front()
    }

    /// Not specified.
    pub fn len(&self) -> usize {
        self.items.borrow().len()
    }
}

fn specification(name: &str) -> &'static Specification {
    let all = cdsspec::registry();
    all.into_iter().find(|specification| specification.name == name).expect("it is registered")
}

#[test]
fn the_queue_is_registered_with_its_clauses_and_rules() {
    let queue = specification("Queue");
    assert_eq!(queue.source.file, file!());
    let methods: Vec<_> = queue.methods.iter().map(|method| method.name).collect();
    assert_eq!(methods, ["enq", "deq"]);
    let clauses: Vec<_> = queue.methods.iter().flat_map(|method| &method.clauses).map(|one| (one.kind, one.text)).collect();
    assert_eq!(
        clauses,
        [
            (ClauseKind::SideEffect, "q.push_back(val)"),
            (ClauseKind::SameReturn, "q.push_back(val)"),
            (
                ClauseKind::SideEffect,
                "{ let front = q.front().copied(); if front.is_some() && c_ret.is_some() { q.pop_front(); } front }"
            ),
            (ClauseKind::JustifyingPostCondition, "c_ret.is_some() || s_ret.is_none()"),
            (ClauseKind::PostCondition, "c_ret.is_none() || c_ret == s_ret"),
        ]
    );
    assert!(queue.methods[1].is_justified());
    let rules: Vec<_> = queue.rules.iter().map(|rule| (rule.first.index(), rule.second.index(), rule.text)).collect();
    assert_eq!(rules, [(1, 0, "deq <-> enq, m1.c_ret.is_none()"), (1, 1, "deq <-> deq")]);
}
