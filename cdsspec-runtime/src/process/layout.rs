//! How wide a text may be, and where its lines break.

/// The columns of a text that is kept, and of what is printed where there is no terminal.
pub(crate) const COLUMNS: usize = 100;

/// No text is laid out for less.
const COLUMNS_MIN: usize = 40;

/// A line has at least so much room beside its indent.
const ROOM_MIN: usize = 8;

/// The columns of what is printed: those of the terminal that the process writes to, else [`COLUMNS`].
pub(crate) fn columns() -> usize {
    // Tests compare texts, wherever they run.
    if cfg!(test) { COLUMNS } else { terminal_columns().map_or(COLUMNS, |columns| columns.max(COLUMNS_MIN)) }
}

/// The columns of the terminal, if the process writes to one.
#[cfg(unix)]
fn terminal_columns() -> Option<usize> {
    [libc::STDERR_FILENO, libc::STDOUT_FILENO].into_iter().find_map(|descriptor| {
        let mut size = std::mem::MaybeUninit::<libc::winsize>::zeroed();
        // SAFETY: the request writes a `winsize` to the place that it is given, or fails, as it does of what is no terminal.
        let is_terminal = unsafe { libc::ioctl(descriptor, libc::TIOCGWINSZ, size.as_mut_ptr()) } == 0;
        // SAFETY: all of its fields are integers, for which zeros are a value.
        let columns = unsafe { size.assume_init() }.ws_col;
        (is_terminal && columns > 0).then_some(columns.into())
    })
}

#[cfg(not(unix))]
fn terminal_columns() -> Option<usize> {
    None
}

/// The columns that a text takes. Wide characters are counted as one.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Breaks a text at its spaces; a word that is wider than a line, where it must: only a path stays whole, so that it can be opened, and may
/// stand out. The first line is indented by `first` columns, the others by `rest`. Lines of a command end with a backslash, but for
/// its last.
pub(crate) fn wrap(text: &str, first: usize, rest: usize, columns: usize) -> Vec<String> {
    let is_command = text.starts_with("cargo ");
    let columns = if is_command { columns.saturating_sub(2) } else { columns };
    let [first, rest] = [first, rest].map(|indent| indent.min(columns.saturating_sub(ROOM_MIN)));
    let mut lines = Vec::new();
    let mut line = " ".repeat(first);
    let mut is_empty = true;
    for word in text.split(' ') {
        let needed = width(word) + usize::from(!is_empty);
        if !is_empty && width(&line) + needed > columns {
            lines.push(std::mem::replace(&mut line, " ".repeat(rest)));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        let is_whole = is_command || is_path(word);
        for character in word.chars() {
            if width(&line) >= columns && !is_whole {
                lines.push(std::mem::replace(&mut line, " ".repeat(rest)));
            }
            line.push(character);
        }
        is_empty = false;
    }
    lines.push(line);
    if let Some((_, all_but_last)) = lines.split_last_mut().filter(|_| is_command) {
        all_but_last.iter_mut().for_each(|line| line.push_str(" \\"));
    }
    lines
}

/// Whether a word is the path of a file, with or without a line.
fn is_path(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';', ':', '.', ')']);
    let path =
        word.rsplit_once(':').filter(|(_, line)| line.parse::<u32>().is_ok()).map_or(word, |(path, _)| path);
    path.contains(['/', '\\']) && path.ends_with(".rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_breaks_at_its_spaces_and_a_word_where_it_must() {
        assert_eq!(wrap("one two three", 0, 2, 10), ["one two", "  three"]);
        assert_eq!(wrap("a abcdefghijklmn", 0, 2, 10), ["a", "  abcdefgh", "  ijklmn"]);
        assert_eq!(wrap("", 2, 2, 10), ["  "]);
        assert_eq!(wrap("éééé ééééé", 0, 0, 10), ["éééé ééééé"]);
    }

    #[test]
    fn an_indent_leaves_room_for_the_text() {
        assert_eq!(wrap("one two", 30, 40, 12), ["    one two"]);
        assert_eq!(wrap("one two three", 30, 40, 12), ["    one two", "    three"]);
    }

    #[test]
    fn a_path_stays_whole_and_nothing_else_stands_out() {
        assert_eq!(wrap("at src/queue/mod.rs:12, or", 0, 2, 12), ["at", "  src/queue/mod.rs:12,", "  or"]);
        assert_eq!(wrap("src/queue/mod.rsx", 0, 0, 10), ["src/queue/", "mod.rsx"]);
    }

    #[test]
    fn a_command_can_be_copied_from_several_lines() {
        assert_eq!(wrap("cargo test a::b -- --exact", 2, 2, 20), ["  cargo test a::b \\", "  -- --exact"]);
        assert_eq!(wrap("cargo test a::b -- --exact", 0, 0, 40), ["cargo test a::b -- --exact"]);
        let name = "cargo test a_name_that_does_not_fit";
        assert_eq!(wrap(name, 0, 0, 14), ["cargo test \\", "a_name_that_does_not_fit"]);
    }
}
