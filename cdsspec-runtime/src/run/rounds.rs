//! Rounds of loops: which are left out, and how many are explored.
//!
//! A thread that is about to do an operation at a place where it has done one shortly before may be in a loop; what it has done since
//! then is a *round*. A round is *futile* if nothing can tell it from no round at all; then the thread stops there ([`Status::Spinning`]),
//! since all that it could do next it also does in executions without that round, which are explored: the round before reads whatever
//! the next one could have read.
//!
//! # When a round is futile
//! Let R be the round, and Q the round before it.
//!
//! (a) The round had no effect: it only read, or changed an internal word, as of a lock, and changed it back, or wrote by a
//! read-modify-write what was there. No call began or ended in it, and no data of a lock were borrowed to be changed. And the thread's
//! stack and registers are, at the same operation, after R what they were after Q ([`frames`](super::frames)). So the thread goes on
//! after R as it would after Q: as a program, it cannot tell. Take R out of the graph, and lead who reads a write of R to what that
//! write read: every thread sees the same values, and since happens-before, coherence and psc only lose edges the graph stays
//! consistent. Less happens-before can only add races, and stores to read. The first round of a loop is never futile: what the loop
//! keeps may change in it, and dead words of the stack do. It is explored.
//!
//! (b) Where method calls are recorded, happens-before itself is looked at. Then R must also have done what Q did: the same operations
//! at the same places, reading the same stores (or what R or Q wrote itself), with the same three clocks afterwards, those of other
//! threads' events in happens-before, in what a later acquire fence would learn, and in what the last release fence released. Whatever
//! is ordered with an operation of R is then ordered with the same one of Q: what comes before R's operation by what it read or by the
//! clocks comes before Q's, and what comes after it comes after Q's, which is before it in its thread, or overwrites the store that both
//! read. A path that enters R at one operation and leaves it at an earlier one of the next round needs two equal rounds, so of rounds with more
//! than one operation three must be equal, and the third is futile. An ordering point in R has its equal in Q.
//! Two of the clocks are compared, since the third one follows ([`repeat`](super::repeat) says why, and its tests compare all three after
//! every small round). What a round reads comes to the clocks one after the other, a round later each at most. With three equal rounds each
//! of the two tells what the other one does, so no program notices the lack of one alone: the graphs of these tests do.
//!
//! The first time, the loop at a place is followed for many rounds before any is left out ([`spin`](super::spin)): so is found what it keeps
//! in the heap. It is not followed where it took a lock, as an older store has it, that others have taken since: what it would find
//! in memory there is newer than what it saw. Then the round is explored, and another one is followed.
//!
//! A write to an internal word can be seen in the middle of a round only by who does not wait: `try_lock`, `is_poisoned`. If anybody looks so
//! at a word of a round that was taken to be futile, the exploration starts again, and no such round is futile any more. And if a call is
//! recorded after rounds were judged without (b), it starts again with (b).
//!
//! # The bound
//! Other loops are explored round by round. One that a thread goes round more than `loop_rounds_max` times may have no end, and would be
//! dug into depth first. The exploration starts again then, with a bound on the rounds of the loop at that place: 1, 2, 4 and so
//! on. A bound depends on the thread's own past alone, so the bounded program is one whose threads stop somewhere: every graph of it is
//! explored once. What is found within a bound is found; what holds, holds within the bound.

use super::loops::UNHINTED_FACTOR;
use super::port::{Request, RunPort};
use super::repeat::{Likeness, changes_nothing, did_the_same, is_same_round, last_like};
use super::spin::{Spin, SpinReason};
use super::state::RunState;
use super::thread_run::Status;
use crate::graph::{Action, EventId, Graph, Label, LocationIndex, ThreadIndex, is_same_place};
use crate::port::Effect;
use crate::record::{LocationId, Place};
use smallvec::SmallVec;

/// So many rounds on end are looked at together: backoffs come back after a few.
const ROUNDS_ON_END_MAX: usize = 16;

/// A moment at which a thread was about to do again what it had done at an earlier event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// How many events it had.
    pub(crate) index: usize,
    /// How many it had when it did that before: its round begins there.
    pub(crate) start: usize,
    /// Its stack, where that can matter.
    pub(crate) fingerprint: Option<u64>,
    /// Whether the round had no effect.
    pub(crate) is_quiet: bool,
    /// Rounds on end, this one included, in which it yielded.
    pub(crate) hinted_count: usize,
    /// Rounds on end.
    pub(crate) count: usize,
    /// Rounds on end that were equal to the one before.
    pub(crate) equal_count: usize,
}

