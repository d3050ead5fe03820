//! `std::sync`, and [`Notify`].

pub mod mpsc;

pub use cdsspec_runtime::future::Notify;
pub use cdsspec_runtime::sync::{
    Arc, Barrier, BarrierWaitResult, Condvar, LazyLock, LockResult, Mutex, MutexGuard, Once, OnceLock,
    OnceState, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult,
    WaitTimeoutResult, Weak,
};

/// `std::sync::atomic`.
pub mod atomic {
    pub use cdsspec_runtime::sync::atomic::{
        AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16,
        AtomicU32, AtomicU64, AtomicUsize, Ordering, compiler_fence, fence,
    };

    /// [`spin_loop`](crate::hint::spin_loop) by its old name, which loom has as well.
    #[inline(always)]
    #[track_caller]
    pub fn spin_loop_hint() {
        crate::hint::spin_loop();
    }
}
