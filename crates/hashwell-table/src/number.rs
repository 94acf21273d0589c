//! Exact numbers, m·10^-s with the smallest s that is not negative: integers and decimals of any width.

use crate::write::Writer;

/// The number of 32-bit limbs. It is enough for a decimal with a scale down to -255, which has 256 bits plus 255 ·
/// log2(10).
const LIMBS: usize = 36;

impl Writer {
    /// Writes an integer.
    #[inline]
    pub fn whole(&mut self, number: i128) {
        match i64::try_from(number) {
            Ok(short) => self.word(0x10, short.to_be_bytes()),
            Err(_) => self.exact(0, &number.to_be_bytes()),
        }
    }

    /// Writes the number n / 10^`scale`, where `bytes` are n in big-endian two's complement. If the scale is not 0, the
    /// last digit of n must not be zero. If the scale is 0, n must not fit into 64 bits. n may have at most 255 bytes,
    /// not counting those that only repeat the sign.
    pub fn exact(&mut self, scale: u8, bytes: &[u8]) {
        let minimal = minimal(bytes);
        self.put(&[0x11, scale, minimal.len() as u8]);
        self.put(minimal);
    }

    /// Writes a decimal of 4, 8, 16 or 32 bytes in native byte order.
    pub(crate) fn decimal(&mut self, bytes: &[u8], scale: i32) {
        match narrow(bytes) {
            Some(0) => self.whole(0),
            Some(number) if scale >= 0 => self.shifted(number, scale),
            _ => self.wide(bytes, scale),
        }
    }

    fn shifted(&mut self, number: i128, scale: i32) {
        // Divisions of 64 bits are many times faster than those of 128 bits.
        let (number, scale) = match i64::try_from(number) {
            Ok(mut number) => {
                let mut scale = scale;
                while scale > 0 && number % 10 == 0 {
                    (number, scale) = (number / 10, scale - 1);
                }
                (i128::from(number), scale)
            }
            Err(_) => {
                let (mut number, mut scale) = (number, scale);
                while scale > 0 && number % 10 == 0 {
                    (number, scale) = (number / 10, scale - 1);
                }
                (number, scale)
            }
        };
        match scale {
            0 => self.whole(number),
            scale => self.exact(scale as u8, &number.to_be_bytes()),
        }
    }

    /// Writes a number that does not fit into 128 bits, or that is multiplied by a power of ten.
    fn wide(&mut self, bytes: &[u8], scale: i32) {
        let (mut limbs, negative) = magnitude(bytes);
        let mut scale = scale;
        while scale < 0 {
            multiply_by_ten(&mut limbs);
            scale += 1;
        }
        while scale > 0 {
            let mut divided = limbs;
            if divide_by_ten(&mut divided) != 0 {
                break;
            }
            (limbs, scale) = (divided, scale - 1);
        }
        let bytes = complement(&limbs, negative);
        let small = minimal(&bytes);
        if scale == 0 && small.len() <= 8 {
            let sign = if negative { 0xff } else { 0 };
            let mut word = [sign; 8];
            word[8 - small.len()..].copy_from_slice(small);
            self.word(0x10, word);
        } else {
            self.exact(scale as u8, small);
        }
    }
}

/// A big-endian number in two's complement, without the bytes that only repeat its sign; 0 keeps one byte.
fn minimal(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let [first, second, ..] = rest {
        let repeats = (*first == 0 && *second < 0x80) || (*first == 0xff && *second >= 0x80);
        if !repeats {
            break;
        }
        rest = &rest[1..];
    }
    rest
}

/// The bytes in little-endian order, sign-extended.
fn little(bytes: &[u8]) -> [u8; 32] {
    let negative = if cfg!(target_endian = "big") { bytes[0] } else { bytes[bytes.len() - 1] } >= 0x80;
    let mut little = [if negative { 0xff } else { 0 }; 32];
    little[..bytes.len()].copy_from_slice(bytes);
    if cfg!(target_endian = "big") {
        little[..bytes.len()].reverse();
    }
    little
}

