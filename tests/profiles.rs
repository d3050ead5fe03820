//! What is decided by looking at stacks, which the compiler lays out: CI builds this test program optimised and as users do, too.

mod futures;
mod rounds;
mod seen_rounds;
mod std_semantics;
mod waiting;