/// What a thread of a run has done besides its events, as far as rounds depend on it. Moments are counts of its events.
#[derive(Default, Debug)]
pub(crate) struct Rounds {
    pub(crate) heads: Vec<Head>,
    /// When it last yielded.
    hint: usize,
    /// Whether it has.
    has_yielded: bool,
    /// When it last did what a round that is left out must not do.
    effect: usize,
    /// Its last yield, if it has done nothing since: when, where, and its stack.
    idle: Option<(usize, Place, Option<u64>)>,
    /// The locks that it holds whose data may have changed.
    changed: SmallVec<[LocationId; 2]>,
}

impl Rounds {
    /// From here on they are those of a thread that has done nothing.
    pub(crate) fn restart(&mut self) {
        let Self { heads, hint, has_yielded, effect, idle, changed } = self;
        heads.clear();
        (*hint, *has_yielded, *effect, *idle) = (0, false, 0, None);
        changed.clear();
    }

    /// The thread has looked at something that is no operation.
    pub(crate) fn forget_idle(&mut self) {
        self.idle = None;
    }
}

impl RunPort {
    /// The current thread is about to begin a round of a loop, or to begin one again in a replay. Whether it must stop.
    pub(crate) fn begin_round(&self, request: &Request<'_>, fingerprint: Option<u64>) -> bool {
        let run = &mut *self.run.borrow_mut();
        run.now.cut.is_none() && run.begin_round(request, fingerprint)
    }
}

impl RunState {
    /// Whether the running thread may be about to begin a round: its next event is known to do so, or, if it is new, it has done the same
    /// shortly before.
    #[inline]
    pub(crate) fn is_head(&self, known: Option<EventId>, request: &Request<'_>) -> bool {
        match known {
            Some(event) => self.explorer.graph().event(event).is_head,
            None => self.thread(self.now.current).next > 0 && self.round_start(request).is_some(),
        }
    }

    /// Whether the event that is about to be added begins a round.
    #[inline]
    pub(crate) fn is_new_head(&self) -> bool {
        let thread = self.thread(self.now.current);
        thread.rounds.heads.last().is_some_and(|head| head.index == thread.next)
    }

    /// Whether the failures of an exchange of what the running thread has just read, by the last event, may be left out. One that fails reads
    /// another store; the executions in which the first read had read that one, with the same order, differ from this one in nothing
    /// else, if what the thread made of the value depends on the value alone. As with rounds, less happens-before is no loss where no
    /// calls are recorded.
    pub(crate) fn may_leave_failures_out(&mut self, place: &Place, location: LocationId) -> bool {
        let graph = self.explorer.graph();
        let current = self.thread(self.now.current);
        let events = &graph.threads[self.now.current][..current.next];
        let has_read = events.last().map(|&last| graph.event(last)).is_some_and(|last| {
            matches!(last.label, Label::Access(Action::Load { .. }))
                && is_same_place(&last.place, place)
                && last.location == self.now.locations[location.index()].bound
        });
        let may_leave_out = has_read && !self.loops.has_calls;
        self.loops.has_judged_without_calls |= may_leave_out;
        may_leave_out
    }

    /// Whether some thread went round a loop with a hint, without an effect, before it went on, or before the rounds on end in which it
    /// spins.
    pub(crate) fn is_delayed(&self) -> bool {
        (0..self.now.threads.len()).any(|index| {
            let thread = self.thread(index);
            let last = thread.spin().and(thread.rounds.heads.last());
            let is_waiting = |head: &&Head| head.is_quiet && head.hinted_count > 0;
            let is_last = |head: &Head| last.is_some_and(|last| self.is_same_reading(index, head, last));
            thread.rounds.heads.iter().filter(is_waiting).any(|head| !is_last(head))
        })
    }

    /// Whether two rounds of a thread did and saw the same.
    fn is_same_reading(&self, thread: ThreadIndex, first: &Head, second: &Head) -> bool {
        let graph = self.explorer.graph();
        let events = |head: &Head| &graph.threads[thread][head.start..head.index];
        did_the_same(graph, events(first), events(second))
    }

    /// Whether the running thread is in a round that has had no effect so far.
    pub(crate) fn is_in_quiet_round(&self) -> bool {
        let thread = self.thread(self.now.current);
        let head = thread.rounds.heads.last();
        head.is_some_and(|head| self.is_without_effect(head.index, thread.next))
    }

