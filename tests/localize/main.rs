//! Faults of long histories, localized: the two examples of the paper (CGVT), and what correct structures come to.

mod list;
mod pair;

use cdsspec::localize::{Localization, Localize, Reveal};
use list::List;
use pair::Pair;

cdsspec::allocator!();

#[test]
fn print_list() {
    let l = Localize::new(List::new).stop_at_first(false).run();
    println!("{l}\n{:?} {:?} {:?}\n{:?}", l.detect_seconds, l.localize_seconds, l.prove_seconds, l.fault.as_ref().map(|f| f.matrix.to_string()));
}

#[test]
fn print_pair() {
    let l = Localize::new(Pair::new).stop_at_first(false).run();
    println!("{l}\n{:?} {:?} {:?}\n{:?}", l.detect_seconds, l.localize_seconds, l.prove_seconds, l.fault.as_ref().map(|f| f.matrix.to_string()));
}
