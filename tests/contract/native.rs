//! Conditions that the macro takes apart, against the same expressions as the compiler evaluates them, over all small values.

#![expect(clippy::nonminimal_bool, reason = "the forms are what is tested")]

use cdsspec::Builder;
use cdsspec::contract::Sets;

/// A set of which nothing but the length is asked.
struct Native(usize);

impl Native {
    fn len(&self) -> usize {
        self.0
    }

    fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

type Evaluate = fn(&Native, bool, bool, usize) -> bool;
type Call = fn(&Forms, bool, bool, usize);

#[derive(Default)]
struct Forms {
    contract: Sets,
}

fn is_odd(number: usize) -> bool {
    number % 2 == 1
}

/// A method for each condition, and the condition as it is.
macro_rules! forms {
    (($used:ident $a:ident $b:ident $n:ident) $($name:ident($($condition:tt)*))*) => {
        #[cdsspec::contract(event_sets(used))]
        impl Forms {
            #[add_current(used)]
            fn use_it(&self) {}

            $(#[expects($($condition)*)]
            fn $name(&self, $a: bool, $b: bool, $n: usize) {
                _ = ($a, $b, $n);
            })*
        }

        const FORMS: &[(&str, Evaluate, Call)] = &[
            $((
                stringify!($name),
                |$used, $a, $b, $n| {
                    _ = ($used, $a, $b, $n);
                    $($condition)*
                },
                Forms::$name,
            )),*
        ];
    };
}

forms! {
    (used a b n)
    none(a && b)
    all(used.is_empty())
    and(a && used.is_empty() && b)
    or(used.is_empty() || a && b || used.len() > n)
    not(!(a || !used.is_empty()) || !b)
    equal((used.len() == n) == a && (b != used.is_empty()))
    count(used.len() + usize::from(a) <= n + 1)
    order(n - n.min(used.len()) > usize::from(b))
    call(is_odd(used.len() + n) ^ is_odd(n) || a)
    branch(if used.is_empty() { a } else if b { used.len() > n } else { is_odd(n) })
    branches(if a { used.len() < 2 } else { is_odd(n) && b })
    arms(match used.len() { 0 => a, 1 if b => is_odd(n), count => count > n })
    arms_of(match n { 0 => used.is_empty(), 1 => a, _ => used.len() > 1 && b })
    matched(matches!(used.len(), 0 | 2) == a || matches!(n, 1..=2))
    guarded(matches!(used.len(), count if count > n || b && a))
    bound({ let count = used.len(); let twice = count * n; twice > 1 || a && count == 1 })
    shadowed({ let n = used.len() + n; n > 2 && { let a = n > 3; a || b } })
    closure([1, 2, n].iter().any(|one| *one == used.len() && (a || *one != n)))
    let_chain(if let Some(one) = [0, 5].get(used.len()) && *one < n + 1 { a } else { b })
    lent([n, 2].contains(&used.len()) || a)
    range((n..3).contains(&used.len()) && !b)
    tuple((used.len(), a) == (n, b))
    cast((used.len() as u8) < n as u8 || b)
    short(used.len() > n || [true, a, b][n - used.len().min(n)])
    unasked(used.is_empty() || n == 0 || 6 / n > used.len())
}

#[test]
fn a_condition_that_is_taken_apart_is_what_it_was() {
    let mut counts = [0, 0];
    for (name, evaluate, call) in FORMS {
        for used in 0..4 {
            for values in 0..12 {
                let (a, b, n) = (values % 2 == 1, values / 2 % 2 == 1, values / 4);
                let outcome = Builder::new().check(move || {
                    let forms = Forms::default();
                    (0..used).for_each(|_| forms.use_it());
                    call(&forms, a, b, n);
                });
                let expected = evaluate(&Native(used), a, b, n);
                let verdict = if expected { cdsspec::Verdict::Holds } else { cdsspec::Verdict::Misused };
                assert_eq!(outcome.verdict, verdict, "{name} of {used}, {a}, {b}, {n}");
                counts[usize::from(expected)] += 1;
            }
        }
    }
    assert_eq!(counts, [609, 591]);
}
