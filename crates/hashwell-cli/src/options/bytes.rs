//! Parses numbers of bytes on the command line, such as `16M`, bytes in hexadecimal, and names of output files.

use clap::builder::{PathBufValueParser, TypedValueParser};
use data_encoding::HEXLOWER_PERMISSIVE;
use std::path::PathBuf;

/// The paragraph about units in help texts.
pub(crate) const UNITS: &str = "BYTES may have a unit: K, M, G, T, P and E (or KiB, MiB, …) are powers of 1024, and \
                                kB, MB, GB, … are powers of 1000.";

/// Parses the name of an output file that cannot be standard output, to which the command prints something else.
pub(crate) fn output_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("must be a file, not standard output (for a file with the name -, use ./-)"),
        false => Ok(path),
    })
}

/// Parses a number of bytes with the units of coreutils' `head -c`: `K`, `M`, … and `KiB`, `MiB`, … are powers of 1024,
/// and `kB`, `MB`, … are powers of 1000.
///
/// # Errors
/// Returns an error text if this is not a number of bytes, or if it exceeds 2^64 - 1.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = unit(&text[digits.len()..]);
    let number = digits.parse::<u64>().ok().filter(|_| !digits.starts_with('+'));
    let (Some(unit), Some(number)) = (unit, number) else {
        return Err("expected an integer below 2^64, optionally with a unit such as K, kB or KiB".to_owned());
    };
    number.checked_mul(unit).ok_or_else(|| "more than 2^64 - 1 bytes".to_owned())
}

/// Like [`bytes`], for a number above zero.
///
/// # Errors
/// Returns the errors of [`bytes`], and an error text for 0.
pub(crate) fn some_bytes(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        0 => Err("must be at least 1, not 0".to_owned()),
        bytes => Ok(bytes),
    }
}

/// Decodes hexadecimal digits in upper or lower case.
///
/// # Errors
/// Returns an error text with the name of the option if the text does not consist of pairs of hexadecimal digits.
pub(crate) fn from_hex(option: &str, hex: &str) -> Result<Vec<u8>, String> {
    let decoded = HEXLOWER_PERMISSIVE.decode(hex.as_bytes());
    decoded.map_err(|_| format!("{option} must be an even number of hexadecimal digits"))
}

/// Returns the number of bytes of a unit.
fn unit(name: &str) -> Option<u64> {
    const LETTERS: &str = "KMGTPE";
    let Some(letter) = name.chars().next() else { return Some(1) };
    let base: u64 = match &name[letter.len_utf8()..] {
        "" | "iB" => 1024,
        "B" => 1000,
        _ => return None,
    };
    // `head` also accepts k and m. The unit of 1000 bytes is always written kB.
    let letter = if matches!(letter, 'k' | 'm') { letter.to_ascii_uppercase() } else { letter };
    let power = LETTERS.find(letter)? + 1;
    Some(base.pow(power as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_head() {
        for (text, expected) in [
            ("0", 0),
            ("16", 16),
            ("16M", 16 << 20),
            ("16MiB", 16 << 20),
            ("16MB", 16_000_000),
            ("1K", 1024),
            ("1k", 1024),
            ("1kB", 1000),
            ("1KB", 1000),
            ("15E", 15 << 60),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for wrong in ["", "K", "-1", "+1", "1.5K", "1X", "1KiBs", "1Kb", "1 K", "1é", "18446744073709551616"]
        {
            let error = bytes(wrong).unwrap_err();
            assert!(error.starts_with("expected an integer below 2^64"), "{wrong}: {error}");
        }
        for large in ["16E", "17179869184G", "19EB"] {
            assert_eq!(bytes(large), Err("more than 2^64 - 1 bytes".to_owned()), "{large}");
        }
    }
}
