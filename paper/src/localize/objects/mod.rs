//! The ten objects of table II of CGVT, and the eight of table I, each with a fault of the kind that its source has, and without it.
//!
//! Each file says what an object is, where it is from, what its fault is, and the fewest calls at once that trigger it. Nothing is copied: they are written for this. Faults were read in the
//! benchmarks that the authors of the paper published with it. Where two rows are of one object, the names are of different papers.
//!
//! No method has an ordering point: to be linearizable is a matter of real time.

mod arena;
mod bu_list;
mod bu_queue;
mod linked_stack;
mod lock_free_list;
mod object;
mod optimistic_queue;
mod pair_snapshot;
mod simple_list;
mod snark;
mod sorted;
#[cfg(test)]
mod tests;
mod treiber_stack;

#[cfg(test)]
pub(super) use arena::Arena;
use bu_list::{BuList2, BuList3};
use bu_queue::BuQueue;
use cdsspec::lineup::Invoked;
use cdsspec_runtime::scenario::Scenario;
use linked_stack::LinkedStack;
use lock_free_list::LockFreeList;
use object::Kind;
pub(crate) use object::{Object, Published, Reveal, Row, Triple, Visitor};
use optimistic_queue::OptimisticQueue;
use pair_snapshot::PairSnapshot;
use simple_list::{SimpleList, SizedList};
use snark::Snark;
use treiber_stack::TreiberStack;

const ADD_REMOVE: &[&str] = &["add", "remove"];
const ENQUEUE_DEQUEUE: &[&str] = &["enqueue", "dequeue"];
const PUSH_POP: &[&str] = &["push", "pop"];

/// Shows all objects: table I, then table II, in the order of the rows.
pub(crate) fn objects(visitor: &mut impl Visitor) {
    table_1(visitor);
    table_2_sets(visitor);
    table_2_others(visitor);
}

fn table_1(visitor: &mut impl Visitor) {
    use Reveal::{AtOnce, Later};
    visitor.visit(pair_snapshot(one(AtOnce, [1, 4])));
    visitor.visit(simple_list("SimpleList", one(Later, [1, 1])));
    visitor.visit(sized_list("SimpleList (Size)", one(AtOnce, [1, 2])));
    visitor.visit(lock_free_list("LockFreeList", one(AtOnce, [1, 1])));
    visitor.visit(k_stack("K-Stack", one(Later, [1, 1])));
    visitor.visit(optimistic_queue("OptimisticQueue", one(AtOnce, [1, 1])));
    visitor.visit(snark(one(AtOnce, [1, 2])));
    visitor.visit(treiber_stack(one(Later, [1, 3])));
}

fn table_2_sets(visitor: &mut impl Visitor) {
    let all = |size| [Some(size); 3];
    visitor.visit(lock_free_list("LFList", two(ADD_REMOVE, (2, 500), 20, [5, 2, 8], all(2))));
    visitor.visit(cg_list(two(&["add", "contain"], (2, 50), 20, [20; 3], all(2))));
    let (operations, sizes) = (&["add", "remove", "size"], [None, Some(4), Some(3)]);
    visitor.visit(sized_list("CGListS", two(operations, (2, 500), 80, [0, 3, 1], sizes)));
    visitor.visit(bu_list_1(two(ADD_REMOVE, (2, 500), 20, [7, 5, 5], all(2))));
    visitor.visit(bu_list_2(two(ADD_REMOVE, (2, 50), 20, [18, 20, 20], all(2))));
    visitor.visit(bu_list_3(two(ADD_REMOVE, (2, 500), 80, [0, 2, 3], [None, Some(2), Some(2)])));
}

fn table_2_others(visitor: &mut impl Visitor) {
    let all = |size| [Some(size); 3];
    let sizes = [Some(2), Some(3), Some(2)];
    visitor.visit(optimistic_queue("OPQueue", two(ENQUEUE_DEQUEUE, (2, 500), 20, [4, 19, 16], sizes)));
    visitor.visit(bu_queue(two(ENQUEUE_DEQUEUE, (2, 200), 80, [0; 3], [None; 3])));
    let sizes = [Some(2), Some(3), Some(3)];
    visitor.visit(k_stack("KStack", two(PUSH_POP, (2, 50), 20, [10, 18, 15], sizes)));
    visitor.visit(tb_stack(two(PUSH_POP, (2, 100), 20, [19, 20, 20], all(2))));
}

