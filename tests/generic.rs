//! Generic impls: one instance is specified, and others run unspecified.

use crate::by_hand;

use by_hand::{op, record};
use cdsspec::__private as private;
use private::{ClauseKind, StepMode};
use std::cell::{Ref, RefCell};
use std::collections::VecDeque;

struct Queue<T> {
    items: RefCell<VecDeque<T>>,
}

#[cdsspec::spec(instance(T = i32))]
#[declare_state(q: VecDeque<T>)]
impl<T> Queue<T> {
    fn new() -> Self {
        Self { items: RefCell::new(VecDeque::new()) }
    }

    #[side_effect(q.push_back(i32::min(value, 1000)))]
    fn put(&self, value: T) {
        self.items.borrow_mut().push_back(value);
        #[op_define]
        op("put");
    }

    #[side_effect(for value in values { q.push_back(*value) })]
    fn put_all(&self, values: &[T])
    where
        T: Clone,
    {
        self.items.borrow_mut().extend(values.iter().cloned());
    }

    #[side_effect(q.pop_front())]
    fn take(&self) -> Option<T> {
        #[op_define]
        op("take");
        self.items.borrow_mut().pop_front()
    }

    #[side_effect(std::mem::replace(&mut q[0], 9))]
    #[post_condition(*value == s_ret)]
    fn swap(&self, value: &mut T) {
        if let Some(front) = self.items.borrow_mut().front_mut() {
            std::mem::swap(front, value);
        }
    }

    #[returns(|guard| -> usize { guard.len() })]
    #[side_effect(q.len())]
    fn lend(&self) -> std::cell::Ref<'_, VecDeque<T>> {
        self.items.borrow()
    }
}

/// No bound on `T` comes from the specification.
impl<T> Drop for Queue<T> {
    fn drop(&mut self) {
        while self.take().is_some() {}
    }
}

struct NotClone;

#[test]
fn the_instance_is_recorded_and_its_clauses_are_typed_for_it() {
    let specification = by_hand::specification("Queue<T>");
    let program = || {
        let queue = Queue::<i32>::new();
        queue.put(3);
        queue.put_all(&[4, 5]);
        queue.swap(&mut 9);
        queue.take();
        queue.lend();
    };
    record(program, |recording| {
        let texts: Vec<_> =
            recording.calls.iter().map(|call| by_hand::call_text(specification, call)).collect();
        assert_eq!(
            texts[..5],
            ["put(3)", "put_all([4, 5])", "swap(3)", "take() -> Some(9)", "lend() -> 2"].map(str::to_owned)
        );
        assert_eq!(recording.errors, []);
        let mut state = (specification.state.initial)();
        for call in &recording.calls {
            assert_eq!(by_hand::step(specification, &mut *state, call, StepMode::Sequential), Ok(()));
        }
        assert_eq!((specification.state.render.expect("it is Debug"))(&*state), "[]");
    });
}

#[test]
fn another_instance_is_not_recorded_and_its_ordering_points_say_nothing() {
    let program = || {
        let queue = Queue::<NotClone>::new();
        queue.put(NotClone);
        queue.take();
        let texts = Queue::new();
        texts.put_all(&["a".to_owned()]);
        let local = 3;
        Queue::new().put(&local);
    };
    record(program, |recording| {
        assert_eq!((recording.calls.len(), recording.errors.len()), (0, 0));
    });
}

struct Slots<'a, T, const N: usize> {
    slots: &'a [RefCell<T>; N],
}

