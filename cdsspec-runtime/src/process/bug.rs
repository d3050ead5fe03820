//! Panics of our own: a mistake of the checker's is never taken for one of the program's.
//!
//! A panic is ours if it says so, or by where it happened, which only the panic hook is told. A hook that is set later, and does not
//! call the one that it replaces, leaves the first way alone.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};
use std::sync::Once;

/// A panic of our own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bug {
    /// What it says.
    pub(crate) message: String,
    /// Where it happened, if that is known.
    pub(crate) place: Option<String>,
}

thread_local! {
    /// Whether panics on this OS thread are looked at.
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    /// Whether there is a first one.
    static HAS_BUG: Cell<bool> = const { Cell::new(false) };
    static FIRST: RefCell<Option<Bug>> = const { RefCell::new(None) };
    /// How many panics there were on this OS thread while they were looked at.
    static PANICS: Cell<u64> = const { Cell::new(0) };
}

/// Runs `f`.
///
/// # Errors
/// The first panic of our own on this OS thread meanwhile, whatever became of it: it may have been caught.
///
/// # Panics
/// As `f` does, if the panic is none of ours.
pub(crate) fn watch<R>(f: impl FnOnce() -> R) -> Result<R, Bug> {
    install();
    let was_watched = IS_WATCHED.replace(true);
    HAS_BUG.set(false);
    FIRST.take();
    let result = catch_unwind(AssertUnwindSafe(f));
    IS_WATCHED.set(was_watched);
    HAS_BUG.set(false);
    match (FIRST.take(), result) {
        (Some(bug), _) => Err(bug),
        (None, Ok(result)) => Ok(result),
        (None, Err(payload)) => resume_unwind(payload),
    }
}

/// Whether there was a panic of our own, so that nothing more is to be explored.
#[inline]
pub(crate) fn has_bug() -> bool {
    HAS_BUG.get()
}

/// How many panics have begun on this OS thread: of the program, or our own.
#[inline]
pub(crate) fn panic_count() -> u64 {
    PANICS.get()
}

/// A panic with this text was caught: if it says that it is ours, and the hook was not told, it is noted here.
pub(crate) fn note_caught(message: &str) {
    if message.starts_with(PREFIX) {
        note(message, None);
    }
}

/// Whether a panic is our own.
pub(crate) fn is_ours(info: &PanicHookInfo<'_>) -> bool {
    let file = info.location().map_or("", |location| location.file());
    is_bug(file, &message_of(info))
}

fn install() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if IS_WATCHED.try_with(Cell::get).unwrap_or(false) {
                PANICS.set(PANICS.get() + 1);
                if is_ours(info) {
                    note(&message_of(info), info.location().map(ToString::to_string));
                }
            }
            before(info);
        }));
    });
}

fn note(message: &str, place: Option<String>) {
    let message = message.strip_prefix(PREFIX).unwrap_or(message).trim_start().to_owned();
    FIRST.with_borrow_mut(|first| {
        first.get_or_insert(Bug { message, place });
    });
    HAS_BUG.set(true);
}

fn message_of(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or_default().to_owned()
}

/// How a panic says that it is ours.
const PREFIX: &str = "cdsspec bug:";

/// What also panics over mistakes of programs: there a panic is ours only if nobody wrote its message.
const SPEAKS_TO_PROGRAMS: [&str; 10] = [
    "cell/",
    "example/",
    "hint/",
    "model/",
    "port/current.rs",
    "port/overrides.rs",
    "specification/instance.rs",
    "sync/",
    "thread/",
    "weaken/",
];

/// How the messages begin that the language and its library have for a mistake.
const UNWRITTEN: [&str; 12] = [
    "already borrowed",
    "already mutably borrowed",
    "RefCell already ",
    "assertion failed: ",
    "assertion `left ",
    "attempt to ",
    "called `Option::unwrap()` on a `None` value",
    "called `Result::unwrap()` on an `Err` value",
    "index out of bounds: ",
    "internal error: entered unreachable code",
    "range ",
    "slice index starts at ",
];

fn is_bug(file: &str, message: &str) -> bool {
    if message.starts_with(PREFIX) {
        return true;
    }
    // The programs of this crate's own unit tests stand in its sources.
    let Some(file) = own_file(file).filter(|_| !cfg!(test)) else { return false };
    is_bug_in(file, message)
}

fn is_bug_in(own_file: &str, message: &str) -> bool {
    let speaks_to_programs = SPEAKS_TO_PROGRAMS.iter().any(|path| own_file.starts_with(path));
    !speaks_to_programs || UNWRITTEN.iter().any(|begin| message.starts_with(begin))
}

/// The path of a file of ours, in the folder of the crate's sources.
fn own_file(file: &str) -> Option<&str> {
    const THIS: &str = file!();
    // As the compiler names it.
    let own = THIS.strip_suffix("process/bug.rs").filter(|own| !own.is_empty())?;
    file.strip_prefix(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_ours_is_known_by_the_folder_of_this_one() {
        assert_eq!(own_file(file!()), Some("process/bug.rs"));
        assert_eq!(own_file("src/main.rs"), None);
        assert_eq!(own_file("cdsspec-runtime/tests/weaken.rs"), None);
    }

    #[test]
    fn where_programs_are_spoken_to_only_what_nobody_wrote_is_ours() {
        for (file, message, expected) in [
            ("record/call_recorder.rs", "index out of bounds: the len is 0 but the index is 0", true),
            ("run/explore.rs", "some fact", true),
            ("sync/once/mod.rs", "Once instance has previously been poisoned", false),
            ("sync/once/mod.rs", "RefCell already borrowed", true),
            ("thread/join.rs", "attempt to subtract with overflow", true),
            ("model/test.rs", "the test returned an error: ParseIntError", false),
            ("specification/instance.rs", "&str holds a reference, and cannot stand in `instance(…)`", false),
        ] {
            assert_eq!(is_bug_in(file, message), expected, "{file}: {message}");
        }
        assert!(is_bug("src/main.rs", "cdsspec bug: it says so"));
        assert!(!is_bug("src/main.rs", "index out of bounds: the len is 0 but the index is 0"));
    }

    #[test]
    fn the_first_panic_of_ours_is_kept_also_if_it_was_caught() {
        let caught = |message: &'static str| drop(catch_unwind(|| panic!("{message}")));
        let result = watch(|| {
            caught("of the program");
            assert!(!has_bug());
            caught("cdsspec bug: the first");
            assert!(has_bug());
            caught("cdsspec bug: the second");
        });
        let bug = result.expect_err("it is ours");
        assert_eq!(bug.message, "the first");
        assert!(bug.place.is_some_and(|place| place.starts_with(file!())));
        assert_eq!((has_bug(), watch(|| 3)), (false, Ok(3)));
    }

    #[test]
    fn a_panic_that_is_not_ours_goes_on() {
        let outer = catch_unwind(|| watch(|| panic!("of the program")));
        let payload = outer.expect_err("it goes on");
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"of the program"));
    }

    #[test]
    fn what_was_caught_without_the_hook_is_ours_if_it_says_so() {
        let bug = |message: &'static str| watch(|| note_caught(message)).err().map(|bug| bug.message);
        assert_eq!(bug("cdsspec bug: it says so"), Some("it says so".to_owned()));
        assert_eq!(bug("of the program"), None);
    }
}
