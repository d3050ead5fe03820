//! Advice as JSON.

use super::advice::{Advice, Recommendation};
use super::site::Level;
use super::subject::Proof;
use crate::check::Verdict;
use serde::Serialize;

/// A line of JSON: an order.
#[derive(Serialize)]
struct Line<'a> {
    structure: &'a str,
    place: String,
    operation: &'a str,
    written: String,
    /// What was begun from: what is written, unless other orders were asked for.
    from: String,
    needed: String,
    change: bool,
    examined: bool,
    refuted: Vec<Refuted<'a>>,
}

/// A level that is not enough.
#[derive(Serialize)]
struct Refuted<'a> {
    level: String,
    verdict: Verdict,
    program: &'a str,
    executions: u64,
}

impl<'a> Line<'a> {
    fn new(structure: &'a str, recommendation: &'a Recommendation) -> Self {
        let Recommendation { site, operation, needed, is_examined, proofs, .. } = recommendation;
        let source = site.place.source;
        Self {
            structure,
            place: format!("{source}:{}", source.column),
            operation,
            written: site.written_level().to_string(),
            from: site.base.to_string(),
            needed: needed.to_string(),
            change: recommendation.is_change(),
            examined: *is_examined,
            refuted: proofs.iter().map(Refuted::new).collect(),
        }
    }
}

impl<'a> Refuted<'a> {
    fn new((level, proof): &'a (Level, Proof)) -> Self {
        let Proof { verdict, program, executions, .. } = proof;
        Self { level: level.to_string(), verdict: *verdict, program, executions: *executions }
    }
}

impl Advice {
    /// One JSON object a line: each order that the programs exercise, in the order of the source, with `structure`, `place`, `operation`, `written`,
    /// `from` (what was begun from), `needed`, `change` (whether that is another), `examined`, and `refuted`: what shows that less is not enough. Whether this is advice
    /// at all, [`is_complete`](Self::is_complete) says. With the feature `json`.
    pub fn json_lines(&self) -> String {
        let line = |recommendation| {
            let line = Line::new(&self.structure, recommendation);
            serde_json::to_string(&line).expect("strings and numbers can be written as JSON") + "\n"
        };
        self.recommendations.iter().map(line).collect()
    }
}
