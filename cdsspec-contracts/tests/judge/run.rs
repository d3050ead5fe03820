//! Runs a program on real threads, and notes what each operation read.

use crate::log::{Id, Node, What};
use crate::program::{ATOMICS, BOUND, CHANNELS, MUTEXES, Program, Random, Statement};
use cdsspec_contracts::sync::atomic::{AtomicU64, fence};
use cdsspec_contracts::sync::mpsc::{self, Receiver, Sender, SyncSender};
use cdsspec_contracts::sync::{Barrier, Mutex, OnceLock, RwLock};
use cdsspec_contracts::thread::{self, JoinHandle};
use cdsspec_contracts::threads::Moment;
use std::sync::Arc;

/// What the threads share. Values are the ids of the operations that wrote them; 0 is the first one.
struct Shared {
    program: Program,
    atomics: [AtomicU64; ATOMICS],
    mutexes: [Mutex<Id>; MUTEXES],
    /// Who wrote last, and who has read: these note it before they unlock.
    lock: RwLock<(Id, std::sync::Mutex<Vec<Id>>)>,
    once: OnceLock<Id>,
    barrier: Barrier,
    /// Another order than those that are looked at: how the notes of a thread that nobody joins come back.
    notes: std::sync::Mutex<std::sync::mpsc::Sender<Vec<Node>>>,
}

#[derive(Clone)]
enum Sending {
    Unbounded(Sender<Id>),
    Bounded(SyncSender<Id>),
}

/// A thread of the program.
struct Thread {
    shared: Arc<Shared>,
    number: usize,
    random: Random,
    nodes: Vec<Node>,
    senders: Vec<Sending>,
    receivers: Vec<Receiver<Id>>,
    children: Vec<Option<JoinHandle<()>>>,
    seen: [u64; ATOMICS],
    rounds: usize,
}

/// Runs a program; what its threads did, each in its order.
pub(crate) fn run(program: Program, seed: u64) -> Vec<Node> {
    let (unbounded, receives) = mpsc::channel();
    let (bounded, receives_bounded) = mpsc::sync_channel(BOUND);
    let (notes, noted) = std::sync::mpsc::channel();
    let count = program.threads.len();
    let shared = Shared {
        barrier: Barrier::new(program.waiting),
        program,
        atomics: std::array::from_fn(|_| AtomicU64::new(0)),
        mutexes: std::array::from_fn(|_| Mutex::new(0)),
        lock: RwLock::new((0, std::sync::Mutex::new(Vec::new()))),
        once: OnceLock::new(),
        notes: std::sync::Mutex::new(notes),
    };
    let senders = vec![Sending::Unbounded(unbounded), Sending::Bounded(bounded)];
    let mut first = Thread::new(&Arc::new(shared), 0, seed, &senders);
    first.receivers = vec![receives, receives_bounded];
    first.run();
    // Whoever sends has ended when all notes are there.
    let mut nodes: Vec<Node> = noted.iter().take(count - 1).flatten().collect();
    for channel in 0..CHANNELS {
        while first.receive(channel) {}
    }
    nodes.extend(first.nodes);
    nodes
}

impl Thread {
    fn new(shared: &Arc<Shared>, number: usize, seed: u64, senders: &[Sending]) -> Self {
        Self {
            shared: Arc::clone(shared),
            number,
            random: Random::new(seed ^ number as u64),
            nodes: Vec::new(),
            senders: senders.to_vec(),
            receivers: Vec::new(),
            children: (0..shared.program.threads.len()).map(|_| None).collect(),
            seen: [0; ATOMICS],
            rounds: 0,
        }
    }

    fn run(&mut self) {
        let shared = Arc::clone(&self.shared);
        for statement in &shared.program.threads[self.number] {
            self.step(&shared, statement);
        }
    }

    /// The id of its next operation.
    fn id(&self) -> Id {
        ((self.number as u64) << 32) + self.nodes.len() as u64 + 1
    }

    /// Notes the operation that it has just done.
    fn note(&mut self, what: What) {
        let moment = Moment::of_last_operation().expect("contracts are on");
        self.nodes.push(Node {
            id: self.id(),
            thread: self.number,
            what,
            epoch: moment.epoch,
            moment: Some(moment),
        });
    }

    /// Notes an operation with two steps, whose first one is where it releases.
    fn note_both(&mut self, first: What, second: What) {
        let moment = Moment::of_last_operation().expect("contracts are on");
        let mut epoch = moment.epoch;
        epoch.step -= 1;
        self.nodes.push(Node { id: self.id(), thread: self.number, what: first, epoch, moment: None });
        self.note(second);
    }

    fn body(&mut self, shared: &Arc<Shared>, body: &[Statement]) {
        for statement in body {
            self.step(shared, statement);
        }
    }

