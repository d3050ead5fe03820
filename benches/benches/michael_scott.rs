//! The whole exploration of a Michael-Scott program: on plain loom, and here, checked. `cargo bench --bench ratio` compares them.

mod common;

use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Items are executions.
fn explore(bencher: Bencher<'_, '_>, exploration: impl Fn() -> u64 + Sync) {
    let count = exploration();
    bencher.counter(ItemsCount::new(count)).bench(exploration);
}

#[divan::bench(sample_count = 10)]
fn on_plain_loom(bencher: Bencher<'_, '_>) {
    explore(bencher, common::explore_on_loom);
}

#[divan::bench(sample_count = 10)]
fn here_with_the_call_clock_off(bencher: Bencher<'_, '_>) {
    explore(bencher, || common::explore_here(false));
}

#[divan::bench(sample_count = 3)]
fn here_with_the_call_clock_on(bencher: Bencher<'_, '_>) {
    explore(bencher, || common::explore_here(true));
}
