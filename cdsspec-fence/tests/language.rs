//! The text form of LSL, and programs built by code.

use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::lsl::build::Code;
use cdsspec_fence::lsl::syntax::{FenceKind, Global, Operation, Order, ProcedureName, Program};
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
        let arguments = [Value::Undefined, one.clone()];
        assert!(primitive.apply(&arguments[..primitive.arity()]).is_err(), "{}", primitive.name());
    }
    for primitive in [Primitive::Less, Primitive::AtMost, Primitive::Add, Primitive::Subtract] {
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
