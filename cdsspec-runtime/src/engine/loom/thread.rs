//! Threads: creation, end, join, waiting and spinning.

use super::cut;
use super::port::{LoomPort, Mode};
use super::state::{PanicState, ThreadState, WaitFor};
use super::trace::TraceStep;
use crate::port::{Access, Body};
use crate::process;
use crate::record::{Ending, Limit, LimitKind, LocationId, Panic, Place, ThreadId};
use crate::run::panic_message;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A thread that yields this often without anybody writing, and each time read only the newest stores, spins for ever. A loop that
/// gives up after fewer rounds goes on.
const IDLE_ROUNDS_MAX: usize = 64;

impl LoomPort {
    /// Runs a thread that [`spawn_thread`](Self::spawn_thread) made.
    pub(super) fn run_spawned(&self, thread: ThreadId) {
        let body = self.state.borrow_mut().threads[thread.index()].body.take();
        let body = body.expect("a thread is run once");
        self.run_thread(thread, || body.run());
    }

    /// Runs the body of a thread, to its end or until its execution is cut.
    pub(super) fn run_thread(&self, thread: ThreadId, body: impl FnOnce()) {
        self.current.set(thread);
        self.state.borrow_mut().threads[thread.index()].handle = Some(loom::thread::current());
        let result = catch_unwind(AssertUnwindSafe(body));
        self.current.set(thread);
        let result = result
            .and_then(|()| catch_unwind(AssertUnwindSafe(|| self.note_step(TraceStep::End { thread }))));
        if let Err(payload) = result
            && !cut::is_cut(&*payload)
        {
            self.note_panic(thread, payload);
        }
        self.end_thread(thread);
    }

    fn note_panic(&self, thread: ThreadId, payload: Box<dyn Any + Send>) {
        let recorder = self.recorder.borrow();
        let after = recorder.last_operation(thread).map(|id| recorder.recording().operation(id).place.source);
        let mut state = self.state.borrow_mut();
        let number = state.panic_count;
        state.panic_count += 1;
        let panic = Panic { thread, message: panic_message(&*payload), after };
        process::note_caught(&panic.message);
        state.threads[thread.index()].panic =
            Some(PanicState { panic, payload: Some(payload), is_joined: false, number });
    }

    fn end_thread(&self, thread: ThreadId) {
        let is_over = {
            let mut state = self.state.borrow_mut();
            state.change_count += 1;
            state.threads[thread.index()].is_finished = true;
            for other in &mut state.threads {
                if matches!(other.waiting, Some((_, WaitFor::End(ended))) if ended == thread) {
                    other.waiting = None;
                }
            }
            state.threads.iter().all(|other| other.is_finished)
        };
        if is_over {
            let ending = self.ending();
            let mut recorder = self.recorder.borrow_mut();
            let recording = recorder.recording_mut();
            recording.ending = ending;
            recording.sc = super::sc::sc_order(recording);
        } else {
            self.cut_if_blocked();
        }
    }

    /// How the execution ended, all threads having ended.
    fn ending(&self) -> Ending {
        let state = self.state.borrow();
        let mut panics: Vec<_> = state.threads.iter().filter_map(|thread| thread.panic.as_ref()).collect();
        panics.sort_by_key(|panic| panic.number);
        let is_taken =
            |panic: &PanicState| panic.is_joined || state.threads[panic.panic.thread.index()].is_panic_taken;
        let first_unjoined = panics.iter().find(|panic| !is_taken(panic)).map(|unjoined| {
            let earlier = panics.iter().filter(|other| other.number < unjoined.number);
            unjoined.panic.clone().after_earlier(earlier.map(|earlier| &earlier.panic))
        });
        match (&state.cut, first_unjoined) {
            (Some(Ending::Blocked(_) | Ending::Limit(_) | Ending::EngineFailed(_)) | None, Some(panic)) => {
                Ending::Panic(panic)
            }
            (Some(ending), _) => ending.clone(),
            (None, None) => Ending::Complete,
        }
    }

    pub(super) fn spawn_thread(
        &self,
        place: Place,
        name: Option<String>,
        stack_bytes: Option<usize>,
        body: Arc<dyn Body>,
    ) -> ThreadId {
        if self.mode() == Mode::Unobserved {
            // Nothing runs any more; whoever waits for the thread finds that it has left nothing.
            return self.current.get();
        }
        if self.state.borrow().threads.len() >= super::state::THREADS_MAX {
            let limit = Limit { kind: LimitKind::Threads, value: super::state::THREADS_MAX as u64 };
            self.cut_and_leave(Ending::Limit(limit));
        }
        self.note_step(TraceStep::Begin { thread: self.current.get(), place, location: None });
        let child = self.recorder.borrow_mut().create(self.current.get(), place, name);
        self.state.borrow_mut().threads.push(ThreadState { body: Some(body), ..ThreadState::default() });
        // loom counts the stack in words.
        let words = stack_bytes.unwrap_or(self.limits.stack_bytes) / size_of::<usize>();
        let start = move || super::exploration::run_spawned(child);
        let spawned = self.run(|| loom::thread::Builder::new().stack_size(words).spawn(start));
        let handle = spawned.and_then(Result::ok);
        self.state.borrow_mut().threads[child.index()].join = handle;
        child
    }

