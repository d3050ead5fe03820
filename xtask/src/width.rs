//! How wide the texts are that the tests hold to be right: what is printed without a terminal has at most 100 columns.

use crate::source::{root, rust_files};
use std::path::Path;

/// Columns of what is printed where there is no terminal.
const COLUMNS: usize = 100;

/// A text that some test expects, or a page shows: its file, the number of its first line, its lines.
struct Golden {
    file: String,
    first: usize,
    lines: Vec<String>,
}

/// The folders whose texts are not ours to lay out: code that the macros write.
const OF_OTHERS: [&str; 1] = ["cdsspec-macros/"];

/// All of them: golden files, blocks `text` of pages, and texts that stand in the tests.
fn goldens() -> Result<Vec<Golden>, String> {
    let mut all = Vec::new();
    for path in ["cdsspec-runtime/src/report/golden", "docs", "."] {
        files(&root().join(path), &mut all)?;
    }
    for file in rust_files(&root())? {
        if !OF_OTHERS.iter().any(|folder| file.path.starts_with(folder)) {
            all.extend(inline(&file.path, &file.text));
        }
    }
    Ok(all)
}

/// The golden files and pages of a folder, not of those in it.
fn files(folder: &Path, all: &mut Vec<Golden>) -> Result<(), String> {
    let describe = |error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(describe)? {
        let path = entry.map_err(describe)?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        let Some(extension @ ("txt" | "md")) = extension else { continue };
        let text = std::fs::read_to_string(&path).map_err(describe)?;
        let file = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().into_owned();
        match extension {
            "txt" => all.push(Golden { file, first: 1, lines: text.lines().map(str::to_owned).collect() }),
            _ => all.extend(blocks(&file, &text, |line| line == "```text", |line| line == "```")),
        }
    }
    Ok(())
}

/// The texts in `expect![[r#"…"#]]` of a source file, without their indent.
fn inline(file: &str, source: &str) -> Vec<Golden> {
    let is_begin = |line: &str| line.trim_end().ends_with("expect![[r#\"");
    let mut all = blocks(file, source, is_begin, |line| line.contains("\"#]]"));
    for golden in &mut all {
        for line in &mut golden.lines {
            // The last line ends the literal.
            *line = line.split("\"#]]").next().unwrap_or_default().trim_end().to_owned();
        }
        let filled = golden.lines.iter().filter(|line| !line.is_empty());
        let indent = filled.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        for line in &mut golden.lines {
            *line = line.get(indent..).unwrap_or_default().to_owned();
        }
    }
    all
}

/// The lines between one that begins a block and one that ends it; that one belongs to the block if it says anything before.
fn blocks(
    file: &str,
    text: &str,
    is_begin: impl Fn(&str) -> bool,
    is_end: impl Fn(&str) -> bool,
) -> Vec<Golden> {
    let mut all: Vec<Golden> = Vec::new();
    let mut is_inside = false;
    for (index, line) in text.lines().enumerate() {
        if !is_inside {
            is_inside = is_begin(line);
            if is_inside {
                all.push(Golden { file: file.to_owned(), first: index + 2, lines: Vec::new() });
            }
            continue;
        }
        let is_last = is_end(line);
        if let Some(golden) =
            all.last_mut().filter(|_| !is_last || !line.trim().is_empty() && line.trim() != "```")
        {
            golden.lines.push(line.to_owned());
        }
        is_inside = !is_last;
    }
    all
}

/// Whether a line cannot be broken: it is a path, or a line of a patch, which is one of the source.
fn is_whole(lines: &[String], index: usize) -> bool {
    let words = lines[index].split_whitespace().count();
    let is_hunk = |line: &&String| line.starts_with("@@ ");
    let is_of_patch =
        lines[..index].iter().rev().take_while(|line| !line.is_empty()).any(|line| is_hunk(&line));
    is_of_patch && lines[index].starts_with(['+', '-', ' ']) || words == 1 && lines[index].contains('/')
}

/// The widest line that could be broken: its columns, where it is, what it says.
fn longest(goldens: &[Golden]) -> Option<(usize, String)> {
    let lines = goldens.iter().flat_map(|golden| {
        let breakable = (0..golden.lines.len()).filter(|&index| !is_whole(&golden.lines, index));
        breakable.map(move |index| {
            let line = &golden.lines[index];
            (line.chars().count(), format!("{}:{}: {line}", golden.file, golden.first + index))
        })
    });
    lines.max_by_key(|(columns, _)| *columns)
}

#[test]
fn no_line_of_a_golden_text_is_wider_than_100_columns() {
    let goldens = goldens().expect("the files can be read");
    let lines: usize = goldens.iter().map(|golden| golden.lines.len()).sum();
    assert!(goldens.len() > 25 && lines > 500, "{} texts, {lines} lines", goldens.len());
    let (columns, line) = longest(&goldens).expect("there are lines");
    assert!(columns <= COLUMNS, "{columns} columns, {line}");
    assert!(
        columns > COLUMNS - 5,
        "the longest should be nearly as wide as it may be: {columns} columns, {line}"
    );
}

#[test]
fn a_line_that_is_too_wide_is_found_wherever_it_is() {
    let wide = "x ".repeat(51) + "x";
    let source = format!("    expect![[r#\"\n        a\n          {wide}\n    \"#]].assert_eq(&text);\n");
    let page = format!("text\n```text\n{wide}\n```\n{wide}\n");
    for (golden, place) in [
        (inline("a.rs", &source), "a.rs:3:   x "),
        (blocks("a.md", &page, |line| line == "```text", |line| line == "```"), "a.md:3: x "),
    ] {
        let (columns, line) = longest(&golden).expect("there is a line");
        assert!(columns >= 103 && line.starts_with(place), "{columns} {line}");
    }
    let path = "a/".repeat(60);
    let patch = ["@@ -1 +1 @@".to_owned(), format!("+{wide}"), String::new(), format!("+{wide}")].to_vec();
    let whole = |lines: &[String], index| is_whole(lines, index);
    assert_eq!([0, 1, 2, 3].map(|index| whole(&patch, index)), [false, true, false, false]);
    assert!(whole(&[path], 0) && !whole(&[wide], 0));
}
