//! Parses numbers, exactly or as floating point.

use hashwell_table::Writer;

/// The maximum number of decimal digits of an exact number, whose encoding has at most 255 bytes and 255 decimal
/// places.
const MAX_DIGITS: usize = 600;
const MAX_PLACES: i64 = 255;

/// The reason why a string is not a number of the requested type.
pub(super) type Wrong = &'static str;

/// Writes an exact number of any size. With `whole`, it must be an integer.
pub(super) fn exact(text: &[u8], whole: bool, out: &mut Writer) -> Result<(), Wrong> {
    const NONE: Wrong = "not a number";
    let (negative, rest) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let (mantissa, exponent) = match rest.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => (&rest[..at], power(&rest[at + 1..]).ok_or(NONE)?),
        None => (rest, 0),
    };
    let (before, behind) = match mantissa.iter().position(|byte| *byte == b'.') {
        Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
        None => (mantissa, &[][..]),
    };
    if before.len() + behind.len() == 0 || !before.iter().chain(behind).all(u8::is_ascii_digit) {
        return Err(NONE);
    }
    let mut digits: Vec<u8> =
        before.iter().chain(behind).copied().skip_while(|digit| *digit == b'0').collect();
    let mut places = behind.len() as i64 - exponent;
    while digits.last() == Some(&b'0') && places > 0 {
        digits.pop();
        places -= 1;
    }
    if digits.is_empty() {
        out.whole(0);
        return Ok(());
    }
    if places > MAX_PLACES || digits.len() as i64 - places.min(0) > MAX_DIGITS as i64 {
        return Err("a number with more than 600 digits, or with more than 255 after the point");
    }
    digits.resize(digits.len() + places.min(0).unsigned_abs() as usize, b'0');
    let places = places.max(0) as u8;
    if whole && places > 0 {
        return Err("not an integer");
    }
    let bytes = match std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse::<i128>().ok()) {
        Some(size) if places == 0 => {
            out.whole(if negative { -size } else { size });
            return Ok(());
        }
        Some(size) => (if negative { -size } else { size }).to_be_bytes().to_vec(),
        None => complement(&digits, negative),
    };
    out.exact(places, &bytes);
    Ok(())
}

/// The exponent after the `e`. An exponent with too many digits is replaced by a very large one.
fn power(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits.iter().fold(0_i64, |size, digit| (size * 10 + i64::from(digit - b'0')).min(1 << 40));
    Some(if text.first() == Some(&b'-') { -size } else { size })
}

/// The two's complement of a number given by its digits, most significant byte first.
fn complement(digits: &[u8], negative: bool) -> Vec<u8> {
    let mut limbs: Vec<u32> = vec![0];
    for digit in digits {
        let mut carry = u64::from(digit - b'0');
        for limb in &mut limbs {
            let product = u64::from(*limb) * 10 + carry;
            (*limb, carry) = (product as u32, product >> 32);
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
    }
    // One more limb, for the sign.
    limbs.push(0);
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            (*limb, carry) = (!*limb).overflowing_add(u32::from(carry));
        }
    }
    limbs.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect()
}

/// Writes the nearest binary64, or the nearest binary32 converted to binary64. It is an error if a finite literal is
/// out of range.
pub(super) fn float(text: &[u8], narrow: bool, out: &mut Writer) -> Result<(), Wrong> {
    let number = match narrow {
        true => fast_float2::parse::<f32, _>(text).map(f64::from),
        false => fast_float2::parse::<f64, _>(text),
    };
    let number = number.map_err(|_| "not a number")?;
    if number.is_infinite() && text.iter().any(u8::is_ascii_digit) {
        return Err("outside the range of floating-point numbers");
    }
    out.float(number);
    Ok(())
}

