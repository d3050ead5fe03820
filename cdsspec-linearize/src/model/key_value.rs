//! A map from keys to values.

use crate::specification::SequentialSpecification;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

/// A map, with compare-and-set; empty at first. Each key is a part.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyValue<K, V>(std::marker::PhantomData<(K, V)>);

impl<K, V> KeyValue<K, V> {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self(std::marker::PhantomData)
    }
}

/// What is asked of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyValueOperation<K, V> {
    /// To return what is there under the key.
    Get(K),
    /// To put a value there.
    Put(K, V),
    /// To take away what is there.
    Delete(K),
    /// To have the second there if the first is there. Nothing in place of a value: that nothing is there.
    CompareAndSet(K, Option<V>, Option<V>),
}

impl<K, V> KeyValueOperation<K, V> {
    fn key(&self) -> &K {
        match self {
            Self::Get(key) | Self::Put(key, _) | Self::Delete(key) | Self::CompareAndSet(key, _, _) => key,
        }
    }
}

/// What a map answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyValueResult<V> {
    /// What is there, if anything is.
    Value(Option<V>),
    /// It was put there.
    Put,
    /// It was taken away, if anything was there.
    Deleted,
    /// Whether the expected value was there, and the new one is now.
    Set(bool),
}

impl<K, V> SequentialSpecification for KeyValue<K, V>
where
    K: Clone + Ord + Hash + Debug,
    V: Clone + Eq + Hash + Debug,
{
    type Operation = KeyValueOperation<K, V>;
    type Result = KeyValueResult<V>;
    type State = BTreeMap<K, V>;
    type Part = K;

    fn initial(&self) -> BTreeMap<K, V> {
        BTreeMap::new()
    }

    fn step(
        &self,
        state: &BTreeMap<K, V>,
        operation: &Self::Operation,
    ) -> impl IntoIterator<Item = (Self::Result, BTreeMap<K, V>)> {
        let mut next = state.clone();
        let result = match operation {
            KeyValueOperation::Get(key) => KeyValueResult::Value(state.get(key).cloned()),
            KeyValueOperation::Put(key, value) => {
                next.insert(key.clone(), value.clone());
                KeyValueResult::Put
            }
            KeyValueOperation::Delete(key) => {
                next.remove(key);
                KeyValueResult::Deleted
            }
            KeyValueOperation::CompareAndSet(key, expected, new) => {
                let is_there = state.get(key) == expected.as_ref();
                match new {
                    Some(new) if is_there => drop(next.insert(key.clone(), new.clone())),
                    None if is_there => drop(next.remove(key)),
                    _ => {}
                }
                KeyValueResult::Set(is_there)
            }
        };
        Some((result, next))
    }

    fn part(&self, operation: &Self::Operation) -> K {
        operation.key().clone()
    }

    fn is_read_only(&self, operation: &Self::Operation, result: Option<&Self::Result>) -> bool {
        matches!(operation, KeyValueOperation::Get(_)) || result == Some(&KeyValueResult::Set(false))
    }

    fn heap_bytes(&self, state: &BTreeMap<K, V>) -> usize {
        // A node has room for eleven entries, and is at least 4/11 full.
        let node = 11 * (size_of::<K>() + size_of::<V>()) + 16 * size_of::<usize>();
        node * state.len().div_ceil(4)
    }
}
