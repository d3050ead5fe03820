//! `Arc` and `Weak`.

use super::fake::{Run, assert_placed, names, run};
use cdsspec_runtime::port;
use cdsspec_runtime::sync::{Arc, Weak};
use cdsspec_runtime::thread;
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts how often it was destroyed.
struct Counted(std::sync::Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_add(1, Relaxed);
    }
}

fn counted() -> (std::sync::Arc<AtomicUsize>, Arc<Counted>) {
    let count = std::sync::Arc::new(AtomicUsize::new(0));
    (std::sync::Arc::clone(&count), Arc::new(Counted(count)))
}

#[test]
fn counts_are_as_std_s() {
    let test = || {
        let one = Arc::new(5);
        let two = Arc::clone(&one);
        let weak = Arc::downgrade(&one);
        assert_eq!((Arc::strong_count(&one), Arc::weak_count(&one)), (2, 1));
        assert!(Arc::ptr_eq(&one, &two));
        drop(two);
        let again = weak.upgrade().unwrap();
        assert_eq!((weak.strong_count(), weak.weak_count()), (2, 1));
        drop((one, again));
        assert!(weak.upgrade().is_none());
        assert_eq!((weak.strong_count(), weak.weak_count()), (0, 0));
        assert!(weak.ptr_eq(&weak.clone()));
        assert!(Weak::<i32>::new().upgrade().is_none());
        assert!(Weak::<i32>::default().ptr_eq(&Weak::new()));
        assert_eq!(format!("{weak:?}"), "(Weak)");
    };
    test();
    run(test);
}

#[test]
fn the_last_handle_destroys_the_value() {
    let test = || {
        let (count, one) = counted();
        let (two, weak) = (one.clone(), Arc::downgrade(&one));
        drop(one);
        assert_eq!(count.load(Relaxed), 0);
        drop(two);
        assert_eq!(count.load(Relaxed), 1);
        drop(weak);
        assert_eq!(count.load(Relaxed), 1);
    };
    test();
    let ((), recording) = run(test);
    assert_eq!(names(&recording), ["clone", "downgrade", "drop", "drop", "drop", "drop"]);
    assert_placed(&recording, file!());
}

#[test]
fn a_drop_happens_before_the_destruction() {
    let ((), recording) = run(|| {
        let one = Arc::new(1);
        let two = Arc::clone(&one);
        let _detached = thread::spawn(move || drop(two));
        drop(one);
    });
    // clone, spawn, the child's drop, the last drop and its fence.
    assert_eq!(names(&recording), ["clone", "spawn", "drop", "drop", "drop"]);
    assert!(!recording.operations[2].happens_before(&recording.operations[3]));
    assert!(recording.operations[2].happens_before(&recording.operations[4]));
}

#[test]
fn a_handle_that_was_cloned_unobserved_keeps_the_value() {
    let (count, kept) = run(|| {
        let (count, one) = counted();
        let mut kept = None;
        port::with(|execution| execution.port().unobserved(&mut || kept = Some(one.clone())));
        drop(one);
        assert_eq!(count.load(Relaxed), 0);
        (count, kept)
    })
    .0;
    assert_eq!(count.load(Relaxed), 0);
    drop(kept);
    assert_eq!(count.load(Relaxed), 1);
}

#[test]
fn a_handle_cloned_unobserved_and_dropped_observed_does_no_harm() {
    let count = run(|| {
        let (count, one) = counted();
        let mut kept = None;
        port::with(|execution| execution.port().unobserved(&mut || kept = Some(one.clone())));
        drop(kept);
        assert_eq!(count.load(Relaxed), 0);
        let two = one.clone();
        drop(one);
        assert_eq!(count.load(Relaxed), 0);
        drop(two);
        count
    })
    .0;
    assert_eq!(count.load(Relaxed), 1);
}

#[test]
fn an_arc_made_outside_starts_every_execution_with_its_handles() {
    let one = Arc::new(1);
    let two = one.clone();
    let runner = Run::new();
    for _ in 0..3 {
        runner.execute(|| {
            assert_eq!(Arc::strong_count(&one), 2);
            // As in an execution that is cut.
            std::mem::forget(two.clone());
            assert_eq!(Arc::strong_count(&one), 3);
        });
    }
}

#[test]
fn get_mut_wants_the_only_handle() {
    let test = || {
        let mut one = Arc::new(1);
        *Arc::get_mut(&mut one).unwrap() += 1;
        let two = one.clone();
        assert!(Arc::get_mut(&mut one).is_none());
        drop(two);
        let weak = Arc::downgrade(&one);
        assert!(Arc::get_mut(&mut one).is_none());
        drop(weak);
        *Arc::get_mut(&mut one).unwrap() += 1;
        *one
    };
    assert_eq!(test(), 3);
    assert_eq!(run(test).0, 3);
}

