//! How near words are to each other.

/// How many letters must be put in, taken out or replaced to make one word the other.
pub fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for column in 0..right.len() {
            let replaced = diagonal + usize::from(letter != right[column]);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

/// The known word that a misspelt one means: the nearest, of those by at most two letters away, and not all of its own.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.into_iter().map(|known| (edit_distance(word, known), known));
    let (_, nearest) =
        near.filter(|(distance, _)| *distance <= 2 && *distance < word.chars().count()).min()?;
    Some(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_put_in_taken_out_and_replaced() {
        for (left, right, distance) in
            [("", "abc", 3), ("abc", "abc", 0), ("abc", "abxc", 1), ("kitten", "sitting", 3), ("ab", "ba", 2)]
        {
            assert_eq!((edit_distance(left, right), edit_distance(right, left)), (distance, distance));
        }
    }

    #[test]
    fn the_nearest_word_is_meant_if_it_is_near() {
        let known = ["head", "tail", "h"];
        assert_eq!(nearest("haed", known), Some("head"));
        assert_eq!(nearest("tale", known), Some("tail"));
        assert_eq!(nearest("middle", known), None);
        assert_eq!(nearest("x", known), None);
    }
}
