//! A part of the tests of a search, for one of several machines.

use std::fmt;
use std::str::FromStr;

/// A part of the tests of a search: `2/3` is every third one, from the second on.
///
/// Which tests these are depends on nothing but their order, so that machines need not talk. Tests that are made one after the other from one
/// call to the next resemble each other, and take as long: so the parts are as large as each other, and take about as long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(try_from = "String", into = "String"))]
pub struct Shard {
    index: usize,
    count: usize,
}

impl Shard {
    /// All tests.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// The part of this number, from 1 on, of so many; `None` if there is none.
    pub fn new(index: usize, count: usize) -> Option<Self> {
        (1..=count).contains(&index).then_some(Self { index, count })
    }

    /// Its number, from 1 on.
    pub fn index(self) -> usize {
        self.index
    }

    /// How many parts there are.
    pub fn count(self) -> usize {
        self.count
    }

    /// Whether it is all tests.
    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Whether the test of this number, from 0 on, is one of its.
    pub fn has(self, test: u64) -> bool {
        test % self.count as u64 == self.index as u64 - 1
    }
}

/// A text is no part `i/n` of tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoShard;

impl fmt::Display for NoShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected `i/n`, from `1/n` to `n/n`")
    }
}

impl std::error::Error for NoShard {}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (index, count) = text.split_once('/').ok_or(NoShard)?;
        let number = |text: &str| text.trim().parse().map_err(|_| NoShard);
        Self::new(number(index)?, number(count)?).ok_or(NoShard)
    }
}

impl TryFrom<String> for Shard {
    type Error = NoShard;

    fn try_from(text: String) -> Result<Self, NoShard> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}
