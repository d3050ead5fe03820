//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::treiber_stack::TreiberStack;
use cdsspec::Scenario;
use cdsspec::thread;

/// A thread that pushes and pops, and one that pops.
pub(crate) fn push_pop__pop() {
    let stack = TreiberStack::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            stack.push(1);
            stack.pop();
        });
        scope.spawn(|| stack.pop());
    });
}

/// One thread pushes, one pops; what is left comes out in the order of the pushes.
pub(crate) fn push_push__pop_pop() {
    let stack = TreiberStack::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            stack.push(1);
            stack.push(2);
        });
        scope.spawn(|| {
            stack.pop();
            stack.pop();
        });
    });
    stack.pop();
}

/// Two threads push at the same time, then everything comes out.
pub(crate) fn push__push() {
    let stack = TreiberStack::new();
    thread::scope(|scope| {
        scope.spawn(|| stack.push(1));
        scope.spawn(|| stack.push(2));
    });
    stack.pop();
    stack.pop();
    stack.pop();
}

/// A thread takes an item out and puts another one in, beside one that takes one.
pub(crate) fn pop_push__pop() {
    let stack = TreiberStack::new();
    stack.push(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            stack.pop();
            stack.push(2);
        });
        scope.spawn(|| stack.pop());
    });
}

/// A thread pops, beside one that pushes and pops: the first one may take what was under an item that came and went since it looked.
pub(crate) fn pop__push_pop() {
    let stack = TreiberStack::new();
    stack.push(1);
    thread::scope(|scope| {
        scope.spawn(|| stack.pop());
        scope.spawn(|| {
            stack.push(2);
            stack.pop();
        });
    });
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<TreiberStack<i32>> {
    Scenario::new(TreiberStack::new)
        .op_for("push", [1, 2], |stack, item| stack.push(item).into())
        .op("pop()", |stack| stack.pop().into())
}
