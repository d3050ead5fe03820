//! The patch of an advice: applied, it gives a file that is compiled here, whose programs hold, and which needs no advice.

#[rustfmt::skip]
mod bare;
#[rustfmt::skip]
mod expected;
#[rustfmt::skip]
mod fenced;
#[rustfmt::skip]
mod strong;
#[rustfmt::skip]
mod weak;

use cdsspec::weaken::{Goal, Programs};

/// The text with a patch in unified form applied: every line that the patch names must be there, where it says.
fn applied(text: &str, patch: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut result: Vec<&str> = Vec::new();
    let mut at = 0;
    for line in patch.lines().skip(2) {
        match line.split_at(1) {
            ("@", header) => {
                let old = header.split(['-', ',']).nth(1).expect("`@@ -begin,count +begin,count @@`");
                let begin = old.parse::<usize>().expect("a number") - 1;
                result.extend(&lines[at..begin]);
                at = begin;
                let new = header.split(['+', ',']).nth(2).expect("as above");
                assert_eq!(new.parse(), Ok(result.len() + 1), "{header}");
            }
            ("+", new) => result.push(new),
            (sign, old) => {
                assert_eq!(lines[at], old, "line {}", at + 1);
                result.extend((sign == " ").then_some(old));
                at += 1;
            }
        }
    }
    result.extend(&lines[at..]);
    result.join("\n") + "\n"
}

fn check(name: &str, written: &str, programs: &[(&'static str, fn())], expected: &str) -> Goal {
    let all = |programs: &[(&'static str, fn())]| {
        let begin = Programs::new(name).progress(false);
        programs.iter().fold(begin, |all, &(name, program)| all.program(name, program))
    };
    let advice = cdsspec::advise(all(programs));
    assert!(advice.is_complete() && advice.unpatched.is_empty(), "{advice}");
    let file = format!("--- a/tests/advice/patch/{name}.rs\n+++ b/tests/advice/patch/{name}.rs\n@@ ");
    assert!(advice.patch.starts_with(&file), "{advice}");
    assert_eq!(applied(written, &advice.patch), expected, "{advice}");
    advice.goal
}

#[test]
fn orders_that_are_too_strong_or_missing_become_those_that_are_needed() {
    let expected = include_str!("expected.rs");
    let strong =
        [("store__exchange", strong::store__exchange as fn()), ("update__load", strong::update__load)];
    assert!(matches!(check("strong", include_str!("strong.rs"), &strong, expected), Goal::Weaken));
    let weak = [("store__exchange", weak::store__exchange as fn()), ("update__load", weak::update__load)];
    assert!(matches!(check("weak", include_str!("weak.rs"), &weak, expected), Goal::Strengthen));
    let programs =
        [("store__exchange", expected::store__exchange as fn()), ("update__load", expected::update__load)];
    let advice = cdsspec::advise(Programs::from(programs).progress(false));
    assert!(advice.is_complete() && matches!(advice.goal, Goal::Weaken), "{advice}");
    assert_eq!((advice.changes().count(), &*advice.patch), (0, ""), "{advice}");
}

#[test]
fn fences_that_are_missing_are_put_where_they_are_needed() {
    let bare = [("meet__meet", bare::meet__meet as fn())];
    let goal = check("bare", include_str!("bare.rs"), &bare, include_str!("fenced.rs"));
    assert!(matches!(goal, Goal::Strengthen));
    cdsspec::model(fenced::meet__meet);
}
