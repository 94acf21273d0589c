//! Numbers of a few bytes, parsed in a single register.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Powers of 10 that are exact in binary64, up to the number of digits in a register.
const POWERS: [f64; 8] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// Sets the highest bit of the bytes of `eight` that equal `byte`. The lowest bit that is set is always correct; higher
/// ones may be wrong.
pub(super) fn equal(eight: u64, byte: u8) -> u64 {
    let differences = eight ^ (LOW * u64::from(byte));
    differences.wrapping_sub(LOW) & !differences & HIGH
}

/// The value of a number without sign and exponent, written in the first `len` bytes (at most 8); `None` for any other
/// text. The result is the nearest binary64: the digits are below 2^53 and the power of 10 is exact, so that only the
/// division rounds.
#[inline]
pub(super) fn short(eight: [u8; 8], len: usize) -> Option<f64> {
    short_decimal(eight, len).map(|(digits, decimals)| digits as f64 / POWERS[decimals])
}

/// The digits of a number as for [`short`], as an integer, and the number of decimals.
#[inline]
pub(super) fn short_decimal(eight: [u8; 8], len: usize) -> Option<(u64, usize)> {
    if !(1..=8).contains(&len) {
        return None;
    }
    let mut digits = u64::from_le_bytes(eight) & (u64::MAX >> (64 - 8 * len));
    let mut count = len;
    let mut decimals = 0;
    let point = equal(digits, b'.');
    if point != 0 {
        let at = (point.trailing_zeros() / 8) as usize;
        let before = (1_u64 << (8 * at)) - 1;
        digits = digits & before | (digits >> 8) & !before;
        count -= 1;
        decimals = count - at;
        if count == 0 {
            return None;
        }
    }
    // Fills the register with leading zeros: the first digit is in the lowest byte.
    let zeros = 0x3030_3030_3030_3030_u64;
    let fill = if count == 8 { 0 } else { zeros >> (8 * count) };
    let text = digits << (8 * (8 - count)) | fill;
    let is_digits = text & 0xF0F0_F0F0_F0F0_F0F0 == zeros
        && text.wrapping_add(0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0 == zeros;
    if !is_digits {
        return None;
    }
    // Combines digits to pairs, then pairs, then groups of four.
    let ones = text - zeros;
    let pairs = (ones * 10 + (ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    let value = (fours * 10_000 + (fours >> 32)) & 0xFFFF_FFFF;
    Some((value, decimals))
}

#[cfg(test)]
mod tests {
    use super::short;

    fn parsed(text: &str) -> Option<f64> {
        // The bytes after the number are arbitrary.
        let mut eight = *b"9.9,\n\t.9";
        eight[..text.len()].copy_from_slice(text.as_bytes());
        short(eight, text.len())
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut word = 1_u64;
        for _ in 0..300_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let len = 1 + (word >> 33) as usize % 8;
            let digits = format!("{:08}", (word >> 36) % 100_000_000);
            let mut text = digits[8 - len..].to_owned();
            let point = (word >> 20) as usize % 10;
            if point < len {
                text.replace_range(point..=point, ".");
            }
            let expected = if text == "." { None } else { text.parse().ok() };
            assert_eq!(parsed(&text).map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        }
    }

    #[test]
    fn other_texts_are_none() {
        for text in
            ["", ".", "-1", "+1", "1e5", "1 ", " 1", "1.2.3", "..", "nan", "inf", "1\0", "/1", ":1", "1_0"]
        {
            assert_eq!(parsed(text), None, "{text}");
        }
        assert_eq!(short([0xB1; 8], 8), None);
    }
}
