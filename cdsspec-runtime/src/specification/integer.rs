//! Names of big integers: `usize::MAX` says more than 20 digits, and is shorter.

use std::fmt::Debug;

/// The types whose ends have names: those of smaller ones are no longer than what they stand for.
const TYPES: [&str; 8] = ["u32", "i32", "u64", "i64", "usize", "isize", "u128", "i128"];

/// What is this near to an end is named by it.
const NEAR: i128 = 1_000;

/// The least digits that an end of one of the types has.
const DIGITS_MIN: usize = 10;

/// From here on powers of two are written as such.
const POWER_MIN: u32 = 40;

/// An integer of the type of this name: `usize::MAX - 1`, `1 << 63`, `17`.
pub(crate) fn integer_text(value: i128, type_name: &str) -> String {
    end_name(value, type_name).or_else(|| power_name(value)).unwrap_or_else(|| value.to_string())
}

/// What `Debug` says of a value, with the names of big integers in it.
pub(crate) fn debug_text<T: Debug>(value: &T) -> String {
    with_names(&format!("{value:?}"), std::any::type_name::<T>())
}

/// The least and the largest value; of an `u128`, nothing: it is not needed, since no atomic has so many bits.
fn ends(type_name: &str) -> Option<[i128; 2]> {
    Some(match type_name {
        "u32" => [0, u32::MAX.into()],
        "i32" => [i32::MIN.into(), i32::MAX.into()],
        "u64" => [0, u64::MAX.into()],
        "i64" => [i64::MIN.into(), i64::MAX.into()],
        "usize" => [0, usize::MAX as i128],
        "isize" => [isize::MIN as i128, isize::MAX as i128],
        "i128" => [i128::MIN, i128::MAX],
        _ => return None,
    })
}

/// `usize::MAX`, `i64::MIN + 3`; of a type of 32 bits only the ends themselves.
fn end_name(value: i128, type_name: &str) -> Option<String> {
    let [least, largest] = ends(type_name)?;
    let near = if largest > u32::MAX.into() { NEAR } else { 1 };
    // Neither overflows: a value is between the ends of its type, or it is far from both.
    match (largest.checked_sub(value), value.checked_sub(least)) {
        (Some(0), _) => Some(format!("{type_name}::MAX")),
        (Some(below), _) if (1..near).contains(&below) => Some(format!("{type_name}::MAX - {below}")),
        (_, Some(0)) if least < 0 => Some(format!("{type_name}::MIN")),
        (_, Some(above)) if least < 0 && (1..near).contains(&above) => {
            Some(format!("{type_name}::MIN + {above}"))
        }
        _ => None,
    }
}

/// `1 << 63`, `(1 << 63) + 5`.
fn power_name(value: i128) -> Option<String> {
    let power = u128::try_from(value).ok()?.checked_ilog2().filter(|power| *power >= POWER_MIN)?;
    match value - (1 << power) {
        0 => Some(format!("1 << {power}")),
        rest if rest < NEAR => Some(format!("(1 << {power}) + {rest}")),
        _ => None,
    }
}

/// A text of `Debug` with the names of the big integers in it. What is in quotes is text.
fn with_names(text: &str, type_name: &str) -> String {
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_quoted = false;
    while let Some(character) = rest.chars().next() {
        let length = number_length(rest);
        if is_quoted || length < DIGITS_MIN || named.ends_with(is_part_of_word) {
            // A number that is none is left as a whole.
            let length = if length > 0 { length } else { character.len_utf8() };
            let is_escape = is_quoted && character == '\\';
            let length =
                if is_escape { 1 + rest[1..].chars().next().map_or(0, char::len_utf8) } else { length };
            is_quoted ^= character == '"';
            named.push_str(&rest[..length]);
            rest = &rest[length..];
        } else {
            let (number, after) = rest.split_at(length);
            let is_whole = !after.starts_with(is_part_of_word);
            let name = if is_whole { number_name(number, type_name) } else { None };
            named.push_str(name.as_deref().unwrap_or(number));
            rest = after;
        }
    }
    named
}

fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '.'
}

/// The length of the decimal number that a text begins with; 0 if there is none.
fn number_length(text: &str) -> usize {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 { 0 } else { length + (text.len() - digits.len()) }
}

