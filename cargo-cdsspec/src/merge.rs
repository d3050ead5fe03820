//! Puts the parts of a search together.
//!
//! Each part has every test of its own up to its first failure, if that ends the search, and else all of them. Let `f` be the first failure of all parts. It is
//! the first of its part, and no part ended before it; so all tests up to `f` are there, which are those that one machine would have checked. That they are is looked at,
//! not believed.

use super::read::Line;
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::lineup::{SearchResult, Summary, TestResult};
use cdsspec_runtime::model::Shard;
use std::collections::BTreeMap;

/// What one machine would have found that checks all tests.
///
/// # Errors
/// In words, why the parts are no whole.
pub(crate) fn merge(parts: &[&Line]) -> Result<Summary, String> {
    agree(parts)?;
    let parts = whole(parts)?;
    for (shard, line) in &parts {
        complete(*shard, &line.result).map_err(|error| format!("{}: {error}", line.place))?;
    }
    let first = &parts.values().next().expect("a whole has a part").result;
    let mut results: Vec<&TestResult> = parts.values().flat_map(|line| &line.result.results).collect();
    results.sort_by_key(|result| result.place);
    let failure = results.iter().position(|result| result.verdict.is_fault());
    let failure = failure.filter(|_| first.stops_at_first);
    if let Some(failure) = failure {
        results.truncate(failure + 1);
    }
    if let Some((index, _)) = results.iter().enumerate().find(|(index, result)| result.place != *index as u64)
    {
        return Err(format!("the test {index} is missing"));
    }
    let total = parts.values().find_map(|line| line.result.total.map(|_| line.result.left_out));
    let left_out = match (failure, total) {
        (Some(failure), _) => results[failure].left_out,
        (None, left_out) => left_out.ok_or("no part says how many tests there are")?,
    };
    Ok(summary(first, &results, left_out))
}

/// Whether all parts are of one search.
fn agree(parts: &[&Line]) -> Result<(), String> {
    let first = parts[0];
    for line in parts {
        let (one, other) = (&first.result, &line.result);
        let differs = |what: String| {
            Err(format!("{} and {} are of different searches: {what}", first.place, line.place))
        };
        if one.shard.count() != other.shard.count() {
            return differs(format!(
                "the tests are split in {}, and in {}",
                one.shard.count(),
                other.shard.count()
            ));
        }
        if one.set_up != other.set_up {
            let missing = |in_one: &[String], in_other: &[String]| {
                in_one.iter().find(|phrase| !in_other.contains(phrase)).cloned().unwrap_or_default()
            };
            let (here, there) = (missing(&one.set_up, &other.set_up), missing(&other.set_up, &one.set_up));
            return differs(format!("the one has `{here}`, the other `{there}`"));
        }
        if one.stops_at_first != other.stops_at_first {
            return differs("one ends at the first failure, one does not".to_owned());
        }
    }
    let mut totals = parts.iter().filter_map(|line| Some((line, line.result.total?, line.result.left_out)));
    let Some((first, total, left_out)) = totals.next() else { return Ok(()) };
    for (line, other, other_left_out) in totals {
        if (total, left_out) != (other, other_left_out) {
            return Err(format!(
                "{} and {} are of different searches: they have {total} and {other} tests",
                first.place, line.place
            ));
        }
    }
    Ok(())
}

/// The parts by their numbers: each once.
fn whole<'a>(parts: &[&'a Line]) -> Result<BTreeMap<Shard, &'a Line>, String> {
    let mut known: BTreeMap<Shard, &Line> = BTreeMap::new();
    for line in parts {
        let shard = line.result.shard;
        if let Some(other) = known.insert(shard, line) {
            return Err(format!("the shard {shard} is there twice, {} and {}", other.place, line.place));
        }
    }
    let count = parts[0].result.shard.count();
    let shards = (1..=count).filter_map(|index| Shard::new(index, count));
    let missing: Vec<String> =
        shards.filter(|shard| !known.contains_key(shard)).map(|shard| shard.to_string()).collect();
    match missing.as_slice() {
        [] => Ok(known),
        [one] => Err(format!("the shard {one} is missing")),
        several => Err(format!("the shards {} are missing", several.join(", "))),
    }
}

/// Whether a part has all that it has to have.
fn complete(shard: Shard, part: &SearchResult) -> Result<(), String> {
    let mut places = (0..).filter(|place| shard.has(*place));
    for result in &part.results {
        let expected = places.next().expect("there is always another one");
        if result.place != expected {
            return Err(format!("the test {} stands where {expected} should", result.place));
        }
    }
    let next = places.next().expect("there is always another one");
    let fault_count = part.results.iter().filter(|result| result.verdict.is_fault()).count();
    let ends_with_fault = part.results.last().is_some_and(|result| result.verdict.is_fault());
    match part.total {
        None if part.stops_at_first && ends_with_fault && fault_count == 1 => Ok(()),
        None => Err("it ended before its end, and not at a failure".to_owned()),
        Some(_) if part.stops_at_first && fault_count > 0 => {
            Err("it went on behind a failure, which was to end it".to_owned())
        }
        Some(total) if next < total => Err(format!("the test {next} is missing")),
        Some(total) if part.results.last().is_some_and(|result| result.place >= total) => {
            Err(format!("it has more than the {total} tests that there are"))
        }
        Some(_) => Ok(()),
    }
}

fn summary(
    first: &SearchResult,
    results: &[&TestResult],
    left_out: cdsspec_runtime::scenario::LeftOut,
) -> Summary {
    let worst = results.iter().map(|result| result.verdict).min().unwrap_or(Verdict::Inconclusive);
    let mut bounds: Vec<String> = Vec::new();
    for bound in results.iter().flat_map(|result| &result.bounds) {
        if !bounds.contains(bound) {
            bounds.push(bound.clone());
        }
    }
    let count =
        |is_it: fn(Verdict) -> bool| results.iter().filter(|result| is_it(result.verdict)).count() as u64;
    let report = |is_it: fn(Verdict) -> bool| {
        results.iter().find(|result| is_it(result.verdict)).and_then(|result| result.report.clone())
    };
    Summary {
        title: first.title.clone(),
        tests: first.tests.clone(),
        shard: Shard::WHOLE,
        // There are always other tests.
        verdict: worst.min(Verdict::HoldsWithin),
        checked: results.len() as u64,
        passed: count(Verdict::is_pass),
        failed: count(Verdict::is_fault),
        left_out,
        serial_histories: results.iter().map(|result| result.serial_histories).sum(),
        concurrent_histories: results.iter().map(|result| result.concurrent_histories).sum(),
        bounds,
        limit: None,
        report: report(Verdict::is_fault)
            .or_else(|| report(|verdict| !verdict.is_fault() && !verdict.is_pass())),
    }
}
