//! What clocks beside std's types cost on real threads: ratios, since times differ from machine to machine.
//!
//! Both forms of a program take turns, and the fastest of each are compared: what else the machine does only adds. A ping-pong between two
//! threads may take at most 5 times as long as with std's types, an uncontended push at most 15 times: more is an error. So is memory that grows with what
//! threads do.

mod memory;

use std::process::ExitCode;

mod plain {
    use std::sync;
    include!("structures.rs");
}

mod with_clocks {
    use cdsspec_contracts::sync;
    include!("structures.rs");
}

struct Row {
    name: &'static str,
    ratio_max: f64,
    /// How often it is measured. A ping-pong is short, so that some of them are on two processors from beginning to end.
    repeats: usize,
    rounds: usize,
    plain: fn(usize) -> f64,
    with_clocks: fn(usize) -> f64,
}

const ROWS: [Row; 4] = [
    Row {
        name: "ping-pong over two rings of one producer and one consumer",
        ratio_max: 5.0,
        repeats: 500,
        rounds: 500,
        plain: plain::ping_pong,
        with_clocks: with_clocks::ping_pong,
    },
    Row {
        name: "push to a ring of one producer",
        ratio_max: 15.0,
        repeats: 15,
        rounds: 2_000,
        plain: plain::push_ring,
        with_clocks: with_clocks::push_ring,
    },
    Row {
        name: "push to a ring of many producers",
        ratio_max: 15.0,
        repeats: 15,
        rounds: 2_000,
        plain: plain::push_many,
        with_clocks: with_clocks::push_many,
    },
    Row {
        name: "push to a Treiber stack",
        ratio_max: 15.0,
        repeats: 15,
        rounds: 2_000,
        plain: plain::push_stack,
        with_clocks: with_clocks::push_stack,
    },
];

fn main() -> ExitCode {
    let mut is_too_much = false;
    println!("| std's types with clocks, against std's | ratio | at most |");
    println!("|---|---|---|");
    for row in ROWS {
        let mut fastest = [f64::INFINITY; 2];
        for _ in 0..row.repeats {
            fastest[0] = fastest[0].min((row.plain)(row.rounds));
            fastest[1] = fastest[1].min((row.with_clocks)(row.rounds));
        }
        let ratio = fastest[1] / fastest[0];
        println!("| {} | {ratio:.1} | {:.0} |", row.name, row.ratio_max);
        is_too_much |= ratio > row.ratio_max;
    }
    println!();
    if is_too_much | !memory::is_bounded() {
        println!("too much");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
