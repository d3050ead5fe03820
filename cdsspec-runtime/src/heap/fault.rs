//! Holds the log of an execution against happens-before: a pure function of the two.

use super::left::LeftObject;
use super::log::{Block, Counts, Home, Initialisation, LastDrop, Log, Progress};
use crate::record::{LocationId, SourceLocation, ThreadId};

/// An operation that uses an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    /// Which operation of the execution it is, in the order in which they ran, from 0.
    pub(crate) sequence: u32,
    pub(crate) thread: ThreadId,
    /// Which operation of its thread it is, from 1.
    pub(crate) position: u32,
    pub(crate) location: LocationId,
}

/// happens-before, as an engine knows it.
pub(crate) trait Happened {
    /// How many operations of `thread` happen before the operation with this sequence number, or are it; one more than there are if the end
    /// of the thread does.
    fn before_operation(&self, sequence: u32, thread: ThreadId) -> u32;

    /// How many operations of `other` happen before what `thread` does after its first `position` operations.
    fn before_moment(&self, thread: ThreadId, position: u32, other: ThreadId) -> u32;
}

/// What is wrong with a block. Uses are given by their sequence numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    Unallocated {
        usage: u32,
    },
    Uninitialised {
        usage: u32,
        by: Progress,
        source: SourceLocation,
    },
    Freed {
        usage: u32,
        by: Progress,
    },
    FreedTwice {
        first: Progress,
        second: Progress,
    },
    /// The bytes are those of all blocks, the allocation is that of the first.
    Leaked {
        blocks: usize,
    },
    /// Objects that the program was to end.
    Left {
        first: LeftObject,
        objects: usize,
    },
}

/// A fault of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) bytes: usize,
    pub(crate) allocated: Option<Progress>,
}

/// What to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Classes {
    pub(crate) uninitialised: bool,
    pub(crate) freed: bool,
}

/// What is wrong with the blocks of an execution: of each block the first of each kind, in the order of the uses that show it; second
/// frees last. `uses` come in the order in which they ran.
///
/// Cost: O(uses · log blocks) if no object moves.
pub(crate) fn faults(
    log: &Log,
    uses: impl IntoIterator<Item = Use>,
    happened: &dyn Happened,
    classes: Classes,
) -> Vec<Fault> {
    let mut search =
        FaultSearch { log, happened, classes, residents: Residents::new(log), found: Vec::new() };
    for usage in uses {
        search.look_at(usage);
    }
    let mut faults: Vec<_> = search.found.into_iter().map(|(_, fault)| fault).collect();
    if classes.freed {
        faults.extend(log.second_frees.iter().filter_map(|second| {
            let block = &log.blocks[second.block];
            Some(fault_of(block, FaultKind::FreedTwice { first: block.freed?, second: second.by }))
        }));
    }
    faults
}

struct FaultSearch<'a> {
    log: &'a Log,
    happened: &'a dyn Happened,
    classes: Classes,
    residents: Residents<'a>,
    /// Each with the number of its block.
    found: Vec<(usize, Fault)>,
}

fn fault_of(block: &Block, kind: FaultKind) -> Fault {
    Fault { kind, bytes: block.layout.size(), allocated: block.allocated }
}

