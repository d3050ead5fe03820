//! Numbers of files, by their texts: nothing is rounded.

use super::value::Value;
use std::fmt;

/// A decimal number: digits, of which neither the first nor the last is 0, times a power of ten. Without digits it is 0. So equal numbers are the same one.
struct Decimal<'t> {
    is_negative: bool,
    /// Before the point, and after it.
    digits: (&'t str, &'t str),
    exponent: i128,
}

/// With so many noughts at most a number is written out, and else with an exponent.
const NOUGHTS_MAX: i128 = 20;

impl<'t> Decimal<'t> {
    /// Of digits, with a sign, a point and an exponent if they are there; nothing if it is none, or the exponent has more digits than anybody needs.
    fn of(text: &'t str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let unsigned = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !are_digits(whole) || !are_digits(fraction) {
            return None;
        }
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let (whole, fraction, shift) = match (whole.is_empty(), fraction.is_empty()) {
            (true, true) => return Some(Self { is_negative: false, digits: ("", ""), exponent: 0 }),
            (_, true) => {
                let short = whole.trim_end_matches('0');
                (short, "", (whole.len() - short.len()) as i128)
            }
            (true, _) => ("", fraction.trim_start_matches('0'), -(fraction.len() as i128)),
            _ => (whole, fraction, -(fraction.len() as i128)),
        };
        let exponent = i128::from(exponent) + shift;
        Some(Self { is_negative: mantissa.starts_with('-'), digits: (whole, fraction), exponent })
    }
}

impl fmt::Display for Decimal<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = [self.digits.0, self.digits.1].concat();
        let length = digits.len() as i128;
        write!(formatter, "{}", if self.is_negative { "-" } else { "" })?;
        match self.exponent {
            0 if digits.is_empty() => write!(formatter, "0"),
            noughts @ 0..=NOUGHTS_MAX => write!(formatter, "{digits}{}", "0".repeat(noughts as usize)),
            exponent if exponent < 0 && -exponent < length => {
                let (whole, fraction) = digits.split_at((length + exponent) as usize);
                write!(formatter, "{whole}.{fraction}")
            }
            exponent if exponent < 0 && -exponent - length <= NOUGHTS_MAX => {
                write!(formatter, "0.{}{digits}", "0".repeat((-exponent - length) as usize))
            }
            exponent => write!(formatter, "{digits}e{exponent}"),
        }
    }
}

/// A whole number, if it is one of 64 bits, and else another.
fn whole_or_other(text: String) -> Value {
    text.parse().map_or_else(|_| Value::Number(text), Value::Int)
}

/// A number of JSON: by its value alone, since JSON knows one kind of numbers. Nothing if it is none that is read here.
pub(crate) fn of_json(text: &str) -> Option<Value> {
    Some(whole_or_other(Decimal::of(text)?.to_string()))
}

/// A number of EDN, if it is one: by its value and its kind. A whole number is one with and without `N`; one with a point or an exponent is another one, and another one again with an `M`. Others, as ratios, are as they are
/// written.
pub(crate) fn of_edn(word: &str) -> Option<Value> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let number = word.strip_suffix(['N', 'M']).unwrap_or(word);
    let is_exact = word.ends_with('M');
    let is_whole = number.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit());
    let value = match Decimal::of(number) {
        Some(_) if is_whole && !is_exact => {
            let digits = unsigned.trim_end_matches('N').trim_start_matches('0');
            let sign = if word.starts_with('-') && !digits.is_empty() { "-" } else { "" };
            whole_or_other(format!("{sign}{}", if digits.is_empty() { "0" } else { digits }))
        }
        Some(decimal) if is_exact => Value::Number(format!("{decimal}M")),
        Some(decimal) if !word.ends_with('N') => {
            let text = decimal.to_string();
            Value::Number(if text.contains(['.', 'e']) { text } else { format!("{text}.0") })
        }
        _ => Value::Number(word.to_owned()),
    };
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        of_json(text).expect("it is a number").to_string()
    }

    fn edn(text: &str) -> String {
        of_edn(text).expect("it is a number").to_string()
    }

    #[test]
    fn numbers_of_json_are_told_apart_by_their_values() {
        for (shown, texts) in [
            ("1", &["1", "1.0", "1e0", "10E-1", "0.1e+1", "1.000e00"][..]),
            ("0", &["0", "-0", "0.0", "0e9", "-0.000E-7", "0e400"]),
            ("-100", &["-100", "-1e2", "-0.01e4"]),
            ("1.5", &["1.5", "1.50", "15e-1", "0.15e1"]),
            ("0.1", &["0.1", "1e-1", "0.10"]),
            ("0.10000000000000000001", &["0.10000000000000000001", "0.100000000000000000010"]),
            ("123456789012345678901", &["123456789012345678901", "123456789012345678901.0"]),
            ("123456789012345678902", &["123456789012345678902"]),
            ("9223372036854775808", &["9223372036854775808", "9223372036854775808e0"]),
            ("1e400", &["1e400", "10e399", "0.1e401"]),
            ("1e-400", &["1e-400", "0.1e-399"]),
            ("12e9223372036854775807", &["12e9223372036854775807"]),
            ("100.5", &["100.5", "1005e-1", "100.50"]),
            ("0.00000000000000000000105", &["105e-23", "1.05e-21"]),
        ] {
            for text in texts {
                assert_eq!(json(text), shown, "{text}");
            }
        }
        assert!(matches!(of_json("1e0"), Some(Value::Int(1))));
        assert_eq!(of_json("1e99999999999999999999"), None);
    }

    #[test]
    fn numbers_of_edn_are_told_apart_by_their_values_and_kinds() {
        for (shown, texts) in [
            ("1", &["1", "+1", "1N", "01"][..]),
            ("0", &["0", "-0", "0N", "+0"]),
            ("1.0", &["1.0", "1e0", "1.", "10e-1"]),
            ("0.0", &["0.0", "-0.0"]),
            ("1M", &["1M", "1.0M"]),
            ("1.5", &["1.5", "1.50"]),
            ("1.5M", &["1.5M", "1.50M"]),
            ("123456789012345678901", &["123456789012345678901", "123456789012345678901N"]),
            ("-123456789012345678901", &["-123456789012345678901", "-123456789012345678901N"]),
            ("10000000000000000000000000", &["10000000000000000000000000", "10000000000000000000000000N"]),
            ("1e25", &["1e25", "10000000000000000000000000.0"]),
            ("1/2", &["1/2"]),
            ("0x1F", &["0x1F"]),
        ] {
            for text in texts {
                assert_eq!(edn(text), shown, "{text}");
            }
        }
        assert!([":a", "-", "+", "x1", "##Inf", "-a"].iter().all(|word| of_edn(word).is_none()));
    }
}
