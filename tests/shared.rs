//! One specification for several types, impl blocks and functions: `specification`, `for = …`, `object = …`.

use crate::by_hand;

use by_hand::{op, record};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicI32, AtomicUsize};
use cdsspec::{Builder, EngineKind, Verdict};
use private::StepMode;
use std::cell::Cell;
use std::collections::VecDeque;

use cdsspec::__private as private;

/// A channel of one sender and one receiver: what is sent and not yet received.
#[cdsspec::specification]
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
#[admit(send <-> send)]
#[admit(recv <-> recv)]
#[admit(send <-> recv, m1.value < 0 && m2.c_ret.is_none())]
struct ChannelSpec {
    queue: VecDeque<i32>,
}

#[derive(Default)]
struct Shared {
    slots: [AtomicI32; 2],
    sent: AtomicUsize,
    received: AtomicUsize,
}

struct Sender<const RELAXED: bool> {
    shared: Arc<Shared>,
}

struct Receiver {
    shared: Arc<Shared>,
}

fn channel<const RELAXED: bool>() -> (Sender<RELAXED>, Receiver) {
    let shared = Arc::new(Shared::default());
    (Sender { shared: shared.clone() }, Receiver { shared })
}

#[cdsspec::spec(for = ChannelSpec, object = self.shared)]
impl Receiver {
    #[side_effect({
        let front = state.queue.front().copied();
        if c_ret.is_some() {
            state.queue.pop_front();
        }
        front
    })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(
        c_ret.is_some() || s_ret.is_none() || concurrent.send().any(|send| Some(send.value) == s_ret)
    )]
    fn recv(&self) -> Option<i32> {
        let received = self.shared.received.load(Relaxed);
        #[op_define]
        let sent = self.shared.sent.load(Acquire);
        if sent == received {
            return None;
        }
        let value = self.shared.slots[received % 2].load(Relaxed);
        self.shared.received.store(received + 1, Release);
        Some(value)
    }
}

#[cdsspec::spec(for = ChannelSpec, object = self.shared)]
impl Sender<false> {
    #[side_effect(state.queue.push_back(value))]
    fn send(&self, value: i32) {
        let sent = self.shared.sent.load(Relaxed);
        self.shared.slots[sent % 2].store(value, Relaxed);
        #[op_define]
        self.shared.sent.store(sent + 1, Release);
    }
}

#[cdsspec::spec(for = ChannelSpec, object = self.shared)]
impl Sender<true> {
    #[side_effect(state.queue.push_back(value))]
    fn send_relaxed(&self, value: i32) {
        let sent = self.shared.sent.load(Relaxed);
        self.shared.slots[sent % 2].store(value, Relaxed);
        #[op_define]
        self.shared.sent.store(sent + 1, Relaxed);
    }
}

#[test]
fn a_channel_of_two_types_holds_with_these_counts() {
    let outcome = Builder::new().engine(EngineKind::Loom).name("send_send__recv_recv").check(|| {
        let (sender, receiver) = channel::<false>();
        let child = cdsspec::thread::spawn(move || {
            sender.send(1);
            sender.send(2);
        });
        receiver.recv();
        receiver.recv();
        child.join().expect("it does not panic");
    });
    assert_eq!(
        (outcome.verdict, outcome.executions, outcome.shapes, outcome.histories),
        (Verdict::HoldsWithin, 192, 6, 20),
        "{}",
        outcome.report()
    );
}

#[test]
fn a_relaxed_send_is_found() {
    let outcome = Builder::new().name("send__recv").check(|| {
        let (sender, receiver) = channel::<true>();
        let child = cdsspec::thread::spawn(move || sender.send_relaxed(1));
        receiver.recv();
        child.join().expect("it does not panic");
    });
    assert_eq!(outcome.verdict, Verdict::Violated, "{}", outcome.report());
}

#[test]
fn the_methods_of_all_blocks_are_in_one_specification_in_the_order_of_their_places() {
    let channel = by_hand::specification("ChannelSpec");
    let methods: Vec<_> = channel.methods.iter().map(|method| method.name).collect();
    assert_eq!(methods, ["recv", "send", "send_relaxed"]);
    let rules: Vec<_> = channel.rules.iter().map(|rule| (rule.first.index(), rule.second.index())).collect();
    assert_eq!(rules, [(1, 1), (0, 0), (1, 0)]);
    let markers: Vec<_> =
        channel.methods[0].markers.iter().map(|marker| (marker.name, marker.text)).collect();
    assert_eq!(markers, [("op_define", "")]);
}

/// A counter, specified in an impl of its own, in that of a trait, and by functions.
#[cdsspec::specification]
#[derive(Clone, Default, Debug)]
#[initial(CounterSpec { sum: 10 })]
struct CounterSpec {
    sum: i32,
}

struct Counter {
    sum: Cell<i32>,
}

#[cdsspec::spec(for = CounterSpec)]
impl Counter {
    #[side_effect(state.sum += by)]
    fn add(&self, by: i32) {
        self.sum.set(self.sum.get() + by);
    }
}

#[cdsspec::spec(for = CounterSpec)]
impl Iterator for Counter {
    type Item = i32;

    #[side_effect({ state.sum += 1; Some(state.sum) })]
    fn next(&mut self) -> Option<Self::Item> {
        #[op_define]
        op("next");
        self.sum.set(self.sum.get() + 1);
        Some(self.sum.get())
    }
}

#[cdsspec::spec(for = CounterSpec, object = counter)]
impl Counter {
    #[side_effect(state.sum)]
    fn get(counter: &Self) -> i32 {
        counter.sum.get()
    }
}

#[cdsspec::spec(for = CounterSpec, object = counter)]
#[side_effect(std::mem::take(&mut state.sum))]
fn reset(counter: &Counter) -> i32 {
    cdsspec::op_clear!();
    counter.sum.take()
}

#[test]
fn impl_blocks_trait_impls_and_functions_share_a_specification() {
    let specification = by_hand::specification("CounterSpec");
    let program = || {
        let mut counter = Counter { sum: Cell::new(10) };
        counter.add(2);
        counter.next();
        Counter::get(&counter);
        reset(&counter);
        Counter::get(&counter);
    };
    record(program, |recording| {
        assert_eq!(recording.objects.len(), 1);
        let mut state = (specification.state.initial)();
        let texts: Vec<_> = recording
            .calls
            .iter()
            .map(|call| {
                assert_eq!(by_hand::step(specification, &mut *state, call, StepMode::Sequential), Ok(()));
                by_hand::call_text(specification, call)
            })
            .collect();
        assert_eq!(texts, ["add(2)", "next() -> Some(13)", "get(_) -> 13", "reset(_) -> 13", "get(_) -> 0"]);
    });
}

/// A trait impl with a specification of its own.
struct Register(Cell<i32>);

trait Get {
    type Value;
    fn get(&self) -> Self::Value;
}

#[cdsspec::spec]
#[declare_state(value: i32)]
impl Get for Register {
    type Value = i32;

    #[side_effect(*value)]
    fn get(&self) -> Self::Value {
        self.0.get()
    }
}

#[test]
fn a_trait_impl_is_specified_under_the_names_of_both() {
    let specification = by_hand::specification("Get for Register");
    let program = || _ = Register(Cell::new(1)).get();
    record(program, |recording| {
        let mut state = (specification.state.initial)();
        let call = &recording.calls[0];
        let result = by_hand::step(specification, &mut *state, call, StepMode::Sequential);
        assert_eq!(result.expect_err("it returned 1").specified.as_deref(), Some("0"));
    });
}
