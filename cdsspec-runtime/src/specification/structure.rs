//! Structure trees: how many operations a call does, as far as the source of its method tells.
//!
//! # Paper
//! Zhang, Wu, Zhang, *Localization of linearizability faults on the coarse-grained level* (CGVT), III.B: figure 6, algorithm 2.

use super::Specification;
use crate::record::MethodId;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A unit of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// So many operations one after the other: a sequential unit.
    Sequential(u32),
    /// A loop unit: how many rounds it has, if its source says so, and what one round does.
    Loop(Option<u32>, &'static [Unit]),
    /// A selection unit: its branches, one of which runs.
    Selection(&'static [&'static [Unit]]),
    /// A call of a function of this name.
    Call(&'static str),
}

/// What the macros submit of an impl: its functions that do operations.
pub struct RegisteredStructures {
    /// The name of the specified type.
    pub owner: &'static str,
    /// Each by its name.
    pub functions: &'static [(&'static str, &'static [Unit])],
}

inventory::collect!(RegisteredStructures);

/// A function: what it is of, and what it does.
type Function = (&'static str, &'static [Unit]);

/// All functions of annotated impls of this program, by their names.
fn functions() -> &'static BTreeMap<&'static str, Vec<Function>> {
    static FUNCTIONS: OnceLock<BTreeMap<&str, Vec<Function>>> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let mut all = BTreeMap::<_, Vec<Function>>::new();
        for registered in inventory::iter::<RegisteredStructures> {
            for (name, units) in registered.functions {
                all.entry(*name).or_default().push((registered.owner, *units));
            }
        }
        all
    })
}

/// What the function of this name does: the one of this type, or else of another one. Of several of a name the longest counts.
fn found(owner: &str, name: &str, calls: &mut Vec<&'static [Unit]>) -> u64 {
    let all = functions().get(name).map_or(&[][..], Vec::as_slice);
    let has_own = all.iter().any(|(of, _)| *of == owner);
    let candidates = all.iter().filter(|(of, _)| !has_own || *of == owner);
    candidates.map(|(of, units)| called(of, units, calls)).max().unwrap_or(0)
}

/// A function that calls itself does nothing in that call.
fn called(owner: &str, units: &'static [Unit], calls: &mut Vec<&'static [Unit]>) -> u64 {
    if calls.iter().any(|running| std::ptr::eq(*running, units)) {
        return 0;
    }
    calls.push(units);
    let count = sum(units, &mut |name| found(owner, name, calls));
    calls.pop();
    count
}

/// Algorithm 2, where θ is 1 unless the source says it: loops have one round, of branches the longest one is taken.
fn sum(units: &[Unit], of_function: &mut dyn FnMut(&'static str) -> u64) -> u64 {
    let mut value = 0_u64;
    for unit in units {
        let count = match unit {
            Unit::Sequential(count) => u64::from(*count),
            Unit::Loop(rounds, units) => {
                u64::from(rounds.unwrap_or(1)).saturating_mul(sum(units, of_function))
            }
            Unit::Selection(branches) => {
                branches.iter().map(|units| sum(units, of_function)).max().unwrap_or(0)
            }
            Unit::Call(name) => of_function(name),
        };
        value = value.saturating_add(count);
    }
    value
}

/// How many operations a call of a method does, as far as its source tells; at least 1.
pub(crate) fn expected_steps(specification: &Specification, method: MethodId) -> u64 {
    let name = specification.method(method).name;
    // `Sender::send`, `<Sender as Drop>::drop`
    let mut segments = name.rsplit("::");
    let function = segments.next().unwrap_or(name);
    let owner = segments.next().unwrap_or(specification.name);
    found(owner, function, &mut Vec::new()).max(1)
}

/// The same of a call as a scenario writes it, `push(1)`, on a type of this name.
pub(crate) fn expected_steps_of_text(owner: &str, call: &str) -> u64 {
    let name = call.split('(').next().unwrap_or(call);
    found(owner, name.trim(), &mut Vec::new()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations of figures 1 and 3, as figure 6 has them.
    #[test]
    fn the_longest_branch_and_one_round_count() {
        let write = [Unit::Sequential(1)];
        let read = [Unit::Loop(None, &[Unit::Sequential(3), Unit::Selection(&[&[], &[]])])];
        let known = [
            Unit::Loop(Some(3), &[Unit::Sequential(2)]),
            Unit::Selection(&[&[Unit::Sequential(4)], &[Unit::Sequential(1), Unit::Call("write")]]),
        ];
        let mut of_function = |name: &str| if name == "write" { 5 } else { 0 };
        let counts = [&write[..], &read, &known].map(|units| sum(units, &mut of_function));
        assert_eq!(counts, [1, 3, 12]);
    }

    inventory::submit! {
        RegisteredStructures {
            owner: "Toy",
            functions: &[
                ("push", &[Unit::Sequential(1), Unit::Loop(Some(2), &[Unit::Call("find")]), Unit::Call("shared")]),
                ("find", &[Unit::Sequential(3), Unit::Call("push"), Unit::Call("unknown")]),
                ("shared", &[Unit::Sequential(4)]),
            ],
        }
    }
    inventory::submit! {
        RegisteredStructures {
            owner: "OtherToy",
            functions: &[("shared", &[Unit::Sequential(9)]), ("delegate", &[Unit::Call("push")])],
        }
    }

    #[test]
    fn calls_are_inlined_by_name() {
        // Its own `shared`, and no call in the call of itself.
        assert_eq!(expected_steps_of_text("Toy", "push(1)"), 1 + 2 * 3 + 4);
        // That of another type; of two of a name, the longest.
        assert_eq!(expected_steps_of_text("OtherToy", "delegate()"), 1 + 2 * 3 + 4);
        assert_eq!(expected_steps_of_text("Third", "shared"), 9);
        assert_eq!(expected_steps_of_text("Toy", "unknown()"), 1);
    }

    #[test]
    fn numbers_that_are_too_large_stay_at_the_end() {
        let huge = [Unit::Loop(Some(u32::MAX), &[Unit::Loop(Some(u32::MAX), &[Unit::Sequential(u32::MAX)])])];
        assert_eq!(sum(&huge, &mut |_| 0), u64::MAX);
    }
}