/// The name of a number in a value of this type: by the one integer type in it that has such an end. Where the type has no
/// integers to see, as where they are in a struct of the user's, an end of 64 bits or more is what it is, whatever its type.
fn number_name(number: &str, type_name: &str) -> Option<String> {
    let is_in_type = |name: &&str| type_name.split(|c: char| !is_part_of_word(c)).any(|word| word == *name);
    if let Ok(value) = number.parse::<u128>()
        && value > i128::MAX.cast_unsigned()
    {
        return (value == u128::MAX).then(|| "u128::MAX".to_owned());
    }
    let value: i128 = number.parse().ok()?;
    let mut candidates = TYPES.iter().filter_map(|name| Some((name, end_name(value, name)?)));
    let seen: Vec<String> =
        candidates.clone().filter(|(name, _)| is_in_type(name)).map(|(_, text)| text).collect();
    match seen.as_slice() {
        [name] => Some(name.clone()),
        [] if TYPES.iter().any(is_in_type) => power_name(value),
        _ => candidates
            .find(|(name, _)| matches!(**name, "u64" | "i64" | "u128" | "i128"))
            .map(|(_, text)| text)
            .or_else(|| power_name(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_ends_of_a_type_are_called_by_their_names() {
        for (value, type_name, text) in [
            (usize::MAX as i128, "usize", "usize::MAX"),
            (usize::MAX as i128 - 1, "usize", "usize::MAX - 1"),
            (i128::from(u64::MAX) - 999, "u64", "u64::MAX - 999"),
            (i128::from(u64::MAX) - 1000, "u64", "18446744073709550615"),
            (i128::from(i64::MIN), "i64", "i64::MIN"),
            (isize::MIN as i128 + 2, "isize", "isize::MIN + 2"),
            (i128::from(u32::MAX), "u32", "u32::MAX"),
            (i128::from(u32::MAX) - 1, "u32", "4294967294"),
            (i128::from(u32::MAX), "u64", "4294967295"),
            (i128::from(i32::MIN), "i32", "i32::MIN"),
            (255, "u8", "255"),
            (0, "u64", "0"),
            (-1, "i64", "-1"),
            (1 << 63, "u64", "1 << 63"),
            ((1 << 63) + 5, "u64", "(1 << 63) + 5"),
            (1 << 39, "u64", "549755813888"),
            (i128::MIN, "i128", "i128::MIN"),
        ] {
            assert_eq!(integer_text(value, type_name), text);
        }
    }

    #[derive(Debug)]
    #[expect(dead_code, reason = "it is shown")]
    struct Ticket(usize);

    #[test]
    fn in_a_text_the_type_says_which_name_it_is() {
        assert_eq!(debug_text(&Some(usize::MAX)), "Some(usize::MAX)");
        assert_eq!(debug_text(&(u64::MAX, 3, i64::MIN)), "(u64::MAX, 3, i64::MIN)");
        assert_eq!(debug_text(&BTreeMap::from([(1u32, u32::MAX)])), "{1: u32::MAX}");
        assert_eq!(debug_text(&[u128::MAX, 1]), "[u128::MAX, 1]");
        assert_eq!(debug_text(&[i128::MIN, -1]), "[i128::MIN, -1]");
        assert_eq!(debug_text(&vec![isize::MAX - 4]), "[isize::MAX - 4]");
    }

    #[test]
    fn where_the_type_does_not_tell_an_end_of_64_bits_is_one_all_the_same() {
        assert_eq!(debug_text(&Ticket(usize::MAX)), "Ticket(u64::MAX)");
        assert_eq!(debug_text(&(u64::MAX, usize::MAX)), "(u64::MAX, u64::MAX)");
        assert_eq!(debug_text(&Ticket(u32::MAX as usize)), "Ticket(4294967295)");
        assert_eq!(debug_text(&u64::from(u32::MAX)), "4294967295");
    }

    #[test]
    fn what_is_no_number_is_left_as_it_is() {
        for text in [
            "\"18446744073709551615\"",
            "\"\\\"18446744073709551615\"",
            "x18446744073709551615",
            "18446744073709551615.0",
            "0.18446744073709551615",
            "18446744073709551615_u64",
            "99999999999999999999999999999999999999999999",
            "é - 1",
        ] {
            assert_eq!(with_names(text, "u64"), text);
        }
        assert_eq!(with_names("[\"a\\\\\", 18446744073709551615]", "u64"), "[\"a\\\\\", u64::MAX]");
    }
}
