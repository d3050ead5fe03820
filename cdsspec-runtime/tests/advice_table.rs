//! The text of advice, as it is printed.

use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::*};
use cdsspec_runtime::thread;
use cdsspec_runtime::weaken::{Programs, advise};
use expect_test::expect;

fn hand_over() {
    let (data, flag) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            data.store(1, Relaxed);
            flag.store(1, SeqCst);
        });
        let is_there = /* and this line is so long that it is cut in the table */ flag.load(SeqCst) == 1;
        if is_there {
            assert_eq!(data.load(Relaxed), 1);
        }
    });
}

#[test]
fn advice_says_place_line_order_and_which_program_proves_it_and_how() {
    let advice = advise(Programs::new("flag").program("hand_over", hand_over).progress(false));
    expect![[r#""#]].assert_eq(&advice.to_string());
}
