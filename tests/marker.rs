//! Where an ordering point annotation can stand, and which operation it marks.

#![expect(
    clippy::allow_attributes_without_reason,
    clippy::needless_late_init,
    clippy::never_loop,
    clippy::redundant_pattern_matching,
    clippy::single_match,
    clippy::undocumented_unsafe_blocks,
    reason = "the rows are odd on purpose"
)]

mod by_hand;

use by_hand::{op, points, record, value};
use cdsspec_runtime::record::{SpecificationError, SpecificationErrorKind};

/// A method for each row of the table below.
struct Row;

#[cdsspec::spec]
impl Row {
    #[post_condition(true)]
    fn let_statement(&self) {
        #[op_define]
        let _x = value("a", 1) + value("b", 2);
        op("c");
    }

    #[post_condition(true)]
    fn let_with_condition(&self) {
        #[op_define(x == 1)]
        let x = value("a", 1);
        #[op_define(y == 1)]
        let y = value("b", 2);
        let _ = (x, y);
    }

    #[post_condition(true)]
    fn let_of_a_branch(&self) {
        #[op_define]
        let _x = if value("a", true) { value("b", 1) } else { value("c", 2) };
    }

    #[post_condition(true)]
    fn expression_statement(&self) {
        op("a");
        #[op_define]
        op("b");
        op("c");
    }

    #[post_condition(true)]
    fn assignment(&self) {
        let x;
        #[op_define(x == 1)]
        x = value("a", 1);
        op("b");
    }

    #[post_condition(true)]
    fn if_head(&self) {
        #[op_define]
        if value("a", true) {
            op("b");
        }
    }

    #[post_condition(true)]
    fn if_let_head(&self) {
        #[op_define]
        if let Some(_) = value("a", Some(1)) {
            op("b");
        } else {
            op("c");
        }
    }

    #[post_condition(true)]
    fn if_let_head_that_does_not_match(&self) {
        #[op_define]
        if let Some(1) = value("a", None) {
            op("b");
        } else {
            op("c");
        }
    }

    #[post_condition(true)]
    fn while_head(&self) {
        let mut rounds = ["c", "b", "a"].into_iter().rev();
        #[op_define]
        while value(rounds.next().expect("there are three"), rounds.len() > 0) {
            op("body");
        }
    }

    #[post_condition(true)]
    fn while_let_head(&self) {
        let mut rounds = [Some("a"), None].into_iter();
        #[op_define]
        while let Some(name) = value("head", rounds.next().flatten()) {
            op(name);
        }
    }

    #[post_condition(true)]
    fn match_head(&self) {
        #[op_define]
        match value("a", 1) {
            1 => op("b"),
            _ => op("c"),
        }
    }

    #[post_condition(true)]
    fn match_head_that_is_a_place(&self) {
        #[op_define]
        match *value("a", &Some(String::new())) {
            Some(ref text) => drop(value("b", text.len())),
            None => {}
        }
    }

    #[post_condition(true)]
    fn tail_expression(&self) -> i32 {
        #[op_define]
        value("a", 1)
    }

    #[post_condition(true)]
    fn tail_macro(&self) -> Vec<i32> {
        #[op_define]
        vec![value("a", 1)]
    }

    #[post_condition(true)]
    fn returned_value(&self) -> i32 {
        #[op_define]
        return value("a", 1);
    }

    #[post_condition(true)]
    fn question_mark(&self) -> Option<i32> {
        #[op_define]
        value("a", None::<i32>)?;
        op("b");
        None
    }

    #[post_condition(true)]
    fn let_with_question_mark(&self) -> Option<i32> {
        #[op_define]
        let x = value("a", None::<i32>)?;
        Some(x)
    }

    #[post_condition(true)]
    fn assignment_with_question_mark(&self) -> Option<i32> {
        let x;
        #[op_define]
        x = value("a", None::<i32>)?;
        Some(x)
    }

