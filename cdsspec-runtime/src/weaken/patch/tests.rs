use super::*;
use crate::record::{OperationName, SourceLocation, operation_name};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

const USE: &str = "use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};\n";

/// The operation that is called at `@` in a text, and the text without the mark.
fn marked(text: &str, name: OperationName, orders: Orders) -> (Source, Place) {
    let at = text.find('@').expect("it is marked");
    let line = text[..at].matches('\n').count() as u32 + 1;
    let column = text[line_begin(text, at)..at].chars().count() as u32 + 1;
    let source = SourceLocation { file: "a.rs", line, column };
    (Source::new(text.replace('@', "")), Place { source, name, orders })
}

/// The text with another replacement at the place; `None`, if that is left to the user.
fn patched(text: &str, name: OperationName, orders: Orders, replacement: Replacement) -> Option<String> {
    let (source, place) = marked(text, name, orders);
    let mut left_out = Vec::new();
    let text = edited(&source, &[(&place, &replacement)], &mut left_out)?;
    left_out.is_empty().then_some(text)
}

/// A function of this body with other orders.
fn replaced(body: &str, name: OperationName, written: Orders, orders: Orders) -> Option<String> {
    let replacement = Replacement { orders: Some(orders), fence_before: None, fence_after: None };
    let text = format!("{USE}fn f() {{\n{body}\n}}\n");
    let text = patched(&text, name, written, replacement)?;
    let body = text.strip_prefix(USE)?.strip_prefix("fn f() {\n")?.strip_suffix("\n}\n")?;
    Some(body.to_owned())
}

fn load() -> OperationName {
    operation_name!("load", Load)
}

/// A function of this body, with `F(…)` for the fence that is added.
fn fenced(body: &str, before: Option<Ordering>, after: Option<Ordering>) -> Option<String> {
    let orders = Orders::One(Relaxed);
    let replacement = Replacement { orders: Some(orders), fence_before: before, fence_after: after };
    let text = patched(&format!("fn f() {{\n{body}\n}}\n"), load(), orders, replacement)?;
    let body = text.strip_prefix("fn f() {\n")?.strip_suffix("\n}\n")?;
    Some(body.replace("cdsspec::sync::atomic::fence(std::sync::atomic::Ordering::", "F("))
}

/// A statement, the same behind a fence, and before one; `VALUE` is the load with a fence behind it.
const FENCED: &[(&str, &str, &str)] = &[
    (
        "    #[op_define]\n    let x = a.@load(Relaxed);",
        "    F(Release);\n    #[op_define]\n    let x = a.load(Relaxed);",
        "    #[op_define]\n    let x = a.load(Relaxed);\n    F(Acquire);",
    ),
    (
        "    *slot = a.@load(Relaxed); // why",
        "    F(Release);\n    *slot = a.load(Relaxed); // why",
        "    *slot = a.load(Relaxed); // why\n    F(Acquire);",
    ),
    // An annotation is about the last operation before it.
    (
        "    a.@load(Relaxed);\n    op_clear!();\n    cdsspec::op_define!(x);\n    g();",
        "    F(Release);\n    a.load(Relaxed);\n    op_clear!();\n    cdsspec::op_define!(x);\n    g();",
        "    a.load(Relaxed);\n    op_clear!();\n    cdsspec::op_define!(x);\n    F(Acquire);\n    g();",
    ),
    // Several statements on a line.
    (
        "    g(); a.@load(Relaxed); g();",
        "    g(); F(Release); a.load(Relaxed); g();",
        "    g(); a.load(Relaxed); F(Acquire); g();",
    ),
    // A statement, and a chain of calls, over many lines.
    (
        "    let x = Some(\n        a\n            .@load(Relaxed)\n            .is_null(),\n    );",
        "    F(Release);\n    let x = Some(\n        a\n            .load(Relaxed)\n            .is_null(),\n    );",
        "    let x = Some(\n        a\n            .load(Relaxed)\n            .is_null(),\n    );\n    F(Acquire);",
    ),
    (
        "    assert_eq!(a.@load(Relaxed), 1);",
        "    F(Release);\n    assert_eq!(a.load(Relaxed), 1);",
        "    assert_eq!(a.load(Relaxed), 1);\n    F(Acquire);",
    ),
    // A tail.
    ("    a.@load(Relaxed)", "    F(Release);\n    a.load(Relaxed)", "    VALUE"),
    ("    a.@load(Relaxed) == 1", "    F(Release);\n    a.load(Relaxed) == 1", "    (VALUE) == 1"),
    ("    return a.@load(Relaxed);", "    F(Release);\n    return a.load(Relaxed);", "    return VALUE;"),
    (
        "    let x = Some(a.@load(Relaxed))?;",
        "    F(Release);\n    let x = Some(a.load(Relaxed))?;",
        "    let x = Some(VALUE)?;",
    ),
    (
        "    if a.@load(Relaxed) == 0 {}",
        "    F(Release);\n    if a.load(Relaxed) == 0 {}",
        "    if VALUE == 0 {}",
    ),
    // Something else is done in between.
    ("    g(a.@load(Relaxed));", "    F(Release);\n    g(a.load(Relaxed));", "    g(VALUE);"),
    (
        "    let x = (g(), a.@load(Relaxed));",
        "    let x = (g(), { F(Release); a.load(Relaxed) });",
        "    let x = (g(), a.load(Relaxed));\n    F(Acquire);",
    ),
    // What is done on condition, or more than once.
    (
        "    while a.@load(Relaxed) == 0 {}",
        "    while { F(Release); a.load(Relaxed) } == 0 {}",
        "    while VALUE == 0 {}",
    ),
    (
        "    s.spawn(|| a.@load(Relaxed));",
        "    s.spawn(|| { F(Release); a.load(Relaxed) });",
        "    s.spawn(|| VALUE);",
    ),
    (
        "    match x {\n        0 => a.@load(Relaxed) == 1,\n        _ => true,\n    };",
        "    match x {\n        0 => ({ F(Release); a.load(Relaxed) }) == 1,\n        _ => true,\n    };",
        "    match x {\n        0 => (VALUE) == 1,\n        _ => true,\n    };",
    ),
    (
        "    if x {} else if a.@load(Relaxed) == 0 {}",
        "    if x {} else if { F(Release); a.load(Relaxed) } == 0 {}",
        "    if x {} else if VALUE == 0 {}",
    ),
    (
        "    x && a.@load(Relaxed) == 0;",
        "    x && { F(Release); a.load(Relaxed) } == 0;",
        "    x && VALUE == 0;",
    ),
];