#[test]
fn make_mut_clones_if_it_must() {
    let test = || {
        let mut one = Arc::new(vec![1]);
        Arc::make_mut(&mut one).push(2);
        let two = one.clone();
        Arc::make_mut(&mut one).push(3);
        let weak = Arc::downgrade(&one);
        Arc::make_mut(&mut one).push(4);
        assert!(weak.upgrade().is_none());
        (Arc::unwrap_or_clone(one), Arc::try_unwrap(two).unwrap())
    };
    assert_eq!(test(), (vec![1, 2, 3, 4], vec![1, 2]));
    let (seen, recording) = run(test);
    assert_eq!(seen, (vec![1, 2, 3, 4], vec![1, 2]));
    assert_placed(&recording, file!());
}

#[test]
fn the_value_is_taken_once() {
    let test = || {
        let (count, one) = counted();
        let two = one.clone();
        let one = Arc::try_unwrap(one).err().unwrap();
        assert!(Arc::into_inner(one).is_none());
        let weak = Arc::downgrade(&two);
        let value = Arc::into_inner(two).unwrap();
        assert!(weak.upgrade().is_none());
        assert_eq!(count.load(Relaxed), 0);
        drop(value);
        let (other, arc) = counted();
        drop(Arc::try_unwrap(arc).ok().unwrap());
        (count.load(Relaxed), other.load(Relaxed))
    };
    assert_eq!(test(), (1, 1));
    let (seen, recording) = run(test);
    assert_eq!(seen, (1, 1));
    assert_placed(&recording, file!());
}

#[test]
fn a_raw_pointer_turns_back_into_its_handle() {
    #[repr(align(64))]
    struct Aligned(u8);
    let test = || {
        let one = Arc::new(Aligned(7));
        let pointer = Arc::into_raw(one);
        // SAFETY: from `into_raw`, and the handle is alive.
        unsafe { Arc::increment_strong_count(pointer) };
        // SAFETY: as above.
        let one = unsafe { Arc::from_raw(pointer) };
        assert_eq!((one.0, Arc::strong_count(&one), Arc::as_ptr(&one)), (7, 2, pointer));
        // SAFETY: the handle that was added.
        unsafe { Arc::decrement_strong_count(pointer) };
        assert_eq!(Arc::strong_count(&one), 1);
    };
    test();
    run(test);
    let small = Arc::into_raw(Arc::new(3_u8));
    // SAFETY: from `into_raw`, once.
    assert_eq!(*unsafe { Arc::from_raw(small) }, 3);
}

#[test]
fn a_value_may_know_itself() {
    struct Node(Weak<Node>, std::sync::Arc<AtomicUsize>);
    impl Drop for Node {
        fn drop(&mut self) {
            self.1.fetch_add(1, Relaxed);
            assert!(self.0.upgrade().is_none());
        }
    }
    let test = || {
        let count = std::sync::Arc::new(AtomicUsize::new(0));
        let node = Arc::new_cyclic(|weak| {
            assert!(weak.upgrade().is_none());
            Node(weak.clone(), std::sync::Arc::clone(&count))
        });
        assert_eq!((Arc::strong_count(&node), Arc::weak_count(&node)), (1, 1));
        assert!(Arc::ptr_eq(&node, &node.0.upgrade().unwrap()));
        drop(node);
        count.load(Relaxed)
    };
    assert_eq!(test(), 1);
    assert_eq!(run(test).0, 1);
}

#[test]
fn it_has_the_traits_of_its_value() {
    use std::collections::HashSet;
    let one: Arc<i32> = Arc::from(1);
    let boxed: Arc<i32> = Box::new(2).into();
    assert!(one < boxed && one == Arc::new(1) && one.cmp(&boxed).is_lt());
    assert_eq!(format!("{one} {one:?}"), "1 1");
    assert_eq!(format!("{one:p}"), format!("{:p}", Arc::as_ptr(&one)));
    assert!(HashSet::from([one.clone()]).contains(&1));
    assert_eq!((*one.as_ref(), *Arc::<i32>::default(), *Arc::pin(3)), (1, 0, 3));
    fn is_shareable<T: Send + Sync + Unpin + std::panic::UnwindSafe>(_: &T) {}
    is_shareable(&one);
}

#[test]
fn threads_outside_of_executions_share_a_value() {
    let (count, one) = counted();
    let weak = Arc::downgrade(&one);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (one, weak) = (one.clone(), weak.clone());
            std::thread::spawn(move || {
                for _ in 0..1000 {
                    drop((one.clone(), weak.upgrade().unwrap()));
                }
            })
        })
        .collect();
    drop(one);
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(count.load(Relaxed), 1);
    assert!(weak.upgrade().is_none());
}

