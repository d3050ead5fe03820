//! A dictionary, a queue, a stack and a linked list.

use super::Monitor;
use cdsspec_runtime::scenario::{Scenario, Value};
use std::collections::{BTreeMap, VecDeque};

/// A map from keys to the number of times that they were set.
pub(in super::super) fn dictionary() -> Scenario<Monitor<BTreeMap<u32, u32>>> {
    let mut scenario = Scenario::new(|| Monitor::new(BTreeMap::new()))
        .name("ConcurrentDictionary")
        .op("count()", |map| map.look(BTreeMap::len).into())
        .op("is_empty()", |map| map.look(BTreeMap::is_empty).into())
        .op("clear()", |map| map.change(BTreeMap::clear).into());
    for key in [10, 20] {
        scenario = scenario
            .op(format!("try_add({key})"), move |map| {
                map.change(|map| {
                    let is_new = !map.contains_key(&key);
                    map.entry(key).or_insert(0);
                    is_new
                })
                .into()
            })
            .op(format!("try_remove({key})"), move |map| map.change(|map| map.remove(&key)).into())
            .op(format!("try_get({key})"), move |map| map.look(|map| map.get(&key).copied()).into())
            .op(format!("get({key})"), move |map| {
                map.look(|map| map.get(&key).copied().ok_or("not found")).into()
            })
            .op(format!("set({key})"), move |map| {
                map.change(|map| {
                    map.insert(key, 1);
                })
                .into()
            })
            .op(format!("try_update({key})"), move |map| {
                map.change(|map| map.get_mut(&key).map(|times| *times += 1).is_some()).into()
            })
            .op(format!("contains_key({key})"), move |map| map.look(|map| map.contains_key(&key)).into());
    }
    scenario
}

/// A queue with a lock of its own, so that one may give up waiting for it.
#[derive(Default)]
pub(in super::super) struct Locked {
    /// Whether somebody holds the lock for longer than a call of the monitor.
    is_held: bool,
    items: VecDeque<u32>,
}

/// Works on the items when nobody holds the lock.
fn locked<R>(queue: &Monitor<Locked>, mut work: impl FnMut(&mut VecDeque<u32>) -> R) -> R {
    queue.wait(|queue| (!queue.is_held).then(|| work(&mut queue.items)))
}

fn try_dequeue(queue: &Monitor<Locked>, times_out: bool) -> Option<u32> {
    if !times_out {
        return locked(queue, VecDeque::pop_front);
    }
    // Error B, that of figure 1: the wait for the lock may time out.
    queue.wait_for(|queue| (!std::mem::replace(&mut queue.is_held, true)).then_some(()))?;
    queue.change(|queue| {
        queue.is_held = false;
        queue.items.pop_front()
    })
}

/// A queue.
pub(in super::super) fn queue(times_out: bool) -> Scenario<Monitor<Locked>> {
    Scenario::new(Monitor::default)
        .name("ConcurrentQueue")
        .op_for("enqueue", [200, 400], |queue, item| locked(queue, |items| items.push_back(item)).into())
        .op("try_dequeue()", move |queue| try_dequeue(queue, times_out).into())
        .op("try_peek()", |queue| locked(queue, |items| items.front().copied()).into())
        .op("count()", |queue| locked(queue, |items| items.len()).into())
        .op("is_empty()", |queue| locked(queue, |items| items.is_empty()).into())
        .op("to_array()", |queue| locked(queue, |items| items.iter().copied().collect::<Vec<_>>()).into())
}

/// A stack.
pub(in super::super) fn stack() -> Scenario<Monitor<Vec<u32>>> {
    fn pop(stack: &Monitor<Vec<u32>>, count: usize) -> Value {
        stack
            .change(|items| {
                let rest = items.len().saturating_sub(count);
                items.drain(rest..).rev().collect::<Vec<_>>()
            })
            .into()
    }
    Scenario::new(|| Monitor::new(Vec::new()))
        .name("ConcurrentStack")
        .op("clear()", |stack| stack.change(Vec::clear).into())
        .op("count()", |stack| stack.look(Vec::len).into())
        .op("push(10)", |stack| stack.change(|items| items.push(10)).into())
        .op("push_range_ten()", |stack| stack.change(|items| items.extend(0..10)).into())
        .op("try_pop()", |stack| stack.change(Vec::pop).into())
        .op("try_pop_range_one()", |stack| pop(stack, 1))
        .op("try_pop_range_two()", |stack| pop(stack, 2))
        .op("try_pop_range_four()", |stack| pop(stack, 4))
        .op("try_peek()", |stack| stack.look(|items| items.last().copied()).into())
        .op("to_array()", |stack| stack.look(|items| items.clone()).into())
}

/// A linked list.
pub(in super::super) fn linked_list(looks_first: bool) -> Scenario<Monitor<VecDeque<u32>>> {
    let remove_last = move |list: &Monitor<VecDeque<u32>>| {
        if !looks_first {
            return list.change(VecDeque::pop_back);
        }
        // Error C, of our choice: it looks at the last value, and removes what is last then.
        let last = list.look(|items| items.back().copied());
        list.change(VecDeque::pop_back);
        last
    };
    Scenario::new(|| Monitor::new(VecDeque::new()))
        .name("ConcurrentLinkedList")
        .op("count()", |list| list.look(VecDeque::len).into())
        .op("add_first(10)", |list| list.change(|items| items.push_front(10)).into())
        .op("add_last(20)", |list| list.change(|items| items.push_back(20)).into())
        .op("remove_first()", |list| list.change(|items| items.pop_front().is_some()).into())
        .op("remove_first_value()", |list| list.change(VecDeque::pop_front).into())
        .op("remove_last()", |list| list.change(|items| items.pop_back().is_some()).into())
        .op("remove_last_value()", move |list| remove_last(list).into())
}