#[test]
fn a_fence_stands_where_it_is_done_just_before_and_just_after() {
    let value = "{ let value = a.load(Relaxed); F(Acquire); value }";
    for (body, before, after) in FENCED {
        let after = after.replace("VALUE", value);
        assert_eq!(fenced(body, Some(Release), None).as_deref(), Some(*before), "before {body}");
        assert_eq!(fenced(body, None, Some(Acquire)), Some(after), "after {body}");
    }
    assert_eq!(FENCED.len(), 18);
}

#[test]
fn a_fence_is_left_to_the_user_where_it_is_not_known_what_becomes_of_it() {
    let rows = [
        ("    retry!(a.@load(Relaxed));", [false, false]),
        ("    both!(while a.@load(Relaxed) == 0);", [false, false]),
        ("    @both!(a, b);", [false, false]),
        // The attribute would be about the fence.
        ("    #[op_define]\n    g(a.@load(Relaxed));", [true, false]),
        ("    g(a.@load(Relaxed));\n    op_define!();", [true, false]),
        ("    let x = ; a.@load(Relaxed);", [false, false]),
    ];
    for (body, expected) in rows {
        let found = [fenced(body, Some(Release), None), fenced(body, None, Some(Acquire))];
        assert_eq!(found.map(|text| text.is_some()), expected, "{body}");
    }
}

#[test]
fn a_fence_that_is_not_needed_goes_with_its_statement() {
    let rows = [
        ("    g();\n    #[op_define]\n    @fence(SeqCst); // why\n    g();", "    g();\n    g();"),
        ("    g(); atomic::@fence(SeqCst); g();", "    g(); g();"),
        (
            "    match x {\n        0 => @fence(SeqCst),\n        _ => {}\n    }",
            "    match x {\n        0 => (),\n        _ => {}\n    }",
        ),
    ];
    let none = Replacement { orders: None, fence_before: None, fence_after: None };
    for (body, expected) in rows {
        let body = body.replace("atomic::@fence", "@atomic::fence");
        let text = format!("fn f() {{\n{body}\n}}\n");
        let found = patched(&text, operation_name!("fence", Fence), Orders::One(SeqCst), none);
        assert_eq!(found, Some(format!("fn f() {{\n{expected}\n}}\n")), "{body}");
    }
}

