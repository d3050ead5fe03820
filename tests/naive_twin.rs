//! The naive twin of the memory model agrees with an outside oracle.

#[path = "litmus_data/mod.rs"]
mod data;

use cdsspec_litmus::naive::enumerate;
use cdsspec_litmus::{Litmus, parse, random};

fn compare(rows: &[data::Row]) -> usize {
    for data::Row { test, counts } in rows {
        assert_eq!(&enumerate(test), counts, "\n{test}");
    }
    rows.len()
}

#[test]
fn the_twin_agrees_with_the_oracle_on_every_litmus_test() {
    assert_eq!(compare(&data::rc11()), 59);
    assert_eq!(compare(&data::classic()), 56);
}

#[test]
fn a_test_that_is_written_and_read_again_is_the_same() {
    let mut drawn = random::Random::new(7);
    let small = (0..200).map(|index| random::small_program(&mut drawn, format!("small {index}")));
    let tests: Vec<Litmus> = small.collect();
    let large = (0..200).map(|index| random::large_program(&mut drawn, format!("large {index}")));
    for test in tests.into_iter().chain(large).chain(data::rc11().into_iter().map(|row| row.test)) {
        let again = parse(&test.to_string()).unwrap().remove(0);
        assert_eq!(again.to_string(), test.to_string());
    }
}
