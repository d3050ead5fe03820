//! Structures in the subset, under the attribute, as users write them.

#[cdsspec::fence]
pub(crate) mod litmus {
    use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, SeqCst};
    use cdsspec::sync::atomic::{AtomicU8, AtomicU32, fence};

    #[derive(Default)]
    pub(crate) struct Pair {
        x: AtomicU8,
        y: AtomicU32,
    }

    impl Pair {
        pub(crate) fn left(&self) -> u32 {
            self.x.store(1, Relaxed);
            self.y.load(Relaxed)
        }

        pub(crate) fn right(&self) -> u8 {
            self.y.store(1, Relaxed);
            self.x.load(Acquire)
        }

        pub(crate) fn strong_left(&self) -> u32 {
            self.x.store(1, Relaxed);
            fence(SeqCst);
            self.y.load(Relaxed)
        }

        pub(crate) fn strong_right(&self) -> u8 {
            self.y.store(1, Relaxed);
            fence(SeqCst);
            self.x.load(Relaxed)
        }

        pub(crate) fn send(&self, value: u32) {
            self.y.store(value, Relaxed);
            self.x.store(1, cdsspec::sync::atomic::Ordering::Release);
        }

        pub(crate) fn receive(&self) -> (bool, u32) {
            let is_sent = self.x.load(Acquire) == 1;
            (is_sent, self.y.load(Relaxed))
        }
    }
}

#[cdsspec::fence]
pub(crate) mod stack {
    use cdsspec::cell::UnsafeCell;
    use cdsspec::hint;
    use cdsspec::sync::atomic::AtomicPtr;
    use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use std::ptr;

    struct Node {
        value: u32,
        next: UnsafeCell<*mut Node>,
    }

    /// Treiber's, whose nodes are never freed.
    pub(crate) struct Stack {
        head: AtomicPtr<Node>,
    }

    impl Stack {
        pub(crate) fn new() -> Self {
            Self { head: AtomicPtr::new(ptr::null_mut()) }
        }

        pub(crate) fn push(&self, value: u32) {
            let node = Box::into_raw(Box::new(Node { value, next: UnsafeCell::new(ptr::null_mut()) }));
            let mut head = self.head.load(Relaxed);
            loop {
                // SAFETY: nobody else knows the node.
                unsafe { &(*node).next }.with_mut(|next| unsafe { *next = head });
                match self.head.compare_exchange(head, node, Release, Relaxed) {
                    Ok(_) => return,
                    Err(now) => head = now,
                }
                hint::spin_loop();
            }
        }

        pub(crate) fn pop(&self) -> Option<u32> {
            loop {
                let head = self.head.load(Acquire);
                // SAFETY: nodes are never freed.
                let node = unsafe { head.as_ref() }?;
                // SAFETY: it is not written once the node is linked.
                let next = node.next.with(|next| unsafe { *next });
                if self.head.compare_exchange(head, next, Relaxed, Relaxed).is_ok() {
                    return Some(node.value);
                }
                hint::spin_loop();
            }
        }
    }
}

#[cdsspec::fence]
pub(crate) mod queue {
    use cdsspec::hint;
    use cdsspec::sync::atomic::AtomicPtr;
    use cdsspec::sync::atomic::Ordering::{Acquire, Release};
    use std::ptr;

    struct Node {
        value: u32,
        next: AtomicPtr<Node>,
    }

    /// Michael and Scott's, whose nodes are never freed.
    pub(crate) struct Queue {
        head: AtomicPtr<Node>,
        tail: AtomicPtr<Node>,
    }

    impl Node {
        fn alloc(value: u32) -> *mut Self {
            Box::into_raw(Box::new(Self { value, next: AtomicPtr::new(ptr::null_mut()) }))
        }
    }

    impl Queue {
        pub(crate) fn new() -> Self {
            let node = Node::alloc(0);
            Self { head: AtomicPtr::new(node), tail: AtomicPtr::new(node) }
        }

        pub(crate) fn enqueue(&self, value: u32) {
            let node = Node::alloc(value);
            loop {
                let tail = self.tail.load(Acquire);
                // SAFETY: nodes are never freed.
                let last = unsafe { &*tail };
                let next = last.next.load(Acquire);
                if next.is_null() {
                    if last.next.compare_exchange(next, node, Release, Acquire).is_ok() {
                        let _ = self.tail.compare_exchange(tail, node, Release, Acquire);
                        return;
                    }
                } else {
                    let _ = self.tail.compare_exchange(tail, next, Release, Acquire);
                }
                hint::spin_loop();
            }
        }

