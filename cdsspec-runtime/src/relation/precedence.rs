//! Which calls had returned before others began.

use crate::record::{CallId, Clock, OperationKind, Recording, ThreadId};

/// Real time as far as the program can tell: the return of one call is before the invocation of another in sb ∪ rf, where creation
/// and join of threads count as edges too.
///
/// # Paper
/// The precedence of Line-Up (PLDI 2010) and of CGVT; on weak memory without a clock, only what the program could observe.
#[derive(Debug)]
pub struct Precedence<'a> {
    recording: &'a Recording,
    /// For each call, what is before its invocation.
    invocations: Vec<Clock>,
}

impl<'a> Precedence<'a> {
    /// The precedence of a recording. Cost: O(operations · threads).
    pub fn of(recording: &'a Recording) -> Self {
        let mut pass = Pass::new(recording);
        for (index, operation) in recording.operations.iter().enumerate() {
            pass.note_invocations(operation.thread);
            pass.run(index);
        }
        for thread in recording.thread_ids() {
            pass.note_invocations(thread);
        }
        Self { recording, invocations: pass.invocations }
    }

    /// Whether `first` had returned before `second` began. A call that is inside another one on a different object and does no
    /// operation, at its end, cannot be told from one after it, and counts as after.
    pub fn precedes(&self, first: CallId, second: CallId) -> bool {
        let (first, second) = (self.recording.call(first), self.recording.call(second));
        let Some(response) = first.response else { return false };
        if first.thread == second.thread {
            return first.id < second.id && response.position <= second.invocation.position;
        }
        // An operation after the return must be known.
        self.invocations[second.id.index()].get(first.thread) > response.position
    }
}

/// One pass over the operations, which stand in an order that extends sb ∪ rf.
struct Pass<'a> {
    recording: &'a Recording,
    /// What is before the next operation of each thread, itself included.
    threads: Vec<Clock>,
    positions: Vec<u32>,
    operations: Vec<Clock>,
    invocations: Vec<Clock>,
    /// The calls of each thread whose invocation was not passed yet, the next one last.
    waiting: Vec<Vec<CallId>>,
}

impl<'a> Pass<'a> {
    fn new(recording: &'a Recording) -> Self {
        let mut waiting = vec![Vec::new(); recording.threads.len()];
        for call in recording.calls.iter().rev() {
            waiting[call.thread.index()].push(call.id);
        }
        Self {
            recording,
            threads: vec![Clock::new(); recording.threads.len()],
            positions: vec![0; recording.threads.len()],
            operations: Vec::with_capacity(recording.operations.len()),
            invocations: vec![Clock::new(); recording.calls.len()],
            waiting,
        }
    }

    /// Keeps the clock of the thread for its calls that begin before its next operation.
    fn note_invocations(&mut self, thread: ThreadId) {
        let position = self.positions[thread.index()];
        let waiting = &mut self.waiting[thread.index()];
        while let Some(&call) = waiting.last() {
            if self.recording.call(call).invocation.position > position {
                return;
            }
            waiting.pop();
            self.invocations[call.index()] = self.threads[thread.index()].clone();
        }
    }

    fn run(&mut self, index: usize) {
        let operation = &self.recording.operations[index];
        let thread = operation.thread.index();
        self.positions[thread] = operation.position;
        self.threads[thread].include(operation.thread, operation.position);
        let writer = operation.read.and_then(|store| self.recording.store(store).operation);
        if let Some(writer) = writer {
            let (clock, known) = (&mut self.threads[thread], &self.operations[writer.index()]);
            clock.join(known);
        }
        if let OperationKind::Join(ended) = operation.kind {
            let mut last = self.threads[ended.index()].clone();
            // One more than it did: its last call has returned, too.
            last.include(ended, self.positions[ended.index()] + 1);
            self.threads[thread].join(&last);
        }
        let clock = self.threads[thread].clone();
        if let OperationKind::Create(child) = operation.kind {
            self.threads[child.index()].join(&clock);
        }
        self.operations.push(clock);
    }
}

/// Whether `first` had returned before `second` began by the ticks of the call clock; `None` if one of them is not known.
pub fn has_earlier_tick(recording: &Recording, first: CallId, second: CallId) -> Option<bool> {
    let returned = recording.call(first).response?.tick?;
    let began = recording.call(second).invocation.tick?;
    Some(returned < began)
}
