//! Why locks have more blocked executions than GenMC has.

/// For the page.
pub(super) const REASONS: &str = "\
Why there are more blocked ones, of locks:

- A thread that finds the lock taken goes round twice before its rounds are left out, and stops. The others run on, in every way, and each of the
  two rounds may have read any store that said so: so a stuck execution is counted once for each of these ways, though nothing is in it that is not in
  a complete one. None of them is given up when a thread stops, since what the others do then may show a fault of memory that has to do
  with the rounds that were left out. How GenMC comes to 34 of a spinlock and 66 of a ticket lock with 4 threads is not known here.
- Of n threads that take a spinlock once, k do and the others are stuck: n!/(n - k)! orders, k! ways of those to go round before, and k(k + 1)/2 pairs
  of reads for each stuck thread. The sum over k from 1 to n - 1 is the number in the column: 1,084 for 4, 42,845 for 5.
- Of n threads that draw tickets all have one: n! orders; k are served, in k! ways. The next one has read two of k stores, and each behind it two of
  k + 1, with (k + 1)(k + 2)/2 pairs. The sum over k from 1 to n - 1 is the number in the column: 1,944 for 4, 101,160 for 5.
- With `spin_assume` first rounds are left out, too: a stuck thread has read one store, and these sums are 124 and 1,185, 312 and 5,040.
";

#[cfg(test)]
mod tests {
    use super::super::published::LOCKS;
    use super::super::row::{Row, State};
    use super::REASONS;

    fn factorial(n: u64) -> u64 {
        (1..=n).product()
    }

    /// How many ways there are to read `rounds` of `stores` stores, one after the other, none older than the one before.
    fn ways(stores: u64, rounds: u64) -> u64 {
        match rounds {
            1 => stores,
            _ => stores * (stores + 1) / 2,
        }
    }

    /// How many ways `served` threads had of going round before it was their turn.
    fn waits(served: u64, rounds: u64) -> u64 {
        if rounds == 1 { 1 } else { factorial(served) }
    }

    fn spinlock(n: u64, rounds: u64) -> u64 {
        let of =
            |k: u64| factorial(n) / factorial(n - k) * waits(k, rounds) * ways(k, rounds).pow((n - k) as u32);
        (1..n).map(of).sum()
    }

    fn ticket_lock(n: u64, rounds: u64) -> u64 {
        let behind = |k: u64| ways(k + 1, rounds).pow((n - 1 - k) as u32);
        (1..n).map(|k| factorial(n) * waits(k, rounds) * ways(k, rounds) * behind(k)).sum()
    }

    #[test]
    fn the_sums_are_those_that_the_page_says() {
        assert_eq!(
            [spinlock(4, 1), spinlock(5, 1), ticket_lock(4, 1), ticket_lock(5, 1)],
            [124, 1_185, 312, 5_040]
        );
        assert_eq!(
            [spinlock(4, 2), spinlock(5, 2), ticket_lock(4, 2), ticket_lock(5, 2)],
            [1_084, 42_845, 1_944, 101_160]
        );
        for number in
            ["124 and 1,185, 312 and 5,040", "1,084 for 4, 42,845 for 5", "1,944 for 4, 101,160 for 5"]
        {
            assert!(REASONS.contains(number), "{number}");
        }
    }

    #[test]
    fn locks_have_as_many_blocked_executions_as_the_sums_say() {
        for (name, sum) in [("spinlock_4", spinlock as fn(u64, u64) -> u64), ("ticket_lock_4", ticket_lock)] {
            let program = LOCKS.iter().find(|program| program.name == name).expect(name);
            let row = Row::of(program, super::super::EXECUTIONS_MAX);
            assert_eq!((row.ours.state, row.ours.blocked), (State::Whole, sum(4, 2)), "{name}");
            assert_eq!((row.assumed.state, row.assumed.blocked), (State::Whole, sum(4, 1)), "{name}");
        }
    }
}
