//! Primitive operations on all small values, and corners of the axioms, against brute force.

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::lsl::{Primitive, parse};
use cdsspec_fence::memory_model::MemoryModel;

const VALUES: [&str; 9] = ["-3", "-1", "0", "1", "2", "undefined", "[0]", "[1]", "[0 1]"];

#[test]
fn primitive_operations_are_right_for_all_small_values() {
    let mut count = 0;
    for primitive in Primitive::ALL {
        let second: &[&str] = if primitive.arity() > 1 { &VALUES } else { &["0"] };
        for (left, right) in VALUES.iter().flat_map(|left| second.iter().map(move |right| (left, right))) {
            let arguments = ["a", "a, b", "a, b, c"][primitive.arity() - 1];
            // The other choice keeps the arguments from being constants.
            let text = format!(
                "global x global y
                 proc apply(a, b)(r) {{ c = 7 r = {}({arguments}) }}
                 thread {{ apply(choose {{{left}, 5}}, choose {{{right}, 6}})() }}",
                primitive.name()
            );
            let program = parse(&text).unwrap();
            let expected = enumerate(&program, Axioms::SequentialConsistency, 0).all;
            for has_range_analysis in [true, false] {
                let settings = Settings { has_range_analysis, ..Settings::new(MemoryModel::Sc) };
                let found = Exploration::new(&program, settings).observations().unwrap().set;
                assert_eq!(found, expected, "{text}");
            }
            count += 1;
        }
    }
    assert_eq!(count, 16 * 81 + 2 * 9);
}

/// Two threads, each with an argument that is open.
const CORNERS: [&str; 6] = [
    // A fence orders only accesses of its kinds.
    "*x = one fence ll *y = one | b = *y fence ll c = *x",
    "*x = one fence ls *y = one | b = *y fence ll c = *x",
    "*x = one fence ss *y = one | b = *y fence ss c = *x",
    // A fence that the thread does not come by orders nothing.
    "*x = one t: { if (a) break t fence ss } *y = one | b = *y fence ll c = *x",
    // Nor does an access that is not done: with it, the load would come before the last store.
    "b = *x t: { if (a) break t *x = two } fence ss *y = one | c = *y fence ls *x = one",
    // A block that does not store is one all the same.
    "atomic { b = *x t: { if (a) break t *x = two } } *y = one | b = *y fence ls *x = one",
];

#[test]
fn corners_of_the_axioms_are_as_brute_force_has_them() {
    for corner in CORNERS {
        let mut text = String::from("global x = 0 global y = 0\n");
        for (thread, code) in corner.split('|').enumerate() {
            text +=
                &format!("proc p{thread}(a)(b, c) {{ b = 0 c = 0 x = &x y = &y one = 1 two = 2 {code} }}\n");
            text += &format!("thread {{ p{thread}(choose {{0, 1}})() }}\n");
        }
        let program = parse(&text).unwrap();
        for (model, axioms) in
            [(MemoryModel::Sc, Axioms::SequentialConsistency), (MemoryModel::Relaxed, Axioms::Relaxed)]
        {
            let found = Exploration::new(&program, Settings::new(model)).observations().unwrap().set;
            assert_eq!(found, enumerate(&program, axioms, 0).all, "{text}");
        }
    }
}

/// Where two ways meet, a register has what the way has given it that was taken; so does who loads it.
#[test]
fn a_register_has_the_value_of_the_way_that_was_taken() {
    let text = "global x = 0
         proc f(a)(r) { x = &x r = 1 t: { if (a) break t r = 2 } *x = r }
         proc g()(v) { x = &x v = *x }
         thread { f(choose {0, 1})() } thread { g()() }";
    let program = parse(text).unwrap();
    for (model, axioms) in
        [(MemoryModel::Sc, Axioms::SequentialConsistency), (MemoryModel::Relaxed, Axioms::Relaxed)]
    {
        let found = Exploration::new(&program, Settings::new(model)).observations().unwrap().set;
        assert_eq!(found, enumerate(&program, axioms, 0).all, "{model:?}");
        assert_eq!(found.observations.len(), 4);
    }
}

