//! All linear extensions of the points of an execution, by paths in a graph: the twin of the walk, which shares no code with it.

use super::tests::{Call, Made};

/// What breaks: an event, and the number of its condition.
pub(super) type Breaks = (usize, usize);

/// A node is an operation or a point of a thread. An edge leads from each to the next one of its thread, from the operation that wrote to the one that
/// read, and from the creation of a thread to its first node.
pub(super) struct Paths {
    pub(super) edges: Vec<Vec<usize>>,
}

impl Paths {
    fn leads(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut left) = (vec![false; self.edges.len()], vec![from]);
        while let Some(node) = left.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                left.extend(&self.edges[node]);
            }
        }
        seen[to]
    }
}

/// What breaks in some order of the points.
pub(super) fn broken(made: &Made) -> Vec<Breaks> {
    let mut found = Vec::new();
    extend(made, &mut Vec::new(), &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

/// Each point is one at which something is looked at.
fn extend(made: &Made, order: &mut Vec<usize>, found: &mut Vec<Breaks>) {
    let points: Vec<usize> = made.points().collect();
    if order.len() == points.len() {
        return look(made, order, found);
    }
    let left: Vec<usize> = points.iter().copied().filter(|next| !order.contains(next)).collect();
    for next in left {
        let is_first = points
            .iter()
            .all(|&other| other == next || order.contains(&other) || !made.paths.leads(other, next));
        if is_first {
            order.push(next);
            extend(made, order, found);
            order.pop();
        }
    }
}

/// Runs one order.
fn look(made: &Made, order: &[usize], found: &mut Vec<Breaks>) {
    let (mut puts, mut gets): (Vec<&Call>, Vec<&Call>) = (Vec::new(), Vec::new());
    let is_before = |first: &Call, second: &Call| {
        first.thread == second.thread && first.event < second.event
            || first.end.is_some_and(|end| made.synchronised.leads(end, second.begin))
    };
    for &point in order {
        let now = made.calls.iter().find(|call| call.look == Some(point) || call.end == Some(point));
        let now = now.expect("each point is of a call");
        let others = |set: &[&Call]| -> Vec<usize> {
            set.iter().map(|call| call.event).filter(|event| *event != now.event).collect()
        };
        let call = |event: usize| &made.calls[event];
        match (now.is_put, now.look == Some(point)) {
            (true, true) => {
                let is_beside =
                    |event: &usize| !is_before(call(*event), now) && !is_before(now, call(*event));
                if others(&puts).iter().any(is_beside) {
                    found.push((now.event, 0));
                }
                puts.push(now);
            }
            (true, false) => {
                if gets.len() >= 2 {
                    found.push((now.event, 1));
                }
            }
            (false, true) => {
                if puts.is_empty() || others(&puts).iter().any(|event| !is_before(call(*event), now)) {
                    found.push((now.event, 0));
                }
                if !gets.is_empty() && !puts.iter().any(|call| call.event == now.event) {
                    puts.push(now);
                }
                gets.push(now);
            }
            (false, false) => {}
        }
    }
}
