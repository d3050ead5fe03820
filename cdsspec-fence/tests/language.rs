//! The text form of LSL, and programs built by code.

use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::litmus;
use cdsspec_fence::lsl::build::Code;
use cdsspec_fence::lsl::check::check;
use cdsspec_fence::lsl::syntax::{
    Argument, FenceKind, Global, Operation, Order, ProcedureName, Program, Register, Statement,
};
use cdsspec_fence::lsl::value::Value;
use cdsspec_fence::lsl::{Primitive, parse};

const ALL: &str = include_str!("lsl/all.lsl");

#[test]
fn what_is_printed_is_read_back() {
    let program = parse(ALL).unwrap();
    let text = program.to_string();
    assert_eq!(parse(&text).unwrap(), program);
    assert_eq!(parse(&text).unwrap().to_string(), text);
}

#[test]
fn a_mistake_is_told_with_its_place() {
    let rows = [
        ("global", "line 1, column 1: `end of the text`: the name of a location is expected"),
        (
            "x = 1",
            "line 1, column 1: `x`: a program has items `global`, `proc`, `initial`, `thread` and `last`",
        ),
        ("proc p()() {\n  r = $\n}", "line 2, column 7: `$`: no token begins with this character"),
        ("proc p()() {\n  r = &x\n}", "line 2, column 8: `x`: there is no global of this name before this"),
        (
            "proc p()() { fence rlx }",
            "line 1, column 20: `rlx`: the fences are ll, ls, sl, ss, acq, rel, acqrel and sc",
        ),
        (
            "proc p()() { r = twice(r) }",
            "line 1, column 18: `twice`: there is no such operation; a call is written `p(a)(r)`",
        ),
        (
            "proc p()() { r = not(r, r) }",
            "line 1, column 26: `)`: there are too few or too many arguments of the operation before this",
        ),
        (
            "proc p()() { r = choose {} }",
            "line 1, column 26: `}`: a value is a number, `undefined`, `&x` or a pointer `[0 1]`",
        ),
        ("proc p()() { if (r) break t }", "line 1, column 1: `t`: no block around this jump has this tag"),
        ("proc p()() { t: { t: { } } }", "line 1, column 1: `t`: a block around this one has this tag, too"),
        (
            "proc p()() { p()() }",
            "line 1, column 1: `p`: this procedure is called by itself or by one before it: define it before its callers",
        ),
        ("proc p()() { q()() }", "line 1, column 1: `q`: there is no procedure of this name"),
        (
            "proc p(a)() { } thread { p()() }",
            "line 1, column 1: `p`: this procedure is called with too few or too many arguments or results",
        ),
        (
            "proc p(a)(a, b, value) { b = 1 t: { if (a) break t b = 2 } }",
            "line 1, column 1: `value`: nothing in the procedure sets this result",
        ),
        (
            "proc p()() { r = [4000000000 1] r = new }",
            "line 1, column 1: `[4000000000]`: objects have bases behind this one, of 32 bits: name a pointer with a lower base",
        ),
        ("global x global x", "line 1, column 1: `x`: there are two of this name"),
        (
            "thread { p(1)(r) }",
            "line 1, column 15: `r`: `()` is expected: all results of an operation are observed",
        ),
    ];
    for (text, message) in rows {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn primitives_know_the_types_of_their_arguments() {
    let [one, two, pointer] = [1.into(), 2.into(), Value::pointer(&[0])];
    assert_eq!(Primitive::Equal.apply(&[one.clone(), pointer.clone()]), Ok(0.into()));
    assert_eq!(Primitive::Offset.apply(&[pointer.clone(), two.clone()]), Ok(Value::pointer(&[0, 2])));
    assert_eq!(Primitive::Copy.apply(&[Value::Undefined]), Ok(Value::Undefined));
    assert_eq!(Primitive::Subtract.apply(&[one.clone(), two.clone()]), Ok((-1).into()));
    for primitive in Primitive::ALL.into_iter().filter(|one| *one != Primitive::Copy) {
        let arguments = [Value::Undefined, one.clone(), one.clone()];
        assert!(primitive.apply(&arguments[..primitive.arity()]).is_err(), "{}", primitive.name());
    }
    let arithmetic = Primitive::ALL.into_iter().filter(|primitive| primitive.is_arithmetic());
    for primitive in arithmetic.chain([Primitive::Less, Primitive::AtMost]) {
        assert!(primitive.apply(&[one.clone(), pointer.clone()]).is_err(), "{}", primitive.name());
    }
    assert!(Primitive::Offset.apply(&[pointer, (-1).into()]).is_err());
}

/// A thread that writes one location and reads the other.
fn written(name: &str, mine: u32, other: u32, is_fenced: bool) -> cdsspec_fence::lsl::syntax::Procedure {
    let mut code = Code::new();
    let (x, y) = (code.constant(Value::pointer(&[mine])), code.constant(Value::pointer(&[other])));
    let one = code.constant(1);
    code.store(&x, &one, None);
    if is_fenced {
        code.fence(FenceKind::Ordered(Order::SequentiallyConsistent));
    }
    let read = code.load(&y, None);
    code.procedure(name, &[], &[read])
}

#[test]
fn a_program_that_is_built_runs() {
    for (is_fenced, count) in [(false, 4), (true, 3)] {
        let names = ["a", "b"];
        let global = |name: &str| Global { name: name.to_owned(), initial: 0.into() };
        let operation = |name: &str| Operation {
            procedure: ProcedureName::from(name),
            arguments: Vec::new(),
            is_primed: false,
        };
        let program = Program {
            globals: names.map(global).to_vec(),
            procedures: vec![written("a", 0, 1, is_fenced), written("b", 1, 0, is_fenced)],
            threads: names.map(|name| vec![operation(name)]).to_vec(),
            ..Program::default()
        };
        assert_eq!(parse(&program.to_string()).unwrap(), program);
        assert_eq!(enumerate(&program, Axioms::Relaxed, 0).all.observations.len(), count);
    }
}

#[test]
fn a_litmus_test_without_a_meaning_is_refused() {
    let unset = "this is no number of 64 bits, nor a register that the thread sets before this";
    let load = "the orders of a load are rlx, acq, sc, na and -";
    let store = "the orders of a store are rlx, rel, sc, na and -";
    let rows = [
        ("W x 99999999999999999999 rlx", "99999999999999999999", unset),
        ("W x onee rlx", "onee", unset),
        ("W x a rlx ; R a x rlx", "a", unset),
        ("IF b 1 { W x 1 rlx }", "b", unset),
        ("R a x rlx ; IF a b { W x 1 rlx }", "b", unset),
        ("LOOP b 1 { W x 1 rlx }", "b", unset),
        ("ADD a x a rlx", "a", unset),
        ("MOV a a", "a", unset),
        ("R 1 x rlx", "1", "the name of a register is no number"),
        ("R a x rel", "rel", load),
        ("R a x acqrel", "acqrel", load),
        ("CAS a x 0 1 acqrel rel", "rel", load),
        ("W x 1 acq", "acq", store),
        ("W x 1 acqrel", "acqrel", store),
        ("ADD a x 1 na", "na", "the orders of a read-modify-write are rlx, acq, rel, acqrel, sc and -"),
    ];
    for (code, token, message) in rows {
        let error = litmus::parse(&format!("name: n\ninit: x=0\nT0: {code}\nshow: x")).unwrap_err();
        assert_eq!(
            (error.position.line, error.token.as_str(), error.message.as_str()),
            (3, token, message),
            "{code}"
        );
    }
    for (init, show, token) in [("x=0 x=1", "x", "x=1"), ("x=0", "x b", "b")] {
        let text = format!("name: n\ninit: {init}\nT0: LOOP a 1 {{ R a x acq ; W x a rel }}\nshow: {show}");
        assert_eq!(litmus::parse(&text).unwrap_err().token, token);
    }
}

#[test]
fn a_choice_has_values() {
    let program = parse("proc p(a)() { b = choose {1} } thread { p(choose {0})() }").unwrap();
    let mut open = program.clone();
    open.threads[0][0].arguments = vec![Argument::Open(Vec::new())];
    let mut chosen = program;
    chosen.procedures[0].body = vec![Statement::Choose { register: Register::from("b"), values: Vec::new() }];
    for (program, subject) in [(open, "p"), (chosen, "b")] {
        let message = format!("`{subject}`: there are no values here to choose from");
        assert_eq!(check(&program).unwrap_err().to_string(), message);
    }
}