    /// The index of the running thread's last event at this place and location, if it is not long ago.
    fn round_start(&self, request: &Request<'_>) -> Option<usize> {
        let graph = self.explorer.graph();
        let events = &graph.threads[self.now.current][..self.thread(self.now.current).next];
        last_like(graph, events, &self.likeness(request))
    }

    /// Whether the stack of the running thread, which may be about to begin a round, can matter to a round: to look at it costs more than all
    /// else. Of a bounded loop it does. Else rounds alone are judged by it that have no effect, each of them and the one before it. And
    /// where calls are recorded, a round is judged beside the last one before it: not beside one that begins with an operation which the
    /// thread is known to do again later.
    pub(crate) fn needs_stack(&self, request: &Request<'_>) -> bool {
        let Some(start) = self.round_start(request).filter(|_| !self.is_playing()) else { return false };
        if self.loops.find(request.place).is_some() {
            return true;
        }
        let index = self.thread(self.now.current).next;
        self.is_without_effect(start, index) && !(self.loops.has_calls && self.is_done_later(request, index))
    }

    /// Whether the running thread does the same after its event with this index, as far as the graph knows.
    fn is_done_later(&self, request: &Request<'_>, index: usize) -> bool {
        let graph = self.explorer.graph();
        let events = &graph.threads[self.now.current];
        let likeness = self.likeness(request);
        events.iter().skip(index + 1).any(|&event| likeness.is_of(graph.event(event)))
    }

    fn likeness<'r>(&self, request: &'r Request<'_>) -> Likeness<'r> {
        let location = request.location.and_then(|location| self.now.locations[location.index()].bound);
        Likeness { label: &request.label, place: request.place, location }
    }

    fn begin_round(&mut self, request: &Request<'_>, fingerprint: Option<u64>) -> bool {
        let Some(start) = self.round_start(request) else { return false };
        let index = self.thread(self.now.current).next;
        // Those of events that access nothing are put off.
        self.explorer.graph_mut().compute_clocks();
        let rounds = &self.thread(self.now.current).rounds;
        if rounds.heads.last().is_some_and(|head| head.index == index) {
            // It comes here a second time, having been suspended.
            return false;
        }
        let before = head_at(&rounds.heads, start).copied();
        let is_quiet = self.is_without_effect(start, index);
        let is_equal = is_quiet && before.is_some_and(|before| self.repeats([before.start, start, index]));
        let head = Head {
            index,
            start,
            fingerprint,
            is_quiet,
            hinted_count: if rounds.hint > start {
                1 + before.map_or(0, |before| before.hinted_count)
            } else {
                0
            },
            count: 1 + before.map_or(0, |before| before.count),
            equal_count: if is_equal { 1 + before.map_or(0, |before| before.equal_count) } else { 0 },
        };
        self.current_mut().rounds.heads.push(head);
        // A replayed thread went on here when the event was added.
        index == self.explorer.graph().threads[self.now.current].len() && self.judge(request, head, before)
    }

    /// Whether the thread stops at this head.
    fn judge(&mut self, request: &Request<'_>, head: Head, before: Option<Head>) -> bool {
        if self.explorer.is_sampling() {
            return self.judge_sampled(request, head, before);
        }
        if self.is_playing() {
            return self.spin_by_steps(head.index, *request.place);
        }
        let place = *request.place;
        let is_as_before = |before: Head| before.fingerprint == head.fingerprint;
        let comes_back = head.fingerprint.is_some() && before.is_some_and(is_as_before);
        let is_quiet = head.is_quiet && before.is_some_and(|before| before.is_quiet);
        if !self.loops.is_kept(&place)
            && let Some((from, reason)) = self.left_out_from(request, &head, comes_back && is_quiet)
            && (self.loops.is_confirmed(&place) || !self.has_held_stale(from))
        {
            self.note_left_out(from, head.index);
            let comes_back = reason == SpinReason::Futile || self.asks_again(request, from);
            self.spin(Spin { from, place, comes_back, reason });
            return true;
        }
        let comes_back = comes_back && !self.did_more(head.start);
        match self.loops.find(&place) {
            Some(bounded) => {
                let bound = self.loops.bound;
                let is_reached = match bounded.has_hints {
                    true => head.hinted_count >= bound || head.count >= UNHINTED_FACTOR * bound,
                    false => head.count >= bound,
                };
                if is_reached {
                    self.loops.is_bound_reached = true;
                    self.spin(Spin { from: head.start, place, comes_back, reason: SpinReason::Bounded });
                }
                is_reached
            }
            None => {
                let endless = self.loops.is_endless(&head);
                if let Some(has_hints) = endless {
                    self.loops.add(place, has_hints);
                    self.start_again();
                    self.suspend(Status::Cut);
                }
                endless.is_some()
            }
        }
    }

