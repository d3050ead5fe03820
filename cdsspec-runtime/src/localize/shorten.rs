//! Shorter states to begin from, less to reveal, and fewer calls at once: what a test case does not need, by runs of it.

use super::algorithm::TestCase;

/// A part of a test case.
#[derive(Clone, Copy)]
enum Part {
    Prepare,
    Reveal,
    Concurrent,
}

/// Leaves out calls as long as the test case fails, many at a time at first (Zeller and Hildebrandt's `ddmin`, 2002, without its complements). Of what is left no single call can be left
/// out, in as many runs.
pub(super) fn shorten(case: &TestCase, mut fails: impl FnMut(&TestCase) -> bool) -> TestCase {
    let mut case = case.clone();
    loop {
        let before = case.clone();
        for part in [Part::Prepare, Part::Reveal, Part::Concurrent] {
            let mut length = part.of(&mut case).len().next_power_of_two();
            while length > 0 {
                case = without_pieces(case, part, length, &mut fails);
                length /= 2;
            }
        }
        if case == before {
            return case;
        }
    }
}

/// Leaves out pieces of this length, the last ones first.
fn without_pieces(
    mut case: TestCase,
    part: Part,
    length: usize,
    fails: &mut impl FnMut(&TestCase) -> bool,
) -> TestCase {
    let mut end = part.of(&mut case).len();
    while end > 0 {
        let begin = end.saturating_sub(length);
        let mut shorter = case.clone();
        part.of(&mut shorter).drain(begin..end);
        if fails(&shorter) {
            case = shorter;
        }
        end = begin;
    }
    case
}

impl Part {
    fn of(self, case: &mut TestCase) -> &mut Vec<usize> {
        match self {
            Self::Reveal => &mut case.reveal,
            Self::Concurrent => &mut case.concurrent,
            Self::Prepare => &mut case.prepare,
        }
    }
}