    pub(super) fn join_thread(&self, place: Place, thread: ThreadId) -> std::thread::Result<()> {
        if self.mode() == Mode::Unobserved {
            return Ok(());
        }
        let me = self.current.get();
        let handle = self.state.borrow_mut().threads[thread.index()].join.take();
        if !self.state.borrow().threads[thread.index()].is_finished {
            self.state.borrow_mut().threads[me.index()].waiting = Some((place, WaitFor::End(thread)));
            self.cut_if_blocked();
            if self.mode() == Mode::Unobserved {
                return Ok(());
            }
        }
        self.begin_operation(place, None);
        if let Some(handle) = handle {
            self.run(|| handle.join().is_ok());
        }
        self.state.borrow_mut().threads[me.index()].waiting = None;
        if self.mode() == Mode::Unobserved {
            return Ok(());
        }
        self.recorder.borrow_mut().join(me, place, thread);
        let mut state = self.state.borrow_mut();
        match &mut state.threads[thread.index()].panic {
            Some(panic) => {
                panic.is_joined = true;
                Err(panic.payload.take().unwrap_or_else(|| Box::new("the payload was taken before")))
            }
            None => Ok(()),
        }
    }

    /// After the execution was cut, waits until a thread has left its body.
    pub(super) fn wait_until_thread_left(&self, thread: ThreadId) {
        let me = self.current.get();
        // A thread that could not be started any more is named by the one who wanted it.
        while thread != me && !self.state.borrow().threads[thread.index()].is_finished {
            if catch_unwind(loom::thread::yield_now).is_err() {
                eprintln!("cdsspec bug: a scoped thread of an execution that was cut does not end");
                std::process::abort();
            }
            self.current.set(me);
        }
    }

    /// Waits until the location is stored to. Whether it was: `false` if the wait `is_timed` and its time is over.
    pub(super) fn wait_for_store(&self, access: Access, is_timed: bool) -> bool {
        let me = self.current.get();
        if self.mode() == Mode::Unobserved {
            return true;
        }
        {
            let thread = &mut self.state.borrow_mut().threads[me.index()];
            thread.waiting = Some((access.place, WaitFor::Store(access.location)));
            thread.is_timed = is_timed;
            thread.has_timed_out = false;
        }
        self.cut_if_blocked();
        while self.state.borrow().threads[me.index()].waiting.is_some() {
            self.run(loom::thread::park);
        }
        self.mode();
        !self.state.borrow().threads[me.index()].has_timed_out
    }

    /// The time of the first timed wait is over, if there is one.
    fn time_out(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let mut threads = state.threads.iter_mut();
        let Some(thread) =
            threads.find(|thread| thread.is_timed && matches!(thread.waiting, Some((_, WaitFor::Store(_)))))
        else {
            return false;
        };
        thread.waiting = None;
        thread.has_timed_out = true;
        let handle = thread.handle.clone();
        drop(state);
        if let Some(handle) = handle {
            handle.unpark();
        }
        true
    }

    /// A location was stored to: whoever waits for that goes on.
    pub(super) fn wake(&self, location: LocationId) {
        let woken: Vec<_> = {
            let mut state = self.state.borrow_mut();
            state.change_count += 1;
            let mut woken = Vec::new();
            for thread in &mut state.threads {
                if matches!(thread.waiting, Some((_, WaitFor::Store(wanted))) if wanted == location) {
                    thread.waiting = None;
                    woken.extend(thread.handle.clone());
                }
            }
            woken
        };
        for thread in woken {
            thread.unpark();
        }
    }

    pub(super) fn yield_thread(&self, place: Place) {
        if self.mode() != Mode::Observed {
            return;
        }
        self.begin_operation(place, None);
        {
            let mut state = self.state.borrow_mut();
            let change_count = state.change_count;
            let round = &mut state.threads[self.current.get().index()].round;
            let is_idle = round.stores_at_yield == Some(change_count) && !round.is_stale;
            round.idle_count = if is_idle { round.idle_count + 1 } else { 0 };
            round.spinning_at = (round.idle_count >= IDLE_ROUNDS_MAX).then_some(place);
            round.stores_at_yield = Some(change_count);
            round.is_stale = false;
        }
        self.cut_if_blocked();
        self.mode();
        self.run(loom::thread::yield_now);
    }

    /// Cuts the execution if no thread can ever go on, not even after a timeout.
    fn cut_if_blocked(&self) {
        let blocked = self.state.borrow().blocked();
        if let Some(waiting) = blocked
            && !self.time_out()
        {
            self.cut(Ending::Blocked(waiting));
        }
    }
}