        pub(crate) fn dequeue(&self) -> Option<u32> {
            loop {
                let head = self.head.load(Acquire);
                let tail = self.tail.load(Acquire);
                // SAFETY: nodes are never freed.
                let next = unsafe { &(*head).next }.load(Acquire);
                if head == tail {
                    if next.is_null() {
                        return None;
                    }
                    let _ = self.tail.compare_exchange(tail, next, Release, Acquire);
                } else if self.head.compare_exchange(head, next, Release, Acquire).is_ok() {
                    // SAFETY: as above.
                    return Some(unsafe { (*next).value });
                }
                hint::spin_loop();
            }
        }
    }
}

#[cdsspec::fence]
pub(crate) mod guarded {
    use cdsspec::cell::UnsafeCell;
    use cdsspec::hint;
    use cdsspec::sync::atomic::AtomicBool;
    use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};

    /// A word behind a lock.
    pub(crate) struct Guarded {
        is_held: AtomicBool,
        word: UnsafeCell<i16>,
    }

    // SAFETY: the word is accessed only by who holds the lock.
    unsafe impl Sync for Guarded {}

    impl Guarded {
        pub(crate) const fn new() -> Self {
            Self { is_held: AtomicBool::new(false), word: UnsafeCell::new(-1) }
        }

        fn locked<R>(&self, run: impl FnOnce(*mut i16) -> R) -> R {
            while self.is_held.swap(true, Acquire) {
                while self.is_held.load(Relaxed) {
                    hint::spin_loop();
                }
            }
            let result = self.word.with_mut(run);
            self.is_held.store(false, Release);
            result
        }

        pub(crate) fn change(&self) -> i16 {
            self.locked(|word| {
                // SAFETY: this thread has the lock.
                unsafe { *word += 5 };
                // SAFETY: as above.
                unsafe { *word }
            })
        }
    }
}

#[cdsspec::fence]
pub(crate) mod counter {
    use cdsspec::sync::atomic::AtomicU8;
    use cdsspec::sync::atomic::Ordering::Relaxed;

    pub(crate) struct Counter {
        count: AtomicU8,
    }

    impl Counter {
        pub(crate) const fn new() -> Self {
            Self { count: AtomicU8::new(150) }
        }

        pub(crate) fn add(&self, value: u8) -> u8 {
            self.count.fetch_add(value, Relaxed).wrapping_add(value)
        }

        pub(crate) fn take(&self, value: u8) -> Result<u8, u8> {
            self.count.fetch_update(Relaxed, Relaxed, |count| count.checked_sub(value))
        }

        pub(crate) fn most(&self, value: u8) -> u8 {
            self.count.fetch_max(value, Relaxed)
        }
    }
}

#[cdsspec::fence]
pub(crate) mod boxes {
    use cdsspec::sync::atomic::AtomicPtr;
    use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire};

    struct Pair {
        both: (u32, u32),
        more: [u32; 2],
    }

    pub(crate) struct Boxes {
        current: AtomicPtr<Pair>,
    }

    impl Boxes {
        pub(crate) fn new() -> Self {
            Self { current: AtomicPtr::new(Self::alloc(1)) }
        }

        fn alloc(value: u32) -> *mut Pair {
            Box::into_raw(Box::new(Pair { both: (value, value + 1), more: [value * 10; 2] }))
        }

        pub(crate) fn swap(&self, value: u32) -> u32 {
            let old = self.current.swap(Self::alloc(value), AcqRel);
            // SAFETY: nothing is freed.
            unsafe { (*old).both.1 }
        }

        pub(crate) fn sum(&self) -> u32 {
            // SAFETY: as above.
            let pair = unsafe { &*self.current.load(Acquire) };
            let (first, second) = pair.both;
            let mut sum = first + second;
            for index in 0..2_usize {
                sum += pair.more[index];
            }
            sum
        }
    }
}

#[cdsspec::fence]
pub(crate) mod slots {
    use cdsspec::sync::atomic::AtomicU32;
    use cdsspec::sync::atomic::Ordering::{Acquire, Release};

    #[derive(Default)]
    pub(crate) struct Slots {
        slots: [AtomicU32; 3],
    }

    impl Slots {
        pub(crate) fn write(&self, value: u32) -> u8 {
            let free = self.first_free();
            if free < 3 {
                self.slots[usize::from(free)].store(value, Release);
            }
            free
        }

        pub(crate) fn first_free(&self) -> u8 {
            let mut index = 0_u8;
            while index < 3 && self.slots[index as usize].load(Acquire) != 0 {
                index += 1;
            }
            index
        }
    }
}
