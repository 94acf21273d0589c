//! The parsers of byte counts and of hexadecimal digits on the command line either return the written value
//! or refuse it.
#![no_main]

#[allow(dead_code)]
#[path = "../../crates/hashwell-cli/src/options/bytes.rs"]
mod bytes;

use libfuzzer_sys::fuzz_target;

/// The number of bytes that the text stands for: digits, then a unit of the list.
fn sum(text: &str) -> Option<u128> {
    const UNITS: [(&str, u128); 9] = [
        ("", 1),
        ("K", 1 << 10),
        ("k", 1 << 10),
        ("M", 1 << 20),
        ("m", 1 << 20),
        ("G", 1 << 30),
        ("T", 1 << 40),
        ("P", 1 << 50),
        ("E", 1 << 60),
    ];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    let (number, unit) = text.split_at(digits);
    let number = number.bytes().fold(0_u128, |sum, digit| (sum * 10 + u128::from(digit - b'0')).min(1 << 64));
    let (letter, decimal) = match (unit.strip_suffix("iB"), unit.strip_suffix('B')) {
        (Some(letter), _) if !letter.is_empty() => (letter, false),
        (None, Some(letter)) if !letter.is_empty() => (letter, true),
        _ => (unit, false),
    };
    let power = UNITS.iter().position(|(own, _)| *own == letter)?;
    let size = UNITS[power].1;
    let size = if decimal { 1000_u128.pow(size.trailing_zeros() / 10) } else { size };
    Some(number * size)
}

fuzz_target!(|text: &str| {
    let number = sum(text).and_then(|number| u64::try_from(number).ok());
    assert_eq!(bytes::bytes(text).ok(), number);
    assert_eq!(bytes::some_bytes(text).ok(), number.filter(|number| *number > 0));

    let digits: Option<Vec<u8>> =
        text.chars().map(|c| c.to_digit(16).filter(|_| c.is_ascii()).map(|digit| digit as u8)).collect();
    let expected = digits.filter(|digits| digits.len() % 2 == 0);
    let expected =
        expected.map(|digits| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect::<Vec<u8>>());
    assert_eq!(bytes::from_hex("--key-hex", text).ok(), expected);
});
