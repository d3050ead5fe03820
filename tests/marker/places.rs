//! Annotated statements inside of blocks, closures and arguments.

use crate::by_hand::{op, points, record, value};

/// A temporary that runs an operation when it is dropped, as the guard of a lock does.
struct Guard;

impl Guard {
    fn value(&self) -> i32 {
        value("a", 1)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        op("drop");
    }
}

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

    #[post_condition(true)]
    fn a_let_is_marked_when_its_temporaries_have_ended(&self) -> i32 {
        #[op_define]
        let x = Guard.value();
        x
    }

    #[post_condition(true)]
    fn the_end_of_a_block_is_marked_while_its_temporaries_live(&self) -> i32 {
        #[op_define]
        Guard.value()
    }

    #[post_condition(true)]
    fn a_head_is_marked_while_its_temporaries_live(&self) {
        #[op_define]
        match Guard.value() {
            1 => op("b"),
            _ => op("c"),
        }
    }
}

rows! {
    9 rows;
    nested_block_and_loop => "b";
    inside_a_closure => "a";
    inside_an_annotated_statement => "a b";
    inside_an_arm => "b";
    inside_the_else_of_a_let => "b";
    inside_the_arguments_of_a_call => "a";
    a_let_is_marked_when_its_temporaries_have_ended => "drop";
    the_end_of_a_block_is_marked_while_its_temporaries_live => "a";
    a_head_is_marked_while_its_temporaries_live => "a";
}
