//! What limits loom's exploration, and does not limit ours.

/// How many threads a program may have under loom, the main thread included. Here it may have any number.
pub const MAX_THREADS: usize = 5;

/// Under loom: what follows is explored again. Here all of a program is explored, so this does nothing.
pub fn explore() {}

/// Under loom: of what follows one execution is run, and others are not explored. Here they are explored as well: more than was asked for.
pub fn stop_exploring() {}

/// Under loom: as [`stop_exploring`], until the execution ends. Here others are explored as well: more than was asked for.
pub fn skip_branch() {}
