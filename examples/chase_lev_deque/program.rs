//! The programs that are explored. The owner is the main thread; what it finds is for the specification to judge.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::chase_lev_deque::ChaseLevDeque;
use cdsspec::Scenario;
use cdsspec::thread;

/// One thief steals once, from a deque that is resized.
pub(crate) fn main() {
    let deque = ChaseLevDeque::with_capacity(2);
    thread::scope(|scope| {
        scope.spawn(|| deque.steal());
        deque.push(1);
        deque.push(2);
        deque.push(3);
        deque.take();
        deque.take();
    });
}

/// The same, and the thief steals twice.
pub(crate) fn steal_steal() {
    let deque = ChaseLevDeque::with_capacity(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            deque.steal();
            deque.steal();
        });
        deque.push(1);
        deque.push(2);
        deque.push(4);
        deque.take();
        deque.take();
    });
}

/// Both want the last item.
pub(crate) fn last_element() {
    let deque = ChaseLevDeque::with_capacity(16);
    deque.push(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            deque.steal();
            deque.steal();
        });
        deque.push(2);
        deque.take();
    });
    deque.take();
}

/// Nobody is there but one thief, and an item.
pub(crate) fn lone_thief() {
    let deque = ChaseLevDeque::with_capacity(16);
    deque.push(1);
    thread::scope(|scope| {
        scope.spawn(|| deque.steal());
    });
    deque.take();
}

/// One thief steals while the owner pushes: nobody else wants the item.
pub(crate) fn beside_a_push() {
    let deque = ChaseLevDeque::with_capacity(16);
    deque.push(1);
    thread::scope(|scope| {
        scope.spawn(|| deque.steal());
        deque.push(2);
    });
}

/// Two thieves want the same item.
pub(crate) fn two_thieves() {
    let deque = ChaseLevDeque::with_capacity(16);
    deque.push(1);
    thread::scope(|scope| {
        scope.spawn(|| deque.steal());
        scope.spawn(|| deque.steal());
        deque.push(2);
        deque.take();
    });
    deque.take();
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<ChaseLevDeque<i32>> {
    Scenario::new(|| ChaseLevDeque::with_capacity(2))
        .op_for("push", [1, 2], |deque, item| deque.push(item).into())
        .op("take()", |deque| deque.take().into())
        .op("steal()", |deque| deque.steal().item().into())
        .one_thread(["push", "take"])
}