    /// Whether the thread stops at this head of a sample: until something changes. There nothing is left out, so it must go round for ever as long
    /// as nothing does, and have seen the newest values in its last round.
    fn judge_sampled(&mut self, request: &Request<'_>, head: Head, before: Option<Head>) -> bool {
        let place = *request.place;
        let comes_back = head.fingerprint.is_some()
            && before.is_some_and(|before| before.fingerprint == head.fingerprint && before.is_quiet);
        if !head.is_quiet || self.loops.is_kept(&place) {
            return false;
        }
        let Some(from) = self.futile_from(&head, comes_back) else { return false };
        let spin = Spin { from, place, comes_back: true, reason: SpinReason::Futile };
        let is_for_ever = self.spins_for_ever(self.now.current, &spin)
            && (self.loops.is_confirmed(&place) || !self.has_held_stale(from));
        if is_for_ever {
            self.spin(spin);
        }
        is_for_ever
    }

    /// Whether a thread stops that has come to this place again, or yields there: if that was its end.
    fn spin_by_steps(&mut self, index: usize, place: Place) -> bool {
        let spin = self.spin_at(index, place);
        if let Some(spin) = spin {
            self.spin(spin);
        }
        spin.is_some()
    }

    fn spin(&mut self, spin: Spin) {
        self.suspend(Status::Spinning(spin));
    }

    /// Where what is left out begins, if anything is, and why.
    fn left_out_from(
        &mut self,
        request: &Request<'_>,
        head: &Head,
        is_one: bool,
    ) -> Option<(usize, SpinReason)> {
        match self.futile_from(head, is_one) {
            Some(from) => Some((from, SpinReason::Futile)),
            None => self.is_assumed(request, head).then_some((head.start, SpinReason::Assumed)),
        }
    }

    /// Where the round, or the rounds on end, begin that nothing can tell, if there are any: after them the thread is as it was before.
    fn futile_from(&mut self, head: &Head, is_one: bool) -> Option<usize> {
        if !self.loops.has_calls {
            let from = if is_one { Some(head.start) } else { self.rounds_from(head) };
            self.loops.has_judged_without_calls |= from.is_some();
            return from;
        }
        let has_one_operation = head.index - head.start == 1;
        let is_futile = is_one && head.equal_count >= if has_one_operation { 1 } else { 2 };
        is_futile.then_some(head.start)
    }

    /// Where the last rounds on end begin, none of which has an effect, after which the thread is as it was before them. (a) is about them as
    /// it is about one.
    fn rounds_from(&self, head: &Head) -> Option<usize> {
        let heads = &self.thread(self.now.current).rounds.heads;
        let find = |index: usize| head_at(heads, index);
        let mut last = head;
        for _ in 0..ROUNDS_ON_END_MAX {
            let before = find(last.start).filter(|_| last.is_quiet)?;
            if before.is_quiet && before.fingerprint == head.fingerprint && head.fingerprint.is_some() {
                return Some(before.index);
            }
            last = before;
        }
        None
    }

    /// Whether the running thread's last round, the second of the two between these indices, repeats the one before it.
    fn repeats(&self, bounds: [usize; 3]) -> bool {
        is_same_round(self.explorer.graph(), self.now.current, bounds)
    }

    /// Whether the running thread's events with these indices have no effect, and it did nothing else that has one.
    fn is_without_effect(&self, start: usize, end: usize) -> bool {
        if self.did_more(start) {
            return false;
        }
        let graph = self.explorer.graph();
        let may_change = |location| !self.loops.keeps_writing_rounds && self.is_internal(location);
        changes_nothing(graph, &graph.threads[self.now.current][start..end], may_change)
    }

    /// Whether the running thread did something besides operations since this event that a round which is left out must not do.
    pub(super) fn did_more(&self, start: usize) -> bool {
        let rounds = &self.thread(self.now.current).rounds;
        rounds.effect > start || !rounds.changed.is_empty()
    }

    /// The events of the round that ends at a head of the running thread.
    pub(super) fn events_of(&self, head: &Head) -> &[EventId] {
        &self.explorer.graph().threads[self.now.current][head.start..head.index]
    }

    fn is_internal(&self, location: LocationIndex) -> bool {
        let location = self.now.location_ids.get(location as usize).copied().flatten();
        location.is_some_and(|location| self.now.locations[location.index()].kind.is_internal())
    }

