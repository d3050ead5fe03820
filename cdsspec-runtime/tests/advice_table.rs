//! The text of advice, as it is printed.

use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
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
    expect![[r#"
        line  operation              written  needed      what shows that less is not enough
        ----  ---------------------  -------  ----------  ----------------------------------------
        cdsspec-runtime/tests/advice_table.rs
        13    hand_over: flag.store  SeqCst   Release <-  Relaxed: panic by hand_over, execution 3
        15    hand_over: flag.load   SeqCst   Acquire <-  Relaxed: panic by hand_over, execution 3

        not shown: 2 orders that are written as weak as can be, and may stay so

        flag: 2 of 4 orders can be weaker

        --- a/cdsspec-runtime/tests/advice_table.rs
        +++ b/cdsspec-runtime/tests/advice_table.rs
        @@ -10,9 +10,9 @@
             thread::scope(|scope| {
                 scope.spawn(|| {
                     data.store(1, Relaxed);
        -            flag.store(1, SeqCst);
        +            flag.store(1, std::sync::atomic::Ordering::Release);
                 });
        -        let is_there = /* and this line is so long that it is cut in the table */ flag.load(SeqCst) == 1;
        +        let is_there = /* and this line is so long that it is cut in the table */ flag.load(std::sync::atomic::Ordering::Acquire) == 1;
                 if is_there {
                     assert_eq!(data.load(Relaxed), 1);
                 }

        All programs hold with all of this at once. With any one order a step weaker still, one of them
          fails.
        not modelled by rc11: load buffering (RC11); loops that only read and count their rounds outside the
          stack; a second spurious failure or wake-up at one place in a thread; objects on a stack that end
          while another thread uses them, unless their place is used again; a reader that a waiting writer
          holds back, unless it reads already; freed or uninitialised memory (it takes
          `cdsspec::allocator!()`): hardware and C11 (2011) may need more
        RC11 forbids load buffering by itself, and loom does not show it: an Acquire or Release that only
          prevents that looks unneeded here.
        Advice is only as good as the programs: an order that none of them needs may be needed by another
          one.
    "#]].assert_eq(&advice.text(100));
}