#[test]
fn a_raw_pointer_turns_back_into_its_weak_handle() {
    let test = || {
        #[repr(align(64))]
        struct Wide(u8);
        let strong = Arc::new(Wide(7));
        let weak = Arc::downgrade(&strong);
        let pointer = weak.clone().into_raw();
        assert_eq!((pointer, Arc::weak_count(&strong)), (Arc::as_ptr(&strong), 2));
        let other = weak.into_raw();
        // SAFETY: from `into_raw`, once.
        let weak = unsafe { Weak::from_raw(pointer) };
        assert_eq!(weak.upgrade().map(|strong| strong.0), Some(7));
        drop(strong);
        // SAFETY: as above.
        let other = unsafe { Weak::from_raw(other) };
        assert!(other.ptr_eq(&weak) && other.upgrade().is_none());
        // SAFETY: as above.
        assert!(unsafe { Weak::from_raw(Weak::<Wide>::new().into_raw()) }.ptr_eq(&Weak::new()));
        Arc::new_cyclic(|weak: &Weak<u8>| {
            // SAFETY: as above.
            let weak = unsafe { Weak::from_raw(weak.clone().into_raw()) };
            u8::from(weak.upgrade().is_none())
        })
    };
    assert_eq!(*test(), 1);
    run(|| assert_eq!(*test(), 1));
}

#[test]
fn a_box_of_any_size_becomes_an_arc() {
    trait Named {
        fn name(&self) -> String;
    }
    impl Named for (Counted, u8) {
        fn name(&self) -> String {
            format!("a pair of {}", self.1)
        }
    }
    #[repr(align(64))]
    struct Wide(u8);
    impl Named for Wide {
        fn name(&self) -> String {
            format!("wide {}", self.0)
        }
    }
    let test = || {
        let count = std::sync::Arc::new(AtomicUsize::new(0));
        let counted = Counted(std::sync::Arc::clone(&count));
        let named: Arc<dyn Named> = Arc::from(Box::new((counted, 7_u8)) as Box<dyn Named>);
        let other = Arc::clone(&named);
        drop(named);
        assert_eq!((other.name().as_str(), count.load(Relaxed)), ("a pair of 7", 0));
        drop(other);
        assert_eq!(count.load(Relaxed), 1);
        let wide: Arc<dyn Named> = Arc::from(Box::new(Wide(8)) as Box<dyn Named>);
        assert_eq!((wide.name().as_str(), Arc::as_ptr(&wide).addr() % 64), ("wide 8", 0));
        let nothing: Arc<dyn std::fmt::Debug> = Arc::from(Box::new(()) as Box<dyn std::fmt::Debug>);
        assert_eq!(format!("{nothing:?}"), "()");
    };
    test();
    run(test);
}

#[test]
fn slices_and_texts_are_as_std_s() {
    macro_rules! trace {
        ($arc:ident) => {{
            let words: $arc<[String]> = ["a", "b"].map(String::from).into_iter().collect();
            let text: $arc<str> = $arc::from("text");
            let bytes: $arc<[u8]> = $arc::from(text.clone());
            let pair: $arc<[u8; 4]> = bytes.clone().try_into().unwrap();
            let more: Result<$arc<[u8; 5]>, _> = bytes.clone().try_into();
            let any: $arc<dyn Any + Send + Sync> = $arc::from(Box::new(5_u8) as Box<dyn Any + Send + Sync>);
            let any = any.downcast::<u16>().unwrap_err().downcast::<u8>().unwrap();
            let mut memory = $arc::<[u16]>::new_uninit_slice(2);
            $arc::get_mut(&mut memory).unwrap().fill(std::mem::MaybeUninit::new(3));
            // SAFETY: all of it was written.
            let memory = unsafe { memory.assume_init() };
            // SAFETY: zeros are numbers.
            let zero = unsafe { ($arc::<u32>::new_zeroed().assume_init(), $arc::<[u8]>::new_zeroed_slice(3).assume_init()) };
            let texts = ($arc::<std::path::Path>::from(std::path::PathBuf::from("p")), $arc::<std::ffi::CStr>::from(c"c"));
            let borrowed: $arc<str> = $arc::from(std::borrow::Cow::Borrowed("cow"));
            let empty = ($arc::<str>::default(), $arc::<[u64]>::default(), $arc::<[u8]>::from(vec![1, 2]));
            let pinned = std::pin::Pin::<$arc<str>>::default();
            let counts = ($arc::strong_count(&bytes), $arc::strong_count(&text));
            format!("{words:?} {text:?} {pair:?} {more:?} {any:?} {memory:?} {zero:?} {texts:?} {borrowed:?} {empty:?} {pinned:?} {counts:?}")
        }};
    }
    use std::sync::Arc as StdArc;
    let std = trace!(StdArc);
    assert_eq!(trace!(Arc), std);
    assert_eq!(run(|| trace!(Arc)).0, std);
}

#[test]
fn a_handle_of_a_file_reads_and_writes() {
    use std::io::{Read, Seek, Write};
    let path = std::env::temp_dir().join(format!("cdsspec-arc-{}", std::process::id()));
    let options = std::fs::OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
    let (mut one, mut text) = (Arc::new(options.unwrap()), String::new());
    let mut other = Arc::clone(&one);
    one.write_all(b"words").unwrap();
    other.rewind().unwrap();
    other.read_to_string(&mut text).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!(text, "words");
}