    #[post_condition(true)]
    fn returned_value_with_question_mark(&self) -> Option<i32> {
        #[op_define]
        return value("a", None::<Option<i32>>)?;
    }

    #[post_condition(true)]
    fn unsafe_block(&self) {
        #[op_define]
        unsafe {
            std::hint::black_box(std::ptr::from_ref(value("a", &1)).read())
        };
        op("b");
    }

    #[post_condition(true)]
    fn macro_statement(&self) {
        #[op_define]
        assert!(value("a", true));
        op("b");
    }

    #[post_condition(true)]
    fn nested_block_and_loop(&self) {
        for name in ["a", "b"] {
            {
                #[op_define(name == "b")]
                op(name);
            }
        }
    }

    #[post_condition(true)]
    fn inside_a_closure(&self) {
        let run = || {
            #[op_define]
            let _x = value("a", 1);
        };
        run();
    }

    #[post_condition(true)]
    fn inside_an_annotated_statement(&self) {
        #[op_define]
        if value("a", true) {
            #[op_define]
            op("b");
        }
    }

    #[post_condition(true)]
    fn several_on_one_statement(&self) {
        #[op_define]
        op("a");
        #[op_clear]
        #[allow(unused_variables)]
        #[op_define(x)]
        let x = value("b", true);
    }

    #[post_condition(true)]
    fn clear_then_define(&self) {
        #[op_define]
        op("a");
        #[op_clear_define(x == 2)]
        let x = value("b", 1);
        #[op_clear_define(x == 1)]
        op("c");
    }

    #[post_condition(true)]
    fn potential_and_check(&self) {
        #[potential_op(first)]
        op("a");
        #[potential_op(second)]
        op("b");
        #[op_check(first)]
        op("c");
    }

    #[post_condition(true)]
    fn macro_forms(&self) {
        op("a");
        cdsspec::op_define!();
        op("b");
        cdsspec::op_define!(false);
        helper();
        check_in_helper();
    }

    #[post_condition(true)]
    fn macro_forms_that_clear(&self) {
        op("a");
        cdsspec::op_define!();
        cdsspec::op_clear!();
        op("b");
        cdsspec::op_define!(true);
        op("c");
        cdsspec::op_clear_define!(true);
    }

    /// Not specified: its annotations count for the call that it is part of.
    fn part(&self) {
        #[op_define]
        op("part");
    }

    #[post_condition(true)]
    fn call_of_a_part(&self) {
        self.part();
    }

    #[post_condition(true)]
    fn call_of_a_specified_method(&self) {
        self.let_statement();
        op("d");
    }

    #[post_condition(true)]
    fn no_operation_before(&self) {
        #[op_define]
        let _x = 1 + 1;
    }

    #[post_condition(true)]
    fn no_operation_before_the_macro_form(&self) {
        cdsspec::op_define!();
        op("a");
    }

    #[post_condition(true)]
    fn no_operation_in_a_let(&self) {
        op("a");
        #[op_define]
        let _x = 1 + 1;
    }

    #[post_condition(true)]
    fn no_operation_in_a_tail(&self) -> i32 {
        op("a");
        #[op_clear_define]
        i32::abs(1)
    }

    #[post_condition(true)]
    fn no_operation_in_a_potential_point(&self) {
        op("a");
        #[potential_op(none)]
        let _x = i32::abs(1);
        #[op_check(none)]
        op("b");
    }

    #[post_condition(true)]
    fn operation_behind_a_false_condition(&self) {
        let is_open = value("a", false);
        #[op_define]
        let _won = is_open && value("b", true);
    }

    #[post_condition(true)]
    fn operation_behind_a_false_condition_that_the_annotation_knows(&self) {
        let is_open = value("a", false);
        #[op_define(is_open)]
        let _won = is_open && value("b", true);
    }

    #[post_condition(true)]
    fn operation_in_no_round(&self) {
        op("a");
        #[op_define]
        let _sum: i32 = std::iter::empty::<i32>().map(|x| value("b", x)).sum();
    }

