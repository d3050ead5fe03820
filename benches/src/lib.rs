//! What a check costs: see `benches/`. The library is empty: what the benchmarks use are dev-dependencies, so that a plain `cargo build` of the
//! workspace is not instrumented.
