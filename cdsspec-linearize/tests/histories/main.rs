//! Verdicts against those of others: a naive twin on all small histories, files with their verdicts, long histories whose truth is known by how they were made.

mod files;
mod generator;
mod given;
mod limits;
mod long;
mod ordered;
mod pinned;
mod random;
mod small;
mod twin;
