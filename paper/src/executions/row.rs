//! What a row of the table says.

use super::size::Size;
use serde_json::{Map, Value};

/// A program of a structure under an engine.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) structure: String,
    /// What the example printed.
    pub(super) outcome: Map<String, Value>,
    pub(super) size: Size,
}

impl Row {
    /// A row from a line of an example's JSON; `None` if it is one of a seeded bug.
    ///
    /// # Errors
    /// That it is no such line.
    pub(super) fn of(structure: &str, line: &str, size: Size) -> Result<Option<Self>, String> {
        let Ok(Value::Object(outcome)) = serde_json::from_str(line) else {
            return Err(format!("{structure}: no JSON object: {line}"));
        };
        let is_bug = outcome.contains_key("seeded_bug");
        Ok((!is_bug).then(|| Self { structure: structure.to_owned(), outcome, size }))
    }

    /// One JSON object: the fields of the example, and what it is a row of.
    pub(super) fn json(&self) -> Value {
        let mut object = self.outcome.clone();
        object.remove("example");
        object.insert("structure".to_owned(), self.structure.clone().into());
        object.insert("spec_lines".to_owned(), self.size.lines.into());
        object.insert("ordering_points".to_owned(), self.size.ordering_points.into());
        object.insert("methods".to_owned(), self.size.methods.into());
        object.insert("admissibility_lines".to_owned(), self.size.admissibility.into());
        object.insert("code_lines".to_owned(), self.size.code.into());
        Value::Object(object)
    }

    /// A field as text, without quotes.
    pub(super) fn text(&self, key: &str) -> String {
        match self.outcome.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => "?".to_owned(),
        }
    }

    /// A field that is a number; 0 if it is none.
    pub(super) fn count(&self, key: &str) -> u64 {
        self.outcome.get(key).and_then(Value::as_u64).unwrap_or(0)
    }

    pub(super) fn seconds(&self) -> f64 {
        self.outcome.get("seconds").and_then(Value::as_f64).unwrap_or(f64::NAN)
    }

    /// The bounds of the run, but for the one that all runs of loom have.
    pub(super) fn bounds(&self) -> String {
        let bounds = self.outcome.get("bounds").and_then(Value::as_array);
        let bounds: Vec<&str> = bounds.into_iter().flatten().filter_map(Value::as_str).collect();
        bounds.into_iter().filter(|bound| !bound.starts_with("loom")).collect::<Vec<_>>().join(", ")
    }

    /// Whether the program holds: on rc11 without a bound.
    pub(super) fn holds(&self) -> bool {
        let verdict = self.text("verdict");
        verdict == "holds" || self.text("engine") != "rc11" && verdict == "holds_within"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size { lines: 7, ordering_points: 2, methods: 2, admissibility: 1, code: 40 };

    #[test]
    fn a_row_has_the_fields_of_the_example_and_those_of_the_structure() {
        let line = r#"{"example":"a","program":"p","verdict":"holds","seconds":0.5,"bounds":["loom is never exhaustive","a = 1"]}"#;
        let row = Row::of("a", line, SIZE).unwrap().unwrap();
        let json = row.json();
        assert_eq!(json["structure"], "a");
        assert_eq!(json["program"], "p");
        assert_eq!((json["spec_lines"].clone(), json["methods"].clone()), (7.into(), 2.into()));
        assert_eq!((json["admissibility_lines"].clone(), json["code_lines"].clone()), (1.into(), 40.into()));
        assert_eq!(json.get("example"), None);
        assert_eq!((row.seconds(), row.text("program"), row.holds()), (0.5, "p".to_owned(), true));
        assert_eq!(row.bounds(), "a = 1");
        for (engine, holds) in [("rc11", false), ("loom", true)] {
            let line = format!(r#"{{"program":"p","engine":"{engine}","verdict":"holds_within"}}"#);
            assert_eq!(Row::of("a", &line, SIZE).unwrap().unwrap().holds(), holds);
        }
    }

    #[test]
    fn a_seeded_bug_is_no_row() {
        let line = r#"{"program":"p","seeded_bug":"b"}"#;
        assert!(Row::of("a", line, SIZE).unwrap().is_none());
        assert!(Row::of("a", "holds", SIZE).is_err());
    }
}
