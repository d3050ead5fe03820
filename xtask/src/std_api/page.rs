//! rustdoc's HTML: what its pages say, as text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The page of one item.
pub(super) struct Page {
    /// `struct`, `fn` and so on.
    pub(super) kind: String,
    pub(super) name: String,
    /// How the item is declared.
    pub(super) declaration: String,
    /// Below it: variants, impls, and the methods of each inherent impl after it.
    pub(super) headings: Vec<Heading>,
    /// Whether the item is std's own, handed on.
    pub(super) is_std: bool,
}

/// A line of code in a page.
pub(super) struct Heading {
    /// `method`, `impl`, `variant`.
    pub(super) class: String,
    pub(super) text: String,
}

/// The documentation of one crate: its folder, and what is known of its traits.
pub(super) struct Docs {
    folder: PathBuf,
    unstable: BTreeMap<PathBuf, bool>,
}

impl Docs {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, unstable: BTreeMap::new() }
    }

    /// The pages of a module, `sync/atomic` say, or of one item of it, without what is unstable.
    ///
    /// # Errors
    /// What could not be read, or is not as rustdoc writes it.
    pub(super) fn pages(&mut self, module: &str, only: Option<&str>) -> Result<Vec<Page>, String> {
        let folder = self.folder.join(module);
        let index = read(&folder.join("index.html"))?;
        let mut pages = Vec::new();
        for (kind, name) in
            item_links(&index).into_iter().filter(|(_, name)| only.is_none_or(|only| only == *name))
        {
            let path = folder.join(format!("{kind}.{name}.html"));
            let html = read(&path)?;
            if !is_unstable(&html) {
                pages.push(self.page(&folder, (kind, name), &html).map_err(|error| describe(&path, &error))?);
            }
        }
        Ok(pages)
    }

    fn page(&mut self, folder: &Path, (kind, name): (&str, &str), html: &str) -> Result<Page, String> {
        let declaration = between(html, ITEM, "</pre>").ok_or("no declaration")?;
        let source = between(html, "<a class=\"src\" href=\"", "\"").unwrap_or_default();
        Ok(Page {
            kind: kind.to_string(),
            name: name.to_string(),
            declaration: text(declaration),
            headings: self.headings(folder, html)?,
            is_std: source.starts_with("https://doc.rust-lang.org/"),
        })
    }

    fn headings(&mut self, folder: &Path, html: &str) -> Result<Vec<Heading>, String> {
        let html = html.split("id=\"blanket-implementations\"").next().unwrap_or_default();
        let mut headings = Vec::new();
        let mut is_skipped_impl = false;
        for section in html.split("<section id=\"").skip(1) {
            let Some((class, code, rest)) = parts(section) else { continue };
            let is_unstable = is_stab(rest) || self.is_of_unstable_trait(folder, code)?;
            if class == "impl" {
                is_skipped_impl = is_unstable;
            }
            if matches!(class, "impl" | "method" | "variant") && !is_unstable && !is_skipped_impl {
                headings.push(Heading { class: class.to_string(), text: text(code) });
            }
        }
        Ok(headings)
    }

    /// Whether the code is an impl of a trait that is unstable, by the page of the trait: only where that is in the same folder of pages.
    fn is_of_unstable_trait(&mut self, folder: &Path, code: &str) -> Result<bool, String> {
        // The bounds of the impl are left of it.
        let Some((head, _)) = code.rsplit_once(" for <a").or_else(|| code.split_once(" for ")) else {
            return Ok(false);
        };
        let Some(link) = outermost_trait(head).filter(|link| !link.starts_with("https:")) else {
            return Ok(false);
        };
        let path = folder.join(link);
        if let Some(&known) = self.unstable.get(&path) {
            return Ok(known);
        }
        let found = is_unstable(&read(&path)?);
        self.unstable.insert(path, found);
        Ok(found)
    }
}

/// Before the declaration of an item.
const ITEM: &str = "<pre class=\"rust item-decl\">";

/// The link of the trait that the head of an impl ends with: the last that is not in angle brackets.
fn outermost_trait(head: &str) -> Option<&str> {
    let mut depth = 0_i32;
    let mut found = None;
    let mut rest = head;
    while let Some(next) = rest.find(['&', '<']) {
        rest = &rest[next..];
        if rest.starts_with("&lt;") {
            depth += 1;
        } else if rest.starts_with("&gt;") && !rest.starts_with("&gt; =") {
            depth -= 1;
        } else if depth == 0 && rest.starts_with("<a class=\"trait\" href=\"") {
            found = between(rest, "href=\"", "\"");
        }
        rest = &rest[1..];
    }
    found
}

/// Class, code and what follows the code, of a section that starts after its `id="`.
fn parts(section: &str) -> Option<(&str, &str, &str)> {
    let class = between(section, "class=\"", "\"")?;
    let (inner, rest) = section.split_once("</section>")?;
    let start = inner.find("class=\"code-header\">")?;
    let code = inner[start..].split_once('>')?.1;
    let end = code.rfind("</h").unwrap_or(code.len());
    Some((class, &code[..end], rest))
}

/// Whether what follows a declaration says at once that it is unstable.
fn is_stab(rest: &str) -> bool {
    let end = ["</summary>", "<section", "<div class=\"docblock", "<details"].iter();
    let end = end.filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    rest[..end].contains("stab unstable")
}

fn is_unstable(page: &str) -> bool {
    let declared = page.split_once(ITEM).and_then(|(_, rest)| rest.split_once("</pre>"));
    declared.is_some_and(|(_, rest)| is_stab(rest))
}

/// Kind and name of each item that a module's page links to.
fn item_links(index: &str) -> Vec<(&str, &str)> {
    let links = index.split("<dt").skip(1).filter_map(|link| between(link, "href=\"", "\""));
    let parts = links.filter_map(|link| link.strip_suffix(".html")?.split_once('.'));
    parts.filter(|(kind, name)| !kind.contains('/') && !name.contains('/')).collect()
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    text.split_once(start)?.1.split_once(end).map(|(inner, _)| inner)
}

/// Beside a return type that is an iterator, say.
const NOTE: &str = "ⓘ";

/// HTML without its tags, with single spaces.
fn text(html: &str) -> String {
    let mut text = String::new();
    for piece in html.split('<') {
        // A `where` that begins a block stands apart by that alone.
        let (tag, rest) = piece.split_once('>').unwrap_or(("", piece));
        if tag.starts_with("div") || tag.starts_with("br") {
            text.push(' ');
        }
        text.push_str(rest);
    }
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&#39;", "'"),
        ("&quot;", "\""),
        ("&amp;", "&"),
        (NOTE, ""),
    ];
    let text = entities.iter().fold(text, |text, (from, to)| text.replace(from, to));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| describe(path, &error.to_string()))
}

fn describe(path: &Path, error: &str) -> String {
    format!("{}: {error}", path.display())
}
