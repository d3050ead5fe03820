//! A run that does not move.

use super::page::{Page, Row};
use crate::record::{Place, ThreadId};
use std::time::Duration;

/// What is said of a run of `program` in which nothing has moved for so long; `last` are the last operations of its threads. `is_exit`:
/// the process ends over that.
pub fn stuck(
    program: &str,
    patience: Duration,
    last: &[(ThreadId, Place)],
    is_exit: bool,
    columns: usize,
) -> String {
    let mut page = Page::new(columns);
    let end = if is_exit { "; the process ends" } else { "" };
    page.headline(&format!("{program}: nothing has moved for {} s{end}", patience.as_secs_f64()));
    let rows = last.iter().map(|(thread, place)| {
        Row::new(format!("thread {}", thread.index()), format!("last did {}", place.name)).at(place.source)
    });
    let mut rows: Vec<_> = rows.collect();
    rows.push(Row::new(
        "do",
        "a lock of std that a thread holds while another runs cannot be seen: use `cdsspec::sync` for it, or let it go before the \
         next operation; or the program computes for long between two operations (CDSSPEC_WATCHDOG_MS, 0 to switch this off; \
         CDSSPEC_WATCHDOG_EXIT_MS ends the process)",
    ));
    page.rows(&rows);
    page.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Orders, SourceLocation, operation_name};
    use expect_test::expect;

    #[test]
    fn what_each_thread_did_last_is_named() {
        let source = |line| SourceLocation { file: "src/queue.rs", line, column: 5 };
        let place = |name, line| Place { source: source(line), name, orders: Orders::None };
        let last = [
            (ThreadId::new(0), place(operation_name!("load", Load), 12)),
            (ThreadId::new(1), place(operation_name!("fetch_add", Update), 31)),
        ];
        expect![[r#"
            queue::push: nothing has moved for 10 s

              thread 0  last did load                       src/queue.rs:12
              thread 1  last did fetch_add                  src/queue.rs:31
              do        a lock of std that a thread holds while another runs cannot be seen: use `cdsspec::sync`
                        for it, or let it go before the next operation; or the program computes for long between
                        two operations (CDSSPEC_WATCHDOG_MS, 0 to switch this off; CDSSPEC_WATCHDOG_EXIT_MS ends
                        the process)
        "#]].assert_eq(&stuck("queue::push", Duration::from_millis(10_000), &last, false, 100));
    }

    #[test]
    fn the_end_of_the_process_is_told() {
        let text = stuck("queue::push", Duration::from_millis(1_500), &[], true, 100);
        assert!(text.starts_with("queue::push: nothing has moved for 1.5 s; the process ends\n"), "{text}");
    }
}
