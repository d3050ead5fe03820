//! How events, locations and threads of a graph are named.

/// An event: its index in the graph, which is also its stamp. A smaller stamp was added earlier.
pub(crate) type EventId = u32;

/// A location of a graph.
pub(crate) type LocationIndex = u32;

/// A thread of a graph.
pub(crate) type ThreadIndex = usize;
