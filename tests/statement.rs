//! An ordering point annotation marks an operation of its own statement, on every engine and under every order; what it cannot mark is said.

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use cdsspec::sync::atomic::{AtomicU32, fence};
use cdsspec::{Builder, EngineKind, Outcome, Verdict, hint, thread};
use cdsspec_runtime::port::Overrides;

macro_rules! read {
    ($register:expr) => {{
        let x = $register.0.load(Acquire);
        cdsspec::potential_op!(marked_in_a_macro);
        x
    }};
}

#[derive(Default)]
struct Register(AtomicU32);

#[cdsspec::spec]
#[declare_state(value: u32)]
impl Register {
    #[side_effect(*value = new)]
    fn set(&self, new: u32) {
        #[op_define]
        self.0.store(new, Release);
    }

    /// The annotation is one statement too late.
    #[side_effect(*value)]
    fn misplaced(&self) -> u32 {
        let x = self.0.load(Acquire);
        #[op_define]
        let y = 1 + 2;
        let _ = y;
        x
    }

    #[side_effect(*value)]
    fn behind_a_condition(&self, is_open: bool) -> u32 {
        let x = self.0.load(Acquire);
        #[op_define]
        let _won = is_open && self.0.swap(0, AcqRel) == x;
        x
    }

    #[side_effect(())]
    fn wait(&self) -> u32 {
        loop {
            #[op_clear_define]
            let x = self.0.load(Acquire);
            if x > 0 {
                return x;
            }
            hint::spin_loop();
        }
    }

    /// The same with the macro form.
    #[side_effect(())]
    fn wait_by_macro(&self) -> u32 {
        loop {
            let x = self.0.load(Acquire);
            cdsspec::op_clear_define!();
            if x > 0 {
                return x;
            }
            hint::spin_loop();
        }
    }

    #[side_effect(())]
    fn fenced(&self) {
        self.0.store(1, Relaxed);
        #[op_define]
        fence(SeqCst);
    }

    #[side_effect(())]
    fn checked_elsewhere(&self) {
        #[op_define]
        self.0.load(Acquire);
        check();
    }

    #[side_effect(*value)]
    fn marked_elsewhere(&self) -> u32 {
        let x = self.read();
        cdsspec::op_check!(marked_outside);
        x
    }

    #[side_effect(*value)]
    fn marked_by_a_macro(&self) -> u32 {
        let x = read!(self);
        #[op_check(marked_in_a_macro)]
        x
    }

    #[side_effect(*value)]
    fn misspelt(&self) -> u32 {
        let x = self.read();
        cdsspec::op_check!(marked_outsid);
        x
    }
}

fn check() {
    cdsspec::op_check!(nothing_marks_this);
}

/// Outside of the specification.
impl Register {
    fn read(&self) -> u32 {
        let x = self.0.load(Acquire);
        cdsspec::potential_op!(marked_outside);
        x
    }
}

/// A method whose annotated statement starts a thread.
struct Starter(Arc<Register>);

#[cdsspec::spec]
impl Starter {
    #[side_effect(())]
    fn start(&self) {
        let register = self.0.clone();
        #[op_define]
        let other = thread::spawn(move || register.set(1));
        other.join().expect("it does not panic");
    }
}

const ENGINES: [EngineKind; 2] = [EngineKind::Rc11, EngineKind::Loom];

#[track_caller]
fn assert_mistake(program: fn(), text: &str) {
    for engine in ENGINES {
        let outcome = Builder::new().engine(engine).check(program);
        let report = outcome.report().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(outcome.verdict, Verdict::SpecError, "{outcome}");
        assert!(report.contains(text), "{report}");
    }
}

#[test]
fn a_statement_that_ran_no_operation_has_no_ordering_point_and_that_is_a_mistake() {
    assert_mistake(
        || assert_eq!(Register::default().misplaced(), 0),
        "this statement ran no operation, and `op_define` on it marks one",
    );
}

#[test]
fn an_operation_behind_a_condition_that_did_not_run_is_a_mistake_of_its_annotation() {
    assert_mistake(
        || assert_eq!(Register::default().behind_a_condition(false), 0),
        "give it a condition that says when there is one",
    );
    Builder::new().check(|| assert_eq!(Register::default().behind_a_condition(true), 0)).assert_holds();
}

#[test]
fn a_label_that_nothing_in_the_program_marks_is_a_mistake() {
    assert_mistake(
        || Register::default().checked_elsewhere(),
        "no `potential_op(nothing_marks_this)` marks an operation in this program",
    );
}

#[test]
fn a_check_finds_what_a_function_or_macro_outside_of_the_impl_marks() {
    for engine in ENGINES {
        let outcome = Builder::new().engine(engine).check(|| {
            assert_eq!(Register::default().marked_elsewhere(), 0);
            assert_eq!(Register::default().marked_by_a_macro(), 0);
        });
        assert!(outcome.holds(), "{outcome}");
        assert_eq!(outcome.calls_without_points, 0);
    }
    let program = || assert_eq!(Register::default().misspelt(), 0);
    assert_mistake(
        program,
        "no `potential_op(marked_outsid)` marks an operation in this program: did you mean `marked_outside`?",
    );
}

#[test]
fn the_operations_of_a_thread_that_a_statement_starts_are_not_the_statements() {
    for engine in ENGINES {
        let outcome = Builder::new().engine(engine).check(|| Starter(Arc::default()).start());
        assert!(outcome.holds(), "{outcome}");
        assert_eq!(outcome.calls_without_points, 0);
    }
}

fn wait_for(wait: fn(&Register) -> u32) -> Outcome {
    Builder::new().check(move || {
        let register = Arc::new(Register::default());
        let other = register.clone();
        let setter = thread::spawn(move || other.set(1));
        assert_eq!(wait(&register), 1);
        setter.join().expect("it does not panic");
    })
}

#[test]
fn rounds_with_an_annotated_statement_are_left_out_as_others_are() {
    let (attribute, by_macro) = (wait_for(Register::wait), wait_for(Register::wait_by_macro));
    assert_eq!((attribute.verdict, by_macro.verdict), (Verdict::Holds, Verdict::Holds), "{attribute}");
    let counts = |outcome: &Outcome| (outcome.executions, outcome.complete_executions, outcome.shapes);
    assert_eq!(counts(&attribute), counts(&by_macro));
    assert_eq!(attribute.executions, 3);
}

#[test]
fn a_fence_that_is_left_out_takes_its_ordering_point_with_it() {
    let check = |overrides| {
        let outcome = Builder::new().order_overrides(overrides).check(|| Register::default().fenced());
        (outcome.verdict, outcome.calls_without_points)
    };
    assert_eq!(check(Overrides::new()), (Verdict::Holds, 0));
    assert_eq!(check(Overrides::relaxed()), (Verdict::Holds, 1));
}
