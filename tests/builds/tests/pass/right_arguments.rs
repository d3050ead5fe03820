//! What is Rust is taken: types and constants as arguments, names in clauses, attributes of others.

#![deny(warnings, clippy::pedantic)]
#![allow(clippy::needless_pass_by_value, clippy::unused_self, reason = "only the signatures are of interest")]

use std::collections::HashMap;
// Attributes of others, with names that resemble ours.
use cdsspec::check_only as check;
use cdsspec::check_only as define;

const A: usize = 6;
const B: usize = 3;

#[derive(Default)]
struct Table;

type Function = fn(u8) -> u8;

#[cdsspec::spec(state = HashMap<fn(u8) -> u8, u32>, object = self as &Table)]
impl Table {
    #[side_effect(state.insert(key, value))]
    fn insert(&self, key: Function, value: u32) -> Option<u32> {
        let _ = (key, value);
        None
    }
}

struct Ring<T, const N: usize>([T; N]);

#[cdsspec::spec(instance(T = HashMap<u8, fn(u8, u8) -> Option<u8>>, N = { A & B }), object = &self.0)]
impl<T: Clone, const N: usize> Ring<T, N> {
    #[side_effect(())]
    #[post_condition(c_ret == N)]
    fn len(&self) -> usize {
        self.0.len()
    }
}

struct Guard<'a>(&'a i32);

#[derive(Default)]
struct Names;

#[cdsspec::spec]
#[declare_state(m1: Vec<i32>)]
impl Names {
    /// A parameter, and locals, of names that rules have for calls.
    #[side_effect({ let m1 = m1.get(m2.len()); m1.is_some() })]
    #[post_condition([c_ret].iter().all(|m1: &bool| m1.then_some(1).is_none()))]
    fn named_as_calls(&self, m2: String) -> bool {
        m2.len() > 9
    }

    /// The closure's parameter is not the method's, which cannot be recorded.
    #[post_condition(m1.iter().all(|guard: &i32| *guard > 0))]
    #[side_effect(match m1.first() { Some(value) => *value, None => 0 })]
    fn named_as_closures(&self, guard: Guard<'_>, value: std::fmt::Arguments<'_>) -> i32 {
        let _ = value;
        *guard.0
    }

    /// A clause has a local of the name of the return value, which cannot be recorded.
    #[post_condition({ let c_ret = m1.len(); c_ret == 0 })]
    fn named_as_a_return_value<'a>(&self, guard: &'a Guard<'_>) -> Guard<'a> {
        Guard(guard.0)
    }

    #[post_condition(format!("{:>width$.precision$}{c_ret}", 3.0) != format!("{0:1$}", 4, length.count_ones() as usize))]
    fn captured(&self, width: usize, precision: usize, length: &u128) -> u8 {
        let _ = (width, precision, length);
        0
    }

    #[check]
    fn checked(&self) {
        let _ = self;
    }

    #[define]
    fn defined(&self) {
        self.checked();
    }
}

fn main() {
    Names.defined();
    let number = 3;
    cdsspec::model(|| {
        assert!(!Names.named_as_calls(String::new()));
        assert_eq!(Table.insert(|value| value, 3), None);
        assert_eq!(Names.captured(3, 1, &2), 0);
        assert_eq!(*Names.named_as_a_return_value(&Guard(&3)).0, 3);
        assert_eq!(Ring([HashMap::<u8, fn(u8, u8) -> Option<u8>>::new(), HashMap::new()]).len(), 2);
    });
    assert_eq!(Names.named_as_closures(Guard(&number), format_args!("")), 3);
}
