//! All specifications of a program.

use super::Specification;

/// What the macros submit to the registry.
pub struct RegisteredSpecification {
    /// Makes, or finds, the specification.
    pub get: fn() -> &'static Specification,
}

inventory::collect!(RegisteredSpecification);

/// Every specification in this program, sorted by name and place.
pub fn registry() -> Vec<&'static Specification> {
    let mut all: Vec<_> =
        inventory::iter::<RegisteredSpecification>.into_iter().map(|entry| (entry.get)()).collect();
    all.sort_by_key(|specification| (specification.name, specification.source));
    all
}
