//! What a check costs, against the same Michael-Scott program on plain loom: ratios, since times differ from machine to machine.
//!
//! The explorations take turns, so that whatever else the machine does meets all of them, and the fastest of each are compared: what
//! else it does only adds. With the call clock off, an execution may take at most twice the time that it takes on plain loom: more is an error.

mod common;

use std::process::ExitCode;
use std::time::Instant;

const ROUNDS: usize = 5;
const RATIO_MAX: f64 = 2.0;

/// The time of one exploration, and how many executions it takes.
fn measure(exploration: impl Fn() -> u64) -> (f64, u64) {
    let begin = Instant::now();
    let count = exploration();
    (begin.elapsed().as_secs_f64(), count)
}

fn main() -> ExitCode {
    let mut fastest = [f64::INFINITY; 4];
    let mut counts = [0; 4];
    for _ in 0..ROUNDS {
        let round = [
            measure(common::explore_on_loom),
            measure(|| common::explore_here(false)),
            measure(|| common::explore_here(true)),
            measure(common::explore_on_rc11),
        ];
        for (index, (time, count)) in round.into_iter().enumerate() {
            fastest[index] = fastest[index].min(time);
            counts[index] = count;
        }
    }
    let [on_loom, clock_off, clock_on, on_rc11] = fastest;
    let per_execution = (clock_off / counts[1] as f64) / (on_loom / counts[0] as f64);
    println!("| a Michael-Scott queue, against the same program on plain loom | ratio |");
    println!("|---|---|");
    println!("| time per execution, call clock off, checking included | {per_execution:.1} |");
    println!("| the whole exploration, call clock off | {:.1} |", clock_off / on_loom);
    println!("| the whole exploration, call clock on | {:.1} |", clock_on / on_loom);
    println!("| the whole exploration on rc11, the default engine | {:.4} |", on_rc11 / on_loom);
    println!("| the loom engine's time, call clock on, against rc11's | {:.0} |", clock_on / on_rc11);
    println!(
        "executions: {} on plain loom, {} here, {} with the call clock, {} on rc11",
        counts[0], counts[1], counts[2], counts[3]
    );
    if per_execution > RATIO_MAX {
        println!("above {RATIO_MAX}: too much");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
