//! A tag that wraps.

use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicI32, AtomicU64, Ordering::SeqCst};

/// How many bytes a record has, by which the tag moves on.
const RECORD: u64 = 1_024;

/// The last record of a journal, of two words, which is read without a lock: the position in the journal is the tag that says whether it has changed meanwhile. One thread writes.
///
/// # Fault
/// The tag has 16 bits. After 64 records of 1,024 bytes it is what it was, so that a `read` takes the first word of one record and the second word of another. Beside it, it takes 64 calls of
/// `write`.
///
/// # Correct
/// The tag has 64 bits.
pub(crate) struct Journal {
    /// In the middle of a record while that is written.
    tag: AtomicU64,
    words: [AtomicI32; 2],
    tag_max: u64,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(value: i32)]
impl Journal {
    fn new(tag_max: u64) -> Self {
        Self { tag: AtomicU64::new(0), words: [const { AtomicI32::new(0) }; 2], tag_max }
    }

    /// Whose tag has 16 bits.
    pub(crate) fn faulty() -> Self {
        Self::new(u64::from(u16::MAX))
    }

    /// Whose tag has 64.
    pub(crate) fn correct() -> Self {
        Self::new(u64::MAX)
    }

    /// Writes a record.
    #[scenario(one_thread, args(1, 2))]
    #[side_effect(*value = word)]
    pub(crate) fn write(&self, word: i32) {
        let tag = self.tag.load(SeqCst);
        self.tag.store(tag + RECORD / 2, SeqCst);
        for part in &self.words {
            part.store(word, SeqCst);
        }
        #[op_define]
        self.tag.store(tag.wrapping_add(RECORD) & self.tag_max, SeqCst);
    }

    /// Reads the last record.
    #[scenario]
    #[side_effect((*value, *value))]
    pub(crate) fn read(&self) -> (i32, i32) {
        loop {
            let tag = self.tag.load(SeqCst);
            if tag.is_multiple_of(RECORD) {
                let [first, second] = self.words.each_ref().map(|part| part.load(SeqCst));
                #[op_clear_define]
                let again = self.tag.load(SeqCst);
                if again == tag {
                    return (first, second);
                }
            }
            hint::spin_loop();
        }
    }
}
