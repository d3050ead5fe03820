//! One run of the program under a graph.

use super::count::{Changed, Counts};
use super::expectation::Expectation;
use super::loops::Loops;
use super::now::{EventProgress, Run};
use super::playback::Playback;
use super::spin::SpinReason;
use super::thread_run::{PanicRun, Status, ThreadRun, Waiters};
use crate::explore::{Explorer, Reading};
use crate::graph::{Action, EventId, Label, LocationIndex, ReadsFrom, ThreadIndex};
use crate::port::CountChange;
use crate::random::Random;
use crate::record::{
    Ending, LocationId, OperationId, Panic, ReachedBound, SourceLocation, StoreId, ThreadId, WaitReason,
};
use fixedbitset::FixedBitSet;

/// After so many events of a sample without an effect threads are looked at, whether they spin.
const QUIET_COUNT: usize = 8;

/// An exploration, and what the run that goes on knows.
pub(crate) struct RunState {
    pub(crate) explorer: Explorer,
    pub(crate) loops: Loops,
    /// The counts of handles that have no events.
    pub(crate) counts: Counts,
    /// Whether a thread stores to a location when it has left its body, and whether it is to from the next start on.
    pub(crate) has_ends: bool,
    pub(crate) wants_ends: bool,
    /// Whether some location was accessed as an atomic and as a cell.
    pub(crate) has_mixed: bool,
    /// What the calls of a sample are expected to do.
    pub(crate) expectation: Expectation,
    /// The steps that the program keeps to, if it runs once more.
    pub(crate) playback: Option<Box<Playback>>,
    /// All that is of this run alone.
    pub(crate) now: Run,
}

/// What becomes of a run.
pub(crate) enum Fate {
    /// It is an execution, to look at.
    Visit,
    /// What it did is made up: the program runs again under the same graph.
    RunAgain,
    /// It left operations out that show: the exploration starts again, with them.
    StartAgain,
}

impl RunState {
    pub(crate) fn new(explorer: Explorer, counts: Counts, loops: Loops) -> Self {
        let expectation = Expectation::default();
        Self {
            explorer,
            loops,
            counts,
            has_ends: false,
            wants_ends: false,
            has_mixed: false,
            expectation,
            playback: None,
            now: Run::default(),
        }
    }

    /// The program begins to run under the topmost graph.
    pub(crate) fn begin(&mut self) {
        self.explorer.begin();
        self.begin_run();
    }

    /// Whether a sample has gone on for so long without an effect that its threads may spin.
    pub(crate) fn is_quiet(&self) -> bool {
        self.now.quiet_count >= QUIET_COUNT
    }

    /// The program begins to run, with choices that are drawn by this.
    pub(crate) fn begin_sample(&mut self, random: Random, reading: Reading, expected: Option<u64>) {
        self.explorer.begin_sample(random, reading);
        self.expectation.begin(expected);
        self.begin_run();
    }

    fn begin_run(&mut self) {
        let graph = self.explorer.graph();
        self.now = Run::after(std::mem::take(&mut self.now), graph.events.len(), graph.locations.len());
        self.counts.begin();
        self.add_thread(0, None);
    }

    /// An event was recorded.
    pub(crate) fn note_recorded(
        &mut self,
        event: EventId,
        operation: Option<OperationId>,
        store: Option<StoreId>,
    ) {
        let event_count = self.explorer.graph().events.len();
        self.now.operations.resize(event_count, None);
        self.now.stores.resize(event_count, None);
        self.now.operations[event as usize] = operation;
        self.now.stores[event as usize] = store;
    }

    /// The operation that an event was in this run, if it was recorded.
    pub(crate) fn operation(&self, event: EventId) -> Option<OperationId> {
        self.now.operations.get(event as usize).copied().flatten()
    }

    /// The store that an event made in this run, if it was recorded.
    pub(crate) fn store(&self, event: EventId) -> Option<StoreId> {
        self.now.stores.get(event as usize).copied().flatten()
    }

    /// A thread begins; its number in the recording.
    pub(crate) fn add_thread(&mut self, index: ThreadIndex, name: Option<String>) -> ThreadId {
        let id = ThreadId::new(self.now.thread_indices.len());
        while self.now.threads.len() <= index {
            self.now.threads.push(ThreadRun::new());
            self.now.ready.grow(self.now.threads.len());
        }
        self.now.thread_indices.push(index);
        let status = match self.first_wait(index) {
            Some(store) => {
                self.note_waiter(store, index);
                Status::AfterEvent(store)
            }
            None => {
                self.now.ready.insert(index);
                Status::Ready
            }
        };
        let thread = &mut self.now.threads[index];
        thread.id = id;
        thread.status = status;
        if name.is_some() {
            thread.name = name;
        }
        id
    }

