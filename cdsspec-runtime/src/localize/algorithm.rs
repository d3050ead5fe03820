//! From a history to the test case that triggers its fault.
//!
//! # Paper
//! CGVT, algorithm 1. `OpOrder`, the witnesses of all prefixes of the smallest prefix without one, is the witness of the longest of them, cut to each of its lengths. So cut it is a witness of a
//! prefix: let `S` be it, and `s` its first calls; take the history up to the first return that is not in `s`. All that returned in it is in `s`. All of `s` has begun in it: a call of `s` that began behind that return would be
//! preceded by the call that returned, and stand behind it in `S`. They are what the search had on its stack, its cache, when it was at its longest.
//!
//! What the listing leaves open is filled in as the text says:
//! - If no test case of the second loop fails, the answer is that of the first.
//! - The call whose return refutes the prefix is pending in the longest linearizable one, and its witness may lack it. Then `P_r` has it last: in the paper's example 2 it is what reveals the fault.
//! - The second loop goes on as long as anything is left for `P_r`: the listing ends one earlier, and would leave a test case of three calls as it is.
//! - `P_c[0:j]` are the first `j` calls in the order in which they began.

/// A test case: which calls the main thread makes first, which threads make side by side, and which the main thread makes last. Calls are those of the history.
///
/// # Paper
/// CGVT, II.B: `(P_s, P_c, P_r)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TestCase {
    pub(super) prepare: Vec<usize>,
    /// In the order in which they began.
    pub(super) concurrent: Vec<usize>,
    pub(super) reveal: Vec<usize>,
}

/// The smallest prefix of a history that has no linearization.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prefix {
    /// Its calls in the order in which they began.
    pub(super) begun: Vec<usize>,
    /// The witness of the longest prefix of it that has one.
    pub(super) witness: Vec<usize>,
    /// The thread of each call of the history.
    pub(super) threads: Vec<u32>,
}

/// What algorithm 1 comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// The first test case that failed, of the first loop.
    pub(super) first: TestCase,
    /// The answer.
    pub(super) last: TestCase,
}

/// Which test cases are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// All.
    None,
    /// Those first in which some thread makes one call; only if none of them fails, the others.
    ///
    /// # Paper
    /// CGVT, III.C.
    OneCallFirst,
}

impl Prefix {
    fn rest(&self, without: &[&[usize]]) -> Vec<usize> {
        let is_left = |call: &usize| !without.iter().any(|calls| calls.contains(call));
        self.begun.iter().copied().filter(is_left).collect()
    }

    /// Whether some thread makes exactly one of these calls, beside others.
    pub(super) fn has_thread_of_one(&self, calls: &[usize]) -> bool {
        let count =
            |call: &usize| calls.iter().filter(|other| self.threads[**other] == self.threads[*call]).count();
        calls.iter().any(|call| count(call) == 1)
    }

    fn keeps(&self, rule: Rule, case: &TestCase) -> bool {
        rule == Rule::None || self.has_thread_of_one(&case.concurrent)
    }

    /// The test cases of the first loop, in its order: ever shorter states, and all that is left of the prefix side by side.
    fn first_loop(&self) -> impl Iterator<Item = TestCase> {
        (0..=self.witness.len()).rev().map(|length| {
            let prepare = self.witness[..length].to_vec();
            let concurrent = self.rest(&[&prepare]);
            TestCase { prepare, concurrent, reveal: Vec::new() }
        })
    }

    /// Those of the second loop: ever more of the calls side by side, the others in the order of the witness behind them.
    fn second_loop(&self, first: &TestCase) -> impl Iterator<Item = TestCase> {
        (2..first.concurrent.len()).map(|length| {
            let concurrent = first.concurrent[..length].to_vec();
            let is_left = |call: &usize| !first.prepare.contains(call) && !concurrent.contains(call);
            let mut reveal: Vec<usize> = self.witness.iter().copied().filter(is_left).collect();
            let behind = self.rest(&[&first.prepare, &concurrent, &reveal]);
            reveal.extend(behind);
            TestCase { prepare: first.prepare.clone(), concurrent, reveal }
        })
    }
}

