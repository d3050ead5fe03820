//! Sequential histories and justifying subhistories: searches.
