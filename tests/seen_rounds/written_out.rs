//! Litmus tests: what is found with loops is what is found where the rounds are written out. That is compared with the naive twin
//! elsewhere; some of these programs are too large for it.

use cdsspec_litmus::call::Observed;
use cdsspec_litmus::judge::Question;
use cdsspec_litmus::{Litmus, Loops, parse, run_observing};
use std::collections::BTreeSet;

/// A program, and how many outcomes, each with an order of its calls, there are for 1, 2, 3 and 4 rounds.
type Row = (&'static str, [usize; 4]);

/// The outcomes of a program, each with the order of its calls.
fn observe(test: &Litmus, rounds: usize, loops: Loops) -> BTreeSet<Observed> {
    let question = Question { rounds, loops, seed: None };
    let (_, observed) = run_observing(test, &question.engine(), &question.setup(test));
    observed
}

fn compare(rows: &[Row]) {
    for (threads, counts) in rows {
        let text = format!("name: t\ninit: x=0 y=0 z=0 d=0 e=0\n{threads}");
        let test = parse(&text).expect("it is a litmus test").remove(0);
        for (rounds, &count) in (1..).zip(counts) {
            let expected = observe(&test, rounds, Loops::Unrolled(rounds));
            assert_eq!(expected.len(), count, "{rounds} rounds:\n{test}");
            for loops in [Loops::Hinted, Loops::Bare] {
                assert_eq!(observe(&test, rounds, loops), expected, "{loops:?}, {rounds} rounds:\n{test}");
            }
        }
    }
}

#[test]
fn a_round_in_the_middle_of_which_others_can_look_is_explored() {
    compare(&[
        // Each round stores what was there at first, over what the other thread has stored meanwhile.
        (
            "T0: W x 1 rlx ; R b x rlx ; W x 1 rlx ; R c x rlx ; W x 1 rlx ; R g x rlx ; W y 1 rlx\n\
             T1: LOOP a 1 { W x 0 rlx ; R a y rlx }\nshow: b c g\n",
            [4, 7, 8, 8],
        ),
        // It takes back what it adds.
        (
            "T0: R b x rlx ; R c x rlx ; R g x rlx ; R h x rlx ; R i x rlx ; W y 1 rlx\n\
             T1: LOOP a 1 { ADD t x 1 rlx ; ADD t x -1 rlx ; R a y rlx }\nshow: b c g h i\n",
            [16, 31, 32, 32],
        ),
    ]);
}

#[test]
fn a_round_that_orders_calls_is_explored() {
    compare(&[
        // Two rounds read one value, of two threads: the waiter is ordered after the calls of both.
        (
            "T0: CALL { W d 1 rlx ; POINT } ; W x 1 rel\n\
             T1: CALL { W e 1 rlx ; POINT } ; W x 1 rel ; W x 2 rlx\n\
             T2: LOOP a 2 { R a x acq } ; CALL { R b d rlx ; POINT }\nshow: a\n",
            [1, 3, 4, 4],
        ),
        // The same, with a fence after the loop.
        (
            "T0: CALL { W d 1 rlx ; POINT } ; W x 1 rel\n\
             T1: CALL { W e 1 rlx ; POINT } ; W x 1 rel ; W x 2 rlx\n\
             T2: LOOP a 2 { R a x rlx } ; F acq ; CALL { R b d rlx ; POINT }\nshow: a\n",
            [1, 3, 4, 4],
        ),
        // What the first round acquires the fence of the second one releases.
        (
            "T0: CALL { W d 1 rlx ; POINT } ; W y 1 rel ; W x 1 rlx\n\
             T1: LOOP a 1 { R a x rlx ; IF a 0 { F rel ; R b y acq } } ; W z 1 rlx\n\
             T2: R c z acq ; CALL { R f d rlx ; POINT }\nshow: b c\n",
            [2, 6, 7, 7],
        ),
        // What the first round reads the fence of the second one acquires.
        (
            "T0: CALL { W d 1 rlx ; POINT } ; W y 1 rel ; W x 1 rlx\n\
             T1: LOOP a 1 { R a x rlx ; IF a 0 { F acq ; R b y rlx } } ; CALL { R f d rlx ; POINT }\nshow: a b\n",
            [1, 3, 4, 4],
        ),
        // One value of two stores: the first is before the store to y, the second after it, and the load of x that follows before the store to x.
        (
            "T0: CALL { W y 0 sc ; POINT }\nT1: CALL { W x 1 sc ; POINT }\n\
             T2: CALL { W z 1 sc ; POINT } ; LOOP a 1 { R a x sc ; R b y sc }\nshow: a b\n",
            [2, 5, 6, 7],
        ),
        // Rounds that differ in nothing but which store of one value they read, which teaches nothing: the first is before the call of T0, the
        // second after it, and the next one before the call of T3.
        (
            "T0: W x 0 rlx ; CALL { F sc ; POINT } ; W x 0 rlx\nT1: W x 0 rlx\n\
             T2: CALL { F sc ; POINT } ; LOOP a 1 { R a y rlx ; R b x rlx ; F sc }\n\
             T3: W y 1 rlx ; CALL { F sc ; POINT }\nshow: a\n",
            [2, 4, 5, 6],
        ),
        // Rounds of one exchange, which both write what was there: the first one is before the call of T0, the second after it. What T1 has
        // stored in between teaches nothing, and the exchange that fails and ends the loop is ordered with nothing.
        (
            "T0: CALL { W x 0 sc ; POINT }\nT1: W x 0 rlx ; W x 1 rlx\n\
             T2: CALL { W d 1 sc ; POINT } ; LOOP a 1 { CAS a x 0 0 sc rlx } ; CALL { R b d sc ; POINT }\nshow: a\n",
            [1, 3, 4, 4],
        ),
        // The store to y is before the second load of one round, and the first load of the next round before the store to x.
        (
            "T0: CALL { W y 1 sc ; POINT }\nT1: CALL { W x 1 sc ; POINT }\n\
             T2: LOOP a 1 { R a x sc ; R b y sc }\nshow: a b\n",
            [2, 2, 3, 3],
        ),
    ]);
}
