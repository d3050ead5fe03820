//! All specifications of a program, and the annotations that stand outside of them.

use super::{MarkerText, Specification};
use std::collections::BTreeSet;
use std::sync::OnceLock;

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

/// What the macros submit of an ordering point annotation that is not known to stand in a specified method.
pub struct RegisteredMarker(pub MarkerText);

inventory::collect!(RegisteredMarker);

/// The labels that a `potential_op` anywhere in this program has: in specified methods, in functions and macros that these may call. What a call
/// runs is not known before, so whether a label is marked is known of the whole program only. Costs a look at all annotations, the first time.
pub fn marked_labels() -> &'static BTreeSet<&'static str> {
    static LABELS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    LABELS.get_or_init(|| {
        let all = registry().into_iter().flat_map(|specification| &specification.methods);
        let of_methods = all.flat_map(|method| method.markers.iter().copied());
        let of_functions = inventory::iter::<RegisteredMarker>.into_iter().map(|entry| entry.0);
        of_methods.chain(of_functions).filter_map(MarkerText::potential_label).collect()
    })
}

/// The ordering point annotations in this program that stand in no specified method but in functions that these call, sorted by place.
pub fn helper_markers() -> Vec<MarkerText> {
    let specified: Vec<MarkerText> = registry()
        .into_iter()
        .flat_map(|specification| &specification.methods)
        .flat_map(|method| method.markers.iter().copied())
        .collect();
    // A macro form is at its path for itself, and at its name for the method.
    let is_same = |one: &MarkerText, other: &MarkerText| {
        (one.name, one.source.file, one.source.line) == (other.name, other.source.file, other.source.line)
    };
    let mut markers: Vec<MarkerText> = inventory::iter::<RegisteredMarker>
        .into_iter()
        .map(|entry| entry.0)
        .filter(|marker| !specified.iter().any(|known| is_same(known, marker)))
        .collect();
    markers.sort_by_key(|marker| (marker.source, marker.name, marker.text));
    markers.dedup();
    markers
}
