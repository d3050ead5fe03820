//! Several annotations together, their conditions and their labels.

use crate::by_hand::{op, points, record, value};

/// A method for each row of the table below.
struct Row;

#[cdsspec::spec]
impl Row {
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
    fn macro_forms_that_clear(&self) {
        op("a");
        cdsspec::op_define!();
        cdsspec::op_clear!();
        op("b");
        cdsspec::op_define!(true);
        op("c");
        cdsspec::op_clear_define!(true);
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

rows! {
    12 rows;
    several_on_one_statement => "b";
    clear_then_define => "c";
    potential_and_check => "a";
    macro_forms_that_clear => "c";
    shadowed_names => "a b";
    conditions_of_every_annotation => "a c";
    conditions_of_every_macro_form => "a b d";
    condition_with_an_operation => "b !";
    condition_with_an_operation_in_the_macro_form => "!";
    condition_with_a_call => "a";
    clear_under_a_condition => "b";
    clear_and_check_need_no_operation => "b";
}
