//! Annotations that other functions run, before and after the call goes on.

use super::{errors, line};
use crate::by_hand::{op, points, record, value};
use cdsspec_runtime::record::SpecificationErrorKind;

/// A method for each row of the table below.
struct Row;

#[cdsspec::spec]
impl Row {
    #[post_condition(true)]
    fn macro_forms(&self) {
        op("a");
        cdsspec::op_define!();
        op("b");
        cdsspec::op_define!(false);
        helper();
        check_in_helper();
    }

    /// Not specified: its annotations count for the call that it is part of.
    fn part(&self) {
        #[op_define]
        op("part");
    }

    /// A call inside of the call that is looked at.
    #[post_condition(true)]
    fn specified(&self) {
        #[op_define]
        let _x = value("a", 1) + value("b", 2);
        op("c");
    }

    #[post_condition(true)]
    fn call_of_a_part(&self) {
        self.part();
    }

    #[post_condition(true)]
    fn call_of_a_specified_method(&self) {
        self.specified();
        op("d");
    }

    #[post_condition(true)]
    fn operations_of_functions_count(&self) {
        #[op_define]
        helper();
        op("a");
        #[op_define]
        self.part();
    }

    #[post_condition(true)]
    fn recursion(&self) {
        fn descend(depth: u32) {
            #[op_define(depth != 1)]
            let _x = if depth == 0 {
                value("bottom", 0)
            } else {
                descend(depth - 1);
                1
            };
            op("after");
        }
        descend(2);
    }

    #[post_condition(true)]
    fn recursion_that_panics(&self) {
        fn descend(is_outer: bool) {
            #[op_define]
            let _x = if is_outer {
                op("a");
                std::panic::catch_unwind(|| descend(false)).is_err()
            } else {
                std::panic::resume_unwind(Box::new("left without an operation"))
            };
        }
        descend(true);
    }

    #[post_condition(true)]
    fn future_that_waits_in_the_statement(&self) {
        async fn marked() {
            #[op_define]
            {
                op("a");
                Turn(false).await;
                op("b");
            };
        }
        let mut future = Box::pin(marked());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let _ = future.as_mut().poll(&mut context);
        op("c");
        let _ = future.as_mut().poll(&mut context);
    }

    #[post_condition(true)]
    fn future_that_is_dropped_in_the_statement(&self) {
        async fn marked() {
            #[op_define]
            {
                op("a");
                Turn(false).await;
            };
        }
        let mut future = Box::pin(marked());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let _ = future.as_mut().poll(&mut context);
        drop(future);
        #[op_define]
        op("b");
    }

    #[post_condition(true)]
    fn label_that_nothing_marks(&self) {
        op("a");
        check_what_nothing_marks();
    }

    #[post_condition(true)]
    fn label_that_did_not_run(&self) {
        op("a");
        check_in_helper();
    }

    #[post_condition(true)]
    fn labels_of_attributes(&self) {
        op("a");
        cdsspec::op_check!(in_method, true);
        #[op_check(in_nothing, true)]
        op("b");
        if std::hint::black_box(true) {
            return;
        }
        #[potential_op(in_method, true)]
        op("e");
    }

    /// The method of another, which looks like an operation and marks one.
    #[post_condition(true)]
    fn like_an_atomic(&self) {
        LikeAtomic.load(cdsspec::sync::atomic::Ordering::Acquire);
        cdsspec::op_check!(in_load);
    }

    #[post_condition(true)]
    fn inside_a_nested_function(&self) {
        fn inner() {
            #[op_define]
            op("inner");
        }
        inner();
        op("a");
    }

    #[post_condition(true)]
    fn inside_an_async_block(&self) {
        let future = std::pin::pin!(async {
            #[op_define]
            op("a");
            op("b");
        });
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let _ = std::future::Future::poll(future, &mut context);
    }
}

fn helper() {
    op("helper");
    cdsspec::potential_op!(in_helper);
    op("helper again");
}

fn check_in_helper() {
    cdsspec::op_check!(in_helper);
}

fn check_what_nothing_marks() {
    cdsspec::op_check!(in_helpr);
}

struct LikeAtomic;

impl LikeAtomic {
    fn load(&self, _order: cdsspec::sync::atomic::Ordering) {
        op("load");
        cdsspec::potential_op!(in_load);
        op("load again");
    }
}

/// Waits once.
struct Turn(bool);

impl Future for Turn {
    type Output = ();

    fn poll(
        mut self: std::pin::Pin<&mut Self>,
        _context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<()> {
        if std::mem::replace(&mut self.0, true) {
            std::task::Poll::Ready(())
        } else {
            std::task::Poll::Pending
        }
    }
}

rows! {
    14 rows;
    macro_forms => "a helper";
    call_of_a_part => "part";
    call_of_a_specified_method => "b";
    operations_of_functions_count => "helper again part";
    recursion => "bottom after";
    recursion_that_panics => "a";
    future_that_waits_in_the_statement => "b";
    future_that_is_dropped_in_the_statement => "b";
    label_that_nothing_marks => "!";
    label_that_did_not_run => "";
    labels_of_attributes => "!";
    like_an_atomic => "load";
    inside_a_nested_function => "inner";
    inside_an_async_block => "a";
}

#[test]
fn annotations_in_functions_that_methods_call_are_listed() {
    let found: Vec<(&str, &str)> = cdsspec::helper_markers()
        .into_iter()
        .filter(|marker| marker.source.file == file!())
        .map(|marker| (marker.name, marker.text))
        .collect();
    assert_eq!(
        found,
        [
            ("op_define", ""),
            ("potential_op", "in_helper"),
            ("op_check", "in_helper"),
            ("op_check", "in_helpr"),
            ("potential_op", "in_load")
        ]
    );
}

#[test]
fn a_label_that_nothing_marks_is_a_mistake_where_it_is_checked() {
    let unknown = |label, nearest| SpecificationErrorKind::LabelUnknown { label, nearest };
    let place = line(include_str!("calls.rs"), "check_what_nothing_marks", 1);
    let misspelt = unknown("in_helpr", Some("in_helper"));
    assert_eq!(errors(|| Row.label_that_nothing_marks()), [(place, misspelt.clone())]);
    assert_eq!(
        misspelt.to_string(),
        "no `potential_op(in_helpr)` marks an operation in this program: did you mean `in_helper`?"
    );
    let place = line(include_str!("calls.rs"), "labels_of_attributes", 3);
    let other = unknown("in_nothing", None);
    assert_eq!(errors(|| Row.labels_of_attributes()), [(place, other.clone())]);
    assert_eq!(
        other.to_string(),
        "no `potential_op(in_nothing)` marks an operation in this program: correct the label, or add one"
    );
}
