//! Atomics.

use super::fake::{assert_placed, kinds, message_of, names, run};
use cdsspec_runtime::record::{OperationKind, Orders, ValueKind};
use cdsspec_runtime::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use cdsspec_runtime::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8, AtomicU16,
    AtomicU32, AtomicU64, AtomicUsize, compiler_fence, fence,
};

/// Does the same with ours (outside and inside an execution) and with std's, for all pairs of extreme values.
macro_rules! integers {
    ($($test:ident: $name:ident $integer:ident;)*) => {$(
        #[test]
        fn $test() {
            const VALUES: [$integer; 5] = [$integer::MIN, $integer::MAX, 0, 1, $integer::MAX / 3];
            macro_rules! trace {
                ($atomic:expr, $b:expr) => {{
                    let (mut x, b) = ($atomic, $b);
                    let mut seen = vec![x.load(Acquire)];
                    seen.push(x.swap(b, AcqRel));
                    seen.push(x.fetch_add(b, Relaxed));
                    seen.push(x.fetch_sub(1, Release));
                    seen.push(x.fetch_and(b, Acquire));
                    seen.push(x.fetch_nand(b, SeqCst));
                    seen.push(x.fetch_or(b, Relaxed));
                    seen.push(x.fetch_xor(!b, Relaxed));
                    seen.push(x.fetch_max(b, Relaxed));
                    seen.push(x.fetch_min(7, Relaxed));
                    x.store(b, SeqCst);
                    seen.push(x.compare_exchange(b, 5, AcqRel, Acquire).unwrap());
                    seen.push(x.compare_exchange(6, 7, AcqRel, Acquire).unwrap_err());
                    seen.push(x.compare_exchange_weak(6, 7, AcqRel, Acquire).unwrap_err());
                    seen.push(x.fetch_update(SeqCst, Acquire, |old| old.checked_add(1)).unwrap());
                    seen.push(x.fetch_update(SeqCst, Acquire, |_| None).unwrap_err());
                    seen.push(x.try_update(AcqRel, Relaxed, |old| old.checked_sub(2)).unwrap());
                    seen.push(x.try_update(AcqRel, Relaxed, |_| None).unwrap_err());
                    seen.push(x.update(Release, SeqCst, |old| old.wrapping_mul(b)));
                    *x.get_mut() = $integer::MAX;
                    seen.push(x.load(Relaxed));
                    assert_eq!(format!("{x:?}"), $integer::MAX.to_string());
                    seen.push(x.into_inner());
                    seen
                }};
            }
            for a in VALUES {
                for b in VALUES {
                    let std = trace!(std::sync::atomic::$name::new(a), b);
                    assert_eq!(trace!($name::new(a), b), std);
                    let (seen, recording) = run(|| trace!($name::from(a), b));
                    assert_eq!(seen, std);
                    assert_placed(&recording, file!());
                }
            }
            assert_eq!($name::default().into_inner(), 0);
        }
    )*};
}

integers! {
    atomic_i8_is_as_std_s: AtomicI8 i8;
    atomic_i16_is_as_std_s: AtomicI16 i16;
    atomic_i32_is_as_std_s: AtomicI32 i32;
    atomic_i64_is_as_std_s: AtomicI64 i64;
    atomic_isize_is_as_std_s: AtomicIsize isize;
    atomic_u8_is_as_std_s: AtomicU8 u8;
    atomic_u16_is_as_std_s: AtomicU16 u16;
    atomic_u32_is_as_std_s: AtomicU32 u32;
    atomic_u64_is_as_std_s: AtomicU64 u64;
    atomic_usize_is_as_std_s: AtomicUsize usize;
}

#[test]
fn atomic_bool_is_as_std_s() {
    macro_rules! trace {
        ($atomic:expr, $b:expr) => {{
            let (mut x, b) = ($atomic, $b);
            let mut seen = vec![x.swap(b, AcqRel), x.fetch_and(b, Relaxed), x.fetch_nand(b, Relaxed)];
            seen.extend([x.fetch_or(b, Relaxed), x.fetch_xor(true, Relaxed), x.fetch_not(Relaxed)]);
            seen.push(x.fetch_update(SeqCst, Relaxed, |old| Some(!old)).unwrap());
            seen.push(x.try_update(SeqCst, Relaxed, |old| Some(old | b)).unwrap());
            seen.push(x.update(SeqCst, Relaxed, |old| old ^ b));
            *x.get_mut() ^= true;
            seen.extend([x.load(Relaxed), x.into_inner()]);
            seen
        }};
    }
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let std = trace!(std::sync::atomic::AtomicBool::new(a), b);
        assert_eq!(trace!(AtomicBool::new(a), b), std);
        let (seen, recording) = run(|| trace!(AtomicBool::new(a), b));
        assert_eq!(seen, std);
        assert_eq!(recording.locations[0].kind, ValueKind::Bool);
        assert_placed(&recording, file!());
    }
}