/// The number, if it fits into 128 bits.
fn narrow(bytes: &[u8]) -> Option<i128> {
    let little = little(bytes);
    let (low, high) = little.split_at(16);
    let number = i128::from_le_bytes(low.try_into().ok()?);
    let sign = if number < 0 { 0xff } else { 0 };
    high.iter().all(|byte| *byte == sign).then_some(number)
}

/// The absolute value, lowest limb first, and true if the number is negative.
fn magnitude(bytes: &[u8]) -> ([u32; LIMBS], bool) {
    let mut little = little(bytes);
    let negative = little[31] >= 0x80;
    if negative {
        let mut carry = true;
        for byte in &mut little {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let mut limbs = [0; LIMBS];
    for (limb, bytes) in limbs.iter_mut().zip(little.chunks_exact(4)) {
        *limb = u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
    }
    (limbs, negative)
}

fn multiply_by_ten(limbs: &mut [u32; LIMBS]) {
    let mut carry = 0;
    for limb in limbs {
        let product = u64::from(*limb) * 10 + carry;
        (*limb, carry) = (product as u32, product >> 32);
    }
}

/// Divides by ten, and returns the remainder.
fn divide_by_ten(limbs: &mut [u32; LIMBS]) -> u64 {
    let mut rest = 0;
    for limb in limbs.iter_mut().rev() {
        let whole = rest << 32 | u64::from(*limb);
        (*limb, rest) = ((whole / 10) as u32, whole % 10);
    }
    rest
}

/// The number in two's complement, big-endian.
fn complement(limbs: &[u32; LIMBS], negative: bool) -> [u8; 4 * LIMBS] {
    let mut bytes = [0; 4 * LIMBS];
    let mut carry = true;
    for (i, limb) in limbs.iter().enumerate() {
        let mut limb = *limb;
        if negative {
            (limb, carry) = (!limb).overflowing_add(u32::from(carry));
        }
        let end = bytes.len() - 4 * i;
        bytes[end - 4..end].copy_from_slice(&limb.to_be_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8], scale: i32) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.decimal(bytes, scale);
        writer.bytes
    }

    /// 128 and 256 bits of the same number, shifted by any number of digits, have the same encoding.
    #[test]
    fn widths_agree() {
        let numbers = [0, 1, -1, 10, -150, 9990, i64::MAX.into(), i64::MIN.into(), i128::MAX, i128::MIN];
        for number in numbers {
            for scale in [-255, -3, -1, 0, 1, 2, 40, 255] {
                let narrow = number.to_ne_bytes();
                let mut wide = [if number < 0 { 0xff } else { 0 }; 32];
                let low = if cfg!(target_endian = "big") { 16 } else { 0 };
                wide[low..low + 16].copy_from_slice(&narrow);
                let mut writer = Writer::default();
                writer.wide(&wide, scale);
                assert_eq!(of(&narrow, scale), of(&wide, scale));
                if number != 0 {
                    assert_eq!(of(&narrow, scale), writer.bytes, "{number} {scale}");
                }
            }
        }
    }

    #[test]
    fn known() {
        assert_eq!(of(&(-150i32).to_ne_bytes(), 2), [0x11, 1, 1, 0xf1]);
        assert_eq!(of(&100i64.to_ne_bytes(), 2), [0x10, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(
            of(&1i32.to_ne_bytes(), -18),
            [&[0x10][..], &1_000_000_000_000_000_000i64.to_be_bytes()].concat()
        );
        assert_eq!(
            of(&1i32.to_ne_bytes(), -19),
            [&[0x11, 0, 9, 0][..], &10_000_000_000_000_000_000u64.to_be_bytes()].concat()
        );
        assert_eq!(of(&0i32.to_ne_bytes(), 255), [0x10, 0, 0, 0, 0, 0, 0, 0, 0]);
    }
}
