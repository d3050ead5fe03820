//! The switch of seeded bugs.

use std::cell::Cell;

thread_local! {
    /// The bug that is seeded in what this OS thread runs.
    static SEED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Whether this bug is seeded in the run at hand: only while an [`Example`](super::Example) runs the row of this name that
/// [`finds`](super::Example::finds) added. So the structure needs no parameter for its bugs, and a copy of it leaves these lines out.
///
/// ```
/// use cdsspec_runtime::example::seeded;
///
/// fn is_empty(items: &[i32]) -> bool {
///     items.is_empty() || seeded("always_empty")
/// }
/// # assert!(!is_empty(&[1]));
/// ```
pub fn seeded(name: &str) -> bool {
    SEED.get() == Some(name)
}

/// Runs something with a bug seeded, or with none. Engines run all threads of a program on the OS thread that calls them.
pub(super) fn with_seed<R>(seed: Option<&'static str>, run: impl FnOnce() -> R) -> R {
    struct Restore(Option<&'static str>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SEED.set(self.0);
        }
    }
    let _restore = Restore(SEED.replace(seed));
    run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_is_seeded_only_while_its_row_runs() {
        assert!(!seeded("a"));
        let inner =
            with_seed(Some("a"), || (seeded("a"), seeded("b"), with_seed(None, || seeded("a")), seeded("a")));
        assert_eq!(inner, (true, false, false, true));
        assert!(!seeded("a"));
        std::panic::catch_unwind(|| with_seed(Some("a"), || panic!("in the run"))).expect_err("it panics");
        assert!(!seeded("a"));
    }
}
