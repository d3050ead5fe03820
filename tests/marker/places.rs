//! Annotated statements inside of blocks, closures and arguments.

use crate::by_hand::{op, points, record, value};

/// A method for each row of the table below.
struct Row;

#[cdsspec::spec]
impl Row {
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
    fn inside_the_arguments_of_a_call(&self) {
        std::hint::black_box({
            #[op_define]
            op("a");
            value("b", 1)
        });
    }
}

rows! {
    6 rows;
    nested_block_and_loop => "b";
    inside_a_closure => "a";
    inside_an_annotated_statement => "a b";
    inside_an_arm => "b";
    inside_the_else_of_a_let => "b";
    inside_the_arguments_of_a_call => "a";
}