/// Finds the test case; `None` if no test case fails in the runs that are made of it. `fails` runs one.
///
/// # Paper
/// CGVT, algorithm 1: `LOCALIZE`.
pub(super) fn localize(
    prefix: &Prefix,
    rule: Rule,
    mut fails: impl FnMut(&TestCase) -> bool,
) -> Option<Found> {
    let mut first = prefix.first_loop().find(|case| prefix.keeps(rule, case) && fails(case));
    if first.is_none() && rule == Rule::OneCallFirst {
        first = prefix.first_loop().find(|case| !prefix.keeps(rule, case) && fails(case));
    }
    let first = first?;
    let last = prefix.second_loop(&first).find(|case| prefix.keeps(rule, case) && fails(case));
    Some(Found { last: last.unwrap_or_else(|| first.clone()), first })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 6;

    /// What triggers a fault: these two calls at once, if they are of different threads; and what reveals it, in any place behind them.
    #[derive(Clone, Copy, Debug)]
    struct Fault {
        one: usize,
        other: usize,
        revealing: usize,
    }

    fn prefix(threads: &[u32]) -> Prefix {
        let begun = (0..COUNT).collect();
        Prefix { begun, witness: (0..COUNT - 1).collect(), threads: threads.to_vec() }
    }

    fn fails(fault: Fault, case: &TestCase) -> bool {
        let is_at_once = |call| case.concurrent.contains(&call);
        let is_revealed = is_at_once(fault.revealing) || case.reveal.contains(&fault.revealing);
        is_at_once(fault.one) && is_at_once(fault.other) && is_revealed
    }

    /// All assignments of six calls to two threads, and all faults: 64 * 20.
    fn each(mut look: impl FnMut(&Prefix, Fault)) -> u32 {
        let mut count = 0;
        for bits in 0..1_u32 << COUNT {
            let threads: Vec<u32> = (0..COUNT).map(|call| bits >> call & 1).collect();
            for one in 0..COUNT {
                for other in one + 1..COUNT {
                    for revealing in other + 1..COUNT {
                        look(&prefix(&threads), Fault { one, other, revealing });
                        count += 1;
                    }
                }
            }
        }
        count
    }

    /// Of all triples by brute force: any calls first, any of the others at once, the rest last. Of those whose parts are pieces of the history, the one with the longest state and then the fewest
    /// calls at once.
    fn by_hand(prefix: &Prefix, fault: Fault) -> TestCase {
        let mut all = Vec::new();
        for places in 0..3_usize.pow(COUNT as u32) {
            let part = |call: usize| places / 3_usize.pow(call as u32) % 3;
            let calls = |wanted: usize| (0..COUNT).filter(|&call| part(call) == wanted).collect();
            let case = TestCase { prepare: calls(0), concurrent: calls(1), reveal: calls(2) };
            let is_in_pieces = (1..COUNT).all(|call| part(call - 1) <= part(call));
            if is_in_pieces && case.concurrent.len() >= 2 && fails(fault, &case) {
                all.push(case);
            }
        }
        assert!(prefix.begun.len() == COUNT && !all.is_empty());
        all.sort_by_key(|case| (COUNT - case.prepare.len(), case.concurrent.len()));
        all.remove(0)
    }

    #[test]
    fn the_state_is_as_long_and_the_calls_at_once_as_few_as_any_triple_of_pieces_has() {
        let count = each(|prefix, fault| {
            let found = localize(prefix, Rule::None, |case| fails(fault, case)).expect("some case fails");
            assert_eq!(found.last, by_hand(prefix, fault), "{prefix:?} {fault:?}");
            assert!(found.first.reveal.is_empty());
        });
        assert_eq!(count, 64 * 20);
    }

    #[test]
    fn the_rule_of_one_call_finds_what_fails_and_runs_no_more_than_twice_the_cases() {
        let mut saved = 0_i64;
        each(|prefix, fault| {
            let count = |rule| {
                let mut count = 0_i64;
                let found = localize(prefix, rule, |case| {
                    count += 1;
                    fails(fault, case)
                });
                let found = found.expect("some case fails");
                assert!(fails(fault, &found.last));
                (count, found)
            };
            let ((all, _), (some, found)) = (count(Rule::None), count(Rule::OneCallFirst));
            saved += all - some;
            // Where the first loop keeps the rule, so does the answer.
            assert!(
                !prefix.has_thread_of_one(&found.first.concurrent)
                    || prefix.has_thread_of_one(&found.last.concurrent)
            );
        });
        assert!(saved > 0, "{saved}");
    }

    #[test]
    fn where_nothing_fails_nothing_is_found_and_each_state_was_tried() {
        let mut tried = Vec::new();
        let found = localize(&prefix(&[0, 1, 0, 1, 0, 1]), Rule::None, |case| {
            tried.push(case.prepare.len());
            false
        });
        assert_eq!((found, tried), (None, vec![5, 4, 3, 2, 1, 0]));
    }

    #[test]
    fn what_ends_the_history_reveals_last_even_if_the_witness_has_it() {
        let mut prefix = prefix(&[0, 1, 0, 1, 0, 1]);
        prefix.witness = vec![1, 0, 5, 2, 3];
        let fault = Fault { one: 0, other: 1, revealing: 5 };
        let found = localize(&prefix, Rule::None, |case| fails(fault, case)).expect("some case fails");
        let last = TestCase { prepare: vec![], concurrent: vec![0, 1], reveal: vec![5, 2, 3, 4] };
        assert_eq!(found.last, last);
    }
}
