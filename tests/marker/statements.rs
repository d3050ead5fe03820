//! Statements of one expression: bindings, assignments, tails and exits.

use crate::by_hand::{op, points, record, value};

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
}

rows! {
    20 rows;
    let_statement => "b";
    let_with_condition => "a";
    let_of_a_branch => "b";
    expression_statement => "b";
    assignment => "a";
    tail_expression => "a";
    tail_macro => "a";
    returned_value => "a";
    question_mark => "a";
    let_with_question_mark => "a";
    assignment_with_question_mark => "a";
    returned_value_with_question_mark => "a";
    unsafe_block => "a";
    macro_statement => "a";
    let_of_a_block => "b";
    arguments_are_parts_of_the_statement => "b";
    compound_assignment => "a";
    method_chain => "b";
    unsafe_tail => "a";
    macro_with_an_operation_inside => "a";
}
