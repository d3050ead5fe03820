//! Lines of files.

use cdsspec_runtime::lineup::SearchResult;
use serde_json::Value;
use std::path::PathBuf;

/// A line of a file.
pub(crate) struct Line {
    /// Where it stands: `FILE:LINE`.
    pub(crate) place: String,
    pub(crate) result: SearchResult,
}

/// All lines of all files, in their order.
///
/// # Errors
/// In words: a file that cannot be read, a line that is none of ours or was cut, or no line at all.
pub(crate) fn read(files: &[&PathBuf]) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    for file in files {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("{name}:{}", index + 1);
            let result = parse(line).map_err(|error| format!("{place}: {error}"))?;
            lines.push(Line { place, result });
        }
    }
    if lines.is_empty() {
        return Err("there is no line in these files: no search wrote its results to them".to_owned());
    }
    Ok(lines)
}

fn parse(line: &str) -> Result<SearchResult, String> {
    let value: Value = serde_json::from_str(line)
        .map_err(|error| format!("this is no line of results, or one that was cut: {error}"))?;
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if format == u64::from(SearchResult::FORMAT) => {}
        found => {
            let found = found.map_or_else(|| "none".to_owned(), |format| format.to_string());
            return Err(format!(
                "the form of these results is {found}, and {} is known: use the cargo-cdsspec of the same version",
                SearchResult::FORMAT
            ));
        }
    }
    serde_json::from_value(value).map_err(|error| format!("this is no line of results: {error}"))
}