    #[inline]
    pub(crate) fn thread(&self, index: ThreadIndex) -> &ThreadRun {
        &self.now.threads[index]
    }

    #[inline]
    pub(crate) fn thread_mut(&mut self, index: ThreadIndex) -> &mut ThreadRun {
        &mut self.now.threads[index]
    }

    #[inline]
    pub(crate) fn current_mut(&mut self) -> &mut ThreadRun {
        self.thread_mut(self.now.current)
    }

    #[inline]
    pub(crate) fn has_ended(&self, index: ThreadIndex) -> bool {
        matches!(self.thread(index).status, Status::Ended)
    }

    /// Whether an event has run in this run.
    pub(crate) fn has_run(&self, event: EventId) -> bool {
        self.now.progress[event as usize] == EventProgress::Run
    }

    /// Whether events of the graph have not run yet.
    pub(crate) fn is_replaying(&self) -> bool {
        self.now.replay_left > 0
    }

    /// The threads that can go on now.
    pub(crate) fn ready(&self) -> &FixedBitSet {
        &self.now.ready
    }

    /// The running thread cannot go on now.
    #[inline(never)]
    pub(crate) fn suspend(&mut self, status: Status) {
        self.set_suspended(self.now.current, status);
    }

    #[inline]
    fn set_suspended(&mut self, index: ThreadIndex, status: Status) {
        match status {
            Status::AfterEvent(event) => self.note_waiter(event, index),
            Status::AfterThread(child, _) => self.thread_mut(child).waiters.add(index),
            Status::Held { .. } | Status::Spinning(_) => self.now.has_waiting = true,
            _ => {}
        }
        self.thread_mut(index).status = status;
        self.now.ready.remove(index);
    }

    /// A thread waits for an event that has not run.
    #[inline]
    fn note_waiter(&mut self, event: EventId, index: ThreadIndex) {
        if let EventProgress::Pending(waiters) = &mut self.now.progress[event as usize] {
            waiters.add(index);
        }
    }

    /// What a thread that is about to begin has to wait for: a store that its first event reads. It need not run to find that out.
    #[inline]
    fn first_wait(&self, index: ThreadIndex) -> Option<EventId> {
        let graph = self.explorer.graph();
        match graph.event(graph.threads.get(index, 0)?).reads_from {
            ReadsFrom::Event(store) if !self.has_run(store) => Some(store),
            _ => None,
        }
    }

    /// The current thread lets others go on first, if any can: whether any can.
    pub(crate) fn give_way(&mut self) -> bool {
        self.now.ready.remove(self.now.current);
        let has_others = !self.now.ready.is_clear();
        if has_others {
            self.current_mut().status = Status::Yielded;
            self.now.has_waiting = true;
        } else {
            self.now.ready.insert(self.now.current);
        }
        has_others
    }

    /// No thread can go on but those that have yielded: whether there are any.
    pub(crate) fn wake_yielded(&mut self) -> bool {
        self.wake(|status| matches!(status, Status::Yielded));
        !self.now.ready.is_clear()
    }

    /// A thread has run to its end.
    pub(crate) fn end_thread(&mut self, index: ThreadIndex) {
        let thread = &mut self.now.threads[index];
        self.now.lent.end(index, thread.next);
        thread.status = Status::Ended;
        let waiters = thread.waiters;
        self.now.ready.remove(index);
        if waiters != Waiters::None {
            self.wake_waiters(
                waiters,
                |status| matches!(status, Status::AfterThread(child, _) if *child == index),
            );
        }
    }

    /// What some threads wait for is there; they have such a status.
    #[inline(never)]
    pub(crate) fn wake_waiters(&mut self, waiters: Waiters, is_over: impl Fn(&Status) -> bool) {
        let Waiters::One(index) = waiters else { return self.wake(is_over) };
        let index = usize::from(index);
        let thread = &mut self.now.threads[index];
        if is_over(&thread.status) {
            thread.status = Status::Ready;
            self.now.ready.insert(index);
        }
    }

    /// Whether the newest store of a location ends such a wait.
    pub(crate) fn is_ended_by_newest(&self, location: LocationIndex, wait: &Label) -> bool {
        let graph = self.explorer.graph();
        wait.is_satisfied(graph.value_of(location, graph.newest(location)))
    }

    /// Whether threads other than the running one can go on.
    pub(crate) fn may_others_go_on(&self) -> bool {
        let others = self.now.ready.ones().any(|index| index != self.now.current);
        others || self.now.threads.iter().any(|thread| matches!(thread.status, Status::Yielded))
    }