fn outcome(text: &str, model: MemoryModel, has_range_analysis: bool) -> Option<(usize, bool)> {
    let program = parse(text).unwrap();
    let settings = Settings { has_range_analysis, ..Settings::new(model) };
    let set = Exploration::new(&program, settings).observations().ok()?.set;
    Some((set.observations.len(), set.has_error))
}

/// A range leaves out what a value that depends on itself would grow to: then it is not that value which another one is taken for.
#[test]
fn a_sum_is_a_sum_also_where_values_depend_on_themselves() {
    let text = "global x = 0 global y = 0
         proc f()(a, s) { x = &x y = &y one = 1 a = *x s = add(a, one) *y = s }
         proc g()(b) { x = &x y = &y b = *y *x = b }
         thread { f()() } thread { g()() }";
    let program = parse(text).unwrap();
    let found = Exploration::new(&program, Settings::new(MemoryModel::Relaxed)).observations().unwrap().set;
    assert_eq!(found, enumerate(&program, Axioms::Relaxed, 0).acyclic);
}

/// Sums that are stored nowhere, but are where a pointer leads.
#[test]
fn a_pointer_has_room_for_each_offset_that_is_a_sum() {
    let text = "global x = 0 global q = 0
         proc f(c)(r) { p = &x a = add(c, c) b = add(a, a) d = add(b, b) o = offset(p, d) w = &q *w = o v = *w r = eq(v, o) }
         thread { f(choose {3, 2})() }";
    for model in [MemoryModel::Sc, MemoryModel::Relaxed, MemoryModel::Rc11] {
        for has_range_analysis in [true, false] {
            assert_eq!(outcome(text, model, has_range_analysis), Some((2, false)), "{model:?}");
        }
    }
}

/// RC11 and Armv8 know read-modify-writes, and no larger blocks.
#[test]
fn a_block_that_is_no_update_is_inconclusive_where_the_model_knows_none() {
    let with = |block: &str| {
        format!(
            "global x = 0 global y = 0
             proc f()(a, b) {{ x = &x y = &y one = 1 a = 1 b = 1 atomic {{ {block} }} }}
             thread {{ f()() }}"
        )
    };
    for model in [MemoryModel::Rc11, MemoryModel::Armv8] {
        for block in ["a = *x *x = one *x = a", "*x = one *y = one", "a = *x b = *x", "a = *x *y = one"] {
            assert_eq!(outcome(&with(block), model, true), None, "{block}");
        }
        for block in ["a = *x *x = one", "a = *x", "*x = one"] {
            assert_eq!(outcome(&with(block), model, true), Some((1, false)), "{block}");
        }
    }
    assert_eq!(outcome(&with("*x = one *y = one"), MemoryModel::Relaxed, true), Some((1, false)));
}

#[test]
fn an_offset_that_no_component_can_be_is_an_error() {
    let rows = [
        ("choose {4294967295}", 1, false),
        ("choose {4294967296}", 0, true),
        ("choose {0, 4294967295, 4294967296, -1}", 2, true),
        ("9223372036854775807", 0, true),
    ];
    for (offset, observation_count, has_error) in rows {
        for sum in ["copy(n)", "add(n, zero)", "*x"] {
            let text = format!(
                "global x
                 proc p(n)(q) {{ x = &x zero = 0 *x = n n = {sum} q = offset(x, n) *q = zero }}
                 thread {{ p({offset})() }}"
            );
            let program = parse(&text).unwrap();
            let expected = enumerate(&program, Axioms::SequentialConsistency, 0).all;
            assert_eq!((expected.observations.len(), expected.has_error), (observation_count, has_error));
            for has_range_analysis in [true, false] {
                for model in MemoryModel::ALL {
                    let settings = Settings { has_range_analysis, ..Settings::new(model) };
                    let found = Exploration::new(&program, settings).observations().unwrap().set;
                    assert_eq!(found, expected, "{text}, {}", model.name());
                }
            }
        }
    }
}
