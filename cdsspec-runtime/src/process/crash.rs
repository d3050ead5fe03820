//! A line on the standard error output when a signal is about to end the process: who was running.
//!
//! Threads of a program have stacks of their own, which std does not know: of an overflow there it says nothing. The line is put into
//! words before the program runs, since next to nothing may be done while a signal is handled; the handler that was there before runs
//! after ours, or the default action ends the process. Where an OS thread has no stack for signals (std gives one to each of its
//! own), an overflow ends it without the line.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

/// How a process ends before its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Crash {
    /// Memory that may not be accessed, as below the end of a stack.
    Segmentation,
    /// Memory that cannot be accessed.
    Bus,
    /// An instruction that does not exist.
    Illegal,
    /// It was told to.
    Abort,
}

const CRASHES: [Crash; 4] = [Crash::Segmentation, Crash::Bus, Crash::Illegal, Crash::Abort];

/// One line for each way to crash.
type Lines = [String; CRASHES.len()];

thread_local! {
    /// What to say if this OS thread crashes now. Made without an allocation, and never destroyed.
    static LINES: AtomicPtr<Lines> = const { AtomicPtr::new(std::ptr::null_mut()) };
}

impl Crash {
    fn index(self) -> usize {
        self as usize
    }

    fn signal(self) -> libc::c_int {
        match self {
            Self::Segmentation => libc::SIGSEGV,
            Self::Bus => libc::SIGBUS,
            Self::Illegal => libc::SIGILL,
            Self::Abort => libc::SIGABRT,
        }
    }
}

/// Runs `f`; if it crashes on this OS thread, `line` of the crash is written first.
pub(crate) fn during<R>(line: impl Fn(Crash) -> String, f: impl FnOnce() -> R) -> R {
    struct Restore(*mut Lines);
    impl Drop for Restore {
        fn drop(&mut self) {
            LINES.with(|lines| lines.store(self.0, Relaxed));
        }
    }
    install();
    let mut lines: Lines = CRASHES.map(|crash| format!("\n{}\n", line(crash)));
    // Dropped before the lines are.
    let _restore = Restore(LINES.with(|known| known.swap(&raw mut lines, Relaxed)));
    f()
}

/// The actions that were there before ours.
static BEFORE: [OnceLock<libc::sigaction>; CRASHES.len()] = [const { OnceLock::new() }; CRASHES.len()];

/// Handles the signals from here on, once a process.
fn install() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| CRASHES.iter().for_each(|crash| handle(*crash)));
}

fn handle(crash: Crash) {
    let mut before = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: a null action leaves the one that is there, which is written to `before`.
    let is_known = unsafe { libc::sigaction(crash.signal(), std::ptr::null(), before.as_mut_ptr()) } == 0;
    if !is_known {
        return;
    }
    // SAFETY: it was written, as the call succeeded.
    let before = unsafe { before.assume_init() };
    // It must be there before the handler looks for it.
    let _ = BEFORE[crash.index()].set(before);
    let mut action = before;
    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_signal;
    action.sa_sigaction = handler as libc::sighandler_t;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the handler does only what a handler may do: it reads what was made before, writes to a file, and changes actions.
    let _ = unsafe { libc::sigaction(crash.signal(), &raw const action, std::ptr::null_mut()) };
}

extern "C" fn on_signal(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let Some(crash) = CRASHES.into_iter().find(|crash| crash.signal() == signal) else { return };
    tell(crash);
    match BEFORE[crash.index()].get() {
        Some(before) if before.sa_sigaction == libc::SIG_IGN => {}
        Some(before) if before.sa_sigaction != libc::SIG_DFL => pass_on(before, signal, info, context),
        _ => end_by(signal),
    }
}

/// Writes the line of the run on this OS thread, once.
fn tell(crash: Crash) {
    let lines = LINES.with(|lines| lines.swap(std::ptr::null_mut(), Relaxed));
    // SAFETY: what `during` put there lives as long as it is there, on the stack of this very OS thread, which stands still.
    let Some(lines) = (unsafe { lines.as_ref() }) else { return };
    let line = lines[crash.index()].as_bytes();
    // SAFETY: the bytes are those of the line.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}

/// Runs the handler that was there before.
fn pass_on(
    before: &libc::sigaction,
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    let handler = before.sa_sigaction;
    if before.sa_flags & libc::SA_SIGINFO == 0 {
        // SAFETY: an action without this flag has a handler of this type.
        let handler = unsafe { std::mem::transmute::<usize, extern "C" fn(libc::c_int)>(handler) };
        return handler(signal);
    }
    type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
    // SAFETY: an action with this flag has a handler of this type.
    let handler = unsafe { std::mem::transmute::<usize, Handler>(handler) };
    handler(signal, info, context);
}

/// Ends the process as the signal does by default, as soon as the handler returns.
fn end_by(signal: libc::c_int) {
    // SAFETY: the default action is always allowed.
    let _ = unsafe { libc::signal(signal, libc::SIG_DFL) };
    // SAFETY: this may be done in a handler. The signal comes when it is no longer blocked, which it is until the handler returns.
    let _ = unsafe { libc::raise(signal) };
}