#[test]
fn an_order_is_replaced_where_it_is_written_and_nowhere_else() {
    let rows = [
        ("    a.@load(Acquire); a.load(Acquire);", Some("    a.load(Relaxed); a.load(Acquire);")),
        (
            "    a\n        .b(Acquire)\n        .@load(\n            Acquire,\n        );",
            Some("    a\n        .b(Acquire)\n        .load(\n            Relaxed,\n        );"),
        ),
        ("    let é = 1; a.@load(Ordering::Acquire)", Some("    let é = 1; a.load(Ordering::Relaxed)")),
        ("    @AtomicU32::load(&a, Acquire);", Some("    AtomicU32::load(&a, Relaxed);")),
        ("    assert!(a.@load(Acquire) == 1);", Some("    assert!(a.load(Relaxed) == 1);")),
        ("    retry!(a.@load(Acquire));", Some("    retry!(a.load(Relaxed));")),
        ("    a.@load(/* (, */ Acquire);", Some("    a.load(/* (, */ Relaxed);")),
        (
            "    rows! { \"one\" => |a| { a.@load(Acquire); 1 } => 1; }",
            Some("    rows! { \"one\" => |a| { a.load(Relaxed); 1 } => 1; }"),
        ),
        // Behind a constant, a variable, a function, or in a macro of one's own.
        ("    a.@load(ACQUIRE);", None),
        ("    a.@load(order(Acquire));", None),
        ("    a.@load(if x { Acquire } else { Relaxed });", None),
        ("    both!(a => @load(Acquire));", None),
        ("    macro_rules! both { () => { a.@load(Acquire); } }", None),
    ];
    for (body, expected) in rows {
        let found = replaced(body, load(), Orders::One(Acquire), Orders::One(Relaxed));
        assert_eq!(found.as_deref(), expected, "{body}");
    }
}

#[test]
fn an_order_whose_name_is_not_imported_is_written_in_full() {
    let found = replaced("    a.@load(Relaxed)", load(), Orders::One(Relaxed), Orders::One(SeqCst));
    assert_eq!(found.as_deref(), Some("    a.load(std::sync::atomic::Ordering::SeqCst)"));
}

#[test]
fn the_orders_of_an_update_are_its_first_arguments_and_of_others_the_last() {
    let exchange = operation_name!("compare_exchange", CompareExchange);
    let weak = operation_name!("compare_exchange_weak", CompareExchange);
    let update = operation_name!("fetch_update", FetchUpdate);
    let rows = [
        (
            update,
            "x.@fetch_update(AcqRel, Acquire, |old| next(old, 1));",
            Some("x.fetch_update(Release, Relaxed, |old| next(old, 1));"),
        ),
        (
            update,
            "@AtomicU32::fetch_update(&x, AcqRel, Acquire, f);",
            Some("AtomicU32::fetch_update(&x, Release, Relaxed, f);"),
        ),
        (
            update,
            "x.@fetch_update(AcqRel, Acquire, |old| {\n    Some(old + 1)\n});",
            Some("x.fetch_update(Release, Relaxed, |old| {\n    Some(old + 1)\n});"),
        ),
        (
            exchange,
            "x.@compare_exchange(1, 2, AcqRel, Acquire);",
            Some("x.compare_exchange(1, 2, Release, Relaxed);"),
        ),
        (
            weak,
            "x.@compare_exchange_weak(1, f(2, 3), AcqRel, Acquire,);",
            Some("x.compare_exchange_weak(1, f(2, 3), Release, Relaxed,);"),
        ),
        (operation_name!("other"), "x.@other(AcqRel, Acquire);", None),
    ];
    for (name, body, expected) in rows {
        let found = replaced(body, name, Orders::Two(AcqRel, Acquire), Orders::Two(Release, Relaxed));
        assert_eq!(found.as_deref(), expected, "{body}");
    }
    let swap = operation_name!("swap", Update);
    let found = replaced("x.@swap(1, AcqRel);", swap, Orders::One(AcqRel), Orders::One(Release));
    assert_eq!(found.as_deref(), Some("x.swap(1, Release);"));
}

#[test]
fn edits_that_meet_are_left_to_the_user() {
    assert_eq!(applied("abc", vec![(0..2, String::new()), (1..1, "x".to_owned())]), None);
    assert_eq!(applied("abc", vec![(1..2, "x".to_owned()), (1..1, "y".to_owned())]).as_deref(), Some("ayxc"));
}
