//! What each thread of a run did last, for who looks on from another OS thread.

use crate::record::{OperationName, Orders, Place, SourceLocation, Spelling, ThreadId};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, fence};

/// The last operation of each thread, written by the one OS thread that explores. A sequence lock: the count of beats is odd during a
/// write, and other after it.
#[derive(Debug, Default)]
pub struct Watch {
    beats: AtomicU64,
    threads: [Last; THREADS_MAX],
}

/// So many threads are looked at.
const THREADS_MAX: usize = 16;

/// A place without its orders. No name: nothing was done yet.
#[derive(Debug, Default)]
struct Last {
    file: Text,
    name: AtomicPtr<Spelling>,
    line: AtomicU32,
    column: AtomicU32,
}

/// A text that lives for ever, in two words.
#[derive(Debug, Default)]
struct Text {
    start: AtomicPtr<u8>,
    len: AtomicUsize,
}

impl Watch {
    /// Notes that a thread begins an operation.
    #[inline]
    pub fn note(&self, thread: ThreadId, place: &Place) {
        let Some(last) = self.threads.get(thread.index()) else { return };
        let beats = self.beats.load(Relaxed);
        self.beats.store(beats + 1, Relaxed);
        fence(Release);
        last.file.set(place.source.file);
        last.name.store(std::ptr::from_ref(place.name.as_static()).cast_mut(), Relaxed);
        last.line.store(place.source.line, Relaxed);
        last.column.store(place.source.column, Relaxed);
        self.beats.store(beats + 2, Release);
    }

    /// Forgets what was done: another execution begins.
    pub fn begin(&self) {
        let beats = self.beats.load(Relaxed);
        self.beats.store(beats + 1, Relaxed);
        fence(Release);
        self.threads.iter().for_each(|last| last.name.store(std::ptr::null_mut(), Relaxed));
        self.beats.store(beats + 2, Release);
    }

    /// How often anything was noted, twice over.
    pub fn beats(&self) -> u64 {
        self.beats.load(Acquire)
    }

    /// The last operation of each thread that has done any. Empty while one is written.
    pub fn last_operations(&self) -> Vec<(ThreadId, Place)> {
        let beats = self.beats.load(Acquire);
        let words: Vec<_> = self.threads.iter().map(Last::words).collect();
        fence(Acquire);
        if beats % 2 == 1 || beats != self.beats.load(Relaxed) {
            return Vec::new();
        }
        let of = |(thread, words): (usize, &Words)| {
            // SAFETY: nothing was written while they were read, so that they are the words of one place.
            let place = unsafe { words.place() }?;
            Some((ThreadId::new(thread), place))
        };
        words.iter().enumerate().filter_map(of).collect()
    }
}

/// The words of a place, which may not belong together.
struct Words {
    file: (*const u8, usize),
    name: *const Spelling,
    line: u32,
    column: u32,
}

impl Last {
    fn words(&self) -> Words {
        let (line, column) = (self.line.load(Relaxed), self.column.load(Relaxed));
        Words { file: self.file.words(), name: self.name.load(Relaxed), line, column }
    }
}

impl Text {
    #[inline]
    fn set(&self, text: &'static str) {
        self.start.store(text.as_ptr().cast_mut(), Relaxed);
        self.len.store(text.len(), Relaxed);
    }

    fn words(&self) -> (*const u8, usize) {
        (self.start.load(Relaxed), self.len.load(Relaxed))
    }
}

impl Words {
    /// # Safety
    /// All words were noted together.
    unsafe fn place(&self) -> Option<Place> {
        // SAFETY: the caller's promise; a name lives for ever.
        let name = unsafe { self.name.as_ref() }?;
        // SAFETY: the caller's promise.
        let file = unsafe { text(self.file) };
        let source = SourceLocation { file, line: self.line, column: self.column };
        Some(Place { source, name: OperationName::new(name), orders: Orders::None })
    }
}

/// # Safety
/// The words are those of a text that lives for ever.
unsafe fn text((start, len): (*const u8, usize)) -> &'static str {
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(start, len) };
    // SAFETY: as above: the bytes were those of a `str`.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::operation_name;

    #[test]
    fn the_last_operation_of_each_thread_is_known_until_another_execution_begins() {
        let watch = Watch::default();
        let [first, second] =
            [operation_name!("load"), operation_name!("store")].map(|name| Place::here(name, Orders::None));
        watch.note(ThreadId::new(0), &second);
        watch.note(ThreadId::new(0), &first);
        watch.note(ThreadId::new(2), &second);
        watch.note(ThreadId::new(THREADS_MAX), &second);
        let expected = vec![(ThreadId::new(0), first), (ThreadId::new(2), second)];
        assert_eq!((watch.last_operations(), watch.beats()), (expected, 6));
        watch.begin();
        assert_eq!((watch.last_operations(), watch.beats()), (Vec::new(), 8));
    }
}
