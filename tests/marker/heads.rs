//! Statements with a head or a block of their own: the head is what is marked.

use crate::by_hand::{op, points, record, value};

/// A method for each row of the table below.
struct Row;

#[cdsspec::spec]
impl Row {
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
    fn reference_to_a_place_in_a_head(&self) {
        #[op_define]
        match &value("a", (1, 2)).0 {
            1 => op("b"),
            _ => op("c"),
        }
    }
}

#[derive(PartialEq)]
struct Pair {
    x: i32,
}

rows! {
    16 rows;
    if_head => "a";
    if_let_head => "a";
    if_let_head_that_does_not_match => "a";
    while_head => "a b c";
    while_let_head => "head head";
    match_head => "a";
    match_head_that_is_a_place => "a";
    struct_literals => "a c";
    struct_literals_in_comparisons => "b";
    struct_literal_that_needs_no_operation => "";
    let_of_a_loop => "b";
    let_of_a_labelled_loop => "a";
    let_of_a_match => "b";
    labelled_block => "a";
    labelled_while_head => "head";
    reference_to_a_place_in_a_head => "a";
}
