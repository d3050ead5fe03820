//! Methods that the attribute must not change for the borrow checker.

#![deny(warnings)]
#![allow(
    clippy::multiple_bound_locations,
    clippy::never_loop,
    clippy::wrong_self_convention,
    reason = "the shapes are odd on purpose"
)]

use std::pin::Pin;
use std::sync::Arc;

#[derive(Default)]
struct Store {
    items: Vec<String>,
    guard: std::sync::Mutex<i32>,
}

#[cdsspec::spec]
#[declare_state(n: usize)]
impl Store {
    #[side_effect(())]
    fn exclusive(&mut self, item: String) -> &mut String {
        self.items.push(item);
        self.items.last_mut().expect("there is one")
    }

    #[side_effect(())]
    fn borrowed<'a>(&'a self, default: &'a str) -> &'a str {
        self.items.first().map_or(default, |item| item)
    }

    #[side_effect(())]
    fn elided(&self) -> Option<&String> {
        self.items.first()
    }

    #[side_effect(())]
    fn lock(&self) -> std::sync::MutexGuard<'_, i32> {
        self.guard.lock().expect("nobody panicked")
    }

    #[side_effect(())]
    fn iterate(&self) -> impl Iterator<Item = &String> + '_ {
        self.items.iter()
    }

    #[side_effect(())]
    fn into_items(self) -> Vec<String> {
        self.items
    }

    #[side_effect(())]
    fn from_mutable(mut self, mut more: Vec<String>) -> usize {
        self.items.append(&mut more);
        self.items.len()
    }

    #[side_effect(())]
    fn shared(self: Arc<Self>) -> Arc<Self> {
        self
    }

    #[side_effect(())]
    fn by_arc(self: &Arc<Self>) -> Arc<Self> {
        Arc::clone(self)
    }

    #[side_effect(())]
    fn pinned(self: Pin<&Self>) -> usize {
        self.items.len()
    }

    #[side_effect(())]
    unsafe fn unchecked(&self, index: usize) -> *const String {
        // SAFETY: the caller says so.
        unsafe { self.items.as_ptr().add(index) }
    }

    #[pre_condition(keys.len() < 3 && *out == 1 && name.starts_with('a'))]
    #[side_effect(())]
    fn references(&self, keys: &[i32], out: &mut usize, name: &str, (_a, _b): (i32, i32)) {
        *out = keys.len() + name.len();
    }

    #[side_effect(())]
    fn generic<T: Clone, const N: usize>(&self, value: &[T; N]) -> Vec<T>
    where
        T: PartialEq,
    {
        value.to_vec()
    }

    #[pre_condition(*n == 0)]
    fn fallible(&self, text: &str) -> Result<i32, std::num::ParseIntError> {
        #![allow(clippy::question_mark, reason = "stands inside")]
        'outer: loop {
            let value = text.parse()?;
            if value > 0 {
                break 'outer Ok(value);
            }
            return Err("x".parse::<i32>().expect_err("x is no number"));
        }
    }

    #[side_effect(())]
    fn never(&self) -> ! {
        panic!("never")
    }
}

/// What `Self` and its associated types hold a reference in, is not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cursor<'a> {
    left: &'a [u32],
}

#[cdsspec::spec]
#[declare_state(n: usize)]
impl Cursor<'_> {
    /// Nothing says that there is a lifetime.
    #[side_effect(*n += 1;)]
    #[allow(
        mismatched_lifetime_syntaxes,
        elided_lifetimes_in_paths,
        reason = "the lifetime is hidden on purpose"
    )]
    fn hidden(&self) -> Cursor {
        *self
    }

    /// The same, deeper.
    #[side_effect(())]
    #[allow(
        mismatched_lifetime_syntaxes,
        elided_lifetimes_in_paths,
        reason = "the lifetime is hidden on purpose"
    )]
    fn hidden_deeper(&self) -> Option<(Cursor, u32)> {
        Some((*self, 1))
    }

    #[side_effect(())]
    fn itself(&self) -> Self {
        *self
    }

    #[side_effect(())]
    fn or_nothing(&self, other: Option<Self>) -> Option<Self> {
        other.filter(|other| other == self)
    }
}

#[cdsspec::spec]
#[declare_state(n: usize)]
impl<'a> Iterator for Cursor<'a> {
    type Item = &'a u32;