fn one(reveal: Reveal, concurrent: [usize; 2]) -> Published {
    Published::One { reveal, concurrent }
}

fn two(
    operations: &'static [&'static str],
    size: (usize, usize),
    histories: usize,
    nonlinearizable: [usize; 3],
    concurrent: [Option<usize>; 3],
) -> Published {
    Published::Two(Row { operations, size, histories, nonlinearizable, concurrent })
}

/// What can be asked of an object: all of its methods that are marked.
pub(super) fn all_of<T: Invoked>(constructor: &str, make: fn() -> T) -> Scenario<T> {
    T::invoked(Scenario::new(make)).constructor(constructor)
}

fn pair_snapshot(published: Published) -> Object<PairSnapshot> {
    Object {
        name: "PairSnapshot",
        published,
        kind: Kind::Pair,
        scenario: all_of("PairSnapshot::faulty", PairSnapshot::faulty),
        correct: Some(all_of("PairSnapshot::correct", PairSnapshot::correct)),
        // As in example 1.
        smallest: Some(Triple {
            prepare: &["write(0, 1)", "write(1, 1)"],
            concurrent: [&["read()"], &["write(0, 2)", "write(1, 2)", "write(1, 1)", "write(0, 1)"]],
            reveal: &[],
        }),
    }
}

/// As in example 2.
const EXAMPLE_2: Triple = Triple {
    prepare: &["add(7)", "add(10)"],
    concurrent: [&["add(8)"], &["add(9)"]],
    reveal: &["contain(8)"],
};

fn simple_list(name: &'static str, published: Published) -> Object<SimpleList> {
    Object {
        name,
        published,
        kind: Kind::Set,
        scenario: all_of("SimpleList::faulty", SimpleList::faulty),
        correct: Some(all_of("SimpleList::correct", SimpleList::correct)),
        smallest: Some(Triple { reveal: &["contain(8)", "contain(9)"], ..EXAMPLE_2 }),
    }
}

/// Of which `add` and `contain` are called.
fn cg_list(published: Published) -> Object<SimpleList> {
    let scenario = |constructor: &str, make: fn() -> SimpleList| {
        Scenario::new(make)
            .constructor(constructor)
            .op_for("add", 1..=10, |list, key| list.add(key).into())
            .op_for("contain", 1..=10, |list, key| list.contain(key).into())
    };
    Object {
        name: "CGList",
        published,
        scenario: scenario("SimpleList::faulty", SimpleList::faulty),
        correct: Some(scenario("SimpleList::correct", SimpleList::correct)),
        kind: Kind::Set,
        smallest: Some(EXAMPLE_2),
    }
}

fn sized_list(name: &'static str, published: Published) -> Object<SizedList> {
    Object {
        name,
        published,
        kind: Kind::Set,
        scenario: all_of("SizedList::faulty", SizedList::faulty),
        correct: Some(all_of("SizedList::correct", SizedList::correct)),
        smallest: Some(Triple {
            prepare: &["add(1)", "add(2)"],
            concurrent: [&["size()"], &["remove(1)", "add(3)"]],
            reveal: &[],
        }),
    }
}

fn lock_free_list(name: &'static str, published: Published) -> Object<LockFreeList> {
    Object {
        name,
        published,
        kind: Kind::Set,
        scenario: all_of("LockFreeList::faulty", LockFreeList::faulty),
        correct: Some(all_of("LockFreeList::correct", LockFreeList::correct)),
        smallest: Some(Triple {
            prepare: &["add(1)"],
            concurrent: [&["remove(1)"], &["remove(1)"]],
            reveal: &[],
        }),
    }
}