impl FaultSearch<'_> {
    fn look_at(&mut self, usage: Use) {
        let Some(address) = self.residents.address(usage) else { return };
        let block = self.residents.block(address, usage.sequence);
        if self.classes.uninitialised {
            self.look_at_initialisation(usage, address, block);
        }
        if let Some(index) = block
            && self.classes.freed
            && let Some(free) = self.log.blocks[index].freed
            && self.is_after(usage, index, free)
        {
            self.note(index, FaultKind::Freed { usage: usage.sequence, by: free });
        }
    }

    fn look_at_initialisation(&mut self, usage: Use, address: usize, block: Option<usize>) {
        let told =
            self.log.initialisations.iter().rev().find(|told| {
                told.by.sequence <= usage.sequence && address.wrapping_sub(told.start) < told.bytes
            });
        if let Some(&Initialisation { by, source, .. }) = told {
            if !self.is_before(by, usage) {
                let kind = FaultKind::Uninitialised { usage: usage.sequence, by, source };
                // What was told of need not be in a block of this execution.
                let index = block.unwrap_or(usize::MAX);
                let fault = match block {
                    Some(block) => fault_of(&self.log.blocks[block], kind),
                    None => Fault { kind, bytes: told.map_or(0, |told| told.bytes), allocated: None },
                };
                self.note_fault(index, fault);
            }
            return;
        }
        if let Some(index) = block
            && let Some(allocated) = self.log.blocks[index].allocated
            && !self.is_before(allocated, usage)
        {
            self.note(index, FaultKind::Unallocated { usage: usage.sequence });
        }
    }

    /// Whether what a thread did between two operations happens before a use.
    fn is_before(&self, did: Progress, usage: Use) -> bool {
        did.thread == usage.thread
            || self.happened.before_operation(usage.sequence, did.thread) > did.position
            || self.is_in_last_drop(usage.thread, usage.position - 1, usage.position)
    }

    /// Whether a use does not happen before the free of its block.
    fn is_after(&self, usage: Use, block: usize, free: Progress) -> bool {
        let known = if usage.thread == free.thread {
            free.position
        } else {
            self.happened.before_moment(free.thread, free.position, usage.thread)
        };
        usage.position > known
            && self.log.blocks[block].counts != Counts::Gone
            && !self.log.blocks[block].is_freed_in_last_drop
            && !self.is_in_last_drop(usage.thread, usage.position - 1, usage.position)
    }

    /// Whether a thread was dropping what a shared pointer of std's owned, from when it had done `begin` operations to when it had done
    /// `end`.
    fn is_in_last_drop(&self, thread: ThreadId, begin: u32, end: u32) -> bool {
        let is_in = |drop: &LastDrop| {
            drop.thread == thread && drop.from <= begin && begin < drop.to && end <= drop.to
        };
        self.log.last_drops.iter().any(is_in)
    }

    fn note(&mut self, index: usize, kind: FaultKind) {
        self.note_fault(index, fault_of(&self.log.blocks[index], kind));
    }

    fn note_fault(&mut self, index: usize, fault: Fault) {
        let kind = std::mem::discriminant(&fault.kind);
        let is_known =
            |(block, known): &(usize, Fault)| *block == index && std::mem::discriminant(&known.kind) == kind;
        if !self.found.iter().any(is_known) {
            self.found.push((index, fault));
        }
    }
}

/// Which objects are in which blocks.
pub(super) struct Residents<'a> {
    blocks: &'a [Block],
    /// The numbers of the blocks, by address.
    by_address: Vec<usize>,
    /// By location: the first home of each, and its block where that does not depend on when.
    first: Vec<Option<Home>>,
    /// Later homes.
    moves: Vec<Home>,
}

impl<'a> Residents<'a> {
    pub(super) fn new(log: &'a Log) -> Self {
        let mut by_address: Vec<_> = (0..log.blocks.len()).collect();
        by_address.sort_unstable_by_key(|&index| log.blocks[index].start.addr());
        let mut residents = Self { blocks: &log.blocks, by_address, first: Vec::new(), moves: Vec::new() };
        for &home in &log.homes {
            let index = home.location.index();
            if residents.first.len() <= index {
                residents.first.resize(index + 1, None);
            }
            match &mut residents.first[index] {
                Some(_) => residents.moves.push(home),
                first => *first = Some(home),
            }
        }
        residents
    }

    /// Whether an object did not move on from there.
    pub(super) fn is_last(&self, home: &Home) -> bool {
        let later = |other: &&Home| other.location == home.location && other.sequence >= home.sequence;
        self.moves.iter().rev().find(later).is_none_or(|last| last.address == home.address)
    }

    /// Where the object of a use was then.
    fn address(&self, usage: Use) -> Option<usize> {
        let first = self.first.get(usage.location.index()).copied().flatten()?;
        let is_last = |home: &&Home| home.location == usage.location && home.sequence <= usage.sequence;
        Some(self.moves.iter().rev().find(is_last).map_or(first.address, |home| home.address))
    }

    /// The block that is there at an address. What was there before a block was allocated is not in it.
    pub(super) fn block(&self, address: usize, sequence: u32) -> Option<usize> {
        let after = self.by_address.partition_point(|&index| self.blocks[index].start.addr() <= address);
        let is_there = |index: &usize| {
            let block = &self.blocks[*index];
            block.has(address) && block.allocated.is_none_or(|allocated| allocated.sequence <= sequence)
        };
        // Blocks do not overlap: none is given back before the execution ends.
        self.by_address[..after].last().copied().filter(is_there)
    }
}
