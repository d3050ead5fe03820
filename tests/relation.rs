//! The order of the calls as the CDSSpec paper has it: each object by itself, under every total order of the SeqCst operations.

use cdsspec::Verdict::{Holds, HoldsWithin, Inadmissible, Unjustified};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::{Relaxed, SeqCst};
use cdsspec::{Builder, EngineKind, Outcome, SeqCstOrder, Verdict, thread};

#[path = "../examples/atomic_register/atomic_register.rs"]
mod atomic_register;
#[path = "../examples/hashmap/hashmap.rs"]
mod hashmap;

/// A number, relaxed: a read may be justified by a concurrent write.
#[derive(Default)]
struct Register(AtomicI32);

#[cdsspec::spec]
#[declare_state(value: i32)]
impl Register {
    #[justifying_pre_condition(c_ret == *value || concurrent.write().any(|write| write.new == c_ret))]
    fn read(&self) -> i32 {
        #[op_define]
        self.0.load(Relaxed)
    }

    #[side_effect(*value = new)]
    fn write(&self, new: i32) {
        #[op_define]
        self.0.store(new, Relaxed);
    }
}

/// A flag that is set once.
#[derive(Default)]
struct Flag(AtomicI32);

#[cdsspec::spec]
#[declare_state(flag: i32)]
impl Flag {
    #[side_effect(*flag)]
    fn get(&self) -> i32 {
        #[op_define]
        self.0.load(SeqCst)
    }

    #[side_effect(*flag = 1;)]
    fn set(&self) {
        #[op_define]
        self.0.store(1, SeqCst);
    }
}

fn two_right_objects() {
    let both = Arc::new((Register::default(), Flag::default()));
    let of_other = both.clone();
    let other = thread::spawn(move || {
        of_other.0.write(1);
        of_other.1.get();
    });
    both.1.set();
    both.0.read();
    other.join().expect("no thread panics");
}

/// Nothing but looks, of which no two may be concurrent.
#[derive(Default)]
struct Looks(AtomicI32);

#[cdsspec::spec]
#[declare_state(number: i32)]
#[admit(look <-> look)]
impl Looks {
    #[side_effect(*number)]
    fn look(&self) -> i32 {
        #[op_define]
        self.0.load(SeqCst)
    }
}

fn two_seqcst_loads_are_ordered() {
    let looks = Arc::new(Looks::default());
    let of_other = looks.clone();
    let other = thread::spawn(move || of_other.look());
    looks.look();
    other.join().expect("no thread panics");
}

/// A flag whose reader looks at another word.
#[derive(Default)]
struct Wrong {
    set: AtomicI32,
    looked_at: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(is_set: bool)]
impl Wrong {
    #[side_effect(*is_set = true;)]
    fn set(&self) {
        #[op_define]
        self.set.store(1, SeqCst);
    }

    #[side_effect(*is_set)]
    #[post_condition(!c_ret || s_ret)]
    #[justifying_post_condition(c_ret || !s_ret)]
    fn has(&self) -> bool {
        #[op_define]
        let seen = self.looked_at.load(SeqCst);
        seen == 1
    }
}

fn looks_at_the_wrong_word() {
    let wrong = Arc::new(Wrong::default());
    let of_other = wrong.clone();
    let other = thread::spawn(move || of_other.set());
    wrong.has();
    other.join().expect("no thread panics");
}

/// The programs of two examples in one.
fn register_beside_hashmap() {
    let both = Arc::new((atomic_register::Register::default(), hashmap::HashMap::new()));
    both.1.put(1, 1);
    let of_other = both.clone();
    let other = thread::spawn(move || {
        of_other.0.write(1);
        of_other.1.get(1);
    });
    both.1.put(1, 2);
    both.0.read();
    other.join().expect("no thread panics");
}

/// A call with two points, which must not be concurrent with another one.
#[derive(Default)]
struct Pair {
    first: AtomicI32,
    second: AtomicI32,
    other: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(count: i32)]
#[admit(both <-> peek)]
impl Pair {
    #[side_effect(*count += 1;)]
    fn both(&self) {
        #[op_define]
        self.first.store(1, SeqCst);
        #[op_define]
        self.second.store(1, SeqCst);
    }

    #[side_effect({})]
    fn peek(&self) -> i32 {
        #[op_define]
        self.other.load(SeqCst)
    }
}

/// The peek may be before the points or after them; between them it would be ordered both ways.
fn a_point_beside_two_points() {
    let both = Arc::new((Pair::default(), Flag::default()));
    let of_other = both.clone();
    let other = thread::spawn(move || of_other.0.both());
    both.1.set();
    both.0.peek();
    other.join().expect("no thread panics");
}

fn check(program: fn(), builder: Builder) -> Outcome {
    builder.stop_at_first(false).check(program)
}

fn on(engine: EngineKind) -> Builder {
    Builder::new().engine(engine)
}

/// The program; the verdict on rc11, with its executions, shapes and histories; that on loom; that under the partial order.
type Row = (fn(), (Verdict, [u64; 3]), Verdict, Verdict);

#[test]
fn objects_compose_and_the_seqcst_operations_are_totally_ordered() {
    let rows: [Row; 5] = [
        (two_right_objects, (Holds, [4, 4, 12]), HoldsWithin, HoldsWithin),
        (two_seqcst_loads_are_ordered, (Holds, [1, 1, 2]), HoldsWithin, Inadmissible),
        (looks_at_the_wrong_word, (Unjustified, [1, 1, 2]), Unjustified, HoldsWithin),
        (register_beside_hashmap, (Holds, [4, 4, 12]), HoldsWithin, HoldsWithin),
        (a_point_beside_two_points, (Holds, [1, 1, 3]), HoldsWithin, Inadmissible),
    ];
    for (index, (program, expected, on_loom, partial)) in rows.into_iter().enumerate() {
        let outcome = check(program, on(EngineKind::Rc11));
        let counts = [outcome.executions, outcome.shapes, outcome.histories];
        assert_eq!((outcome.verdict, counts), expected, "{index}: {outcome}");
        let outcome = check(program, on(EngineKind::Rc11).sc_order(SeqCstOrder::Partial));
        assert_eq!(outcome.verdict, partial, "{index}: {outcome}");
        assert_eq!(outcome.bounds, ["sc_order = partial"], "{index}: less is checked, and that is said");
        if cfg!(feature = "loom") {
            let outcome = check(program, on(EngineKind::Loom));
            assert_eq!(outcome.verdict, on_loom, "{index}: {outcome}");
        }
    }
}

#[test]
fn the_report_shows_the_order_of_the_seqcst_operations() {
    let outcome = check(looks_at_the_wrong_word, on(EngineKind::Rc11));
    let report = outcome.report();
    let from = report.find("under this order").expect("the order is in the report");
    let lines: Vec<_> = report[from..].lines().skip(1).take(2).map(|line| line.trim().to_owned()).collect();
    assert!(lines[0].contains("#1*  store(SeqCst)") && lines[1].contains("#0*  load(SeqCst)"), "{report}");
}
