//! One run of the program under a graph.

use super::count::{Changed, Counts};
use super::loops::Loops;
use super::rounds::Rounds;
use super::spin::Spin;
use super::stack::Lent;
use crate::explore::Explorer;
use crate::graph::{EventId, Label, LocationIndex, ReadsFrom, ThreadIndex};
use crate::port::CountChange;
use crate::record::{
    Ending, LocationId, OperationId, Panic, Place, Race, ReachedBound, SourceLocation, StoreId, ThreadId,
    ValueKind, WaitReason,
};
use fixedbitset::FixedBitSet;
use std::any::Any;
use std::collections::HashMap;

/// Whether, and when, a thread can go on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Status {
    /// It has not been created in this run.
    Absent,
    /// It can.
    Ready,
    /// When this event has run in this run.
    AfterEvent(EventId),
    /// When all events of the graph have run, so that new ones are added.
    AfterReplay,
    /// When this thread has ended.
    AfterThread(ThreadIndex, Place),
    /// Not in this run: no store that it may read lets it go on.
    Waiting { event: EventId },
    /// It has yielded: when no other thread can.
    Yielded,
    /// Not in this run: it is in a loop.
    Spinning(Spin),
    /// Never: it has ended.
    Ended,
    /// Never: the execution was cut.
    Cut,
}

/// The threads that wait for something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waiters {
    None,
    One(u16),
    /// Those with a status that says so.
    Many,
}

impl Waiters {
    fn add(&mut self, thread: ThreadIndex) {
        *self = match (*self, u16::try_from(thread)) {
            (Self::None, Ok(thread)) => Self::One(thread),
            _ => Self::Many,
        };
    }
}

/// How far an event of the graph is in this run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// It has not run, and some threads wait for it.
    Pending(Waiters),
    /// It has run.
    Run,
}

/// A thread of this run.
pub(crate) struct ThreadRun {
    /// Its number in the recording.
    pub(crate) id: ThreadId,
    pub(crate) name: Option<String>,
    status: Status,
    /// Who waits for its end.
    waiters: Waiters,
    /// The index of its next event.
    pub(crate) next: usize,
    /// Whether a timeout may end its wait: an execution in which it waits for ever is another one.
    pub(crate) has_timeout: bool,
    /// Whether it waits behind another thread that waits for the same lock alone: an execution in which none does is impossible.
    pub(crate) is_behind_writer: bool,
    /// What it stores to at its end, if anybody asks for that.
    pub(crate) end: Option<LocationId>,
    /// Whether the program has seen, or is about to, that it panics.
    pub(crate) is_panic_taken: bool,
    pub(crate) rounds: Rounds,
    pub(crate) panic: Option<Box<PanicRun>>,
}

impl ThreadRun {
    fn new() -> Self {
        Self {
            id: ThreadId::new(0),
            name: None,
            status: Status::Absent,
            waiters: Waiters::None,
            next: 0,
            has_timeout: false,
            is_behind_writer: false,
            end: None,
            is_panic_taken: false,
            rounds: Rounds::default(),
            panic: None,
        }
    }

    /// How it spins, if it does.
    pub(crate) fn spin(&self) -> Option<&Spin> {
        match &self.status {
            Status::Spinning(spin) => Some(spin),
            _ => None,
        }
    }

    /// Another run begins.
    fn forget(&mut self) {
        // Few have any of these: that is cheaper to see than to drop.
        if self.name.is_some() || self.panic.is_some() {
            (self.name, self.panic) = (None, None);
        }
        self.status = Status::Absent;
        self.waiters = Waiters::None;
        self.next = 0;
        self.has_timeout = false;
        self.is_behind_writer = false;
        self.end = None;
        self.is_panic_taken = false;
        self.rounds.forget();
    }
}

/// A panic of a thread.
pub(crate) struct PanicRun {
    pub(crate) panic: Panic,
    pub(crate) payload: Option<Box<dyn Any + Send>>,
    pub(crate) is_joined: bool,
    pub(crate) number: usize,
}

/// A location of this run.
#[derive(Clone, Copy)]
pub(crate) struct LocationRun {
    pub(crate) kind: ValueKind,
    pub(crate) initial: u64,
    /// Its number in the graph, once an event of the graph was seen to use it.
    pub(crate) bound: Option<LocationIndex>,
}

