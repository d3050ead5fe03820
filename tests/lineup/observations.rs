//! Observation sets as files.

use cdsspec::lineup::{LineUp, ObservationSet, XmlError};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{Scenario, Verdict};
use expect_test::expect_file;
use std::collections::VecDeque;

/// The queue of figure 7: `take` waits for an item.
#[derive(Default)]
struct Queue {
    items: Mutex<VecDeque<u32>>,
    has_item: Condvar,
}

impl Queue {
    fn add(&self, item: u32) {
        self.items.lock().expect("nobody panics with it").push_back(item);
        self.has_item.notify_one();
    }

    fn take(&self) -> u32 {
        let mut items = self.items.lock().expect("nobody panics with it");
        loop {
            match items.pop_front() {
                Some(item) => return item,
                None => items = self.has_item.wait(items).expect("nobody panics with it"),
            }
        }
    }

    fn try_take(&self) -> Result<u32, &'static str> {
        self.items.lock().expect("nobody panics with it").pop_front().ok_or("empty & <none>")
    }
}

fn queue() -> Scenario<Queue> {
    Scenario::new(Queue::default)
        .op("add(200)", |queue| queue.add(200).into())
        .op("add(400)", |queue| queue.add(400).into())
        .op("take()", |queue| queue.take().into())
        .op("try_take()", |queue| queue.try_take().into())
}

#[test]
fn the_set_of_figure_7_is_written_read_and_compared() {
    let scenario = queue();
    let matrix = scenario.matrix([["add(200)", "add(400)"], ["take()", "try_take()"]]);
    let lineup = LineUp::new(scenario);
    let observed = lineup.observe(&matrix).expect("it has no fault");
    // Three orders in which all return, and the take first, which waits for ever.
    assert_eq!((observed.full_count(), observed.stuck_count(), observed.group_count()), (3, 1, 3));
    let text = observed.to_xml(&matrix);
    expect_file!["observations.xml"].assert_eq(&text);
    let read = ObservationSet::from_xml(&text, &matrix).expect("it is what was written");
    assert_eq!(read, observed.as_texts());
    assert_eq!(read.to_xml(&matrix), text);
    let check = lineup.check_against(&matrix, &read);
    assert_eq!(check.verdict, Verdict::HoldsWithin, "{check}");
    // Without what is seen where both items are there, an execution has no witness.
    let is_of_400 = |part: &&str| !part.contains(r#"result="Ok(400)""#);
    let fewer: Vec<_> = text.split_inclusive("</observation>").filter(is_of_400).collect();
    let fewer = ObservationSet::from_xml(&fewer.concat(), &matrix).expect("each observation stands alone");
    assert_eq!(lineup.check_against(&matrix, &fewer).verdict, Verdict::Violated);
}

#[test]
fn what_is_no_set_of_the_test_is_refused() {
    let scenario = queue();
    let matrix = scenario.matrix([["add(200)"], ["take()"]]);
    let other = scenario.matrix([["add(400)"], ["take()"]]);
    let text = LineUp::new(scenario).observe(&matrix).expect("it has no fault").to_xml(&matrix);
    let error = ObservationSet::from_xml(&text, &other).expect_err("it is of another test");
    assert_eq!(error.to_string(), "the observations are of another test: there `add(200)`, here `add(400)`");
    for text in ["<observationset>", "<other/>", &text.replace("]1", "]2"), &text.replace("result", "value")]
    {
        let error = ObservationSet::from_xml(text, &matrix);
        assert!(matches!(error, Err(XmlError::Malformed(_))), "{text}: {error:?}");
    }
}