    #[side_effect(*n += usize::from(c_ret);)]
    #[returns(|item| -> bool { item.is_some() })]
    fn next(&mut self) -> Option<Self::Item> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(first)
    }

    #[side_effect(())]
    fn last(self) -> Option<Self::Item> {
        self.left.last()
    }

    #[side_effect(())]
    fn nth(&mut self, index: usize) -> Option<<Self as Iterator>::Item> {
        self.left.get(index)
    }
}

/// What holds none is kept and compared, whatever `Self` holds.
#[cdsspec::spec]
#[declare_state(n: usize)]
impl IntoIterator for &Cursor<'_> {
    type Item = u32;
    type IntoIter = std::vec::IntoIter<Self::Item>;

    #[side_effect(())]
    fn into_iter(self) -> Self::IntoIter {
        self.left.iter().map(|number| number + 1).collect::<Vec<u32>>().into_iter()
    }
}

/// A trait with a type that holds a reference where `Self` has none.
trait Lends<'a> {
    type Lent;

    fn lend(&self, to: &'a [u32]) -> Self::Lent;
}

#[cdsspec::spec]
#[declare_state(n: usize)]
impl<'a> Lends<'a> for Store {
    type Lent = Option<Cursor<'a>>;

    #[side_effect(())]
    fn lend(&self, to: &'a [u32]) -> Self::Lent {
        Some(Cursor { left: to })
    }
}

/// A trait whose objects are specified.
trait Shape {
    fn size(&self) -> u32;
}

impl Shape for u32 {
    fn size(&self) -> u32 {
        *self
    }
}

#[cdsspec::spec]
#[declare_state(n: usize)]
impl dyn Shape {
    #[side_effect(())]
    fn by_reference(&self) -> u32 {
        self.size()
    }

    #[side_effect(())]
    fn by_box(self: Box<Self>) -> u32 {
        self.size()
    }

    #[side_effect(())]
    fn by_boxed_object(self: Box<dyn Shape>) -> u32 {
        self.size()
    }

    #[side_effect(())]
    fn by_reference_to_arc(self: &Arc<Self>) -> u32 {
        self.size()
    }

    #[side_effect(())]
    fn by_pin(self: Pin<Box<Self>>) -> u32 {
        self.size()
    }

    #[side_effect(())]
    fn by_mutable_reference(self: &mut Pin<&mut Self>) -> u32 {
        self.size()
    }
}

fn trait_objects() {
    let object = || -> Box<dyn Shape> { Box::new(1) };
    assert_eq!((object().by_reference(), object().by_box(), object().by_boxed_object()), (1, 1, 1));
    let shared: Arc<dyn Shape> = Arc::from(object());
    let mut pinned = Pin::from(object());
    assert_eq!((shared.by_reference_to_arc(), pinned.as_mut().by_mutable_reference()), (1, 1));
    assert_eq!(pinned.by_pin(), 1);
}

fn references_in_self_types() {
    let numbers = [1, 2];
    let mut cursor = Store::default().lend(&numbers).expect("it lends");
    assert_eq!(cursor.or_nothing(Some(cursor.itself())), Some(cursor));
    assert_eq!(cursor.hidden_deeper(), Some((cursor.hidden(), 1)));
    assert_eq!((&cursor).into_iter().sum::<u32>(), 5);
    assert_eq!((cursor.nth(1), cursor.next(), cursor.last()), (Some(&2), Some(&1), Some(&2)));
}

fn main() {
    references_in_self_types();
    trait_objects();
    let mut store = Store::default();
    store.exclusive("a".to_owned()).push('b');
    assert_eq!(store.borrowed("x"), "ab");
    assert_eq!(store.elided().map(String::len), Some(2));
    *store.lock() += 1;
    assert_eq!(store.iterate().count(), 1);
    store.references(&[1], &mut 0, "a", (1, 2));
    assert_eq!(store.generic(&[1, 2]), [1, 2]);
    assert_eq!(store.fallible("1"), Ok(1));
    assert!(store.fallible("-1").is_err() && store.fallible("?").is_err());
    // SAFETY: there is an item 0.
    let _ = unsafe { store.unchecked(0) };
    let shared = Arc::new(store).shared().by_arc();
    assert_eq!(Pin::new(&*shared).pinned(), 1);
    assert_eq!(Store::default().from_mutable(vec![String::new()]), 1);
    assert!(Store::default().into_items().is_empty());
    assert!(std::panic::catch_unwind(|| Store::default().never()).is_err());
}