    #[post_condition(true)]
    fn operation_in_the_first_rounds_of_a_head(&self) {
        let mut budget = 2;
        #[op_clear_define(budget > 0)]
        while budget > 0 && value("head", true) {
            budget -= 1;
        }
    }

    #[post_condition(true)]
    fn operation_that_question_mark_leaves_before(&self) -> Option<i32> {
        op("a");
        #[op_define]
        std::convert::identity(None::<i32>)?;
        Some(1)
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
    fn shadowed_names(&self) {
        #[op_define]
        let statement = value("a", 1);
        #[op_define]
        let statement = { statement + value("b", 1) };
        op("c");
        let _ = statement;
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
    fn struct_literals(&self) -> Pair {
        #[op_define]
        if (Pair { x: value("a", 1) }) == (Pair { x: 2 }) {
            #[op_define]
            return Pair { x: value("b", 2) };
        }
        #[op_define]
        Pair { x: value("c", 3) }
    }

    #[post_condition(true)]
    fn struct_literals_in_comparisons(&self) -> bool {
        let pair = Pair { x: 1 };
        #[op_clear]
        if pair == (Pair { x: value("a", 2) }) {
            return false;
        }
        #[op_define]
        return pair == Pair { x: value("b", 1) };
    }

    #[post_condition(true)]
    fn struct_literal_that_needs_no_operation(&self) -> Pair {
        #[op_clear]
        Pair { x: value("a", 1) }
    }

    #[post_condition(true)]
    fn conditions_of_every_annotation(&self) {
        #[op_define(true)]
        op("a");
        #[op_clear(false)]
        op("b");
        #[potential_op(conditional, true)]
        op("c");
        #[potential_op(conditional, x == 2)]
        let x = value("d", 1);
        #[op_check(conditional, x == 2)]
        op("e");
        #[op_check(conditional, x == 1,)]
        op("f");
    }

    #[post_condition(true)]
    fn conditions_of_every_macro_form(&self) {
        op("a");
        cdsspec::op_define!(true);
        cdsspec::op_clear!(false);
        op("b");
        cdsspec::potential_op!(in_macro, true);
        op("c");
        cdsspec::potential_op!(in_macro, false,);
        cdsspec::op_check!(in_macro, false);
        cdsspec::op_check!(in_macro, true);
        op("d");
        cdsspec::op_define!(true);
    }

    #[post_condition(true)]
    fn condition_with_an_operation(&self) {
        #[op_define(value("b", true))]
        op("a");
    }

    #[post_condition(true)]
    fn condition_with_an_operation_in_the_macro_form(&self) {
        op("a");
        cdsspec::op_clear!(value("b", false));
    }

    #[post_condition(true)]
    fn condition_with_a_call(&self) {
        #[op_define(i32::abs(x) == 1)]
        let x = value("a", -1);
    }

    #[post_condition(true)]
    fn clear_under_a_condition(&self) {
        for name in ["a", "b"] {
            #[op_clear(name == "b")]
            #[op_define]
            op(name);
        }
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
    fn let_of_a_loop(&self) {
        #[op_define]
        let _x = loop {
            op("a");
            break value("b", 1);
        };
        op("c");
    }

    #[post_condition(true)]
    fn let_of_a_labelled_loop(&self) {
        #[op_define]
        let _x = 'outer: loop {
            loop {
                break 'outer value("a", 1);
            }
        };
        op("b");
    }

    #[post_condition(true)]
    fn let_of_a_match(&self) {
        #[op_define]
        let _x = match value("a", 1) {
            1 => value("b", 1),
            _ => value("c", 2),
        };
    }

    #[post_condition(true)]
    fn let_of_a_block(&self) {
        #[op_define]
        let _x = {
            let x = value("a", 1);
            op("b");
            x
        };
        op("c");
    }

    #[post_condition(true)]
    fn labelled_block(&self) {
        #[op_define]
        'block: {
            if value("a", true) {
                break 'block;
            }
            op("b");
        }
        op("c");
    }

    #[post_condition(true)]
    fn labelled_while_head(&self) {
        #[op_define]
        'outer: while value("head", true) {
            loop {
                op("body");
                break 'outer;
            }
        }
    }

