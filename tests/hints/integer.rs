//! Big integers, in tables and rows.

use super::report;
use cdsspec::sync::atomic::Ordering::SeqCst;
use cdsspec::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize};

/// Hands out tickets.
struct Tickets(AtomicUsize);

#[cdsspec::spec]
#[declare_state(next: usize)]
impl Tickets {
    #[side_effect(*next)]
    fn take(&self) -> usize {
        #[op_define]
        self.0.fetch_sub(1, SeqCst)
    }

    #[pre_condition(seed > 0)]
    #[side_effect(*next)]
    fn hash(&self, seed: u64) -> usize {
        #[op_define]
        let next = self.0.load(SeqCst);
        let _ = seed;
        next
    }
}

fn wraps_around() {
    let tickets = Tickets(AtomicUsize::new(0));
    AtomicI64::new(i64::MIN).store(1 << 62, SeqCst);
    AtomicU64::new(12_345_678_901_234_567_890).swap(1_234_567_890_123_456_789, SeqCst);
    tickets.take();
    tickets.hash(0x1234_5678_9abc_def0);
}

#[test]
fn ends_of_types_have_their_names_and_other_big_numbers_do_not_widen_tables() {
    let report = report(wraps_around);
    for line in [
        "violated: `hash` returned usize::MAX, the specification says 0",
        "| #1 hash(13117…0320) -> usize::MAX |",
        "hash(1311768467463790320) -> usize::MAX  ",
        "a = 1 << 62 ",
        "b: 12345…7890 -> 12345…6789 ",
        "c: 0 -> usize::MAX ",
    ] {
        assert!(report.contains(line), "{line}\n{report}");
    }
}
