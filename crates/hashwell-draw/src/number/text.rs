//! Decimal numbers in texts, read exactly.

use crate::Error;

/// `digits` · 10^`power`. `digits` does not end with a zero, except for the number 0, which is 0 · 10^0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scientific {
    pub(super) digits: u128,
    pub(super) power: i64,
}

/// The largest power of ten that is accepted; larger ones are certainly mistakes.
const MAX_POWER: i64 = 1_000_000;

/// Reads `12`, `12.50`, `.5`, `5.`, `1e-6`, `2.5E3`: digits with at most one point, then an optional exponent. Signs,
/// spaces, separators and names of numbers are not allowed.
pub(super) fn parse(what: &'static str, must: &'static str, text: &str) -> Result<Scientific, Error> {
    let refuse = || Error::range(what, must, shown(text));
    let (number, power) = match text.split_once(['e', 'E']) {
        Some((number, power)) => (number, exponent(power).ok_or_else(refuse)?),
        None => (text, 0),
    };
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && decimals.is_empty() {
        return Err(refuse());
    }
    let mut read = Scientific { digits: 0, power };
    // Zeros are only counted until another digit follows, so that trailing zeros don't overflow.
    let mut zeros = 0;
    for (place, digit) in whole.bytes().map(|byte| (0, byte)).chain(decimals.bytes().map(|byte| (1, byte))) {
        if !digit.is_ascii_digit() {
            return Err(refuse());
        }
        read.power -= place;
        zeros += 1;
        if digit != b'0' {
            let factor = if read.digits == 0 { Some(1) } else { 10_u128.checked_pow(zeros) };
            let longer = factor.and_then(|factor| read.digits.checked_mul(factor));
            let longer = longer.and_then(|digits| digits.checked_add(u128::from(digit - b'0')));
            read.digits = longer.ok_or_else(|| {
                Error::range(what, "a number with at most 38 significant digits", shown(text))
            })?;
            zeros = 0;
        }
    }
    read.power += i64::from(zeros);
    Ok(if read.digits == 0 { Scientific { digits: 0, power: 0 } } else { read })
}

/// Digits after an optional sign, as the integer parser accepts them.
fn exponent(text: &str) -> Option<i64> {
    text.parse().ok().filter(|power| (-MAX_POWER..=MAX_POWER).contains(power))
}

/// The text for a message: quoted, and of limited length.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(u128, i64)> {
        parse("a number", "a number", text).ok().map(|read| (read.digits, read.power))
    }

    #[test]
    fn numbers_are_read_exactly() {
        for (text, digits, power) in [
            ("0", 0, 0),
            ("0.00e5", 0, 0),
            ("12", 12, 0),
            ("1200", 12, 2),
            ("12.50", 125, -1),
            (".5", 5, -1),
            ("5.", 5, 0),
            ("007.070", 707, -2),
            ("1e-6", 1, -6),
            ("2.5E+3", 25, 2),
            ("100000000000000000000000000000000000000000000000", 1, 47),
            ("340282366920938463463374607431768211455", u128::MAX, 0),
        ] {
            assert_eq!(read(text), Some((digits, power)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "", ".", "+", "+1", "+.5", "-1", "-0", "1.2.3", "1 ", " 1", "1,5", "NaN", "inf", "1e", "1e+",
            "1e1.0", "0x10",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
        for text in [
            "++1",
            "1e++1",
            "1e-+1",
            "1e99999999999999999999",
            "340282366920938463463374607431768211456",
            "١",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
        let said = |text: &str| parse("a weight", "a number", text).unwrap_err().to_string();
        assert_eq!(said("1,5"), "a weight must be a number, not \"1,5\"");
        assert_eq!(
            said(&"x".repeat(9999)),
            format!("a weight must be a number, not \"{}\"…", "x".repeat(60))
        );
    }

    /// The last exponent in this test is the smallest 64-bit integer, whose absolute value does not fit into such an
    /// integer.
    #[test]
    fn exponents_end_at_a_million() {
        assert_eq!(read("1e1000000"), Some((1, 1_000_000)));
        assert_eq!(read("1e-1000000"), Some((1, -1_000_000)));
        for text in ["1e1000001", "1e-1000001", "1e9223372036854775807", "1e-9223372036854775808"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
