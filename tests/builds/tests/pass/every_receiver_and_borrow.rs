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

fn main() {
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