    fn step(&mut self, shared: &Arc<Shared>, statement: &Statement) {
        // So that threads take turns, on few processors as well.
        for _ in 0..self.random.below(4) {
            std::thread::yield_now();
        }
        let id = self.id();
        match statement {
            Statement::Load(atomic, order) => {
                let read = shared.atomics[*atomic].load(*order);
                self.seen[*atomic] = read;
                self.note(What::Load { order: *order, read });
            }
            Statement::Store(atomic, order) => {
                shared.atomics[*atomic].store(id, *order);
                self.note(What::Store { order: *order });
            }
            Statement::Swap(atomic, order) => {
                let read = shared.atomics[*atomic].swap(id, *order);
                self.note(What::Update { order: *order, read });
            }
            Statement::CompareExchange(atomic, success, failure) => {
                let current = self.seen[*atomic];
                match shared.atomics[*atomic].compare_exchange(current, id, *success, *failure) {
                    Ok(read) => self.note(What::Update { order: *success, read }),
                    Err(read) => {
                        self.seen[*atomic] = read;
                        self.note(What::Load { order: *failure, read });
                    }
                }
            }
            Statement::Fence(order) => {
                fence(*order);
                self.note(What::Fence { order: *order });
            }
            Statement::Locked(mutex, body) => self.locked(shared, *mutex, body),
            Statement::Reading(body) => self.reading(shared, body),
            Statement::Writing(body) => self.writing(shared, body),
            Statement::Send(channel) => self.send(*channel),
            Statement::Receive(channel) => drop(self.receive(*channel)),
            Statement::Initialise => {
                let by = *shared.once.get_or_init(|| id);
                if by == id {
                    self.note_both(What::Initialise, What::Nothing);
                } else {
                    self.note(What::Get { by });
                }
            }
            Statement::Get => {
                if let Some(&by) = shared.once.get() {
                    self.note(What::Get { by });
                }
            }
            Statement::Wait => {
                shared.barrier.wait();
                let round = self.rounds;
                self.rounds += 1;
                self.note_both(What::Arrive { round }, What::Leave { round });
            }
            Statement::Spawn(child) => self.spawn(*child),
            Statement::Join(child) => {
                self.children[*child].take().expect("it was made").join().expect("it does not panic");
                self.note(What::Join { child: *child });
            }
            Statement::Yield => std::thread::yield_now(),
        }
    }

    fn locked(&mut self, shared: &Arc<Shared>, mutex: usize, body: &[Statement]) {
        let mut guard = shared.mutexes[mutex].lock().expect("nobody panics");
        self.note(What::Lock { unlocks: vec![*guard] });
        self.body(shared, body);
        *guard = self.id();
        drop(guard);
        self.note(What::Unlock);
    }

    fn reading(&mut self, shared: &Arc<Shared>, body: &[Statement]) {
        let guard = shared.lock.read().expect("nobody panics");
        self.note(What::Lock { unlocks: vec![guard.0] });
        self.body(shared, body);
        guard.1.lock().expect("nobody panics").push(self.id());
        drop(guard);
        self.note(What::Unlock);
    }

    fn writing(&mut self, shared: &Arc<Shared>, body: &[Statement]) {
        let mut guard = shared.lock.write().expect("nobody panics");
        let mut unlocks = guard.1.lock().expect("nobody panics").clone();
        unlocks.push(guard.0);
        self.note(What::Lock { unlocks });
        self.body(shared, body);
        guard.0 = self.id();
        drop(guard);
        self.note(What::Unlock);
    }

    fn send(&mut self, channel: usize) {
        let id = self.id();
        let is_sent = match &self.senders[channel] {
            Sending::Unbounded(sender) => sender.send(id).is_ok(),
            Sending::Bounded(sender) => sender.try_send(id).is_ok(),
        };
        if is_sent {
            self.note(What::Send);
        }
    }

    fn receive(&mut self, channel: usize) -> bool {
        match self.receivers[channel].try_recv() {
            Ok(message) => {
                self.note(What::Receive { channel, message });
                true
            }
            // That all senders are gone is no operation here: who drops them is not noted.
            Err(_) => false,
        }
    }

    fn spawn(&mut self, child: usize) {
        let mut thread = Self::new(&self.shared, child, self.random.below(usize::MAX) as u64, &self.senders);
        let handle = thread::spawn(move || {
            thread.run();
            let notes = thread.shared.notes.lock().expect("nobody panics").clone();
            notes.send(std::mem::take(&mut thread.nodes)).expect("the first thread waits for it");
        });
        self.children[child] = Some(handle);
        self.note(What::Spawn { child });
    }
}
