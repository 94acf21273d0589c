//! Hexadecimal encoding, as used in transcripts and seeds.

use std::fmt;

/// An error in a hexadecimal text. Positions are counted in bytes of the text, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// The number of digits is odd; this is the position of the last digit.
    Length(usize),
    /// The character at this position is not a valid digit.
    Symbol(usize),
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(place) => write!(f, "odd number of digits, the last at offset {place}"),
            Self::Symbol(place) => write!(f, "invalid digit at offset {place}"),
        }
    }
}

impl std::error::Error for Invalid {}

/// Encodes bytes as lower-case hexadecimal digits.
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    digits(bytes).into_iter().map(char::from).collect()
}

/// Like [`encode`], but returns the text as bytes, for streams. The digits are computed without a table, so that the
/// compiler can vectorize the loop.
#[must_use]
pub fn digits(bytes: &[u8]) -> Vec<u8> {
    let digit = |nibble: u8| nibble + if nibble < 10 { b'0' } else { b'a' - 10 };
    let mut text = vec![0; 2 * bytes.len()];
    for (pair, byte) in text.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
    text
}

/// Decodes lower-case hexadecimal digits. Upper-case digits are rejected, so that there is only one text for the same
/// bytes.
///
/// # Errors
/// Returns [`Invalid`] unless the text consists of pairs of the digits `0` to `9` and `a` to `f`.
pub fn decode(text: &str) -> Result<Vec<u8>, Invalid> {
    pairs(text, |symbol| if symbol.is_ascii_uppercase() { None } else { char::from(symbol).to_digit(16) })
}

/// Decodes hexadecimal digits in upper or lower case, for text that users type.
///
/// # Errors
/// Returns [`Invalid`] unless the text consists of pairs of hexadecimal digits.
pub fn decode_any_case(text: &str) -> Result<Vec<u8>, Invalid> {
    pairs(text, |symbol| char::from(symbol).to_digit(16))
}

fn pairs(text: &str, digit: fn(u8) -> Option<u32>) -> Result<Vec<u8>, Invalid> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Invalid::Length(text.len() - 1));
    }
    let value =
        |place: usize, symbol: u8| digit(symbol).map(|digit| digit as u8).ok_or(Invalid::Symbol(place));
    pairs
        .iter()
        .enumerate()
        .map(|(at, &[high, low])| Ok(value(2 * at, high)? << 4 | value(2 * at + 1, low)?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::{Encoding, HEXLOWER, HEXLOWER_PERMISSIVE};

    /// Another implementation gives the same bytes, and rejects the same texts for the same reason.
    #[test]
    fn agrees_with_another_implementation() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(encode(&bytes), HEXLOWER.encode(&bytes));
        for len in 0..70 {
            assert_eq!(digits(&bytes[186..186 + len]), HEXLOWER.encode(&bytes[186..186 + len]).as_bytes());
        }
        let alike = |ours: fn(&str) -> Result<Vec<u8>, Invalid>, theirs: &Encoding, text: &str| {
            let theirs = theirs.decode(text.as_bytes()).map_err(|error| {
                let said = error.to_string().replace("invalid symbol at", "invalid digit at offset");
                said.replace("invalid length at", "odd number of digits, the last at offset")
            });
            assert_eq!(ours(text).map_err(|error| error.to_string()), theirs, "{text:?}");
        };
        // Test every ASCII character, by itself and at every position, and some longer characters.
        let letters = (0..128_u8).map(|letter| char::from(letter).to_string());
        for letter in letters.chain(["é".to_owned(), "\u{ff11}".to_owned(), String::new()]) {
            for text in
                [letter.clone(), format!("{letter}0"), format!("a{letter}"), format!("00f{letter}{letter}9")]
            {
                alike(decode, &HEXLOWER, &text);
                alike(decode_any_case, &HEXLOWER_PERMISSIVE, &text);
            }
        }
    }
}
