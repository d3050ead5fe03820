//! One execution again, by its [`Steps`]: threads go on in the order in which they did, and each operation chooses what it chose.
//!
//! What rounds of loops were left out is not found out again: a thread goes round a loop for as long as it has steps, and ends where it ended; only that it stays
//! there is looked at again. So nothing that the exploration had learnt by then is needed, but which counts of handles are operations, and whether the ends of threads are.
//!
//! The program may have changed since. As long as it asks for the same kinds of operations in the same order, and each can choose what it chose, it follows; then
//! it has departed, and the run ends.

use super::explore::{Exploring, discard, hand_over, resume};
use super::playback::Playback;
use super::port::RunPort;
use super::request::{Asked, Request};
use super::schedule::Scheduler;
use super::spin::Spin;
use super::state::{Fate, RunState};
use super::steps::kind;
use super::{Limits, Options, Program, Visitor};
use crate::explore::{Explorer, Prescribed};
use crate::graph::{Label, ReadsFrom, ThreadIndex};
use crate::port;
use crate::record::{
    Course, Ending, Exploration, Place, ScheduledStep, SpinEnd, SpinReason, StepChoice, StepKind, StepStore,
    Steps,
};
use std::cell::RefCell;
use std::rc::Rc;

/// Runs one execution of the program again.
pub(crate) fn play(
    program: &Program,
    limits: &Limits,
    options: Options,
    steps: &Steps,
    visitor: &Rc<RefCell<dyn Visitor>>,
) -> Exploration {
    let prescribed = steps.steps.iter().map(prescribed).collect();
    let make = |choices| Explorer::scripted(choices, prescribed);
    let exploring = Exploring::with_explorer(program, limits, options, make, visitor);
    exploring.port.run.borrow_mut().play(steps.clone());
    let Exploring { port, execution, .. } = &exploring;
    port::enter(execution, || {
        // Where threads end in loops, they are followed for many rounds first, as by the exploration: the program may have been mended.
        let mut is_confirmed = !port.run.borrow().has_futile_spins();
        loop {
            port.run.borrow_mut().explorer.next();
            port.run.borrow_mut().begin();
            exploring.run_steps();
            port.run.borrow_mut().depart_at_end();
            if !is_confirmed {
                port.confirm_spins();
            }
            let departed = port.run.borrow().departed();
            if let Some(message) = departed {
                discard(port);
                return Exploration::Departed(message);
            }
            let fate = port.run.borrow_mut().fate();
            let is_made_up = !std::mem::replace(&mut is_confirmed, true);
            if let (Fate::Visit, false) = (fate, is_made_up) {
                // Whether it goes on makes no difference.
                let _ = hand_over(port, execution, visitor, &|| Some(Course::Steps(steps.clone())));
                return Exploration::Replayed;
            }
            discard(port);
            port.run.borrow_mut().explorer.restart();
        }
    })
}

impl Exploring {
    /// Runs the program by the steps, and on until no thread can go on.
    fn run_steps(&self) {
        let port = &self.port;
        self.begin_run();
        let mut scheduler = Scheduler::lowest();
        while let Some(thread) = port.next_by_steps(&mut scheduler) {
            port.run.borrow_mut().now.current = thread;
            if port.serve(thread) {
                resume(port, thread, true);
            }
        }
    }
}

impl RunPort {
    /// Follows each thread that ended in a loop for many rounds. What it does is made up from there.
    fn confirm_spins(&self) {
        let spins: Vec<(ThreadIndex, Spin)> = {
            let run = self.run.borrow();
            let spins = run.now.threads.iter().enumerate();
            spins.filter_map(|(index, thread)| Some((index, *thread.spin()?))).collect()
        };
        for (thread, spin) in spins.into_iter().filter(|(_, spin)| spin.reason == SpinReason::Futile) {
            self.run.borrow_mut().now.current = thread;
            if !self.stays_in_loop(thread, &spin) {
                let mut run = self.run.borrow_mut();
                let id = run.thread(thread).id;
                run.depart(&format!("{id:?} leaves the loop at {} in which it stayed", spin.place.source));
            }
        }
    }

    /// The thread that goes on next.
    fn next_by_steps(&self, scheduler: &mut Scheduler) -> Option<ThreadIndex> {
        let run = &mut *self.run.borrow_mut();
        let Some(step) = run.next_step().filter(|_| run.now.cut.is_none()) else {
            return scheduler.choose(run);
        };
        if let Some(thread) = run.next_begin() {
            return Some(thread);
        }
        let thread = run.now.thread_indices.get(step.thread.index()).copied();
        if let Some(thread) = thread.filter(|&thread| run.ready().contains(thread)) {
            return Some(thread);
        }
        // What it waits for may be that another one begins, or ends without an operation.
        let is_idle =
            |&other: &ThreadIndex| !matches!(self.requests.asked(other), Some(Asked::Operation(..)));
        let idle = run.ready().ones().find(is_idle);
        if idle.is_some() {
            return idle;
        }
        if run.wake_yielded() {
            return thread.filter(|&thread| run.ready().contains(thread)).or_else(|| run.ready().minimum());
        }
        run.depart(&format!("{:?} cannot go on where it did {}", step.thread, step.kind.phrase()));
        None
    }

