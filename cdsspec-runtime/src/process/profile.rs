//! A note on the profile that this crate is built with: by default that of the tests of whoever uses it, which is slow.

use super::stderr::write_line;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Switches the note off, if it is 0.
pub(crate) const PROFILE_NOTE_VARIABLE: &str = "CDSSPEC_PROFILE_NOTE";

/// A run of so many executions is slow without optimisation: it takes about a second by then.
const EXECUTIONS_SLOW: u64 = 10_000;

/// What there is to tell.
const NOTE: &str = "\
cdsspec: note: this run is slow, since the engine is built without optimisation. With these lines in
  the Cargo.toml of the workspace it is many times faster (CDSSPEC_PROFILE_NOTE=0: no such note):

[profile.dev.package.cdsspec-runtime]
opt-level = 3
";

/// Tells once a process how a run gets faster: when one has so many executions that it matters, if the engine is not optimised. Called for
/// each number of executions in turn.
pub(crate) fn note_slow_run(executions: u64) {
    static IS_TOLD: AtomicBool = AtomicBool::new(false);
    let is_on =
        || !std::env::var_os(PROFILE_NOTE_VARIABLE).is_some_and(|value| value == "0" || value == "false");
    if is_to_be_told(executions, cfg!(unoptimised), &IS_TOLD) && is_on() {
        write_line(NOTE);
    }
}

fn is_to_be_told(executions: u64, is_unoptimised: bool, is_told: &AtomicBool) -> bool {
    is_unoptimised && executions == EXECUTIONS_SLOW && !is_told.swap(true, Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_of_an_engine_that_is_not_optimised_is_told_of_once() {
        let told = |is_unoptimised, counts: &[u64]| -> Vec<bool> {
            let is_told = AtomicBool::new(false);
            counts.iter().map(|&count| is_to_be_told(count, is_unoptimised, &is_told)).collect()
        };
        assert_eq!(told(true, &[1, 9_999, 10_000, 10_001, 10_000]), [false, false, true, false, false]);
        assert_eq!(told(false, &[1, 9_999, 10_000, 10_001]), [false; 4]);
    }

    #[test]
    fn the_note_has_the_lines_and_how_it_is_switched_off() {
        assert!(NOTE.contains("\n[profile.dev.package.cdsspec-runtime]\nopt-level = 3\n"));
        assert!(NOTE.contains(PROFILE_NOTE_VARIABLE));
        assert!(NOTE.lines().all(|line| line.len() <= 100));
    }
}