/// What this run knows beside the graph.
pub(crate) struct RunState {
    pub(crate) explorer: Explorer,
    pub(crate) loops: Loops,
    /// The internal words that rounds which are left out changed and changed back.
    pub(crate) left_out: Vec<LocationIndex>,
    /// By number in the graph.
    pub(crate) threads: Vec<ThreadRun>,
    /// By number in the recording.
    pub(crate) thread_indices: Vec<ThreadIndex>,
    pub(crate) locations: Vec<LocationRun>,
    /// The location of this run that each of the graph's is.
    pub(crate) location_ids: Vec<Option<LocationId>>,
    /// The threads that can go on now: those with the status `Ready`.
    ready: FixedBitSet,
    /// How far each event of the graph is.
    pub(crate) progress: Vec<Progress>,
    /// The events in the order in which they ran.
    pub(crate) ran: Vec<EventId>,
    /// Whether the recorder is told of events as they run.
    pub(crate) is_recording: bool,
    /// The operation that each event was in this run; events from its length on were not recorded.
    operations: Vec<Option<OperationId>>,
    /// The store that each writing event made in this run; as above.
    stores: Vec<Option<StoreId>>,
    /// How many events of the graph have not run yet.
    pub(crate) replay_left: usize,
    pub(crate) current: ThreadIndex,
    pub(crate) panic_count: usize,
    pub(crate) yield_count: usize,
    /// Whether the program must run again under the same graph: what it did is made up.
    pub(crate) must_run_again: bool,
    /// Why the execution was cut, if it was.
    pub(crate) cut: Option<Ending>,
    /// The first race, where an execution goes on after one.
    pub(crate) race: Option<Race>,
    /// The counts of handles that have no events.
    pub(crate) counts: Counts,
    /// Whether a thread stores to a location when it has left its body, and whether it is to from the next start on.
    pub(crate) has_ends: bool,
    pub(crate) wants_ends: bool,
    /// Values that unobserved operations have changed.
    pub(crate) overlay: HashMap<LocationId, u64>,
    /// What threads have used on the stacks of others.
    pub(crate) lent: Lent,
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
        Self {
            explorer,
            loops,
            left_out: Vec::new(),
            threads: Vec::new(),
            thread_indices: Vec::new(),
            locations: Vec::new(),
            location_ids: Vec::new(),
            ready: FixedBitSet::new(),
            progress: Vec::new(),
            ran: Vec::new(),
            is_recording: false,
            operations: Vec::new(),
            stores: Vec::new(),
            replay_left: 0,
            current: 0,
            panic_count: 0,
            yield_count: 0,
            must_run_again: false,
            cut: None,
            race: None,
            counts,
            has_ends: false,
            wants_ends: false,
            overlay: HashMap::new(),
            lent: Lent::default(),
        }
    }

    /// The program begins to run under the topmost graph.
    pub(crate) fn begin(&mut self) {
        self.explorer.begin();
        let graph = self.explorer.graph();
        let (event_count, location_count) = (graph.events.len(), graph.locations.len());
        self.threads.iter_mut().for_each(ThreadRun::forget);
        self.thread_indices.clear();
        self.locations.clear();
        self.location_ids.clear();
        self.location_ids.resize(location_count, None);
        self.ready.clear();
        self.progress.clear();
        self.progress.resize(event_count, Progress::Pending(Waiters::None));
        self.ran.clear();
        self.is_recording = false;
        self.operations.clear();
        self.stores.clear();
        self.replay_left = event_count;
        self.current = 0;
        self.panic_count = 0;
        self.yield_count = 0;
        self.must_run_again = false;
        self.cut = None;
        self.race = None;
        self.counts.begin();
        self.left_out.clear();
        self.overlay.clear();
        self.lent.forget();
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
        self.operations.resize(event_count, None);
        self.stores.resize(event_count, None);
        self.operations[event as usize] = operation;
        self.stores[event as usize] = store;
    }

    /// The operation that an event was in this run, if it was recorded.
    pub(crate) fn operation(&self, event: EventId) -> Option<OperationId> {
        self.operations.get(event as usize).copied().flatten()
    }

    /// The store that an event made in this run, if it was recorded.
    pub(crate) fn store(&self, event: EventId) -> Option<StoreId> {
        self.stores.get(event as usize).copied().flatten()
    }

    /// A thread begins; its number in the recording.
    pub(crate) fn add_thread(&mut self, index: ThreadIndex, name: Option<String>) -> ThreadId {
        let id = ThreadId::new(self.thread_indices.len());
        while self.threads.len() <= index {
            self.threads.push(ThreadRun::new());
            self.ready.grow(self.threads.len());
        }
        self.thread_indices.push(index);
        let status = match self.first_wait(index) {
            Some(store) => {
                self.note_waiter(store, index);
                Status::AfterEvent(store)
            }
            None => {
                self.ready.insert(index);
                Status::Ready
            }
        };
        let thread = &mut self.threads[index];
        thread.id = id;
        thread.status = status;
        if name.is_some() {
            thread.name = name;
        }
        id
    }

    #[inline]
    pub(crate) fn thread(&self, index: ThreadIndex) -> &ThreadRun {
        &self.threads[index]
    }

    #[inline]
    pub(crate) fn thread_mut(&mut self, index: ThreadIndex) -> &mut ThreadRun {
        &mut self.threads[index]
    }

    #[inline]
    pub(crate) fn current_mut(&mut self) -> &mut ThreadRun {
        self.thread_mut(self.current)
    }

    #[inline]
    pub(crate) fn has_ended(&self, index: ThreadIndex) -> bool {
        matches!(self.thread(index).status, Status::Ended)
    }

    /// Whether an event has run in this run.
    pub(crate) fn has_run(&self, event: EventId) -> bool {
        self.progress[event as usize] == Progress::Run
    }

    /// Whether events of the graph have not run yet.
    pub(crate) fn is_replaying(&self) -> bool {
        self.replay_left > 0
    }

    /// The threads that can go on now.
    pub(crate) fn ready(&self) -> &FixedBitSet {
        &self.ready
    }

    /// The running thread cannot go on now.
    #[inline(never)]
    pub(crate) fn suspend(&mut self, status: Status) {
        self.set_suspended(self.current, status);
    }

    #[inline]
    fn set_suspended(&mut self, index: ThreadIndex, status: Status) {
        match status {
            Status::AfterEvent(event) => self.note_waiter(event, index),
            Status::AfterThread(child, _) => self.thread_mut(child).waiters.add(index),
            _ => {}
        }
        self.thread_mut(index).status = status;
        self.ready.remove(index);
    }

    /// A thread waits for an event that has not run.
    #[inline]
    fn note_waiter(&mut self, event: EventId, index: ThreadIndex) {
        if let Progress::Pending(waiters) = &mut self.progress[event as usize] {
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
        self.ready.remove(self.current);
        let has_others = !self.ready.is_clear();
        if has_others {
            self.current_mut().status = Status::Yielded;
        } else {
            self.ready.insert(self.current);
        }
        has_others
    }

    /// No thread can go on but those that have yielded: whether there are any.
    pub(crate) fn wake_yielded(&mut self) -> bool {
        self.wake(|status| matches!(status, Status::Yielded));
        !self.ready.is_clear()
    }

    /// A thread has run to its end.
    pub(crate) fn end_thread(&mut self, index: ThreadIndex) {
        let thread = &mut self.threads[index];
        self.lent.end(index, thread.next);
        thread.status = Status::Ended;
        let waiters = thread.waiters;
        self.ready.remove(index);
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
        let thread = &mut self.threads[index];
        if is_over(&thread.status) {
            thread.status = Status::Ready;
            self.ready.insert(index);
        }
    }

    /// Threads with such a status can go on.
    #[inline(never)]
    pub(crate) fn wake(&mut self, is_over: impl Fn(&Status) -> bool) {
        for (index, thread) in self.threads.iter_mut().enumerate() {
            if is_over(&thread.status) {
                thread.status = Status::Ready;
                self.ready.insert(index);
            }
        }
    }

    /// How the execution ended, no thread being able to go on.
    pub(crate) fn ending(&self) -> Ending {
        if let Some(ending) = &self.cut {
            // A limit must not hide a panic that came before it.
            let panic = self.first_unjoined_panic().filter(|_| matches!(ending, Ending::Limit(_)));
            return panic.map_or_else(|| ending.clone(), Ending::Panic);
        }
        if let Some(race) = &self.race {
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
        if self.threads.iter().all(|thread| matches!(thread.status, Status::Absent | Status::Ended)) {
            return Ending::Complete;
        }
        let reached = self.reached_bound();
        let mut waiting = Vec::new();
        for (index, thread) in self.threads.iter().enumerate() {
            let graph = self.explorer.graph();
            let (place, reason, location) = match thread.status {
                Status::Absent | Status::Ended => continue,
                Status::AfterThread(child, place) => (place, WaitReason::Join(self.thread(child).id), None),
                Status::Waiting { .. } if thread.has_timeout => return Ending::ByProduct { reached },
                Status::Waiting { event: id } => {
                    let event = graph.event(id);
                    if matches!(event.label, Label::WaitExchange { .. }) {
                        return Ending::ByProduct { reached };
                    }
                    let location = event.location.expect("a read has a location");
                    if event.label.is_satisfied(graph.value_of(location, graph.newest(location)))
                        || self.is_satisfied_in_round(id)
                    {
                        return Ending::ByProduct { reached };
                    }
                    if thread.is_behind_writer && !self.has_waiting_writer(location) {
                        return Ending::ByProduct { reached };
                    }
                    (event.place, WaitReason::Blocking, self.location_ids[location as usize])
                }
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
        self.threads.iter().any(|thread| {
            let Status::Waiting { event } = thread.status else { return false };
            let event = self.explorer.graph().event(event);
            matches!(event.label, Label::WaitUpdate { .. }) && event.location == Some(lock)
        })
    }

    /// The loop in which a thread has reached the bound on rounds, if one has.
    fn reached_bound(&self) -> Option<ReachedBound> {
        let spin = self.threads.iter().filter_map(ThreadRun::spin).find(|spin| spin.is_bounded)?;
        Some(ReachedBound { round_count: self.loops.bound() as u64, place: spin.place })
    }

    fn first_unjoined_panic(&self) -> Option<Panic> {
        if self.panic_count == 0 {
            return None;
        }
        let mut panics: Vec<&PanicRun> =
            self.threads.iter().filter_map(|thread| thread.panic.as_deref()).collect();
        panics.sort_by_key(|panic| panic.number);
        let is_taken = |panic: &PanicRun| {
            let thread = self.thread(self.thread_indices[panic.panic.thread.index()]);
            panic.is_joined || thread.is_panic_taken
        };
        let unjoined = panics.iter().find(|panic| !is_taken(panic))?;
        let earlier = panics.iter().filter(|other| other.number < unjoined.number).map(|other| &other.panic);
        Some(unjoined.panic.clone().after_earlier(earlier))
    }

    /// The running thread changes the count of the handles of a value that was made at `made`.
    pub(crate) fn change_count(
        &mut self,
        location: LocationId,
        made: SourceLocation,
        change: CountChange,
    ) -> Changed {
        self.current_mut().rounds.forget_idle();
        let moment = (self.current, self.thread(self.current).next);
        let initial = self.locations[location.index()].initial;
        let changed = self.counts.change((location, initial), made, moment, change);
        if changed.must_stop {
            self.suspend(Status::Cut);
        }
        changed
    }

    /// What becomes of the run, which has ended.
    pub(crate) fn fate(&mut self) -> Fate {
        let must_run_again = self.must_run_again;
        if self.wants_ends && !self.has_ends {
            self.has_ends = true;
            return Fate::StartAgain;
        }
        if self.loops.must_start_again
            || self.counts.has_grown()
            || !must_run_again && self.counts.look_at(self.explorer.graph_mut())
        {
            Fate::StartAgain
        } else if must_run_again {
            Fate::RunAgain
        } else {
            Fate::Visit
        }
    }

    /// The newest value of a location.
    pub(crate) fn newest_value(&self, location: LocationId) -> u64 {
        if let Some(value) = self.overlay.get(&location) {
            return *value;
        }
        let known = self.locations[location.index()];
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
