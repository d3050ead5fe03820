//! The notation of figure 8.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::lsl::parse;
use cdsspec_fence::lsl::syntax::{Argument, Operation, ProcedureName};
use cdsspec_fence::notation::{DataType, Letter};

fn deque() -> DataType {
    let letters = [("a", "add"), ("al", "add_left"), ("r", "remove")];
    let letter = |(name, procedure): (&str, &str)| Letter {
        name: name.to_owned(),
        procedure: ProcedureName::from(procedure),
        arguments: None,
    };
    DataType {
        implementation: parse(
            "proc begin()() { } proc add(v)() { } proc add_left(v)() { } proc remove()(v) { v = 0 }",
        )
        .unwrap(),
        prepare: ProcedureName::from("begin"),
        letters: letters.map(letter).to_vec(),
        arguments: vec![0.into(), 1.into()],
    }
}

fn written(operations: &[Operation]) -> String {
    operations.iter().map(Operation::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn threads_initial_operations_and_primes_are_told_apart() {
    let program = deque().test("a ( a al’ | r' r | )").unwrap();
    let open = "choose {0, 1}";
    assert_eq!(written(&program.initial), format!("begin()() add({open})()"));
    let threads: Vec<String> = program.threads.iter().map(|thread| written(thread)).collect();
    assert_eq!(
        threads,
        [format!("add({open})() add_left'({open})()"), "remove'()() remove()()".to_owned(), String::new()]
    );
    let argument = &program.threads[0][0].arguments[0];
    assert_eq!(*argument, Argument::Open(vec![0.into(), 1.into()]));
}

#[test]
fn what_is_not_in_the_notation_is_told_with_its_place() {
    for (text, message) in [
        ("a r", "character 4: `(` is missing: threads are written `( e | d )`"),
        ("a ( r", "character 6: `)` is missing: threads are written `( e | d )`"),
        ("( a | x )", "character 7: there is no operation of this name"),
        ("' ( a )", "character 1: there is no operation of this name"),
        ("( a ) r", "character 7: nothing stands behind the threads"),
    ] {
        assert_eq!(deque().test(text).unwrap_err().to_string(), message, "{text}");
    }
}
