//! What the conditions of a call mention is kept, and of many calls at that.

use cdsspec::Verdict::{Holds, Misused};
use cdsspec::contract::Sets;
use cdsspec::sync::Arc;
use cdsspec::{Builder, EngineKind};

#[derive(Default)]
struct Keeper {
    contract: Sets,
}

#[cdsspec::contract(event_sets(used))]
impl Keeper {
    #[expects(handle.is_some(), says = "of nothing")]
    #[ensures(c_ret == handle.is_some())]
    fn lend(&self, handle: Option<Arc<u32>>) -> bool {
        handle.is_some()
    }

    #[expects(number < 3000, says = "one too many")]
    fn count(&self, number: u32) {
        _ = number;
    }
}

#[test]
fn a_kept_handle_is_dropped_where_nobody_observes_it() {
    for engine in [EngineKind::Rc11, EngineKind::Loom] {
        let check = |is_there: bool| {
            Builder::new().engine(engine).check(move || {
                Keeper::default().lend(is_there.then(|| Arc::new(1)));
            })
        };
        let outcome = check(true);
        assert!(outcome.verdict.is_pass(), "{outcome}");
        assert_eq!(check(false).verdict, Misused);
    }
}

#[test]
fn so_many_calls_are_walked() {
    let check = |calls| {
        Builder::new().check(move || {
            let keeper = Keeper::default();
            (0..calls).for_each(|number| keeper.count(number));
        })
    };
    assert_eq!(check(3000).verdict, Holds);
    assert_eq!(check(3001).verdict, Misused);
}
