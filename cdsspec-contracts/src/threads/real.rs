//! Who knows, for contracts, what time it is on real threads; and what is done about a violation.

use super::current;
use super::facts::{Origin, ThreadFacts};
use super::mode::{Action, is_foreign_noted, is_on};
use super::thread_clock::ThreadClock;
use crate::{Clock, Condition, Contract, Epoch, Event, Mark, Now, Provider, Violation};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};

/// The [`Provider`] of real threads, which is there without being told: it knows what the types of this crate order.
pub struct RealThreads;

/// What is done about violations.
type Handler = Arc<dyn Fn(&Violation<'_>) + Send + Sync>;

static HANDLER: RwLock<Option<Handler>> = RwLock::new(None);

/// From here on `handler` is told of violations, in place of what `CDSSPEC_CONTRACTS` says. It runs in the thread whose call breaks the contract, before the call
/// goes on. If it panics, the call ends. Nothing is told where that is `off`.
///
/// ```
/// cdsspec_contracts::threads::set_violation_handler(|violation| eprintln!("{violation}"));
/// ```
pub fn set_violation_handler(handler: impl Fn(&Violation<'_>) + Send + Sync + 'static) {
    *HANDLER.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(handler));
}

/// What is remembered of a moment, where `RUST_BACKTRACE` asks for it.
struct Traced {
    facts: Arc<ThreadFacts>,
    backtrace: Backtrace,
}

impl Provider for RealThreads {
    fn now(&self) -> Now {
        let now = |thread: &mut ThreadClock| {
            let epoch = thread.step();
            let facts = Arc::clone(thread.facts());
            (
                Now { thread: epoch.thread, clock: Arc::new(thread.clock().clone()), mark: Mark::default() },
                facts,
            )
        };
        // In the destructor of a thread-local the clock of the thread may be gone: such a call is one of a thread of its own.
        let (now, facts) = current::with(now).unwrap_or_else(|| now(&mut ThreadClock::begin(None)));
        note_foreign(&facts);
        let backtrace = Backtrace::capture();
        let mark: Mark = match backtrace.status() {
            BacktraceStatus::Captured => Mark(Some(Arc::new(Traced { facts, backtrace }))),
            _ => Mark(Some(facts)),
        };
        Now { mark, ..now }
    }

    fn step(&self) -> Epoch {
        current::with(|thread| thread.step()).unwrap_or_else(|| self.now().epoch())
    }

    fn is_on(&self) -> bool {
        is_on()
    }

    fn come_after(&self, moment: Epoch, before: &Clock) {
        current::with(|thread| {
            thread.step();
            let mut known = before.clone();
            known.include(moment);
            thread.join(&known);
        });
    }

    fn violated(&self, violation: &Violation<'_>) {
        // It may set another one.
        let handler = HANDLER.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(handler) = handler {
            return handler(violation);
        }
        let report = Report(violation);
        match Action::of_process() {
            Action::Off => {}
            // A second panic would end the process without the first one's being told.
            Action::Panic if !std::thread::panicking() => panic!("{report}"),
            Action::Panic | Action::Log => eprintln!("{report}"),
            Action::Abort => {
                eprintln!("{report}");
                std::process::abort();
            }
        }
    }

    fn stray(&self, contract: &'static Contract, condition: &'static Condition) {
        let message = crate::stray(contract, condition);
        match Action::of_process() {
            Action::Off => {}
            Action::Panic if !std::thread::panicking() => panic!("cdsspec: {message}"),
            Action::Panic | Action::Log => eprintln!("cdsspec: {message}"),
            Action::Abort => {
                eprintln!("cdsspec: {message}");
                std::process::abort();
            }
        }
    }
}

/// Tells once that there are threads whose creation is not seen.
fn note_foreign(facts: &ThreadFacts) {
    static IS_NOTED: AtomicBool = AtomicBool::new(false);
    if facts.origin() == Origin::Foreign && is_foreign_noted() && !IS_NOTED.swap(true, Relaxed) {
        eprintln!(
            "cdsspec: thread `{}` was not made by `cdsspec::thread`: nothing that other threads have done is taken to happen before it. \
             A `HandOver` says what does. Such threads are not noted again; with CDSSPEC_CONTRACTS_FOREIGN=silent none is",
            facts.name().unwrap_or("<unnamed>")
        );
    }
}

/// A violation, with what is remembered of both calls.
struct Report<'a>(&'a Violation<'a>);

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(violation) = self;
        write!(f, "{violation}")?;
        let calls = [("call", Some(violation.event)), ("and", violation.other())];
        for (name, event) in calls.into_iter().filter_map(|(name, event)| Some((name, event?))) {
            if facts(event).is_some_and(|facts| facts.origin() == Origin::Foreign) {
                write!(
                    f,
                    "\n  note  thread {} was not made by `cdsspec::thread`: what made it is not known to come before ({name})",
                    event.thread.0
                )?;
            }
        }
        for (name, event) in calls.into_iter().filter_map(|(name, event)| Some((name, event?))) {
            if let Some(traced) = event.mark.0.as_ref().and_then(|mark| mark.downcast_ref::<Traced>()) {
                write!(f, "\n  backtrace of `{name}`:\n{}", traced.backtrace)?;
            }
        }
        f.write_char('\n')
    }
}

fn facts(event: &Event) -> Option<&ThreadFacts> {
    let mark = event.mark.0.as_ref()?;
    let traced = mark.downcast_ref::<Traced>().map(|traced| &*traced.facts);
    traced.or_else(|| mark.downcast_ref())
}
