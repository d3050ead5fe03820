//! Functions that are drawn, as rustc compiles them and as LSL runs them: the same results, and the same panics.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the drawn values are cut to their types"
)]

mod draw;
/// In a file that is no source file, since it is long, and nobody reads it.
#[allow(warnings, clippy::all, reason = "drawn code")]
mod functions {
    include!("functions.txt");
}

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::lsl::syntax::{Argument, Operation, ProcedureName, Program};
use cdsspec_fence::lsl::{parse, value::Value};
use cdsspec_fence::memory_model::MemoryModel;
use std::panic::{AssertUnwindSafe, catch_unwind};

const COUNT: usize = 160;
const VALUES: [i64; 8] = [0, 1, -1, 5, 100, i64::MIN, i64::MAX, -128];

#[test]
fn the_functions_are_those_that_are_drawn() {
    expect_test::expect_file!["functions.txt"].assert_eq(&draw::module(COUNT));
}

/// A number as one of the function's type.
fn cut(value: i64, number: usize) -> i64 {
    match number % 8 {
        0 => i64::from(value as u8),
        1 => i64::from(value as i8),
        2 => i64::from(value as u16),
        3 => i64::from(value as i16),
        4 => i64::from(value as u32),
        5 => i64::from(value as i32),
        _ => value,
    }
}

fn calls(program: &Program, number: usize, arguments: [i64; 2]) -> Program {
    let arguments = arguments.map(|value| Argument::Fixed(Value::Number(cut(value, number))));
    let procedure = ProcedureName(format!("f{number}"));
    let operation = Operation { procedure, arguments: arguments.to_vec(), is_primed: false };
    Program { threads: vec![vec![operation]], ..program.clone() }
}

/// All functions in LSL.
fn translated() -> String {
    let items = syn::parse_file(include_str!("functions.txt")).unwrap().items;
    let module = items.iter().find_map(|item| match item {
        syn::Item::Mod(module) => module.content.as_ref(),
        _ => None,
    });
    cdsspec_front::translate(&module.unwrap().1, &[]).unwrap()
}

/// A function alone, so that nothing else is copied for each call.
fn alone(text: &str, number: usize) -> Program {
    let begin = text.find(&format!("proc f{number}(")).unwrap();
    let end = text[begin..].find("\n}\n").unwrap();
    parse(&text[begin..begin + end + 3]).unwrap()
}

/// What a function returns; none if it panics, of which nothing is printed.
fn returned(function: impl FnOnce() -> i64) -> Option<i64> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let returned = catch_unwind(AssertUnwindSafe(function)).ok();
    std::panic::set_hook(hook);
    returned
}

#[test]
fn drawn_functions_are_what_rustc_makes_of_them() {
    let text = translated();
    let (mut panics, mut compared, mut beyond) = (0, 0, 0);
    for (number, function) in functions::all().into_iter().enumerate() {
        let program = alone(&text, number);
        for (left, right) in VALUES.iter().flat_map(|left| VALUES.map(|right| (*left, right))) {
            let expected = returned(|| function(left, right));
            let program = calls(&program, number, [left, right]);
            let found = enumerate(&program, Axioms::SequentialConsistency, 40).all;
            let shown = found.observations.iter().next().map(|one| one.0[0].number().unwrap());
            let result = if found.has_error { None } else { shown };
            if number % 8 > 5 && result.is_none() && expected.is_some() {
                // Products and quotients of 64 bits may be refused.
                beyond += 1;
                continue;
            }
            assert_eq!(result, expected, "f{number}({left}, {right})");
            panics += usize::from(expected.is_none());
            compared += 1;
            if (number * 7 + compared) % 293 == 0 {
                // The circuits, for some of them.
                let settings = Settings { rounds_max: 40, ..Settings::new(MemoryModel::Serial) };
                let solved = Exploration::new(&program, settings).observations().unwrap().set;
                assert_eq!(solved, found, "f{number}({left}, {right})");
            }
        }
    }
    assert_eq!([compared, panics, beyond], [9996, 3403, 244]);
}
