//! What is outside of the subset: one error for each mistake, at its tokens, that names the way out.

/// Items in front of each row.
const ITEMS: &str = "struct S { x: AtomicU32, y: u32, c: UnsafeCell<u32> } struct D { p: *mut u32 } impl Drop for D { fn drop(&mut self) {} } const K: u32 = 3;";

/// Items, the tokens that are refused, and how the message begins.
const ROWS: [(&str, &str, &str); 51] = [
    ("struct V { v: Vec<u32> }", "Vec<u32>", "`Vec` is not a type that is translated"),
    ("struct V { v: &'static str }", "str", "`str` is not a type that is translated"),
    ("struct V { v: fn() }", "fn()", "this type is not translated"),
    ("fn f(v: [u8; N]) {}", "N", "the length of this array is not known"),
    (
        "fn f(s: &S) -> u32 { s.x.load(Release) }",
        "Release",
        "an operation of this kind cannot have the order `Release`",
    ),
    (
        "fn f(s: &S) { s.x.store(1, AcqRel) }",
        "AcqRel",
        "an operation of this kind cannot have the order `AcqRel`",
    ),
    ("fn f() { fence(Relaxed) }", "Relaxed", "an operation of this kind cannot have the order `Relaxed`"),
    (
        "fn f(s: &S) -> u32 { let o: Ordering; o = Relaxed; s.x.load(o) }",
        "o",
        "the memory order here is not known",
    ),
    (
        "fn f(s: &S, b: bool) -> u32 { s.x.load(if b { Relaxed } else { Acquire }) }",
        "if b { Relaxed } else { Acquire }",
        "the memory order here is not known",
    ),
    ("fn f() -> u32 { f() }", "f()", "`f` calls itself"),
    ("fn f() -> u32 { g() }", "g", "`g` is not a function of this module"),
    ("fn f() -> u32 { g }", "g", "`g` is not known here"),
    ("fn f(s: &S) { s.go() }", "go", "`go` is not a method that is translated here"),
    ("fn f(s: &S) -> u32 { s.z }", "s.z", "there is no such field"),
    ("fn f() { let n = 1; let p = &n; }", "n", "the address of a local variable is not translated"),
    ("fn f(a: u32) -> bool { let n = 1 + 2; n < 3 }", "1 + 2", "how wide this number is"),
    ("fn f(a: u32, b: u32) -> u32 { a << b }", "a << b", "a shift by what is not a constant"),
    ("fn f(a: *mut u32) -> usize { a as usize }", "a as usize", "this cast is not translated"),
    ("fn f(a: *mut u32) -> *mut u8 { a as *mut u8 }", "a as *mut u8", "this cast is not translated"),
    ("fn f() { println!(\"\") }", "println", "`println!` is not translated"),
    ("fn f() { let d = D { p: null_mut() }; }", "d", "a value is dropped here"),
    ("fn f(d: D) {}", "d: D", "a value is dropped here"),
    ("fn f(b: bool) -> Option<u32> { b.then(move || 1) }", "move", "a closure that moves what it captures"),
    ("fn f(o: Option<u32>) -> Option<u32> { o.map(g) }", "g", "`g` is not known here"),
    ("fn f(s: &S, o: Option<u32>) -> Option<u32> { o.map(K) }", "K", "a closure is not a value here"),
    (
        "fn f(s: &S) { s.x.fetch_update(Relaxed, Relaxed, |v| { s.x.store(v, Relaxed); Some(v) }); }",
        "|v| { s.x.store(v, Relaxed); Some(v) }",
        "a closure of `fetch_update` that stores",
    ),
    ("fn f(n: u32) { for i in 0..=n {} }", "0..=n", "a `for` loop goes over a range"),
    ("fn f(a: [u32; 2]) { for i in a {} }", "a", "a `for` loop goes over a range"),
    ("async fn f() {}", "async", "an async function is not translated"),
    ("fn f(o: Option<u32>) { if let Some(ref x) = o {} }", "ref x", "this pattern is not translated"),
    (
        "fn f(o: &Option<u32>) { match o { Some(x) => {} None => {} } }",
        "Some(x)",
        "a pattern that borrows is not translated",
    ),
    ("fn f(n: u32) { match n { 0..=3 => {} _ => {} } }", "0..=3", "this pattern is not translated"),
    ("fn f() { #[cfg(test)] let x = 1_u32; }", "#[cfg(test)]", "what `cfg` says is not known here"),
    ("fn f() { fn g() {} }", "fn g() {}", "this statement is not translated"),
    ("fn f() -> u8 { 256 }", "256", "a number beyond its type"),
    ("fn f(x: f64) {}", "f64", "`f64` is not a type that is translated"),
    ("fn f(s: &S) { let t = *s; }", "*s", "atomics are not moved out of memory"),
    (
        "fn f(n: u32) -> u32 { let c = |x: u32| x; c(n, n) }",
        "|x: u32| x",
        "there are fewer or more arguments",
    ),
    ("impl S { fn m(self: Box<Self>) {} }", "self: Box<Self>", "this receiver is not translated"),
    ("fn f(n: u32) -> u32 { n.pow(2) }", "pow", "`pow` is not a method that is translated here"),
    (
        "fn g<T>(t: T) {} fn f() { g((1_u8, 2_u8)) }",
        "g((1_u8, 2_u8))",
        "a generic parameter stands for one word here",
    ),
    (
        "fn f(s: &S) -> u32 { let mut n = 0_u32; let _ = s.x.fetch_update(Relaxed, Relaxed, |v| { n += 1; Some(v) }); n }",
        "|v| { n += 1; Some(v) }",
        "a closure of `fetch_update` that stores",
    ),
    ("fn f() { let b = Box::new(D { p: null_mut() }); }", "b", "a value is dropped here"),
    (
        "fn d() -> D { D { p: null_mut() } } fn f() -> bool { d().p.is_null() }",
        "d()",
        "a value is dropped here",
    ),
    (
        "fn d() -> D { D { p: null_mut() } } fn f() { match d() { _ => {} } }",
        "d()",
        "a value is dropped here",
    ),
    (
        "struct G<T> { t: T } impl G<u8> { fn m(&self) {} } impl G<u16> { fn m(&self) {} }",
        "m",
        "a type of this name has a function",
    ),
    (
        "fn f(s: &S) -> u32 { s.x.load(other::Acquire) }",
        "other::Acquire",
        "`other :: Acquire` is not known here",
    ),
    ("#[cfg(test)] fn f() {}", "#[cfg(test)]", "what `cfg` says is not known here"),
    (
        "fn f(s: &S) { match s.y { #[cfg(test)] 1 => {} _ => {} } }",
        "#[cfg(test)]",
        "what `cfg` says is not known here",
    ),
    (
        "static N: AtomicU32 = AtomicU32::new(0); fn f() -> u32 { N.load(Relaxed) }",
        "N",
        "`N` is not known here",
    ),
    ("fn f(s: &S) -> u32 { async { 1 }; 2 }", "async { 1 }", "this expression is not translated"),
];

#[test]
fn each_mistake_is_one_error_at_its_tokens() {
    let mut wrong = String::new();
    for (row, tokens, message) in ROWS {
        let file = syn::parse_file(&format!("{ITEMS}\n{row}")).unwrap();
        let errors = cdsspec_front::translate(&file.items, &[]).err().unwrap_or_default();
        let shown: Vec<(String, String)> = errors
            .iter()
            .map(|error| (error.span().source_text().unwrap_or_default(), error.to_string()))
            .collect();
        let is_right =
            |(at, text): &(String, String)| at == tokens && text.starts_with(message) && text.contains(": ");
        if shown.len() != 1 || !is_right(&shown[0]) {
            wrong += &format!("{row}\n  {shown:?}\n");
        }
    }
    assert_eq!(wrong, "");
}