    #[post_condition(true)]
    fn arguments_are_parts_of_the_statement(&self) {
        #[op_define]
        std::hint::black_box((value("a", 1), value("b", 2)));
        op("c");
    }

    #[post_condition(true)]
    fn compound_assignment(&self) {
        let mut x = 1;
        #[op_define(x == 3)]
        x += value("a", 2);
        op("b");
        let _ = x;
    }

    #[post_condition(true)]
    fn method_chain(&self) -> usize {
        #[op_define]
        value("a", Some(1)).map(|x| value("b", x)).into_iter().count()
    }

    #[post_condition(true)]
    fn reference_to_a_place_in_a_head(&self) {
        #[op_define]
        match &value("a", (1, 2)).0 {
            1 => op("b"),
            _ => op("c"),
        }
    }

    #[post_condition(true)]
    fn unsafe_tail(&self) -> i32 {
        #[op_define]
        unsafe {
            std::ptr::from_ref(value("a", &1)).read()
        }
    }

    #[post_condition(true)]
    fn macro_with_an_operation_inside(&self) {
        let mut text = String::new();
        #[op_define]
        let _ = std::fmt::Write::write_fmt(&mut text, format_args!("{}", value("a", 1)));
        op("b");
    }

    #[post_condition(true)]
    fn inside_an_arm(&self) {
        match value("a", 1) {
            1 => {
                #[op_define]
                op("b");
            }
            _ => op("c"),
        }
    }

