//! Memory orders overridden by place, without compiling anything again.
#![expect(non_snake_case, reason = "the name of the program spells what its threads do")]

mod added_fence;
mod helper;

use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::model::{Builder, EngineKind, Outcome};
use cdsspec_runtime::port::{Overrides, PlaceLog, ReachedPlace};
use cdsspec_runtime::record::{OperationName, Orders, Place, operation_name};
use cdsspec_runtime::sync::Arc;
use cdsspec_runtime::sync::atomic::{AtomicU32, AtomicUsize, fence};
use cdsspec_runtime::thread;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

/// A flag that is raised once what it guards is written.
trait Flag: Send + Sync + 'static {
    fn raise(&self);
    fn is_up(&self) -> bool;
}

struct Guarded<F> {
    flag: F,
    data: UnsafeCell<u32>,
}

// SAFETY: the flag orders the accesses; where it does not, the engine reports the race and nothing is read.
unsafe impl<F: Sync> Sync for Guarded<F> {}

fn send__receive<F: Flag>(flag: F) {
    let guarded = Arc::new(Guarded { flag, data: UnsafeCell::new(0) });
    let other = guarded.clone();
    let sender = thread::spawn(move || {
        // SAFETY: nobody reads before the flag is up.
        other.data.with_mut(|data| unsafe { *data = 1 });
        other.flag.raise();
    });
    if guarded.flag.is_up() {
        // SAFETY: nobody writes once the flag is up.
        guarded.data.with(|data| assert_eq!(unsafe { *data }, 1));
    }
    sender.join().expect("it does not panic");
}

/// What both kinds of counter do, generic over which.
struct Generic<A>(A);

macro_rules! generic {
    ($($atomic:ty),*) => {$(
        impl Flag for Generic<$atomic> {
            fn raise(&self) {
                raise_generic(|order| self.0.fetch_add(1, order));
            }
            fn is_up(&self) -> bool {
                self.0.load(Acquire) != 0
            }
        }
    )*};
}
generic!(AtomicU32, AtomicUsize);

fn raise_generic<T>(add: impl Fn(std::sync::atomic::Ordering) -> T) {
    add(Release);
}

/// One generic place: the type of the atomic's element is its only parameter.
struct Generation<const COUNT: usize>(AtomicUsize);

impl<const COUNT: usize> Flag for Generation<COUNT> {
    fn raise(&self) {
        self.0.store(COUNT, Release);
    }
    fn is_up(&self) -> bool {
        self.0.load(Acquire) == COUNT
    }
}

/// Two stores at one place.
macro_rules! set_both {
    ($first:expr, $second:expr) => {
        $first.store(1, Release);
        $second.store(1, Release);
    };
}

struct Macro(AtomicUsize, AtomicUsize);

impl Flag for Macro {
    fn raise(&self) {
        set_both!(self.0, self.1);
    }
    fn is_up(&self) -> bool {
        self.1.load(Acquire) == 1
    }
}

struct Helper(AtomicUsize);

impl Flag for Helper {
    fn raise(&self) {
        helper::raise(&self.0);
    }
    fn is_up(&self) -> bool {
        helper::is_up(&self.0)
    }
}

struct Exchange(AtomicUsize);

impl Flag for Exchange {
    fn raise(&self) {
        self.0.store(1, Release);
    }
    fn is_up(&self) -> bool {
        self.0.compare_exchange(0, 2, Relaxed, Acquire).is_err()
    }
}

struct Fences(AtomicUsize);

impl Flag for Fences {
    fn raise(&self) {
        fence(Release);
        self.0.store(1, Relaxed);
    }
    fn is_up(&self) -> bool {
        let is_up = self.0.load(Relaxed) == 1;
        fence(Acquire);
        is_up
    }
}

struct Bare(AtomicUsize);

impl Flag for Bare {
    fn raise(&self) {
        self.0.store(1, Relaxed);
    }
    fn is_up(&self) -> bool {
        self.0.load(Relaxed) == 1
    }
}

fn check<F: Flag>(new: fn() -> F, overrides: Overrides) -> Outcome {
    builder().order_overrides(overrides).check(move || send__receive(new()))
}

fn builder() -> Builder {
    Builder::new().name("program").engine(EngineKind::Rc11)
}

fn places<F: Flag>(new: fn() -> F) -> Vec<ReachedPlace> {
    let log = PlaceLog::new();
    builder().place_log(&log).check(move || send__receive(new())).assert_holds();
    log.places()
}

/// The one place of an operation.
fn place<F: Flag>(new: fn() -> F, name: OperationName) -> Place {
    of_name(&places(new), name)
}

fn of_name(places: &[ReachedPlace], name: OperationName) -> Place {
    let of_name: Vec<_> = places.iter().filter(|reached| reached.place.name == name).collect();
    assert_eq!(of_name.len(), 1, "{of_name:?}");
    of_name[0].place
}

fn relaxed(place: Place) -> Overrides {
    Overrides::new().with_orders(place, Orders::One(Relaxed))
}

#[test]
fn an_order_is_overridden_in_generic_code_in_all_its_instances() {
    let store = place(|| Generation::<1>(AtomicUsize::new(0)), operation_name!("store", Store));
    assert_eq!(store, place(|| Generation::<2>(AtomicUsize::new(0)), operation_name!("store", Store)));
    check(|| Generation::<1>(AtomicUsize::new(0)), relaxed(store)).assert_verdict(Verdict::Race);
    check(|| Generation::<2>(AtomicUsize::new(0)), relaxed(store)).assert_verdict(Verdict::Race);
    let add = place(|| Generic(AtomicU32::new(0)), operation_name!("fetch_add", Update));
    assert_eq!(
        add,
        place(|| Generic(AtomicUsize::new(0)), operation_name!("fetch_add", Update)),
        "a macro invocation is one place"
    );
    check(|| Generic(AtomicU32::new(0)), relaxed(add)).assert_verdict(Verdict::Race);
    check(|| Generic(AtomicUsize::new(0)), relaxed(add)).assert_verdict(Verdict::Race);
}

