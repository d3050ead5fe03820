//! Builder, limits, run, outcome: ties the rooms together.
