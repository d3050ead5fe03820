//! The running thread, and names for threads.

use crate::threads::HandOver;
use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub use std::thread::{ThreadId, panicking, sleep, yield_now};

/// std's `Thread`: names a thread.
#[derive(Clone)]
pub struct Thread {
    inner: thread::Thread,
    /// What those knew who gave it the token.
    token: Token,
}

/// What `unpark` releases to `park`.
pub(super) type Token = Arc<HandOver>;

thread_local! {
    static TOKEN: OnceCell<Token> = const { OnceCell::new() };
}

impl Thread {
    pub(super) fn new(inner: thread::Thread, token: Token) -> Self {
        Self { inner, token }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> ThreadId {
        self.inner.id()
    }

    /// Its name, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.inner.name()
    }

    /// Gives it the token: its next `park`, or the one that it is in, ends. This happens before all that ends later.
    pub fn unpark(&self) {
        self.token.release_and(|| self.inner.unpark());
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

/// The token of the running thread is this one.
pub(super) fn use_token(token: Token) {
    // The thread has just begun: nothing else has set it.
    let _ = TOKEN.try_with(|own| own.set(token));
}

/// The token of the running thread; in a destructor of a thread-local, when it is gone, a new one.
fn own_token() -> Token {
    TOKEN.try_with(|own| Arc::clone(own.get_or_init(Token::default))).unwrap_or_default()
}

/// The running thread.
#[must_use]
pub fn current() -> Thread {
    Thread::new(thread::current(), own_token())
}

/// Waits for the token, and takes it. It may end without a reason. All that gave it before happens before.
pub fn park() {
    thread::park();
    own_token().acquire();
}

/// [`park`], for a time at most.
pub fn park_timeout(duration: Duration) {
    thread::park_timeout(duration);
    own_token().acquire();
}
