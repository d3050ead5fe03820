//! The lines that an example prints with `--weaken --json`.

use super::survivor::Reason;
use serde_json::{Map, Value};

/// The classes of findings, in the order of the columns.
pub(super) const CLASSES: [&str; 4] = ["built_in", "inadmissible", "violated", "blocked"];

/// A place and step, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Injection {
    object: Map<String, Value>,
    /// Of a survivor: why it is one.
    pub(super) reason: Option<Reason>,
    /// What came of it with the verdicts on memory switched off, where that was asked.
    pub(super) alone: Option<Alone>,
}

/// What the specification finds alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Alone {
    /// Whether some execution breaks the specification, its admissibility rules, or waits for ever.
    pub(super) is_found: bool,
    /// The class, or what ends the executions before the specification is asked, or that it survived.
    pub(super) text: String,
}

impl Injection {
    /// One of this structure.
    ///
    /// # Errors
    /// A line that is no object.
    pub(super) fn of(structure: &str, line: &str) -> Result<Self, String> {
        match serde_json::from_str(line) {
            Ok(Value::Object(object)) => Ok(Self { object, reason: None, alone: None }),
            _ => Err(format!("{structure}: no JSON object: {line}")),
        }
    }

    /// A field as text, without quotes; nothing for `null`.
    pub(super) fn text(&self, key: &str) -> String {
        match self.object.get(key) {
            Some(Value::String(text)) => text.clone(),
            None | Some(Value::Null) => String::new(),
            Some(value) => value.to_string(),
        }
    }

    /// `SeqCst -> AcqRel`.
    pub(super) fn step(&self) -> String {
        format!("{} -> {}", self.text("from"), self.text("to"))
    }

    /// What a row of a table about this one begins with.
    pub(super) fn key(&self) -> String {
        format!("{} | {} | {}", self.text("structure"), self.text("operation"), self.step())
    }

    /// Whether a table means this one.
    pub(super) fn is_called(&self, structure: &str, operation: &str, step: &str) -> bool {
        self.text("structure") == structure && self.text("operation") == operation && self.step() == step
    }

    /// Whether the line says what came of all survivors of a structure at once.
    pub(super) fn is_about_all_survivors(&self) -> bool {
        self.object.contains_key("survivors_together")
    }

    /// Whether some program shows it.
    pub(super) fn is_found(&self) -> bool {
        self.object.get("found") == Some(&Value::Bool(true))
    }

    /// Whether all programs hold with it. What a limit left open is neither found nor a survivor.
    pub(super) fn is_survivor(&self) -> bool {
        self.text("result") == "survived"
    }

    /// Whether it was found in this class.
    pub(super) fn is_of(&self, class: &str) -> bool {
        self.is_found() && self.text("class") == class
    }

    /// Which of the places that the report blames it is, from 1; 0: it is none. `None` where no order is to blame.
    pub(super) fn blamed(&self) -> Option<u64> {
        self.object.get("blamed").and_then(Value::as_u64)
    }

    /// Whether the order is needed, as far as anybody knows.
    pub(super) fn is_needed(&self) -> bool {
        self.reason.as_ref().is_none_or(|reason| reason.is_needed)
    }

    /// Why it is no answer, if it is none: a program that took no part, or what a limit left open.
    pub(super) fn mistake(&self) -> Option<String> {
        let structure = self.text("structure");
        if self.object.contains_key("left_out") {
            let (program, verdict) = (self.text("left_out"), self.text("verdict"));
            return Some(format!(
                "{structure}: the program {program} took no part: it is {verdict} as it is written"
            ));
        }
        if self.is_about_all_survivors() {
            return None;
        }
        let is_answer = self.is_found() || self.is_survivor();
        (!is_answer).then(|| format!("no answer ({}): {}", self.result(), self.key()))
    }

    /// What came of it, in words.
    pub(super) fn result(&self) -> String {
        if self.is_found() {
            return self.text("class");
        }
        let is_bounded = self.object.get("bounds").and_then(Value::as_array).is_some_and(|of| !of.is_empty());
        match self.text("result").as_str() {
            "survived" if is_bounded => "survived within bounds".to_owned(),
            "survived" => "survived".to_owned(),
            "open" => format!("open: {}", self.text("verdict")),
            "not_reached" => "not reached".to_owned(),
            other => format!("unknown result `{other}`"),
        }
    }

    /// What the specification finds, if this is what came of it with the verdicts on memory switched off: the first class that is not
    /// built-in. A race or panic, which cannot be switched off, ends an execution before the specification is asked.
    pub(super) fn alone(&self) -> Alone {
        let classes = self.object.get("classes").and_then(Value::as_array);
        let mut classes = classes.into_iter().flatten().filter_map(Value::as_str);
        match classes.find(|class| *class != CLASSES[0]) {
            Some(class) => Alone { is_found: true, text: class.to_owned() },
            None if self.is_found() => Alone { is_found: false, text: format!("({})", self.text("verdict")) },
            None => Alone { is_found: false, text: self.result() },
        }
    }

    /// The line with what was added to it.
    pub(super) fn json(&self) -> Value {
        let mut object = self.object.clone();
        if let Some(alone) = &self.alone {
            object.insert("alone".to_owned(), alone.text.clone().into());
        }
        if let Some(reason) = &self.reason {
            object.insert("reason".to_owned(), reason.text.clone().into());
        }
        Value::Object(object)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A row with this result.
    pub(in super::super) fn row(result: &str) -> Injection {
        row_with(result, &["violated"])
    }

    /// A row with this result, which is of these classes if it is found.
    pub(in super::super) fn row_with(result: &str, classes: &[&str]) -> Injection {
        let found = result == "found";
        let line = serde_json::json!({
            "structure": "a", "operation": "f: x.load", "from": "Acquire", "to": "Relaxed", "result": result,
            "found": found, "class": if found { classes.first() } else { None }, "verdict": "inconclusive",
            "classes": if found { Some(classes) } else { None },
        });
        Injection::of("a", &line.to_string()).unwrap()
    }

    #[test]
    fn survivors_within_bounds_say_so() {
        let mut bounded = row("survived");
        assert_eq!(bounded.result(), "survived");
        bounded.object.insert("bounds".to_owned(), serde_json::json!(["loop_rounds_max = 2"]));
        assert_eq!(bounded.result(), "survived within bounds");
    }

    #[test]
    fn what_ends_an_execution_before_the_specification_is_asked_is_no_finding_of_it() {
        let alone = |row: Injection| (row.alone().is_found, row.alone().text);
        assert_eq!(alone(row_with("found", &["built_in", "violated"])), (true, "violated".to_owned()));
        assert_eq!(alone(row_with("found", &["blocked"])), (true, "blocked".to_owned()));
        assert_eq!(alone(row_with("found", &["built_in"])), (false, "(inconclusive)".to_owned()));
        assert_eq!(alone(row("survived")), (false, "survived".to_owned()));
    }
}