#[cdsspec::spec(instance(T = u8, N = 2))]
#[declare_state(slots: [T; N])]
impl<'a, T, const N: usize> Slots<'a, T, N>
where
    T: Copy + PartialOrd,
{
    #[pre_condition(index < N)]
    #[side_effect(std::mem::replace(&mut slots[index], value))]
    fn swap(&self, index: usize, value: T) -> T {
        self.slots[index].replace(value)
    }

    #[side_effect(*slots)]
    fn all(&self) -> [T; N] {
        std::array::from_fn(|index| *self.slots[index].borrow())
    }

    #[side_effect(slots[0])]
    #[post_condition(*c_ret.borrow() == s_ret)]
    #[returns(|cell| -> RefCell<T> { RefCell::new(*cell.borrow()) })]
    fn first(&self) -> &'a RefCell<T> {
        &self.slots[0]
    }

    /// The type hides its lifetime, so nothing is kept of the value.
    #[side_effect(())]
    #[allow(
        mismatched_lifetime_syntaxes,
        elided_lifetimes_in_paths,
        reason = "the lifetime is hidden on purpose"
    )]
    fn borrow(&self, index: usize) -> Ref<T> {
        self.slots[index].borrow()
    }

    #[returns(|value| -> bool { value.is_some() })]
    #[side_effect(index < N)]
    fn show<R, const TIMES: usize>(&self, index: usize, show: impl Fn(&T) -> R) -> Option<[R; TIMES]>
    where
        R: Copy,
    {
        Some([show(&self.slots.get(index)?.borrow()); TIMES])
    }
}

#[test]
fn lifetimes_and_constants_are_parts_of_an_instance() {
    let specification = by_hand::specification("Slots<'a, T, N>");
    let program = || {
        let slots = [const { RefCell::new(0_u8) }; 2];
        let slots = Slots { slots: &slots };
        slots.swap(0, 7);
        slots.all();
        slots.first();
        slots.borrow(1);
        slots.show::<_, 2>(1, |value| *value > 3);
        let others = [const { RefCell::new(0_u8) }; 3];
        Slots { slots: &others }.swap(2, 7);
    };
    record(program, |recording| {
        let mut state = (specification.state.initial)();
        let texts: Vec<_> = recording
            .calls
            .iter()
            .map(|call| {
                assert_eq!(by_hand::step(specification, &mut *state, call, StepMode::Sequential), Ok(()));
                by_hand::call_text(specification, call)
            })
            .collect();
        assert_eq!(
            texts,
            [
                "swap(0, 7) -> 0",
                "all() -> [7, 0]",
                "first() -> RefCell { value: 7 }",
                "borrow(_)",
                "show(1, _) -> true"
            ]
        );
    });
    let kinds: Vec<_> = specification.methods[0].clauses.iter().map(|clause| clause.kind).collect();
    assert_eq!(kinds, [ClauseKind::PreCondition, ClauseKind::SideEffect, ClauseKind::SameReturn]);
}

struct Pair<K, V>(std::marker::PhantomData<(K, V)>);

#[cdsspec::spec(instance(K = u8, V = Vec<K>))]
impl<K, V> Pair<K, V>
where
    K: Into<u64>,
    V: Clone + IntoIterator<Item = K>,
    Self: Sized,
{
    #[pre_condition(value.first() == Some(&1))]
    fn put(&self, value: V) {
        let _: Option<u64> = value.into_iter().next().map(K::into);
    }
}

#[test]
fn an_argument_may_be_made_of_another_and_bounds_stay_where_they_are() {
    record(
        || {
            Pair::<u8, Vec<u8>>(std::marker::PhantomData).put(vec![1]);
            Pair::<u8, [u8; 1]>(std::marker::PhantomData).put([1]);
        },
        |recording| assert_eq!(recording.calls.len(), 1),
    );
}

type Text = &'static str;

struct Label<T>(T);

#[cdsspec::spec(instance(T = Text))]
impl<T: Copy> Label<T> {
    #[pre_condition(!c_ret.is_empty())]
    fn get(&self) -> T {
        self.0
    }
}

#[test]
#[should_panic(expected = "&str holds a reference, and cannot stand in `instance(…)`")]
fn a_reference_behind_an_alias_is_refused_when_it_would_be_recorded() {
    let text = "a".to_owned();
    record(|| _ = Label(text.as_str()).get(), |_| ());
}

struct Handle<T>(T);

#[cdsspec::spec(instance(T = i32))]
#[declare_state(copies: usize)]
impl<T: Clone> Handle<T> {
    #[side_effect(*copies += 1)]
    fn another(&self) -> Self {
        Self(self.0.clone())
    }
}

#[test]
fn a_return_value_of_type_self_needs_no_clause() {
    assert_eq!(Handle(1).another().0, 1);
}
