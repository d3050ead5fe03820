//! The programs, and what GenMC takes for each: measured once, with the same text in C, and written down here.
//!
//! GenMC 0.11 (Kokologiannakis and Vafeiadis, CAV 2021; <https://github.com/MPI-SWS/genmc>) under RC11, with `--disable-estimation --disable-sr`;
//! processor seconds without those of compiling. Machines vary: what is to be read are the counts.

use super::programs::*;
use cdsspec_runtime::sync::atomic::Ordering::{Relaxed, SeqCst};

/// A program, and what GenMC takes for it.
pub(super) struct Program {
    /// What it is called: letters, digits and `_`.
    pub(super) name: &'static str,
    pub(super) run: fn(),
    pub(super) genmc: Measured,
}

/// What was measured under GenMC.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Measured {
    pub(super) complete: u64,
    /// Executions that GenMC calls blocked: a thread waits for what another execution shows. `None` where that was measured only without in-place revisits.
    pub(super) blocked: Option<u64>,
    /// The same without in-place revisits, by which GenMC has fewer.
    pub(super) blocked_plain: u64,
    pub(super) seconds: Option<f64>,
}

impl Measured {
    /// With so many complete executions and none that is blocked.
    const fn complete(complete: u64, seconds: f64) -> Self {
        Self { complete, blocked: Some(0), blocked_plain: 0, seconds: Some(seconds) }
    }

    /// With so many complete ones, blocked ones, and blocked ones without in-place revisits.
    const fn of([complete, blocked, blocked_plain]: [u64; 3], seconds: f64) -> Self {
        Self { complete, blocked: Some(blocked), blocked_plain, seconds: Some(seconds) }
    }
}

const fn program(name: &'static str, run: fn(), genmc: Measured) -> Program {
    Program { name, run, genmc }
}

/// Words: no loop, or one that waits.
pub(super) const WORDS: [Program; 14] = [
    program("fetch_add_6", || fetch_add(6, Relaxed), Measured::complete(720, 0.040)),
    program("fetch_add_7", || fetch_add(7, Relaxed), Measured::complete(5_040, 0.412)),
    program("fetch_add_seq_cst_6", || fetch_add(6, SeqCst), Measured::complete(720, 0.084)),
    program("fetch_add_seq_cst_7", || fetch_add(7, SeqCst), Measured::complete(5_040, 0.62)),
    program("store_buffering_10", || store_buffering(10, Relaxed), Measured::complete(1_024, 0.034)),
    program("store_buffering_seq_cst_6", || store_buffering(6, SeqCst), Measured::complete(63, 0.001)),
    program("store_buffering_seq_cst_8", || store_buffering(8, SeqCst), Measured::complete(255, 0.012)),
    program("store_load_4", || store_load(4), Measured::complete(576, 0.014)),
    program("token_ring_4", || token_ring(4), Measured::of([1, 0, 4], 0.026)),
    program("carried_failure_3", || carried_failure(3), Measured::of([6, 15, 18], 0.001)),
    program("carried_failure_4", || carried_failure(4), Measured::of([24, 124, 176], 0.009)),
    program("fetch_update_2", || fetch_update(2), Measured { seconds: None, ..Measured::of([2, 2, 2], 0.0) }),
    program("fetch_update_3", || fetch_update(3), Measured::of([6, 15, 18], 0.008)),
    program("fetch_update_4", || fetch_update(4), Measured::of([24, 124, 176], 0.014)),
];

/// Locks. `2r_1w`: two threads that read, and one that writes.
pub(super) const LOCKS: [Program; 17] = [
    program("mcs_lock_2", || mcs_lock(2), Measured::of([6, 0, 3], 0.034)),
    program("mcs_lock_3", || mcs_lock(3), Measured::of([66, 0, 60], 0.042)),
    program("mcs_lock_4", || mcs_lock(4), Measured::of([1_080, 0, 1_057], 0.159)),
    program("spinlock_4", || spinlock(4), Measured::of([24, 0, 34], 0.007)),
    program("spinlock_5", || spinlock(5), Measured::of([120, 0, 208], 0.016)),
    program("spinlock_6", || spinlock(6), Measured::of([720, 0, 1_479], 0.157)),
    program("ticket_lock_4", || ticket_lock(4), Measured::of([24, 0, 66], 0.010)),
    program("ticket_lock_5", || ticket_lock(5), Measured::of([120, 0, 565], 0.020)),
    program("ticket_lock_6", || ticket_lock(6), Measured::of([720, 0, 5_388], 0.117)),
    program("ttas_lock_3", || ttas_lock(3), Measured { seconds: None, ..Measured::of([36, 60, 60], 0.0) }),
    program(
        "ttas_lock_4",
        || ttas_lock(4),
        Measured { blocked: None, ..Measured::of([576, 0, 1_607], 0.132) },
    ),
    program("linux_rwlock_2r_1w", || linux_rwlock(2, 1), Measured::of([14, 20, 20], 0.017)),
    program("linux_rwlock_1r_2w", || linux_rwlock(1, 2), Measured::of([6, 18, 18], 0.023)),
    program("linux_rwlock_2r_2w", || linux_rwlock(2, 2), Measured::of([48, 188, 188], 0.042)),
    program("seqlock_2w_1r", || seqlock(2, 1), Measured::of([6, 46, 53], 0.029)),
    program("seqlock_3w_1r", || seqlock(3, 1), Measured::of([24, 510, 706], 0.047)),
    program("seqlock_2w_2r", || seqlock(2, 2), Measured::of([18, 626, 679], 0.021)),
];

/// Containers. `2w_1r`: two threads that put an item in, and one that takes one out.
pub(super) const CONTAINERS: [Program; 14] = [
    program("chase_lev_deque_1_thief", || chase_lev_deque(1), Measured::complete(18, 0.022)),
    program("chase_lev_deque_2_thieves", || chase_lev_deque(2), Measured::complete(659, 0.058)),
    program("chase_lev_deque_3_thieves", || chase_lev_deque(3), Measured::complete(24_451, 0.815)),
    program("ms_queue_2w_1r", || ms_queue(2, 1), Measured::of([26, 22, 22], 0.013)),
    program("ms_queue_2w_2r", || ms_queue(2, 2), Measured::of([158, 294, 294], 0.025)),
    program("ms_queue_3w_1r", || ms_queue(3, 1), Measured::of([666, 692, 692], 0.065)),
    program("ms_queue_3_pairs", || ms_queue_pairs(3), Measured::of([1_368, 6_532, 6_532], 0.504)),
    program("ms_queue_3w_2r", || ms_queue(3, 2), Measured::of([4_638, 11_842, 11_842], 0.797)),
    program("treiber_stack_3w_2r", || treiber_stack(3, 2), Measured::of([6_204, 2_976, 3_104], 0.62)),
    program("treiber_stack_3w_3r", || treiber_stack(3, 3), Measured::of([52_332, 53_292, 59_394], 4.5)),
    program("mpmc_queue_2w_1r", || mpmc_queue(2, 1), Measured::of([10, 10, 14], 0.035)),
    program("mpmc_queue_2w_2r", || mpmc_queue(2, 2), Measured::of([40, 58, 89], 0.034)),
    program("mpmc_queue_3w_1r", || mpmc_queue(3, 1), Measured::of([96, 189, 286], 0.032)),
    program("mpmc_queue_3w_2r", || mpmc_queue(3, 2), Measured::of([432, 1_359, 2_615], 0.114)),
];
