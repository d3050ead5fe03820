//! Which location an object is.

use super::fake::{Run, names, run};
use cdsspec_runtime::hint::{black_box, spin_loop};
use cdsspec_runtime::sync::atomic::AtomicU32;
use cdsspec_runtime::sync::atomic::Ordering::Relaxed;

#[test]
fn a_static_starts_every_execution_from_its_constructed_value() {
    static X: AtomicU32 = AtomicU32::new(7);
    let one = Run::new();
    for _ in 0..3 {
        one.execute(|| {
            assert_eq!(X.fetch_add(1, Relaxed), 7);
            assert_eq!(X.load(Relaxed), 8);
        });
        one.recording(|recording| assert_eq!(recording.locations.len(), 1));
    }
    assert_eq!(X.load(Relaxed), 7);
}

#[test]
fn two_executions_at_once_have_their_own_values_of_a_static() {
    static X: AtomicU32 = AtomicU32::new(0);
    let threads = [1_u32, 2].map(|own| {
        std::thread::spawn(move || {
            let run = Run::new();
            for _ in 0..200 {
                run.execute(|| {
                    for count in 0..10 {
                        assert_eq!(X.fetch_add(own, Relaxed), own * count);
                        std::thread::yield_now();
                    }
                });
                run.recording(|recording| assert_eq!(recording.locations.len(), 1));
            }
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(X.load(Relaxed), 0);
}

#[test]
fn a_new_object_at_an_address_used_before_is_a_new_location() {
    let ((), recording) = run(|| {
        let mut place = Some(AtomicU32::new(1));
        place.as_ref().unwrap().store(2, Relaxed);
        place = None;
        assert!(place.is_none());
        place = Some(AtomicU32::new(3));
        assert_eq!(place.as_ref().unwrap().load(Relaxed), 3);
    });
    assert_eq!(recording.locations.len(), 2);
}

#[test]
fn a_moved_object_stays_the_same_location() {
    let ((), recording) = run(|| {
        let x = AtomicU32::new(1);
        x.store(2, Relaxed);
        let moved = Box::new(x);
        assert_eq!(moved.load(Relaxed), 2);
        // The address that it left is another's now.
        let y = AtomicU32::new(5);
        assert_eq!(y.load(Relaxed), 5);
        let back = *moved;
        assert_eq!(back.load(Relaxed), 2);
    });
    assert_eq!(recording.locations.len(), 2);
}

#[test]
fn an_object_made_outside_is_known_inside() {
    let x = AtomicU32::new(1);
    x.store(4, Relaxed);
    let (seen, recording) = run(|| x.swap(5, Relaxed));
    assert_eq!((seen, recording.locations.len()), (4, 1));
    assert_eq!(x.load(Relaxed), 4);
}

#[test]
fn a_spin_is_a_yield() {
    spin_loop();
    let ((), recording) = run(|| {
        spin_loop();
        black_box(1);
    });
    assert_eq!(names(&recording), ["spin_loop"]);
}

#[test]
#[expect(deprecated, reason = "they are part of std's API")]
fn the_deprecated_hint_and_constants_are_there() {
    use cdsspec_runtime::sync::atomic::{
        ATOMIC_BOOL_INIT, ATOMIC_ISIZE_INIT, ATOMIC_USIZE_INIT, spin_loop_hint,
    };
    spin_loop_hint();
    let ((), recording) = run(|| spin_loop_hint());
    assert_eq!(names(&recording), ["spin_loop_hint"]);
    let values =
        (ATOMIC_BOOL_INIT.into_inner(), ATOMIC_ISIZE_INIT.into_inner(), ATOMIC_USIZE_INIT.into_inner());
    assert_eq!(values, (false, 0, 0));
    cdsspec_runtime::hint::cold_path();
}
