//! Panics of programs that are meant to fail say nothing on the standard error output: their reports say it.

use super::bug;
use std::cell::Cell;
use std::panic;
use std::sync::Once;

thread_local! {
    /// Whether panics on this OS thread say nothing.
    static IS_SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs something without the output of its panics, which takes most of the time where thousands of executions panic. Mistakes of our own
/// are still told. The hook that was there is called for all other panics; one that is set later sees all.
pub(crate) fn silently<R>(run: impl FnOnce() -> R) -> R {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_silent() || bug::is_ours(info) {
                before(info);
            }
        }));
    });
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_SILENT.set(self.0);
        }
    }
    let _restore = Restore(IS_SILENT.replace(true));
    run()
}

/// An OS thread that is going away has no such variable any more.
fn is_silent() -> bool {
    IS_SILENT.try_with(Cell::get).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_runs_silently_is_silent() {
        assert!(!is_silent());
        silently(|| {
            assert!(is_silent());
            silently(|| assert!(is_silent()));
            assert!(is_silent());
            assert!(!std::thread::spawn(is_silent).join().unwrap(), "another OS thread is not");
        });
        assert!(!is_silent());
        panic::catch_unwind(|| silently(|| panic!("in the run"))).expect_err("it panics");
        assert!(!is_silent());
    }
}
