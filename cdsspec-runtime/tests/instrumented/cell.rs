//! `UnsafeCell`.

use super::fake::{assert_placed, kinds, message_of, names, run};
use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::record::OperationKind::{CellRead, CellWrite};
use cdsspec_runtime::sync::Arc;
use cdsspec_runtime::thread;

/// A cell that threads may share, if their accesses are ordered.
struct Shared(UnsafeCell<i32>);

// SAFETY: the tests run one thread after another.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

#[test]
fn a_cell_gives_its_value() {
    let test = || {
        let mut cell = UnsafeCell::new(1);
        // SAFETY: nobody else has the cell.
        cell.with_mut(|value| unsafe { *value += 1 });
        *cell.get_mut() += 1;
        // SAFETY: nobody else has the cell.
        let seen = cell.with(|value| unsafe { *value });
        (seen, cell.into_inner())
    };
    assert_eq!(test(), (3, 3));
    let (seen, recording) = run(test);
    assert_eq!(seen, (3, 3));
    assert_placed(&recording, file!());
    assert_eq!(
        kinds(&recording),
        [(CellWrite, "with_mut"), (CellWrite, "get_mut"), (CellRead, "with"), (CellWrite, "into_inner")]
    );
}

#[test]
fn a_cell_nobody_has_used_is_taken_without_an_operation() {
    let (value, recording) = run(|| {
        let mut cell: UnsafeCell<i32> = UnsafeCell::default();
        *cell.get_mut() = 2;
        assert_eq!(format!("{cell:?}"), "UnsafeCell { .. }");
        cell.into_inner()
    });
    assert_eq!((value, names(&recording).len()), (2, 0));
}

#[test]
fn an_access_ends_when_its_closure_panics() {
    let ((), recording) = run(|| {
        let cell = Arc::new(Shared(UnsafeCell::from(1)));
        let inner = Arc::clone(&cell);
        let child = thread::spawn(move || inner.0.with_mut(|_| panic!("while it lasts")));
        assert!(child.join().is_err());
        cell.0.with(|_| ());
    });
    assert_placed(&recording, file!());
}

#[test]
fn accesses_that_are_not_ordered_race() {
    let message = run(|| {
        message_of(|| {
            let cell = Arc::new(Shared(UnsafeCell::new(1)));
            let inner = Arc::clone(&cell);
            let _detached = thread::spawn(move || inner.0.with_mut(|_| ()));
            cell.0.with(|_| ());
        })
    });
    assert_eq!(message.0, "race");
}

#[test]
fn cells_may_be_unsized() {
    let cell: Box<UnsafeCell<[i32]>> = Box::new(UnsafeCell::new([1, 2]));
    // SAFETY: nobody else has the cell.
    assert_eq!(cell.with(|values| unsafe { (&*values).len() }), 2);
}
