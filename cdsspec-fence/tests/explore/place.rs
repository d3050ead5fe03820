//! Minimal sets of fences, against all sets of them by brute force.

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::flat::Site;
use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::lsl::syntax::{FenceKind, Statement};
use cdsspec_fence::lsl::{Program, parse};
use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_fence::observation::{Observation, ObservationSet};
use cdsspec_fence::place::{Test, Unplaced, minimal_sets, with_candidates};
use std::collections::BTreeSet;

const STORE_BUFFERING: &str = "
global x = 0 global y = 0
proc a()(v) { x = &x y = &y one = 1 *x = one v = *y }
proc b()(v) { x = &x y = &y one = 1 *y = one v = *x }
thread { a()() } thread { b()() }";

const MESSAGE_PASSING: &str = "
global x = 0 global y = 0
proc a()() { x = &x y = &y one = 1 *x = one *y = one }
proc b()(v, w) { x = &x y = &y w = 1 v = *y skip: { if (v) break skip w = 0 } w = *x }
thread { a()() } thread { b()() }";

/// The program with these candidates as fences, and without the others.
fn fenced(program: &Program, fences: &BTreeSet<Site>) -> Program {
    let mut fenced = program.clone();
    for (procedure, code) in fenced.procedures.iter_mut().enumerate() {
        let mut index = 0;
        set(&mut code.body, &mut index, &|statement| fences.contains(&Site { procedure, statement }));
    }
    fenced
}

fn set(body: &mut [Statement], index: &mut usize, is_there: &dyn Fn(usize) -> bool) {
    for statement in body {
        let here = *index;
        *index += 1;
        match statement {
            Statement::Fence { is_candidate, .. } if is_there(here) => *is_candidate = false,
            Statement::Atomic(body) | Statement::Block { body, .. } => set(body, index, is_there),
            _ => {}
        }
    }
}

/// The least sets that are enough, of all sets.
fn by_brute_force(program: &Program, candidates: &[Site]) -> BTreeSet<BTreeSet<Site>> {
    let allowed = enumerate(program, Axioms::SequentialConsistency, 0).all;
    let chosen = |code: u32| -> BTreeSet<Site> {
        (0..candidates.len()).filter(|place| code >> place & 1 == 1).map(|place| candidates[place]).collect()
    };
    let is_enough = |fences: &BTreeSet<Site>| {
        enumerate(&fenced(program, fences), Axioms::Relaxed, 0).all.is_subset(&allowed)
    };
    let enough: Vec<_> = (0..1 << candidates.len()).map(chosen).filter(is_enough).collect();
    let is_least = |set: &&BTreeSet<Site>| !enough.iter().any(|other| other != *set && other.is_subset(set));
    enough.iter().filter(is_least).cloned().collect()
}

fn placed(program: &Program) -> (BTreeSet<BTreeSet<Site>>, usize, Vec<Site>) {
    let observations = Exploration::new(program, Settings::new(MemoryModel::Sc)).observations().unwrap().set;
    let settings = Settings::new(MemoryModel::Relaxed);
    let candidates = Exploration::new(program, settings.clone()).candidates().into_iter().collect();
    let tests = [Test { program: program.clone(), observations }];
    let found = minimal_sets(&tests, &settings, 100).unwrap();
    assert!(found.is_complete && !found.is_bounded);
    let count = found.sets.len();
    (found.sets.into_iter().collect(), count, candidates)
}

#[test]
fn all_minimal_sets_are_those_of_brute_force() {
    for text in [STORE_BUFFERING, MESSAGE_PASSING] {
        let program = with_candidates(&parse(text).unwrap(), &FenceKind::XY, |_| true);
        let (found, count, candidates) = placed(&program);
        assert_eq!((candidates.len(), found.len(), count), (16, 1, 1));
    }
    for text in [STORE_BUFFERING, MESSAGE_PASSING] {
        for kinds in [
            &FenceKind::XY[..2],
            &FenceKind::XY[1..3],
            &FenceKind::XY[2..],
            &[FenceKind::XY[0], FenceKind::XY[3]],
        ] {
            let program = with_candidates(&parse(text).unwrap(), kinds, |_| true);
            let (found, _, candidates) = placed(&program);
            assert_eq!(candidates.len(), 8);
            assert_eq!(found, by_brute_force(&program, &candidates));
        }
    }
}

#[test]
fn there_is_no_set_where_all_fences_are_not_enough() {
    let program = with_candidates(&parse(STORE_BUFFERING).unwrap(), &FenceKind::XY[3..], |_| true);
    let (found, ..) = placed(&program);
    assert!(found.is_empty());
}

#[test]
fn no_set_is_enough_for_what_is_not_checked() {
    let settings = Settings::new(MemoryModel::Relaxed);
    assert_eq!(minimal_sets(&[], &settings, 1), Err(Unplaced::NoTest));
    let program = parse("proc p()() { no = 0 assume (no) } thread { p()() }").unwrap();
    for count in [0, 1] {
        let observations = ObservationSet {
            observations: vec![Observation::default(); count].into_iter().collect(),
            has_error: false,
        };
        let tests = [Test { program: program.clone(), observations }];
        assert_eq!(minimal_sets(&tests, &settings, 1), Err(Unplaced::NoExecution));
    }
}
