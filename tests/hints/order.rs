//! Calls that are concurrent although one reads from the other; and a rule that is not written.

use super::{report, rows};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::thread;

/// Set once, with these orders.
struct Flag {
    value: AtomicUsize,
    store: Ordering,
    load: Ordering,
}

#[cdsspec::spec]
#[declare_state(is_set: bool)]
impl Flag {
    #[side_effect(*is_set = true;)]
    fn set(&self) {
        #[op_define]
        self.value.store(1, self.store);
    }

    #[side_effect(*is_set)]
    #[post_condition(!c_ret || s_ret)]
    fn get(&self) -> bool {
        #[op_define]
        let value = self.value.load(self.load);
        value == 1
    }
}

fn set__get(store: Ordering, load: Ordering) {
    let flag = Arc::new(Flag { value: AtomicUsize::new(0), store, load });
    let other = flag.clone();
    let thread = thread::spawn(move || other.set());
    flag.get();
    thread.join().expect("no thread panics");
}

#[test]
fn a_read_that_orders_nothing_says_which_orders_would() {
    for (program, hint) in [
        (
            (|| set__get(Relaxed, Relaxed)) as fn(),
            "hint: #0* reads #1*, but does not acquire it (Relaxed): that orders no calls; Acquire/Release would, or allow it \
             through `concurrent`",
        ),
        (
            || set__get(Release, Relaxed),
            "hint: #0* reads #1*, but does not acquire it (Relaxed): that orders no calls; Acquire would, or allow it through \
             `concurrent`",
        ),
        (
            || set__get(Relaxed, Acquire),
            "hint: #0* reads #1*, which is not released (Relaxed): that orders no calls; Release would, or allow it through \
             `concurrent`",
        ),
    ] {
        let report = report(program);
        assert!(
            report.starts_with("violated: `get` returned true, the specification says false\n"),
            "{report}"
        );
        assert_eq!(rows(&report, &["hint"]), [hint], "{report}");
    }
}

/// A number that is stored after its point, and read before it. The points read nothing of each other.
#[derive(Default)]
struct Late {
    value: AtomicUsize,
    points: [AtomicUsize; 2],
}

#[cdsspec::spec]
#[declare_state(value: usize)]
impl Late {
    #[side_effect(*value = new;)]
    fn set(&self, new: usize) {
        #[op_define]
        self.points[0].store(1, Relaxed);
        self.value.store(new, Relaxed);
    }

    #[post_condition(c_ret == 0 || c_ret == *value)]
    fn get(&self) -> usize {
        let value = self.value.load(Relaxed);
        #[op_define]
        self.points[1].load(Relaxed);
        value
    }
}

#[test]
fn a_read_beside_the_points_is_named_by_its_line_of_the_interleaving() {
    let report = report(|| {
        let late = Arc::new(Late::default());
        let other = late.clone();
        let thread = thread::spawn(move || other.set(7));
        late.get();
        thread.join().expect("no thread panics");
    });
    assert_eq!(
        rows(&report, &["hint"]),
        [
            "hint: 3 load(Relaxed) of #0 reads 2 store(Relaxed) of #1, but does not acquire it (Relaxed): that orders no calls; \
          Acquire/Release would, or allow it through `concurrent`"
        ],
        "{report}"
    );
}

/// A pop that may return nothing.
#[derive(Default)]
struct Box1(AtomicUsize);

#[cdsspec::spec]
#[declare_state(content: Option<usize>)]
impl Box1 {
    #[side_effect(*content = Some(value);)]
    fn put(&self, value: usize) {
        #[op_define]
        self.0.store(value, Release);
    }

    #[side_effect(*content)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    fn look(&self) -> Option<usize> {
        #[op_define]
        let value = self.0.load(Acquire);
        (value > 0).then_some(value)
    }
}

#[test]
fn a_rule_that_is_not_written_says_how_it_is_switched_off() {
    let report = report(|| {
        let one = Arc::new(Box1::default());
        let other = one.clone();
        let thread = thread::spawn(move || other.put(1));
        one.look();
        thread.join().expect("no thread panics");
    });
    assert_eq!(
        rows(&report, &["rule", "hint"]),
        [
            "rule: c_ret == s_ret A",
            "hint: that rule holds since no `post_condition` is written beside the `justifying_post_condition`: \
             `#[post_condition(true)]` switches it off",
        ],
        "{report}"
    );
}