    /// A round is left out: nobody may have looked at the words that it changed and changed back.
    fn note_left_out(&mut self, from: usize, end: usize) {
        for index in from..end {
            let graph = self.explorer.graph();
            let event = graph.event(graph.threads[self.now.current][index]);
            let Some(location) = event.location.filter(|_| event.is_write) else { continue };
            if !self.is_internal(location) {
                continue;
            }
            self.now.left_out.push(location);
            let has_look = graph.location(location).reads.iter().any(|&read| is_look(graph, read));
            self.keep_writing_rounds_if(has_look);
        }
    }

    /// An event was added or has run again: it may look at a word of a round that was left out.
    #[inline]
    pub(crate) fn note_look(&mut self, id: EventId) {
        if self.now.left_out.is_empty() {
            return;
        }
        let graph = self.explorer.graph();
        let location = graph.event(id).location;
        let is_left_out = location.is_some_and(|location| self.now.left_out.contains(&location));
        self.keep_writing_rounds_if(is_left_out && is_look(graph, id));
    }

    /// What is assumed of loops has changed.
    pub(crate) fn start_again(&mut self) {
        self.loops.must_start_again = true;
        self.now.must_run_again = true;
    }

    fn keep_writing_rounds_if(&mut self, has_look: bool) {
        if has_look && !self.loops.keeps_writing_rounds {
            self.loops.keeps_writing_rounds = true;
            self.start_again();
        }
    }

    /// The running thread does something besides operations.
    pub(crate) fn note_effect(&mut self, effect: Effect) {
        if effect.is_of_call() && !self.loops.has_calls {
            self.loops.has_calls = true;
            if self.loops.has_judged_without_calls {
                self.start_again();
            }
        }
        let current = self.current_mut();
        let now = current.next;
        current.rounds.idle = None;
        if let Effect::Data(lock) = effect
            && !current.rounds.changed.contains(&lock)
        {
            current.rounds.changed.push(lock);
        }
        if effect != Effect::Marker {
            current.rounds.effect = now;
        }
    }

    /// An event was added or has run again: if it unlocks data that have changed, they are no longer borrowed.
    #[inline]
    pub(crate) fn note_unlock(&mut self, id: EventId) {
        if self.thread(self.now.current).rounds.changed.is_empty() {
            return;
        }
        let event = self.explorer.graph().event(id);
        if let (Label::Access(Action::Update { .. }), Some(location)) = (event.label, event.location) {
            let location = self.now.location_ids.get(location as usize).copied().flatten();
            self.current_mut().rounds.changed.retain(|lock| Some(*lock) != location);
        }
    }

    /// Whether the current thread, which yields, has done no operation since its last yield.
    pub(crate) fn may_be_idle(&self) -> bool {
        let thread = self.thread(self.now.current);
        thread.rounds.hint == thread.next && thread.rounds.has_yielded
    }

    /// The current thread yields. Whether it goes on at once.
    pub(crate) fn yield_current(&mut self, place: Place, fingerprint: Option<u64>) -> bool {
        let is_replaying =
            self.thread(self.now.current).next < self.explorer.graph().threads[self.now.current].len();
        let current = self.current_mut();
        let now = current.next;
        current.rounds.hint = now;
        current.rounds.has_yielded = true;
        let is_again = fingerprint.is_some()
            && current.rounds.idle.is_some_and(|(then, there, known)| {
                (then, known) == (now, fingerprint) && is_same_place(&there, &place)
            });
        current.rounds.idle = Some((now, place, fingerprint));
        if is_replaying {
            return true;
        }
        if self.next_kind().is_some() {
            return true;
        }
        if self.is_playing() {
            let is_over = is_again && self.spin_by_steps(now, place);
            return !is_over && !self.give_way();
        }
        if is_again && !self.loops.is_kept(&place) {
            self.spin(Spin { from: now, place, comes_back: true, reason: SpinReason::Futile });
            return false;
        }
        !self.give_way()
    }
}

/// The head with this index; they are in order.
#[inline]
fn head_at(heads: &[Head], index: usize) -> Option<&Head> {
    heads.iter().rev().take_while(|head| head.index >= index).find(|head| head.index == index)
}

/// Whether an event shows its thread the state of an internal word without waiting.
fn is_look(graph: &Graph, id: EventId) -> bool {
    matches!(graph.event(id).label, Label::Access(Action::Load { .. } | Action::CompareExchange { .. }))
}
