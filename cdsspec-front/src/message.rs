//! Every message: what is wrong at these tokens, a colon, what to do. `{}` stands for a name.

use proc_macro2::Span;
use quote::ToTokens;

/// Why something is not translated.
#[derive(Clone, Debug)]
pub(crate) enum Fail {
    /// This is wrong here.
    Error(syn::Error),
    /// It was said elsewhere.
    Known,
}

impl Fail {
    /// A message with names in its places, at a span.
    pub(crate) fn at<T>(span: Span, message: &str, names: &[&str]) -> Result<T, Self> {
        let mut text = message.to_owned();
        names.iter().for_each(|name| text = text.replacen("{}", name, 1));
        Err(Self::Error(syn::Error::new(span, text)))
    }
}

/// A message at the whole of some tokens.
pub(crate) fn fail<T>(tokens: &impl ToTokens, message: &str) -> Result<T, Fail> {
    Err(Fail::Error(syn::Error::new_spanned(tokens, message)))
}

macro_rules! messages {
    ($($name:ident = $text:literal;)*) => { $(pub(crate) const $name: &str = $text;)* };
}

messages! {
    TYPE = "this type is not translated: use integers, `bool`, references, raw pointers, tuples, arrays, `Option`, `Result`, atomics, `UnsafeCell` and structs of the module";
    UNKNOWN_TYPE = "`{}` is not a type that is translated: define it as a struct in this module, or use an integer, `bool`, an atomic, `UnsafeCell`, `Option` or `Result`";
    LENGTH = "the length of this array is not known here: write a number, or a constant of the module";
    EXPRESSION = "this expression is not translated: write it with the operators, calls, loops and matches that the documentation of `cdsspec::fence` lists";
    STATEMENT = "this statement is not translated: move items out of the function";
    MACRO = "`{}!` is not translated: `assert!`, `panic!` and the markers of cdsspec are";
    NO_WIDTH = "how wide this number is, and whether it has a sign, is not written: write its type, as in `1_u32` or `let n: u32 = …`";
    NO_TYPE = "the type of this is not known here: write it, as in `let x: Type = …`";
    MISMATCH = "two types meet here that the translation takes for different ones: write the conversion";
    UNKNOWN_NAME = "`{}` is not known here: variables, constants and functions of this module are";
    UNKNOWN_FUNCTION = "`{}` is not a function of this module, nor one that is built in: define it in the module";
    UNKNOWN_METHOD = "`{}` is not a method that is translated here: define it in this module, or write `Type::method(x)`";
    UNKNOWN_FIELD = "there is no such field in a struct of this module: the module has to have the struct";
    DUPLICATE = "a type of this name has a function of this name already, so that a call does not say which: give one another name";
    RECURSION = "`{}` calls itself: write a loop";
    ADDRESS_OF_LOCAL = "the address of a local variable is not translated: put the value into an object made by `Box::into_raw(Box::new(…))`, or pass it by value";
    NOT_A_PLACE = "this cannot be assigned to: write a variable, a field or `*pointer`";
    PATTERN = "this pattern is not translated: use names, `_`, numbers, `Some`, `None`, `Ok`, `Err` and tuples";
    BORROWED_PATTERN = "a pattern that borrows is not translated: match a value, as in `match *place`";
    OPERATOR = "this operator is not translated for these types: write it with `+`, `-`, `*`, `/`, `%`, `&`, `|`, `^`, comparisons, or a shift by a constant";
    SHIFT = "a shift by what is not a constant below the width is not translated: shift by a constant";
    CAST = "this cast is not translated: cast integers and `bool` to integers, and pointers to pointers of the same type";
    ORDER = "the memory order here is not known: write `Relaxed`, `Acquire`, `Release`, `AcqRel` or `SeqCst`, or an `if` over constants";
    WRONG_ORDER = "an operation of this kind cannot have the order `{}`: Rust panics here";
    DROPS = "a value is dropped here whose type implements `Drop`, which is not translated: pass the value on, or do by a method what `drop` does";
    MOVE_CLOSURE = "a closure that moves what it captures is not translated: take `move` away";
    CLOSURE = "a closure is not a value here: give it to `with`, `with_mut`, `map`, `and_then`, `then`, `unwrap_or_else`, `fetch_update` or a function of the module";
    IMPURE_UPDATE = "a closure of `fetch_update` that stores, allocates or sets a variable outside is not translated: write the loop with `compare_exchange`";
    ARGUMENTS = "there are fewer or more arguments here than the function has: give it as many as it takes";
    JUMP = "this leaves no loop of this function";
    RANGE = "a `for` loop goes over a range of integers, `a..b`: write one, or a `while` loop";
    RECEIVER = "this receiver is not translated: write `self`, `&self` or `&mut self`";
    ASYNC = "an async function is not translated: take `async` away";
    ELEMENT = "a generic parameter stands for one word here: a number, `bool` or a pointer";
    CONFIGURED = "what `cfg` says is not known here: take the attribute away";
    MOVED = "atomics are not moved out of memory here: use `load`, `get_mut` or `into_inner`";
    NEGATIVE = "a number beyond its type: write one that fits";
}