#[test]
fn operations_that_share_a_place_in_a_macro_are_overridden_together() {
    let new = || Macro(AtomicUsize::new(0), AtomicUsize::new(0));
    let store = place(new, operation_name!("store", Store));
    check(new, relaxed(store)).assert_verdict(Verdict::Race);
}

#[test]
fn an_order_is_overridden_in_a_helper_of_another_module() {
    let new = || Helper(AtomicUsize::new(0));
    let store = place(new, operation_name!("store", Store));
    assert!(store.source.file.ends_with("helper.rs"), "{store}");
    check(new, relaxed(store)).assert_verdict(Verdict::Race);
    check(new, relaxed(place(new, operation_name!("load", Load)))).assert_verdict(Verdict::Race);
}

#[test]
fn the_orders_of_a_compare_exchange_on_success_and_on_failure_are_overridden_apart() {
    let new = || Exchange(AtomicUsize::new(0));
    let exchange = place(new, operation_name!("compare_exchange", CompareExchange));
    let with =
        |success, failure| check(new, Overrides::new().with_orders(exchange, Orders::Two(success, failure)));
    with(Relaxed, Relaxed).assert_verdict(Verdict::Race);
    with(AcqRel, Relaxed).assert_verdict(Verdict::Race);
    with(SeqCst, Acquire).assert_holds();
}

/// An order that does not do what this fence is for.
fn fence_too_weak(fence: Place) -> std::sync::atomic::Ordering {
    if fence.orders == Orders::One(Release) { Acquire } else { Release }
}

#[test]
fn a_fence_is_left_out_and_another_is_added() {
    let new = || Fences(AtomicUsize::new(0));
    let fences: Vec<_> =
        places(new).into_iter().map(|reached| reached.place).filter(Place::is_fence).collect();
    assert_eq!(fences.len(), 2);
    for fence in fences {
        check(new, Overrides::new().without_fence(fence)).assert_verdict(Verdict::Race);
        check(new, Overrides::new().with_orders(fence, Orders::One(AcqRel))).assert_holds();
        // Beside a fence, too.
        let without = || Overrides::new().with_orders(fence, Orders::One(fence_too_weak(fence)));
        check(new, without()).assert_verdict(Verdict::Race);
        check(new, without().with_fence_before(fence, AcqRel)).assert_holds();
        check(new, without().with_fence_after(fence, AcqRel)).assert_holds();
    }
    let new = || Bare(AtomicUsize::new(0));
    let log = PlaceLog::new();
    builder().place_log(&log).check(move || send__receive(new())).assert_verdict(Verdict::Race);
    let of =
        |name| log.places().into_iter().find(|reached| reached.place.name == name).expect("reached").place;
    let both = Overrides::new()
        .with_fence_before(of(operation_name!("store", Store)), Release)
        .with_fence_after(of(operation_name!("load", Load)), Acquire);
    check(new, both).assert_holds();
    check(new, Overrides::new().with_fence_before(of(operation_name!("store", Store)), Release))
        .assert_verdict(Verdict::Race);
    check(new, Overrides::new().with_fence_after(of(operation_name!("load", Load)), Acquire))
        .assert_verdict(Verdict::Race);
}

#[test]
fn a_place_that_is_named_and_never_reached_is_a_mistake() {
    let elsewhere = place(|| Helper(AtomicUsize::new(0)), operation_name!("store", Store));
    let outcome = check(|| Generation::<1>(AtomicUsize::new(0)), relaxed(elsewhere));
    outcome.assert_verdict(Verdict::Inconclusive);
    let report = outcome.report();
    assert!(report.contains("which no operation reached"), "{report}");
}

#[test]
#[should_panic(expected = "there is no such thing as Acquire at store(Release)")]
fn an_order_that_the_operation_cannot_have_is_a_panic() {
    let store = place(|| Helper(AtomicUsize::new(0)), operation_name!("store", Store));
    let _ = Overrides::new().with_orders(store, Orders::One(Acquire));
}

#[test]
fn a_report_tells_the_order_in_force_from_the_one_written() {
    let new = || Helper(AtomicUsize::new(0));
    let outcome = check(new, relaxed(place(new, operation_name!("store", Store))));
    let report = outcome.report();
    assert!(report.contains("store(Release) as Relaxed"), "{report}");
    assert!(report.contains("\n  orders"), "{report}");
}

#[test]
fn a_log_has_each_place_once_and_whether_a_compare_exchange_has_failed() {
    let reached = places(|| Exchange(AtomicUsize::new(0)));
    let summary: Vec<_> = reached
        .iter()
        .map(|reached| (reached.place.name.spelling(), reached.has_succeeded, reached.has_failed))
        .collect();
    assert_eq!(summary, [("store", true, false), ("compare_exchange", true, true)]);
}

#[test]
#[cfg(feature = "loom")]
fn loom_runs_with_the_orders_in_force_too() {
    let new = || Helper(AtomicUsize::new(0));
    let overrides = relaxed(place(new, operation_name!("store", Store)));
    let outcome = Builder::new()
        .engine(EngineKind::Loom)
        .order_overrides(overrides)
        .check(move || send__receive(new()));
    outcome.assert_verdict(Verdict::Race);
}
