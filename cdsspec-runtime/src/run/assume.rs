//! Rounds that are taken to be futile, where the user wants that: those of loops that wait.
//!
//! The first round of a loop is explored, since it may leave something behind ([`rounds`](super::rounds)). With the setting `spin_assume` a round
//! of a loop that waits is taken to leave nothing, and its thread stops after it as after a futile one. What a thread has done by then depends
//! on its own past alone, so the program that is explored is one whose threads stop somewhere, and every graph of it is explored once. What
//! is left out is a bound: the best verdict is `holds_within`. GenMC does the same, and decides by the code of the loop which ones wait (Kokologiannakis, Ren and
//! Vafeiadis, *Dynamic partial order reductions for spinloops*, FMCAD 2021).
//!
//! As any loop, one that is taken to wait is followed for many rounds first ([`spin`](super::spin)). If it leaves, it tries so often and no more,
//! and nothing of it is taken to be futile. Nor is it if threads would wait there for ever: after a first round that is not known, and
//! after two it is.
//!
//! A compare-exchange that failed may be followed by one that expects what it saw. Then the round that is left out is that of the read before
//! it: had that one read what the exchange saw, the thread would be where it is now. So it must have read what the exchange then expected, with
//! the order that a failure has; else the failure is explored. With `Acquire` first and `Relaxed` after a failure a use of what a pointer
//! leads to is a race in that execution alone. Nobody waits for ever in such a loop.

use super::port::Request;
use super::repeat::takes_back;
use super::rounds::Head;
use super::spin::SpinReason;
use super::state::RunState;
use super::thread_run::ThreadRun;
use crate::graph::{Label, is_same_place};
use crate::port::Action;
use crate::record::{Ending, Place};
use smallvec::SmallVec;
use std::sync::atomic::Ordering;

impl RunState {
    /// Whether the running thread's last round is taken to be futile.
    pub(super) fn is_assumed(&self, request: &Request<'_>, head: &Head) -> bool {
        let is_here = |known: &Place| is_same_place(known, request.place);
        self.loops.assumes_spins
            && !self.loops.unassumed.iter().any(is_here)
            && self.has_tried(request, head)
            && !self.did_more(head.start)
            && takes_back(self.explorer.graph(), self.events_of(head))
    }

    /// Whether the running thread, which asks for an operation like this event of its own, expects the same, if it is a compare-exchange.
    pub(super) fn asks_again(&self, request: &Request<'_>, index: usize) -> bool {
        let graph = self.explorer.graph();
        let before = &graph.event(graph.threads[self.now.current][index]).label;
        match (exchange(before), exchange(&request.label)) {
            (Some((before, _)), Some((expected, _))) => before == expected,
            _ => true,
        }
    }

    /// Whether the first operation of a round changed nothing, and the round has a hint, or that operation is a compare-exchange, which
    /// failed. One that changed something has succeeded: the thread is not in the same loop any more, or does not wait there.
    fn has_tried(&self, request: &Request<'_>, head: &Head) -> bool {
        let graph = self.explorer.graph();
        let Some(first) = self.events_of(head).first().map(|&first| graph.event(first)) else { return false };
        match exchange(&first.label) {
            _ if first.is_write => false,
            Some((expected, failure)) if !self.asks_again(request, head.start) => {
                let earlier = &graph.threads[self.now.current][..head.start];
                let before = earlier.iter().rev().map(|&id| graph.event(id));
                let read = before.into_iter().find(|event| event.location == first.location);
                read.zip(first.location).is_some_and(|(read, location)| {
                    read.label.is_read()
                        && read.label.order(read.is_write) == Some(failure)
                        && !read.is_write
                        && graph.value_of(location, read.reads_from) == expected
                })
            }
            Some(_) => true,
            None => head.hinted_count > 0,
        }
    }

    /// Whether threads of the run, which has ended, wait for ever as it seems, some of them in loops that were only taken to wait. From then on
    /// nothing of these is.
    pub(super) fn doubts_spins(&mut self) -> bool {
        let spins = self.now.threads.iter().filter_map(ThreadRun::spin);
        let assumed = spins.filter(|spin| spin.reason == SpinReason::Assumed).map(|spin| spin.place);
        let assumed: SmallVec<[Place; 4]> = assumed.collect();
        let is_doubtful = !assumed.is_empty() && matches!(self.ending(), Ending::Blocked(_));
        if is_doubtful {
            self.loops.unassumed.extend(assumed);
        }
        is_doubtful
    }
}

/// What a compare-exchange expects, and the order of its failures.
fn exchange(label: &Label) -> Option<(u64, Ordering)> {
    match *label {
        Label::Access(Action::CompareExchange { expected, failure, .. }) => Some((expected, failure)),
        _ => None,
    }
}