/// Writes the nearest binary16, converted to binary64. It is an error if a finite literal is out of range.
pub(super) fn half(text: &[u8], out: &mut Writer) -> Result<(), Wrong> {
    let number: f64 = fast_float2::parse(text).map_err(|_| "not a number")?;
    if !number.is_finite() && !text.iter().any(u8::is_ascii_digit) {
        out.float(number);
        return Ok(());
    }
    // The distance between adjacent binary16 numbers of this size. It is constant below 2^-14.
    let exponent = (number.abs().to_bits() >> 52) as i32 - 1023;
    let step = 2_f64.powi(exponent.max(-14) - 10);
    let rounded = (number / step).round_ties_even() * step;
    if rounded.abs() > 65_504.0 {
        return Err("outside the range of 16-bit floating-point numbers");
    }
    out.float(rounded);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Vec<u8> {
        let mut out = Writer::default();
        exact(text.as_bytes(), false, &mut out).unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        out.as_bytes().to_vec()
    }

    #[test]
    fn exact_numbers_are_those_of_the_specification() {
        let one = [0x10, 0, 0, 0, 0, 0, 0, 0, 1];
        for text in ["1", "+1", "1.00", "01", "100e-2", "0.1e1", ".1E+1", "1."] {
            assert_eq!(written(text), one, "{text}");
        }
        assert_eq!(written("-1.50"), [0x11, 1, 1, 0xf1]);
        assert_eq!(written("9223372036854775808"), [0x11, 0, 9, 0, 0x80, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(written("-9223372036854775808"), [0x10, 0x80, 0, 0, 0, 0, 0, 0, 0]);
        for zero in ["0", "-0", "0.000", "0e999999999999999999999"] {
            assert_eq!(written(zero), [0x10, 0, 0, 0, 0, 0, 0, 0, 0], "{zero}");
        }
        // 2^200 and 2^200 - 1, with either sign.
        let large = "1606938044258990275541962092341162602522202993782792835301376";
        assert_eq!(written(large), [&[0x11, 0, 26, 1][..], &[0; 25]].concat());
        assert_eq!(written(&format!("-{large}")), [&[0x11, 0, 26, 0xff][..], &[0; 25]].concat());
        let less = large.replace("376", "375");
        assert_eq!(written(&less), [&[0x11, 0, 26, 0][..], &[0xff; 25]].concat());
    }

    #[test]
    fn floats_of_16_bits() {
        let written = |text: &str| {
            let mut out = Writer::default();
            half(text.as_bytes(), &mut out).map(|()| out.as_bytes().to_vec())
        };
        let float = |number: f64| {
            let mut out = Writer::default();
            out.float(number);
            Ok(out.as_bytes().to_vec())
        };
        for (text, number) in [
            ("0.1", 0.099_975_585_937_5),
            ("0.099975586", 0.099_975_585_937_5),
            ("-65504", -65_504.0),
            ("65519", 65_504.0),
            ("5.9604645e-8", 2_f64.powi(-24)),
            ("2.9e-8", 0.0),
            ("2049", 2048.0),
            ("2051", 2052.0),
            ("-inf", f64::NEG_INFINITY),
            ("nan", f64::NAN),
        ] {
            assert_eq!(written(text), float(number), "{text}");
        }
        for wrong in ["65520", "1e300", "one", ""] {
            assert!(written(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn others_are_refused() {
        for wrong in [
            "", "-", ".", "1,5", "1_000", " 1", "0x10", "1e", "e5", "1e+", "nan", "--1", "1.2.3", "1e601",
            "1e-256",
        ] {
            assert!(exact(wrong.as_bytes(), false, &mut Writer::default()).is_err(), "{wrong}");
        }
        assert!(exact(b"1.5", true, &mut Writer::default()).is_err());
        assert!(exact(b"15e-1", true, &mut Writer::default()).is_err());
        assert!(float(b"1e999", false, &mut Writer::default()).is_err());
        assert!(float(b"1e39", true, &mut Writer::default()).is_err());
        assert!(float(b"one", false, &mut Writer::default()).is_err());
    }
}