    /// The running thread is about to do an operation that is the next step, or is none: then it departs, unless the steps are over and it waits.
    pub(super) fn keep_to_steps(&self, run: &mut RunState, request: &Request<'_>) -> bool {
        let thread = run.thread(run.now.current).id;
        let kind = kind(&request.label);
        match run.next_step() {
            Some(step) if (step.thread, step.kind) == (thread, kind) => true,
            Some(step) => {
                run.depart(&format!("{thread:?} did {} and now does {}", step.kind.phrase(), request.place));
                false
            }
            None => {
                run.waits_at_end(request) || {
                    run.depart(&format!("{thread:?} had come to its end and now does {}", request.place));
                    false
                }
            }
        }
    }
}

impl RunState {
    /// From here on the program runs by these steps.
    fn play(&mut self, steps: Steps) {
        self.has_ends = steps.has_ends;
        self.playback = Some(Box::new(Playback::new(steps)));
    }

    /// Whether the program runs by steps.
    #[inline]
    pub(crate) fn is_playing(&self) -> bool {
        self.playback.is_some()
    }

    /// The step that comes next; `None` if they are over, or there are none.
    fn next_step(&self) -> Option<ScheduledStep> {
        self.playback.as_ref()?.step(self.explorer.graph().events.len())
    }

    /// A thread that begins now, although no step of it comes yet.
    fn next_begin(&self) -> Option<ThreadIndex> {
        let begins = self.playback.as_ref()?.begins(self.explorer.graph().events.len());
        let mut threads = begins.filter_map(|thread| self.now.thread_indices.get(thread.index()).copied());
        threads.find(|&thread| !self.thread(thread).has_begun && self.ready().contains(thread))
    }

    /// Whether the running thread's next operation is a step.
    pub(crate) fn has_step(&self) -> bool {
        self.next_step().is_some()
    }

    /// The kind of the running thread's next step, whenever that comes.
    pub(crate) fn next_kind(&self) -> Option<StepKind> {
        let thread = self.thread(self.now.current);
        self.playback.as_ref()?.kind(thread.id, thread.next)
    }

    /// Whether an operation of the running thread, behind all steps, is one that nothing lets it do.
    fn waits_at_end(&self, request: &Request<'_>) -> bool {
        match request.label {
            Label::Join { child } => !self.has_ended(child),
            label => {
                let bound = request.location.and_then(|location| self.now.locations[location.index()].bound);
                label.is_wait() && bound.is_some_and(|bound| !self.is_ended_by_newest(bound, &label))
            }
        }
    }

    /// The program does something else than the steps.
    fn depart(&mut self, message: &str) {
        let position = self.explorer.graph().events.len();
        if let Some(playback) = &mut self.playback {
            let text = playback.depart(position, message);
            self.now.cut.get_or_insert(Ending::Nondeterministic(text));
        }
    }

    /// The run is over: if steps are left, something else has ended it.
    fn depart_at_end(&mut self) {
        if let Some(step) = self.next_step() {
            let message = format!("it has ended before {:?} did {}", step.thread, step.kind.phrase());
            self.depart(&message);
        }
    }

    /// Whether a thread ends in a loop that was taken to go on for ever.
    fn has_futile_spins(&self) -> bool {
        self.playback.as_ref().is_some_and(|playback| playback.has_futile_spins())
    }

    /// The event, which was just added, could not choose what it chose.
    pub(super) fn depart_at(&mut self, place: &Place) {
        self.depart(&format!("{place} cannot read or write where it did"));
    }

    fn departed(&self) -> Option<String> {
        self.playback.as_ref()?.departed().map(str::to_owned)
    }

    /// How the running thread ends, which is about to begin a round with the event that has this index, or yields there.
    pub(super) fn spin_at(&self, index: usize, place: Place) -> Option<Spin> {
        let thread = self.thread(self.now.current).id;
        let SpinEnd { from, reason, comes_back, .. } = self.playback.as_ref()?.spin(thread, index)?;
        Some(Spin { from, place, comes_back, reason })
    }

    /// The running thread changes a count of handles: whether that has operations from now on.
    pub(super) fn counts_from_now(&self, change: u32) -> bool {
        let thread = self.thread(self.now.current).id;
        self.playback.as_ref().is_some_and(|playback| playback.makes_count_known(thread, change))
    }
}

/// What an event is to choose, the numbers of steps being those of events.
fn prescribed(step: &ScheduledStep) -> Prescribed {
    let store = |store: StepStore| store.map_or(ReadsFrom::Initial, ReadsFrom::Event);
    match step.choice {
        StepChoice::Newest => Prescribed::Newest,
        StepChoice::Choice(choice) => Prescribed::Choice(choice),
        StepChoice::Store(known) => Prescribed::Store { store: store(known), is_spurious: false },
        StepChoice::Spurious(known) => Prescribed::Store { store: store(known), is_spurious: true },
    }
}
