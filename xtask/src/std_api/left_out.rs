//! What the runtime lacks of std, and has beyond it, with the reasons.

/// Why items are not there, or are there although std has none. In a pattern `*` is any text.
pub(super) struct Reason {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for who reads this file; a test wants it to be there")
    )]
    pub(super) why: &'static str,
    pub(super) items: &'static [&'static str],
}

/// What std has and the runtime has not.
pub(super) const LEFT_OUT: &[Reason] = &[
    Reason {
        why: "an atomic is larger than its value, which the engine keeps: no pointer leads to it",
        items: &[
            "sync::atomic::Atomic*: * const fn as_ptr(&self) -> *",
            "sync::atomic::Atomic*: * const unsafe fn from_ptr(*",
        ],
    },
    Reason {
        why: "the value is the engine's to tell, which no `const fn` can ask: it is there, but not const",
        items: &["sync::atomic::Atomic*: * const fn into_inner(self) -> *"],
    },
    Reason {
        why: "nobody sees when an access through the pointer begins and ends: `with` and `with_mut`, in every build",
        items: &["cell::UnsafeCell: * const fn get(&self) -> *", "cell::UnsafeCell: * const fn raw_get(*"],
    },
    Reason {
        why: "a cell is larger than its value: a reference to a value is none to a cell",
        items: &["cell::UnsafeCell: * const fn from_mut(*"],
    },
    Reason {
        why: "they are writes that engines check, which no `const fn` can do: they are there, but not const",
        items: &["cell::UnsafeCell: * const fn get_mut(*", "cell::UnsafeCell: * const fn into_inner(*"],
    },
    Reason {
        why: "the bound `CloneToUninit` is unstable: what is `Clone` has it, slices and texts do not",
        items: &["sync::Arc: Arc<T> fn make_mut(*"],
    },
    Reason {
        why: "`ByteStr` is unstable, and so no program on a stable compiler has one",
        items: &["sync::Arc: impl From<*ByteStr*"],
    },
    Reason {
        why: "`Wake` takes std's own `Arc<Self>`, so nothing behind another one is a waker",
        items: &["sync::Arc: impl From<Arc<W>> for *Waker *"],
    },
    Reason {
        why: "of Windows only, where the runtime is not tested",
        items: &[
            "sync::Arc: impl AsHandle for *",
            "sync::Arc: impl AsSocket for *",
            "thread::JoinHandle: impl *Handle for *",
            "thread::JoinHandle: impl From<*> for OwnedHandle",
        ],
    },
    Reason {
        why: "a thread of an execution is none of the operating system's",
        items: &["thread::JoinHandle: impl JoinHandleExt for *"],
    },
];

/// What the runtime has and std has not.
pub(super) const ADDED: &[Reason] = &[
    Reason {
        why: "in place of `get`, and in a plain build as well",
        items: &[
            "cell::UnsafeCell: * fn with(&self, *",
            "cell::UnsafeCell: * fn with_mut(&self, *",
            "cell::UnsafeCell: * fn read(&self) -> *",
            "cell::UnsafeCell: * fn write(&self) -> *",
        ],
    },
    Reason {
        why: "loom's, and only where loom's API is there: in no product build",
        items: &[
            "sync::Arc: Arc<T> fn from_std(*",
            "sync::atomic::Atomic*: * fn with_mut(*",
            "sync::atomic::Atomic*: * unsafe fn unsync_load(*",
        ],
    },
    Reason {
        why: "std's are const, or have an unstable bound: see what is left out",
        items: &[
            "cell::UnsafeCell: * fn get_mut(&mut self) -> *",
            "cell::UnsafeCell: * fn into_inner(self) -> *",
            "sync::Arc: Arc<T> fn make_mut(&mut Arc<T>) -> &mut T where T: Clone",
            "sync::atomic::Atomic*: * fn into_inner(self) -> *",
        ],
    },
];