#[test]
fn a_pointer_read_back_is_as_good_as_the_one_written() {
    let test = || {
        let null: AtomicPtr<i32> = AtomicPtr::default();
        assert!(null.load(Relaxed).is_null());
        let one = Box::into_raw(Box::new(1));
        assert!(null.swap(one, AcqRel).is_null());
        assert_eq!(null.compare_exchange(one, std::ptr::null_mut(), AcqRel, Acquire), Ok(one));
        null.store(one, Release);
        // SAFETY: the box was leaked above, and nobody else has it.
        unsafe { *null.load(Acquire) += 1 };
        assert_eq!(format!("{null:p}"), format!("{one:p}"));
        // SAFETY: as above; it is taken back once.
        assert_eq!(*unsafe { Box::from_raw(null.into_inner()) }, 2);
    };
    test();
    let ((), recording) = run(test);
    assert_placed(&recording, file!());
    assert_eq!(recording.locations[0].kind, ValueKind::Pointer);
}

#[test]
fn a_pointer_is_moved_as_std_s() {
    macro_rules! trace {
        ($atomic:expr, $first:expr) => {{
            let (x, first) = ($atomic, $first.addr());
            let mut seen = vec![x.fetch_ptr_add(3, AcqRel), x.fetch_ptr_sub(1, Release)];
            seen.extend([x.fetch_byte_add(5, Relaxed), x.fetch_byte_sub(3, SeqCst), x.fetch_or(1, Acquire)]);
            seen.extend([x.fetch_xor(9, AcqRel), x.fetch_and(!7, Relaxed), x.update(SeqCst, Relaxed, |p| p)]);
            seen.extend([x.fetch_ptr_sub(usize::MAX, Relaxed), x.load(Relaxed)]);
            seen.into_iter().map(|pointer| pointer.addr().wrapping_sub(first)).collect::<Vec<_>>()
        }};
    }
    let mut words = [0u32; 8];
    let first = words.as_mut_ptr();
    let std = trace!(std::sync::atomic::AtomicPtr::new(first), first);
    assert_eq!(trace!(AtomicPtr::new(first), first), std);
    let (seen, recording) = run(|| trace!(AtomicPtr::new(first), first));
    assert_eq!(seen, std);
    assert_placed(&recording, file!());
    let moved = AtomicPtr::new(first);
    moved.fetch_ptr_add(2, Relaxed);
    // SAFETY: the third of eight words, which nobody else has.
    unsafe { *moved.into_inner() = 7 };
    assert_eq!(words[2], 7);
}

#[test]
fn values_are_recorded_as_64_bits_with_their_sign() {
    let (_, recording) = run(|| {
        AtomicI8::new(-1).store(i8::MIN, Relaxed);
        AtomicU8::new(255).store(0, Relaxed);
    });
    let values: Vec<u64> = recording.stores.iter().map(|store| store.value).collect();
    assert_eq!(values, [u64::MAX, i64::from(i8::MIN) as u64, 255, 0]);
    assert_eq!(recording.locations[0].kind, ValueKind::Signed("i8"));
    assert_eq!(recording.locations[1].kind, ValueKind::Unsigned("u8"));
}

#[test]
fn the_parts_of_fetch_update_have_one_place() {
    let ((), recording) = run(|| {
        let _ = AtomicU8::new(1).fetch_update(SeqCst, Acquire, |old| Some(old + 1));
    });
    assert_eq!(
        kinds(&recording),
        [(OperationKind::Load, "fetch_update"), (OperationKind::Update, "fetch_update")]
    );
    let [load, update] = &recording.operations[..] else { panic!("two operations") };
    assert_eq!(load.place, update.place);
    assert_eq!(load.place.orders, Orders::Two(SeqCst, Acquire));
    assert_eq!((load.order, update.order), (Some(Acquire), Some(SeqCst)));
}

