//! Threads that keep to a [`Guide`]: the steps of a run that was recorded come again in their order, as far as they fit.
//!
//! A thread that is behind the call of the next step goes on until it is there; a step of a call that has ended already is passed over, and so is one of a thread that cannot go on.
//! When no step is left, threads are scheduled as without a guide.

use super::state::RunState;
use crate::graph::ThreadIndex;
use crate::port::Guide;
use std::sync::Arc;

/// A thread that is behind takes no more steps than that to the call that it is to be at: it may spin.
const BEHIND_MAX: u32 = 10_000;

/// How far a guide was followed.
pub(crate) struct Following {
    guide: Arc<Guide>,
    /// The thread that asked for it, and the first of those that keep to it.
    creator: ThreadIndex,
    first: ThreadIndex,
    next: usize,
    behind: u32,
}

impl Following {
    /// From the first step on, for the threads that come.
    pub(super) fn new(guide: &Arc<Guide>, creator: ThreadIndex, first: ThreadIndex) -> Self {
        Self { guide: guide.clone(), creator, first, next: 0, behind: 0 }
    }
}

/// The thread that the guide wants to go on; `None`, if there is no guide, or nothing is left of it.
pub(super) fn followed(run: &mut RunState) -> Option<ThreadIndex> {
    let now = &mut run.now;
    let following = now.following.as_mut()?;
    if now.ready.contains(following.creator) {
        return Some(following.creator);
    }
    while let Some(step) = following.guide.step(following.next) {
        let thread = following.first + usize::from(step.thread);
        let at = following.guide.call(step.thread);
        let is_there = at == u32::from(step.call);
        let is_behind = at < u32::from(step.call) && following.behind < BEHIND_MAX;
        if now.ready.contains(thread) && (is_there || is_behind) {
            if is_there {
                following.next += 1;
                following.behind = 0;
            } else {
                following.behind += 1;
            }
            return Some(thread);
        }
        following.next += 1;
        following.behind = 0;
    }
    now.following = None;
    None
}