    /// Where no thread can go on, the first one that is held goes on, to wait for good; others than the newest store may still end its wait.
    /// Whether there is one. Where threads run one after the other, and in samples, those that are held remain so.
    pub(crate) fn wake_first_held(&mut self) -> bool {
        if !self.explorer.is_exhaustive() {
            return false;
        }
        let is_held = |thread: &ThreadRun| matches!(thread.status, Status::Held { .. });
        let Some(index) = self.now.threads.iter().position(is_held) else { return false };
        self.now.threads[index].status = Status::Ready;
        self.now.ready.insert(index);
        true
    }

    /// An event has run: if it is a store, threads that are held at its location look again.
    pub(crate) fn wake_held(&mut self, id: EventId) {
        let event = self.explorer.graph().event(id);
        if event.is_write {
            let stored = event.location;
            self.wake(|status| matches!(status, Status::Held { location, .. } if Some(*location) == stored));
        }
    }

    /// An event of a sample has run. Those go on that have yielded; those that spin, if anything has changed; and those that are held where
    /// something was stored.
    #[inline]
    pub(crate) fn note_sampled(&mut self, id: EventId) {
        let graph = self.explorer.graph();
        let event = graph.event(id);
        let changes = match event.label {
            Label::Create { .. } | Label::Access(Action::Store { .. }) => true,
            _ => {
                event.is_write
                    && event.location.is_some_and(|at| graph.value_of(at, event.reads_from) != event.value)
            }
        };
        self.now.quiet_count = if changes { 0 } else { self.now.quiet_count + 1 };
        if self.now.has_waiting {
            self.wake_waiting(id, changes);
        }
    }

    #[inline(never)]
    fn wake_waiting(&mut self, id: EventId, changes: bool) {
        let event = self.explorer.graph().event(id);
        let stored = event.location.filter(|_| event.is_write);
        self.wake(|status| match status {
            Status::Yielded => true,
            Status::Spinning(_) => changes,
            Status::Held { location, .. } => stored == Some(*location),
            _ => false,
        });
        let is_waiting =
            |thread: &ThreadRun| matches!(thread.status, Status::Spinning(_) | Status::Held { .. });
        self.now.has_waiting = self.now.threads.iter().any(is_waiting);
    }

    /// Takes the event of a wait away again, which was just added and is not over.
    pub(crate) fn take_wait_back(&mut self, event: EventId) {
        self.explorer.graph_mut().take_back(event);
        self.now.progress.pop();
    }

    /// Threads with such a status can go on.
    #[inline(never)]
    pub(crate) fn wake(&mut self, is_over: impl Fn(&Status) -> bool) {
        for (index, thread) in self.now.threads.iter_mut().enumerate() {
            if is_over(&thread.status) {
                thread.status = Status::Ready;
                self.now.ready.insert(index);
            }
        }
    }

    /// How the execution ended, no thread being able to go on.
    pub(crate) fn ending(&self) -> Ending {
        if let Some(ending) = &self.now.cut {
            // A limit must not hide a panic that came before it.
            let panic = self.first_unjoined_panic().filter(|_| matches!(ending, Ending::Limit(_)));
            return panic.map_or_else(|| ending.clone(), Ending::Panic);
        }
        if let Some(race) = &self.now.race {
            return Ending::Race(race.clone());
        }
        match (self.first_unjoined_panic(), self.ending_uncut()) {
            // The executions in which the threads that wait go on have the same panic, unless it is joined there.
            (Some(_), ending @ Ending::ByProduct { reached: None }) => ending,
            (Some(panic), _) => Ending::Panic(panic),
            (None, ending) => ending,
        }
    }

    /// The same, of an execution that nothing has cut, but for panics.
    fn ending_uncut(&self) -> Ending {
        // Most often.
        if self.now.threads.iter().all(|thread| matches!(thread.status, Status::Absent | Status::Ended)) {
            return Ending::Complete;
        }
        let reached = self.reached_bound();
        let mut waiting = Vec::new();
        for (index, thread) in self.now.threads.iter().enumerate() {
            let graph = self.explorer.graph();
            let (place, reason, location) = match thread.status {
                Status::Absent | Status::Ended => continue,
                Status::AfterThread(child, place) => (place, WaitReason::Join(self.thread(child).id), None),
                Status::Waiting { event: id } => {
                    let event = graph.event(id);
                    if event.label.action().is_some_and(Action::may_be_given_up) {
                        return Ending::ByProduct { reached };
                    }
                    let location = event.location.expect("a read has a location");
                    // Of the stores that do not end a wait the newest stands for all.
                    if graph.newest(location) != event.reads_from || self.is_satisfied_in_round(id) {
                        return Ending::ByProduct { reached };
                    }
                    if thread.is_behind_writer && !self.has_waiting_writer(location) {
                        return Ending::ByProduct { reached };
                    }
                    (event.place, WaitReason::Blocking, self.now.location_ids[location as usize])
                }
                Status::Held { location, place } => {
                    (place, WaitReason::Blocking, self.now.location_ids[location as usize])
                }
                Status::Still(place) => (place, WaitReason::StandsStill, None),
                Status::Spinning(spin) => {
                    if !self.spins_for_ever(index, &spin) {
                        return Ending::ByProduct { reached };
                    }
                    (spin.place, WaitReason::Spinning, None)
                }
                _ => unreachable!("cdsspec bug: a thread that can go on does"),
            };
            waiting.push(crate::record::WaitingThread { thread: thread.id, place, reason, location });
        }
        waiting.sort_by_key(|thread| thread.thread);
        if waiting.is_empty() { Ending::Complete } else { Ending::Blocked(waiting) }
    }

