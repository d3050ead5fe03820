//! An epoch that two threads disagree on.

use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};

/// How many versions there are.
const VERSIONS: usize = 3;
/// How many words a value has.
const WORDS: usize = 4;
/// After so many calls the reader looks at the epoch again.
const CALLS: usize = 4;

/// A value of several words that one thread sets and another one gets, in three versions by turns. With every other one the epoch goes on, and the writer waits until nobody is left in the old one: so whoever reads
/// a version that was the last one when the epoch began is waited for before that is written again.
///
/// # Fault
/// The reader looks at the epoch in one of four calls only. In the others it may take itself for being in an epoch that is over, and the writer waits for the others: so a version is written
/// that is being read. Beside the `get`, it takes three calls of `set`, and a `get` and two of `set` before.
///
/// # Correct
/// The reader looks at the epoch in each call, and again when it is counted there.
pub(crate) struct Epochs {
    versions: [[AtomicI32; WORDS]; VERSIONS],
    /// The number of the last version, counted through all turns.
    current: AtomicUsize,
    epoch: AtomicUsize,
    /// How many readers are in epochs that are even, and odd.
    readers: [AtomicUsize; 2],
    /// What the reader knows, and how many calls it has made; `None` if it looks each time.
    known: Option<[AtomicUsize; 2]>,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(value: i32)]
impl Epochs {
    fn new(known: Option<[AtomicUsize; 2]>) -> Self {
        Self {
            versions: [const { [const { AtomicI32::new(0) }; WORDS] }; VERSIONS],
            current: AtomicUsize::new(0),
            epoch: AtomicUsize::new(0),
            readers: [const { AtomicUsize::new(0) }; 2],
            known,
        }
    }

    /// Whose reader looks at the epoch now and then.
    pub(crate) fn faulty() -> Self {
        Self::new(Some([const { AtomicUsize::new(0) }; 2]))
    }

    /// Whose reader looks at it each time.
    pub(crate) fn correct() -> Self {
        Self::new(None)
    }

    /// Sets the value.
    #[scenario(one_thread, args(1, 2))]
    #[side_effect(*value = word)]
    pub(crate) fn set(&self, word: i32) {
        let next = self.current.load(SeqCst) + 1;
        if next.is_multiple_of(2) {
            let epoch = self.epoch.fetch_add(1, SeqCst);
            while self.readers[epoch % 2].load(SeqCst) > 0 {
                hint::spin_loop();
            }
        }
        for part in &self.versions[next % VERSIONS] {
            part.store(word, SeqCst);
        }
        #[op_define]
        self.current.store(next, SeqCst);
    }

    /// Gets the value: its first and its last word.
    #[scenario(one_thread)]
    #[side_effect((*value, *value))]
    pub(crate) fn get(&self) -> (i32, i32) {
        let readers = &self.readers[self.enter() % 2];
        #[op_define]
        let current = self.current.load(SeqCst);
        let words = self.versions[current % VERSIONS].each_ref().map(|part| part.load(SeqCst));
        readers.fetch_sub(1, SeqCst);
        (words[0], words[WORDS - 1])
    }

    /// Counts the reader in, in the epoch that it knows, which it returns.
    fn enter(&self) -> usize {
        loop {
            let epoch = match &self.known {
                Some([known, calls]) => {
                    if calls.fetch_add(1, SeqCst).is_multiple_of(CALLS) {
                        known.store(self.epoch.load(SeqCst), SeqCst);
                    }
                    known.load(SeqCst)
                }
                None => self.epoch.load(SeqCst),
            };
            self.readers[epoch % 2].fetch_add(1, SeqCst);
            if self.known.is_some() || self.epoch.load(SeqCst) == epoch {
                return epoch;
            }
            self.readers[epoch % 2].fetch_sub(1, SeqCst);
            hint::spin_loop();
        }
    }
}
