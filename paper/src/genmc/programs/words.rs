//! Programs on one word, or on one word a thread.

use super::Started;
use cdsspec_runtime::hint;
use cdsspec_runtime::sync::atomic::AtomicUsize;
use cdsspec_runtime::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};

static WORD: AtomicUsize = AtomicUsize::new(0);
static WORDS: [AtomicUsize; 16] = [const { AtomicUsize::new(0) }; 16];

/// Each thread adds to the word.
pub(in super::super) fn fetch_add(threads: usize, order: Ordering) {
    Started::all(threads, move |_| {
        WORD.fetch_add(1, order);
    })
    .join();
}

/// Store buffering in a ring: each thread stores to its own word, and loads that of the next one; `Relaxed` or `SeqCst`.
pub(in super::super) fn store_buffering(threads: usize, order: Ordering) {
    Started::all(threads, move |mine| {
        WORDS[mine].store(1, order);
        WORDS[(mine + 1) % threads].load(order);
    })
    .join();
}

/// Each thread stores to the word, and loads it.
pub(in super::super) fn store_load(threads: usize) {
    Started::all(threads, move |mine| {
        WORD.store(mine + 1, Relaxed);
        WORD.load(Relaxed);
    })
    .join();
}

/// Each thread waits for its turn, and gives the turn to the next one.
pub(in super::super) fn token_ring(threads: usize) {
    Started::all(threads, move |mine| {
        while WORD.load(Acquire) != mine {
            hint::spin_loop();
        }
        WORD.store(mine + 1, Release);
    })
    .join();
}

/// Each thread adds to the word by a compare-exchange; when it fails, the next round begins with the value that it saw.
pub(in super::super) fn carried_failure(threads: usize) {
    Started::all(threads, move |_| {
        let mut value = WORD.load(Relaxed);
        while let Err(now) = WORD.compare_exchange(value, value + 1, Relaxed, Relaxed) {
            value = now;
        }
    })
    .join();
}

/// The same by `fetch_update`, whose compare-exchange is a weak one.
pub(in super::super) fn fetch_update(threads: usize) {
    Started::all(threads, move |_| {
        let _ = WORD.fetch_update(Relaxed, Relaxed, |value| Some(value + 1));
    })
    .join();
}
