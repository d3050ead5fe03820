//! The queues of table 1 of CheckFence in Rust. A store-store fence is a release fence here, a load-load fence an acquire fence.

/// Michael and Scott's nonblocking queue, with the fences of figure 9.
#[cdsspec::fence]
pub(crate) mod msn {
    use std::ptr::null_mut;
    use std::sync::atomic::AtomicPtr;
    use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use std::sync::atomic::fence;

    struct Node {
        next: AtomicPtr<Node>,
        value: u32,
    }

    pub(crate) struct Queue {
        head: AtomicPtr<Node>,
        tail: AtomicPtr<Node>,
    }

    impl Queue {
        pub(crate) fn new() -> Self {
            let node = Self::node(0);
            Self { head: AtomicPtr::new(node), tail: AtomicPtr::new(node) }
        }

        fn node(value: u32) -> *mut Node {
            Box::into_raw(Box::new(Node { next: AtomicPtr::new(null_mut()), value }))
        }

        fn cas(location: &AtomicPtr<Node>, old: *mut Node, new: *mut Node) -> bool {
            location.compare_exchange(old, new, Relaxed, Relaxed).is_ok()
        }

        pub(crate) fn enqueue(&self, value: u32) {
            let node = Self::node(value);
            fence(Release);
            let tail = loop {
                let tail = self.tail.load(Relaxed);
                fence(Acquire);
                // SAFETY: nodes are never freed.
                let next = unsafe { &(*tail).next }.load(Relaxed);
                fence(Acquire);
                if tail != self.tail.load(Relaxed) {
                    continue;
                }
                if next.is_null() {
                    // SAFETY: as above.
                    if Self::cas(unsafe { &(*tail).next }, next, node) {
                        break tail;
                    }
                } else {
                    Self::cas(&self.tail, tail, next);
                }
            };
            fence(Release);
            Self::cas(&self.tail, tail, node);
        }

        pub(crate) fn dequeue(&self) -> Option<u32> {
            loop {
                let head = self.head.load(Relaxed);
                fence(Acquire);
                let tail = self.tail.load(Relaxed);
                fence(Acquire);
                // SAFETY: nodes are never freed.
                let next = unsafe { &(*head).next }.load(Relaxed);
                fence(Acquire);
                if head != self.head.load(Relaxed) {
                    continue;
                }
                if head == tail {
                    if next.is_null() {
                        return None;
                    }
                    Self::cas(&self.tail, tail, next);
                    continue;
                }
                // SAFETY: as above.
                let value = unsafe { (*next).value };
                if Self::cas(&self.head, head, next) {
                    return Some(value);
                }
            }
        }
    }
}

/// Michael and Scott's two-lock queue; the locks have the fences of figure 7.
#[cdsspec::fence]
pub(crate) mod ms2 {
    use std::ptr::null_mut;
    use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use std::sync::atomic::{AtomicBool, AtomicPtr, fence};

    struct Node {
        next: AtomicPtr<Node>,
        value: u32,
    }

    pub(crate) struct Queue {
        head: AtomicPtr<Node>,
        tail: AtomicPtr<Node>,
        head_lock: AtomicBool,
        tail_lock: AtomicBool,
    }

    fn lock(lock: &AtomicBool) {
        while lock.compare_exchange(false, true, Relaxed, Relaxed).is_err() {
            std::hint::spin_loop();
        }
        // Figure 7.
        fence(Acquire);
    }

    fn unlock(lock: &AtomicBool) {
        // Figure 7.
        fence(Release);
        assert!(lock.swap(false, Relaxed));
    }

    impl Queue {
        pub(crate) fn new() -> Self {
            let node = Self::node(0);
            let (head, tail) = (AtomicPtr::new(node), AtomicPtr::new(node));
            Self { head, tail, head_lock: AtomicBool::new(false), tail_lock: AtomicBool::new(false) }
        }

        fn node(value: u32) -> *mut Node {
            Box::into_raw(Box::new(Node { next: AtomicPtr::new(null_mut()), value }))
        }

        pub(crate) fn enqueue(&self, value: u32) {
            let node = Self::node(value);
            fence(Release);
            lock(&self.tail_lock);
            // SAFETY: nodes are never freed.
            unsafe { &(*self.tail.load(Relaxed)).next }.store(node, Relaxed);
            self.tail.store(node, Relaxed);
            unlock(&self.tail_lock);
        }

        pub(crate) fn dequeue(&self) -> Option<u32> {
            lock(&self.head_lock);
            let mut value: Option<u32> = None;
            // SAFETY: nodes are never freed.
            let next = unsafe { &(*self.head.load(Relaxed)).next }.load(Relaxed);
            if !next.is_null() {
                fence(Acquire);
                // SAFETY: as above.
                value = Some(unsafe { (*next).value });
                self.head.store(next, Relaxed);
            }
            unlock(&self.head_lock);
            value
        }
    }
}
