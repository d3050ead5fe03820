//! How far the runs looked on which a result rests.

use crate::model::Outcome;
use std::fmt;

/// How far the runs looked on which a result rests: what holds, holds within this.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Scope {
    /// The bounds of all runs, each once, in alphabetical order ([`Outcome::bounds`]).
    pub bounds: Vec<String>,
    /// By engine, what it does not model, a phrase each ([`Outcome::not_modelled`]).
    pub not_modelled: Vec<(String, Vec<String>)>,
}

impl Scope {
    /// The scope of one run.
    pub(super) fn of(outcome: &Outcome) -> Self {
        let mut scope = Self::default();
        scope.add_bounds(&outcome.bounds);
        scope.add_not_modelled(&outcome.engine, &outcome.not_modelled);
        scope
    }

    /// That of both.
    pub(super) fn with(mut self, other: &Self) -> Self {
        self.add_bounds(&other.bounds);
        for (engine, phrases) in &other.not_modelled {
            self.add_not_modelled(engine, phrases);
        }
        self
    }

    /// Whether orders are judged without load buffering.
    pub(super) fn has_no_load_buffering(&self) -> bool {
        self.not_modelled
            .iter()
            .flat_map(|(_, phrases)| phrases)
            .any(|phrase| phrase.contains("load buffering"))
    }

    fn add_bounds(&mut self, bounds: &[String]) {
        self.bounds.extend_from_slice(bounds);
        self.bounds.sort();
        self.bounds.dedup();
    }

    fn add_not_modelled(&mut self, engine: &str, phrases: &[String]) {
        if phrases.is_empty() {
            return;
        }
        let index = self.not_modelled.iter().position(|(known, _)| known == engine).unwrap_or_else(|| {
            self.not_modelled.push((engine.to_owned(), Vec::new()));
            self.not_modelled.len() - 1
        });
        let known = &mut self.not_modelled[index].1;
        for phrase in phrases {
            if !known.contains(phrase) {
                known.push(phrase.clone());
            }
        }
    }
}

/// A line for the bounds, if there are any, and one for each engine.
impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.bounds.is_empty() {
            writeln!(f, "within: {}", self.bounds.join("; "))?;
        }
        for (engine, phrases) in &self.not_modelled {
            let phrases = phrases.join("; ");
            writeln!(f, "not modelled by {engine}: {phrases}: hardware and C11 (2011) may need more")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(bounds: &[&str], engine: &str, phrases: &[&str]) -> Scope {
        let own = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        Scope { bounds: own(bounds), not_modelled: vec![(engine.to_owned(), own(phrases))] }
    }

    #[test]
    fn the_scope_of_several_runs_has_the_bounds_of_all_each_once() {
        let one = scope(&["spin_rounds_max = 2"], "rc11", &["load buffering (RC11)"]);
        let other =
            scope(&["preemptions_max = 1", "spin_rounds_max = 2"], "rc11", &["load buffering (RC11)", "x"]);
        let both = one.with(&other);
        assert!(both.has_no_load_buffering());
        assert_eq!(
            both.to_string(),
            "within: preemptions_max = 1; spin_rounds_max = 2\n\
             not modelled by rc11: load buffering (RC11); x: hardware and C11 (2011) may need more\n"
        );
    }
}
