//! The objects of CGVT (Zhang, Wu and Zhang, *Localization of linearizability faults on the coarse-grained level*), and faults that many calls show.

mod long;
mod objects;
