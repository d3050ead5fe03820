//! Statements that may run no operation: each is a mistake, which says where it is.

use super::{errors, line};
use crate::by_hand::{op, points, record, value};
use cdsspec_runtime::record::SpecificationErrorKind;

/// A method for each row of the table below.
struct Row;

#[cdsspec::spec]
impl Row {
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
}

rows! {
    10 rows;
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
}

#[test]
fn a_mistake_says_what_is_wrong_and_where() {
    let line = |name, below| line(include_str!("missing.rs"), name, below);
    let outside = SpecificationErrorKind::StatementWithoutOperation { marker: "op_define" };
    assert_eq!(errors(|| Row.no_operation_in_a_let()), [(line("no_operation_in_a_let", 2), outside)]);
    let before = SpecificationErrorKind::MarkerWithoutOperation { marker: "op_define" };
    let place = line("no_operation_before_the_macro_form", 1);
    assert_eq!(errors(|| Row.no_operation_before_the_macro_form()), [(place, before)]);
}