#[test]
fn try_update_and_update_have_the_operations_of_fetch_update() {
    let ((), recording) = run(|| {
        let x = AtomicU8::new(1);
        let _ = x.try_update(SeqCst, Acquire, |_| None);
        x.update(SeqCst, Acquire, |old| old + 1);
    });
    let expected = [
        (OperationKind::Load, "try_update"),
        (OperationKind::Load, "update"),
        (OperationKind::Update, "update"),
    ];
    assert_eq!(kinds(&recording), expected);
    assert!(recording.operations.iter().all(|one| one.place.orders == Orders::Two(SeqCst, Acquire)));
}

#[test]
#[allow(deprecated, reason = "it is part of std's API; with `loom-api` it is not deprecated")]
fn the_deprecated_compare_and_swap_is_there() {
    let test = || {
        let x = AtomicU8::new(1);
        (x.compare_and_swap(1, 2, AcqRel), x.compare_and_swap(1, 3, SeqCst), x.into_inner())
    };
    assert_eq!(test(), (1, 2, 2));
    assert_eq!(run(test).0, (1, 2, 2));
}

fn ignore<T>(_: T) {}

#[test]
fn orders_that_do_not_exist_panic_as_in_std_before_anything_is_recorded() {
    let x = AtomicU32::new(0);
    let cases: [(&str, &dyn Fn()); 13] = [
        ("there is no such thing as a release load", &|| ignore(x.load(Release))),
        ("there is no such thing as an acquire-release load", &|| ignore(x.load(AcqRel))),
        ("there is no such thing as an acquire store", &|| x.store(1, Acquire)),
        ("there is no such thing as an acquire-release store", &|| x.store(1, AcqRel)),
        ("there is no such thing as a release failure ordering", &|| {
            ignore(x.compare_exchange(0, 1, AcqRel, Release));
        }),
        ("there is no such thing as an acquire-release failure ordering", &|| {
            ignore(x.compare_exchange_weak(0, 1, AcqRel, AcqRel));
        }),
        ("there is no such thing as a release load", &|| ignore(x.fetch_update(AcqRel, Release, Some))),
        ("there is no such thing as an acquire-release load", &|| {
            ignore(x.fetch_update(AcqRel, AcqRel, Some))
        }),
        ("there is no such thing as a release load", &|| ignore(x.try_update(AcqRel, Release, Some))),
        ("there is no such thing as a release load", &|| ignore(x.update(AcqRel, Release, |old| old))),
        ("there is no such thing as a relaxed fence", &|| fence(Relaxed)),
        ("there is no such thing as a relaxed fence", &|| compiler_fence(Relaxed)),
        ("there is no such thing as a release load", &|| ignore(AtomicBool::new(true).load(Release))),
    ];
    for (message, case) in cases {
        assert_eq!(message_of(case), message);
        let (inside, recording) = run(|| message_of(case));
        assert_eq!(inside, message);
        assert_eq!(recording.operations.len(), 0);
    }
}

#[test]
fn a_fence_is_an_operation_and_a_compiler_fence_is_none() {
    let test = || {
        fence(SeqCst);
        compiler_fence(SeqCst);
    };
    test();
    let ((), recording) = run(test);
    assert_eq!(names(&recording), ["fence"]);
    assert_placed(&recording, file!());
}

#[test]
fn looking_at_a_value_is_no_operation() {
    let ((), recording) = run(|| {
        let mut x = AtomicU8::new(1);
        x.store(2, Relaxed);
        assert_eq!(format!("{x:?}"), "2");
        assert_eq!(*x.get_mut(), 2);
        assert_eq!(x.into_inner(), 2);
    });
    assert_eq!(names(&recording), ["store"]);
}

#[test]
fn get_mut_leaves_a_new_location_with_what_was_written() {
    let ((), recording) = run(|| {
        let mut x = AtomicU8::new(1);
        x.store(2, Relaxed);
        *x.get_mut() += 1;
        assert_eq!(x.load(Relaxed), 3);
    });
    assert_eq!(recording.locations.len(), 2);
}

#[test]
fn an_operation_through_a_function_pointer_has_no_place() {
    let (_, recording) =
        run(|| [&AtomicU8::new(1)].map(|x| (AtomicU8::load as fn(&AtomicU8, _) -> u8)(x, Relaxed)));
    assert_eq!(recording.errors.len(), 1);
}

#[test]
fn threads_outside_of_executions_share_an_atomic() {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                for _ in 0..1000 {
                    COUNT.fetch_add(1, Relaxed);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(COUNT.load(Relaxed), 4000);
}
