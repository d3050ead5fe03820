//! What the front end made of a module of Rust: the text, and what is said in it behind `//`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// A module in LSL, with what each statement stands for in Rust. `#[cdsspec::fence]` makes it, as the constant `FENCE` of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    file: Cow<'static, str>,
    text: Cow<'static, str>,
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A function of the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Function {
    pub(super) procedure: String,
    /// The shape of each parameter.
    pub(super) parameters: Vec<String>,
    /// The shape of what it returns, or the type of the object that it makes.
    pub(super) returned: String,
}

impl Source {
    /// A text that the front end made of this file.
    pub const fn new(file: &'static str, text: &'static str) -> Self {
        Self { file: Cow::Borrowed(file), text: Cow::Borrowed(text) }
    }

    /// The same, of texts that are made at run time.
    pub fn of(file: String, text: String) -> Self {
        Self { file: Cow::Owned(file), text: Cow::Owned(text) }
    }

    /// The text in LSL.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file that it was made of.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The functions by their paths, and those that make objects by theirs. A head is `proc p(a)(r) { // path(n,p) ?n`.
    pub(super) fn functions(&self) -> (BTreeMap<String, Function>, BTreeMap<String, Function>) {
        let (mut functions, mut constructors) = (BTreeMap::new(), BTreeMap::new());
        for head in self.text.lines().map(str::trim_start).filter(|line| line.starts_with("proc ")) {
            let Some((words, note)) = head.split_once(" // ") else { continue };
            let procedure = words["proc ".len()..].split('(').next().unwrap_or_default().to_owned();
            let Some((path, rest)) = note.split_once('(') else { continue };
            let Some((parameters, returned)) = closing(rest) else { continue };
            let function = Function {
                parameters: split(parameters),
                returned: returned.trim().to_owned(),
                procedure: procedure.clone(),
            };
            let table = if procedure.ends_with(".at") { &mut constructors } else { &mut functions };
            table.insert(path.to_owned(), function);
        }
        (functions, constructors)
    }

    /// Where each statement of each procedure stands.
    pub(super) fn places(&self) -> BTreeMap<String, Vec<Option<Place>>> {
        let mut places: BTreeMap<String, Vec<Option<Place>>> = BTreeMap::new();
        let mut current = None;
        for line in self.text.lines() {
            if let Some(head) = line.trim_start().strip_prefix("proc ") {
                let name = head.split('(').next().unwrap_or_default().to_owned();
                current = Some(places.entry(name).or_default());
            } else if let (Some(places), false) = (&mut current, line.trim().is_empty() || line.trim() == "}")
            {
                places.push(line.rsplit_once(" // ").and_then(|(_, place)| parsed(place)));
            }
        }
        places
    }

    /// A line of the file, if the file is still there: below this folder, or one around it.
    pub(super) fn line(&self, number: usize) -> Option<String> {
        let here = std::env::current_dir().ok()?;
        let file =
            here.ancestors().map(|folder| folder.join(Path::new(&*self.file))).find(|file| file.is_file())?;
        let text = std::fs::read_to_string(file).ok()?;
        text.lines().nth(number.checked_sub(1)?).map(|line| line.trim().to_owned())
    }
}

fn parsed(place: &str) -> Option<Place> {
    let (line, column) = place.split_once(':')?;
    Some(Place { line: line.parse().ok()?, column: column.parse().ok()? })
}

/// What stands before the parenthesis that closes, and behind it.
fn closing(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    for (index, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' if depth == 0 => return Some((&text[..index], &text[index + 1..])),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits at commas; shapes have none in them.
fn split(text: &str) -> Vec<String> {
    text.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect()
}