    /// Whether a thread waits for a lock that others have taken shared: only one that wants it alone does.
    fn has_waiting_writer(&self, lock: LocationIndex) -> bool {
        self.now.threads.iter().any(|thread| {
            let Status::Waiting { event } = thread.status else { return false };
            let event = self.explorer.graph().event(event);
            matches!(event.label, Label::Access(Action::WaitUpdate { .. })) && event.location == Some(lock)
        })
    }

    /// The loop in which a thread has reached the bound on rounds, if one has.
    fn reached_bound(&self) -> Option<ReachedBound> {
        let spin = self
            .now
            .threads
            .iter()
            .filter_map(ThreadRun::spin)
            .find(|spin| spin.reason == SpinReason::Bounded)?;
        Some(ReachedBound { round_count: self.loops.bound() as u64, place: spin.place })
    }

    fn first_unjoined_panic(&self) -> Option<Panic> {
        if self.now.panic_count == 0 {
            return None;
        }
        let mut panics: Vec<&PanicRun> =
            self.now.threads.iter().filter_map(|thread| thread.panic.as_deref()).collect();
        panics.sort_by_key(|panic| panic.number);
        let is_taken = |panic: &PanicRun| {
            let thread = self.thread(self.now.thread_indices[panic.panic.thread.index()]);
            panic.is_joined || thread.is_panic_taken
        };
        let unjoined = panics.iter().find(|panic| !is_taken(panic))?;
        let earlier = panics.iter().filter(|other| other.number < unjoined.number).map(|other| &other.panic);
        Some(unjoined.panic.clone().after_earlier(earlier))
    }

    /// The running thread is about to change the count of the handles of a value that was made at `made`: whether that has events.
    pub(crate) fn has_count_events(&mut self, made: SourceLocation) -> bool {
        let change = self.current_mut().count_changes;
        self.current_mut().count_changes += 1;
        if self.counts_from_now(change) {
            self.counts.count_from_now(made);
        }
        let has_events = self.counts.has_events(&made);
        if has_events {
            self.note_counted(change, made);
        }
        has_events
    }

    /// The running thread changes the count of the handles of a value that was made at `made`.
    pub(crate) fn change_count(
        &mut self,
        location: LocationId,
        made: SourceLocation,
        change: CountChange,
    ) -> Changed {
        self.current_mut().rounds.forget_idle();
        let moment = (self.now.current, self.thread(self.now.current).next);
        let initial = self.now.locations[location.index()].initial;
        let changed = self.counts.change((location, initial), made, moment, change);
        if changed.must_stop {
            self.suspend(Status::Cut);
        }
        changed
    }

    /// What becomes of the run, which has ended.
    pub(crate) fn fate(&mut self) -> Fate {
        let must_run_again = self.now.must_run_again;
        if self.wants_ends && !self.has_ends {
            self.has_ends = true;
            return Fate::StartAgain;
        }
        if self.is_playing() {
            return Fate::Visit;
        }
        if self.loops.must_start_again
            || self.counts.has_grown()
            || !must_run_again && self.counts.look_at(self.explorer.graph_mut())
        {
            Fate::StartAgain
        } else if must_run_again {
            Fate::RunAgain
        } else if self.doubts_spins() {
            Fate::StartAgain
        } else {
            Fate::Visit
        }
    }

    /// The newest value of a location.
    pub(crate) fn newest_value(&self, location: LocationId) -> u64 {
        if let Some(value) = self.now.overlay.get(&location) {
            return *value;
        }
        let known = self.now.locations[location.index()];
        match known.bound {
            Some(bound) => {
                let graph = self.explorer.graph();
                match graph.newest(bound) {
                    ReadsFrom::Event(event) => graph.event(event).value,
                    _ => known.initial,
                }
            }
            None => known.initial,
        }
    }
}
