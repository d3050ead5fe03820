//! A collection that blocks, and a bag.

use super::Monitor;
use cdsspec_runtime::scenario::Scenario;
use cdsspec_runtime::sync::Mutex;
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use cdsspec_runtime::thread::{self, ThreadId};
use std::collections::VecDeque;

/// What a collection has.
#[derive(Default)]
pub(in super::super) struct Items {
    items: VecDeque<u32>,
    is_complete: bool,
    is_cancelled: bool,
}

/// A queue that one may wait at, until it is complete.
#[derive(Default)]
pub(in super::super) struct Collection {
    inner: Monitor<Items>,
    /// How many items there are, for whoever does not want to wait for the lock.
    count: AtomicUsize,
    /// A cancellation that has not taken effect.
    is_cancelling: Mutex<bool>,
}

impl Collection {
    /// Error D, of our choice: whether the collection is complete is looked at before the item is added, and not with it.
    fn try_add(&self, item: u32, looks_first: bool) -> bool {
        if looks_first && self.inner.look(|inner| inner.is_complete) {
            return false;
        }
        let is_added = self.inner.change(|inner| {
            let is_open = looks_first || !inner.is_complete;
            if is_open {
                inner.items.push_back(item);
            }
            is_open
        });
        if is_added {
            self.count.fetch_add(1, SeqCst);
        }
        is_added
    }

    fn pop(&self, inner: &mut Items) -> Option<u32> {
        let item = inner.items.pop_front()?;
        self.count.fetch_sub(1, SeqCst);
        Some(item)
    }

    fn take(&self) -> Result<u32, &'static str> {
        self.inner.wait(|inner| match self.pop(inner) {
            None if inner.is_complete => Some(Err("complete")),
            item => item.map(Ok),
        })
    }

    /// Root cause I: it fails where it would have to wait for the lock.
    fn try_take(&self) -> Option<u32> {
        let mut inner = self.inner.state.try_lock().ok()?;
        self.pop(&mut inner)
    }

    /// Waits for an item, but only for a time.
    fn try_take_within(&self) -> Option<u32> {
        let taken = self.inner.wait_for(|inner| match self.pop(inner) {
            None if inner.is_complete => Some(None),
            item => item.map(Some),
        });
        taken.flatten()
    }

    /// It looks at the end whether it has been asked to cancel meanwhile.
    fn try_take_unless_cancelled(&self) -> Result<Option<u32>, &'static str> {
        self.inner.change(|inner| {
            if inner.is_cancelled {
                return Err("cancelled");
            }
            let item = self.pop(inner);
            inner.is_cancelled |= *self.is_cancelling.lock().expect("nobody panics with it");
            Ok(item)
        })
    }

    /// Root cause K: where it would have to wait for the lock, it asks whoever takes an item next to cancel, and returns.
    fn cancel(&self) {
        match self.inner.state.try_lock() {
            Ok(mut inner) => inner.is_cancelled = true,
            Err(_) => *self.is_cancelling.lock().expect("nobody panics with it") = true,
        }
    }
}

/// A collection; with error D, and with the methods that are not meant to be linearizable with respect to a deterministic specification, or without.
pub(in super::super) fn blocking_collection(
    looks_first: bool,
    has_loose_methods: bool,
    has_cancel: bool,
) -> Scenario<Collection> {
    let mut scenario = Scenario::new(Collection::default)
        .name("BlockingCollection")
        .op("to_array()", |all| {
            all.inner.look(|inner| inner.items.iter().copied().collect::<Vec<_>>()).into()
        })
        .op("try_add(10)", move |all| all.try_add(10, looks_first).into())
        // There is always room, so nobody waits for it.
        .op("try_add(10, 1)", move |all| all.try_add(10, looks_first).into())
        .op("add(20)", |all| all.try_add(20, false).into())
        .op("is_completed()", |all| {
            all.inner.look(|inner| inner.is_complete && inner.items.is_empty()).into()
        })
        .op("is_adding_completed()", |all| all.inner.look(|inner| inner.is_complete).into())
        .op("complete_adding()", |all| all.inner.change(|inner| inner.is_complete = true).into())
        .op("take()", |all| all.take().into())
        .op("take_with_enum()", |all| all.take().ok().into());
    if has_loose_methods {
        scenario = scenario
            // Root cause H.
            .op("count()", |all| all.count.load(SeqCst).into())
            .op("try_take()", |all| all.try_take().into());
    } else {
        scenario = scenario
            .op("count()", |all| all.inner.look(|inner| inner.items.len()).into())
            .op("try_take()", |all| all.inner.change(|inner| all.pop(inner)).into())
            .op("try_take(1)", |all| all.try_take_within().into());
    }
    if has_cancel {
        scenario = scenario
            .op("cancel()", |all| all.cancel().into())
            .op("try_take_unless_cancelled()", |all| all.try_take_unless_cancelled().into());
    }
    scenario
}

/// A list of items for each of three threads.
#[derive(Default)]
pub(in super::super) struct Bag {
    threads: Mutex<Vec<ThreadId>>,
    lists: [Mutex<Vec<u32>>; 3],
}

impl Bag {
    /// The list of the running thread.
    fn own(&self) -> usize {
        let (mut threads, me) = (self.threads.lock().expect("nobody panics with it"), thread::current().id());
        threads.iter().position(|known| *known == me).unwrap_or_else(|| {
            threads.push(me);
            threads.len() - 1
        })
    }

    fn add(&self, item: u32) {
        self.lists[self.own()].lock().expect("nobody panics with it").push(item);
    }

    /// Root cause J: the lists are looked through one after the other, so it may fail where there was an item all the time.
    /// Error E, of our choice: an item is looked at in the list of another thread, and then the last one there is taken away.
    fn try_take(&self, looks_first: bool) -> Option<u32> {
        let (own, count) = (self.own(), self.lists.len());
        // Those of others first.
        (1..=count).find_map(|distance| {
            let list = &self.lists[(own + distance) % count];
            if looks_first && distance < count {
                let item = list.lock().expect("nobody panics with it").last().copied();
                list.lock().expect("nobody panics with it").pop();
                return item;
            }
            list.lock().expect("nobody panics with it").pop()
        })
    }

    fn all(&self) -> Vec<u32> {
        let lists: Vec<_> =
            self.lists.iter().map(|list| list.lock().expect("nobody panics with it")).collect();
        let mut all: Vec<u32> = lists.iter().flat_map(|list| list.iter().copied()).collect();
        all.sort_unstable();
        all
    }
}

/// A bag; with error E or without, and with the method that is not deterministic or without.
pub(in super::super) fn bag(looks_first: bool, has_loose_methods: bool) -> Scenario<Bag> {
    let mut scenario = Scenario::new(Bag::default)
        .name("ConcurrentBag")
        .op("add(10)", |bag| bag.add(10).into())
        .op("add(20)", |bag| bag.add(20).into())
        .op("count()", |bag| bag.all().len().into())
        .op("is_empty()", |bag| bag.all().is_empty().into())
        .op("try_peek()", |bag| bag.all().first().copied().into())
        .op("to_array()", |bag| bag.all().into());
    if has_loose_methods || looks_first {
        scenario = scenario.op("try_take()", move |bag| bag.try_take(looks_first).into());
    }
    scenario
}