    #[post_condition(true)]
    fn inside_the_else_of_a_let(&self) {
        let Some(_) = value("a", None::<i32>) else {
            #[op_define]
            return op("b");
        };
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

    #[post_condition(true)]
    fn inside_the_arguments_of_a_call(&self) {
        std::hint::black_box({
            #[op_define]
            op("a");
            value("b", 1)
        });
    }

    #[post_condition(true)]
    fn clear_and_check_need_no_operation(&self) {
        #[op_define]
        op("a");
        #[op_clear]
        let x = 1;
        #[potential_op(seen)]
        op("b");
        #[op_check(seen)]
        let _y = x;
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

#[derive(PartialEq)]
struct Pair {
    x: i32,
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

macro_rules! rows {
    ($($name:ident => $points:literal;)*) => {
        #[test]
        fn each_annotation_marks_the_last_operation_of_its_statements_value() {
            let rows: Vec<(&str, &str, String)> = vec![
                $((stringify!($name), $points, record(|| _ = Row.$name(), points))),*
            ];
            let wrong: Vec<_> = rows.iter().filter(|(_, expected, found)| expected != found).collect();
            assert!(wrong.is_empty(), "{wrong:#?}");
            assert_eq!(rows.len(), 76);
        }
    };
}

rows! {
    let_statement => "b";
    let_with_condition => "a";
    let_of_a_branch => "b";
    expression_statement => "b";
    assignment => "a";
    if_head => "a";
    if_let_head => "a";
    if_let_head_that_does_not_match => "a";
    while_head => "a b c";
    while_let_head => "head head";
    match_head => "a";
    match_head_that_is_a_place => "a";
    tail_expression => "a";
    tail_macro => "a";
    returned_value => "a";
    question_mark => "a";
    let_with_question_mark => "a";
    assignment_with_question_mark => "a";
    returned_value_with_question_mark => "a";
    unsafe_block => "a";
    macro_statement => "a";
    nested_block_and_loop => "b";
    inside_a_closure => "a";
    inside_an_annotated_statement => "a b";
    several_on_one_statement => "b";
    clear_then_define => "c";
    potential_and_check => "a";
    macro_forms => "a helper";
    macro_forms_that_clear => "c";
    call_of_a_part => "part";
    call_of_a_specified_method => "b";
    no_operation_before => "!";
    no_operation_before_the_macro_form => "!";
    no_operation_in_a_let => "!";
    no_operation_in_a_tail => "!";
    no_operation_in_a_potential_point => "!";
    operation_behind_a_false_condition => "!";
    operation_behind_a_false_condition_that_the_annotation_knows => "";
    operation_in_no_round => "!";
    operation_in_the_first_rounds_of_a_head => "head";
    operation_that_question_mark_leaves_before => "!";
    operations_of_functions_count => "helper again part";
    recursion => "bottom after";
    recursion_that_panics => "a";
    shadowed_names => "a b";
    future_that_waits_in_the_statement => "b";
    future_that_is_dropped_in_the_statement => "b";
    struct_literals => "a c";
    struct_literals_in_comparisons => "b";
    struct_literal_that_needs_no_operation => "";
    conditions_of_every_annotation => "a c";
    conditions_of_every_macro_form => "a b d";
    condition_with_an_operation => "b !";
    condition_with_an_operation_in_the_macro_form => "!";
    condition_with_a_call => "a";
    clear_under_a_condition => "b";
    label_that_nothing_marks => "!";
    label_that_did_not_run => "";
    let_of_a_loop => "b";
    let_of_a_labelled_loop => "a";
    let_of_a_match => "b";
    let_of_a_block => "b";
    labelled_block => "a";
    labelled_while_head => "head";
    arguments_are_parts_of_the_statement => "b";
    compound_assignment => "a";
    method_chain => "b";
    reference_to_a_place_in_a_head => "a";
    unsafe_tail => "a";
    macro_with_an_operation_inside => "a";
    inside_an_arm => "b";
    inside_the_else_of_a_let => "b";
    inside_a_nested_function => "inner";
    inside_an_async_block => "a";
    inside_the_arguments_of_a_call => "a";
    clear_and_check_need_no_operation => "b";
}

#[test]
fn annotations_in_functions_that_methods_call_are_listed() {
    let found: Vec<(&str, &str, &str)> = cdsspec::helper_markers()
        .into_iter()
        .map(|marker| (marker.name, marker.text, marker.source.file))
        .collect();
    let here = file!();
    assert_eq!(
        found,
        [
            ("op_define", "", here),
            ("potential_op", "in_helper", here),
            ("op_check", "in_helper", here),
            ("op_check", "in_helpr", here)
        ]
    );
}

#[test]
fn a_mistake_says_what_is_wrong_and_where() {
    let errors = |program: fn(&Row)| {
        record(
            || program(&Row),
            |recording| {
                let text = |error: &SpecificationError| (error.marker.line, error.kind.clone());
                recording.errors.iter().map(text).collect::<Vec<_>>()
            },
        )
    };
    let line = |name: &str, below: u32| {
        let position =
            include_str!("marker.rs").lines().position(|line| line.contains(&format!("fn {name}(")));
        u32::try_from(position.expect("the row is there")).expect("it fits") + 1 + below
    };
    let outside = SpecificationErrorKind::StatementWithoutOperation { marker: "op_define" };
    assert_eq!(errors(|row| row.no_operation_in_a_let()), [(line("no_operation_in_a_let", 2), outside)]);
    let before = SpecificationErrorKind::MarkerWithoutOperation { marker: "op_define" };
    let place = line("no_operation_before_the_macro_form", 1);
    assert_eq!(errors(|row| row.no_operation_before_the_macro_form()), [(place, before)]);
    let unknown = SpecificationErrorKind::LabelUnknown { label: "in_helpr" };
    assert_eq!(
        errors(|row| row.label_that_nothing_marks()),
        [(line("check_what_nothing_marks", 1), unknown.clone())]
    );
    assert_eq!(
        unknown.to_string(),
        "no `potential_op(in_helpr)` marks an operation in this program: correct the label, or add one"
    );
}
