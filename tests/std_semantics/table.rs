//! Programs on std and on cdsspec: what is seen on std is among what is found here, and that is exactly what is written down.

/// On real threads.
#[path = ""]
mod on_std {
    use std as lib;
    #[path = "programs/mod.rs"]
    pub(super) mod programs;
}

/// Under the engine.
#[path = ""]
mod on_cdsspec {
    use cdsspec as lib;
    #[path = "programs/mod.rs"]
    pub(super) mod programs;
}

use cdsspec::{Builder, Verdict};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// How often each program runs on std.
const RUNS: usize = 20;

/// What a program comes to on std, on a thread that has the name of a main thread.
fn run_on_std(run: fn() -> String) -> String {
    let main = std::thread::Builder::new().name("main".to_owned()).spawn(run);
    main.expect("the system has a thread").join().expect("no program panics")
}

/// All that a program comes to.
fn explore(name: &str, run: fn() -> String) -> BTreeSet<String> {
    let seen = Arc::new(Mutex::new(BTreeSet::new()));
    let noted = seen.clone();
    let outcome = Builder::new().name(name).check(move || {
        let said = run();
        noted.lock().unwrap_or_else(PoisonError::into_inner).insert(said);
    });
    assert!(outcome.verdict == Verdict::Holds, "{name}: {outcome}");
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.clone()
}

#[test]
fn programs_do_here_what_they_do_on_std_and_all_that_it_allows() {
    let rows = || on_std::programs::TABLES.into_iter().flatten();
    let explored = on_cdsspec::programs::TABLES.into_iter().flatten();
    let mut wrong = Vec::new();
    for (row, ours) in rows().zip(explored) {
        assert_eq!((row.name, row.expected), (ours.name, ours.expected));
        let expected: BTreeSet<String> = ours.expected.iter().map(|&text| text.to_owned()).collect();
        let found = explore(ours.name, ours.run);
        if found != expected {
            wrong.push(format!("{}: {found:?}", row.name));
        }
        let said: BTreeSet<String> = (0..RUNS).map(|_| run_on_std(row.run)).collect();
        if !said.is_subset(&expected) {
            wrong.push(format!("{}: std says {said:?}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(rows().count(), 108);
}