fn bu_list_1(published: Published) -> Object<LockFreeList> {
    Object {
        name: "BUList1",
        scenario: all_of("LockFreeList::bu_list_1", LockFreeList::bu_list_1).name("BuList1"),
        ..lock_free_list("BUList1", published)
    }
}

fn bu_list_2(published: Published) -> Object<BuList2> {
    Object {
        name: "BUList2",
        published,
        kind: Kind::Set,
        scenario: all_of("BuList2::faulty", BuList2::faulty),
        correct: Some(all_of("BuList2::correct", BuList2::correct)),
        smallest: Some(Triple {
            prepare: &["add(1)"],
            concurrent: [&["remove(1)"], &["remove(1)"]],
            reveal: &[],
        }),
    }
}

fn bu_list_3(published: Published) -> Object<BuList3> {
    Object {
        name: "BUList3",
        published,
        kind: Kind::Set,
        scenario: all_of("BuList3::faulty", BuList3::faulty),
        correct: Some(all_of("BuList3::correct", BuList3::correct)),
        smallest: Some(Triple {
            prepare: &["add(1)"],
            concurrent: [&["remove(1)"], &["add(2)"]],
            reveal: &["remove(2)"],
        }),
    }
}

fn optimistic_queue(name: &'static str, published: Published) -> Object<OptimisticQueue> {
    Object {
        name,
        published,
        kind: Kind::Queue,
        scenario: all_of("OptimisticQueue::faulty", OptimisticQueue::faulty).alike_arguments(),
        correct: Some(all_of("OptimisticQueue::correct", OptimisticQueue::correct).alike_arguments()),
        smallest: Some(Triple {
            prepare: &["enqueue(1)", "enqueue(2)"],
            concurrent: [&["dequeue()"], &["dequeue()"]],
            reveal: &[],
        }),
    }
}

fn bu_queue(published: Published) -> Object<BuQueue> {
    Object {
        name: "BUQueue",
        published,
        kind: Kind::Queue,
        scenario: all_of("BuQueue::new", BuQueue::new).alike_arguments(),
        correct: None,
        smallest: None,
    }
}

fn k_stack(name: &'static str, published: Published) -> Object<LinkedStack> {
    Object {
        name,
        published,
        kind: Kind::Stack,
        scenario: all_of("LinkedStack::k_stack", LinkedStack::k_stack).alike_arguments(),
        correct: Some(all_of("LinkedStack::correct", LinkedStack::correct).alike_arguments()),
        smallest: Some(Triple {
            prepare: &[],
            concurrent: [&["push(1)"], &["push(2)"]],
            reveal: &["pop()", "pop()"],
        }),
    }
}

fn tb_stack(published: Published) -> Object<LinkedStack> {
    Object {
        scenario: all_of("LinkedStack::tb_stack", LinkedStack::tb_stack).alike_arguments(),
        smallest: Some(Triple {
            prepare: &["push(1)"],
            concurrent: [&["pop()"], &["push(2)"]],
            reveal: &["pop()", "pop()"],
        }),
        ..k_stack("TBStack", published)
    }
}

fn treiber_stack(published: Published) -> Object<TreiberStack> {
    Object {
        name: "TreiberStack",
        published,
        kind: Kind::Stack,
        scenario: all_of("TreiberStack::faulty", TreiberStack::faulty).alike_arguments(),
        correct: Some(all_of("TreiberStack::correct", TreiberStack::correct).alike_arguments()),
        smallest: Some(Triple {
            prepare: &["push(1)", "push(2)"],
            concurrent: [&["pop()"], &["pop()", "pop()", "push(3)"]],
            reveal: &["pop()"],
        }),
    }
}

fn snark(published: Published) -> Object<Snark> {
    Object {
        name: "Snark",
        published,
        kind: Kind::Deque,
        scenario: all_of("Snark::faulty", Snark::faulty).alike_arguments(),
        correct: Some(all_of("Snark::correct", Snark::correct).alike_arguments()),
        smallest: Some(Triple {
            prepare: &["push_right(1)"],
            concurrent: [&["pop_right()"], &["push_right(2)", "pop_left()"]],
            reveal: &[],
        }),
    }
}
