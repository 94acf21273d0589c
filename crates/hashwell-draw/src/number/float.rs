//! Floats from decimal text, as `str::parse` reads them: with signs, names such as `inf`, and any number of digits,
//! which `text.rs` does not accept.

/// The same as [`str::parse`].
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The same as [`str::parse`], without the standard library's table of powers of five. In the WebAssembly module for
/// draws, which reads few floats, the table would take 12 KB.
#[cfg(target_arch = "wasm32")]
pub(crate) use exact::read;

#[cfg(any(test, target_arch = "wasm32"))]
mod exact {
    use num_bigint::BigUint;

    /// The maximum number of significant digits used. Further digits only matter if one of them is not zero. (Numbers
    /// halfway between two floats have at most 767 digits.)
    const MAX_DIGITS: usize = 800;

    /// Reads every text to the same bits as [`str::parse`], and fails in the same cases.
    pub(crate) fn read(text: &str) -> Option<f64> {
        let (negative, rest) = match text.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let named = |name: &str| rest.eq_ignore_ascii_case(name.as_bytes());
        let value = if named("inf") || named("infinity") {
            f64::INFINITY
        } else if named("nan") {
            f64::NAN
        } else {
            number(rest)?
        };
        Some(if negative { -value } else { value })
    }

    /// Digits with at most one point, then an optional exponent.
    fn number(text: &[u8]) -> Option<f64> {
        let (mut digits, mut power) = (BigUint::ZERO, 0_i64);
        let (mut kept, mut any, mut more, mut point) = (0, false, false, false);
        let mut bytes = text.iter();
        while let Some(byte) = bytes.next() {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    power -= i64::from(point);
                    if kept == MAX_DIGITS {
                        more |= *byte != b'0';
                        power += 1;
                    } else if kept > 0 || *byte != b'0' {
                        kept += 1;
                        digits = digits * 10_u32 + u32::from(byte - b'0');
                    }
                }
                b'.' if !point => point = true,
                b'e' | b'E' => {
                    power += exponent(bytes.as_slice())?;
                    break;
                }
                _ => return None,
            }
        }
        any.then(|| nearest(digits, more, power, kept))
    }

    /// Digits after an optional sign. From 2^16 on, further digits are ignored, as in the standard library.
    fn exponent(text: &[u8]) -> Option<i64> {
        let (sign, digits) = match text {
            [b'-', digits @ ..] => (-1, digits),
            [b'+', digits @ ..] => (1, digits),
            digits => (1, digits),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let add =
            |value, digit: &u8| if value < 1 << 16 { value * 10 + i64::from(digit - b'0') } else { value };
        Some(sign * digits.iter().fold(0, add))
    }

    /// The float nearest to `digits` · 10^`power`; if two are equally near, the even one. `len` is the number of
    /// digits, and `more` is true if further digits that are not zeros follow them.
    fn nearest(digits: BigUint, more: bool, power: i64, len: usize) -> f64 {
        // The number is between 10^(top - 1) and 10^top. Half of the smallest float is above 10^-324, and 10^309 is
        // above all floats.
        let top = power + len as i64;
        if len == 0 || top < -323 {
            return 0.0;
        }
        if top > 309 {
            return f64::INFINITY;
        }
        let ten = BigUint::from(10_u32).pow(power.unsigned_abs() as u32);
        let (over, under) = if power < 0 { (digits, ten) } else { (digits * ten, BigUint::from(1_u32)) };
        // A quotient of 66 or 67 bits, the last of which is set if there is a remainder: value = quotient · 2^-shift.
        let shift = 66 + under.bits() as i64 - over.bits() as i64;
        let (over, under) = (over << shift.max(0) as u32, under << (-shift).max(0) as u32);
        let whole = &over / &under;
        let rest = whole.iter_u64_digits().rev().fold(0_u128, |value, word| (value << 64) | u128::from(word))
            | u128::from(more || &whole * &under != over);
        let len = i64::from(u128::BITS - rest.leading_zeros());
        let exponent = len - 1 - shift;
        if exponent > 1023 {
            return f64::INFINITY;
        }
        // Below 2^-1022, floats have fewer bits.
        let precision = 53 + (exponent + 1022).min(0);
        if precision < 0 {
            return 0.0;
        }
        let cut = (len - precision) as u32;
        let (kept, rest, half) = ((rest >> cut) as u64, rest & ((1 << cut) - 1), 1_u128 << (cut - 1));
        let rounded = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
        // The first of the 53 bits is not stored, but adds one to the exponent, and so does a carry.
        f64::from_bits(rounded + (((exponent + 1022).max(0) as u64) << 52))
    }
}

#[cfg(test)]
mod tests {
    use super::exact::read;
    use hashwell::{CounterRng, RandomSource};

    #[track_caller]
    fn same(text: &str) {
        let (ours, std) = (read(text).map(f64::to_bits), text.parse().ok().map(f64::to_bits));
        assert_eq!(ours, std, "{}", &text[..text.len().min(200)]);
    }

    #[test]
    fn texts_are_numbers_or_none_as_they_are_to_the_standard_library() {
        let parts =
            ["", "0", "7", "00", "12", "+", "-", ".", "e", "E", " ", "inf", "NaN", "infinity", "_", "é"];
        for (i, j, k) in (0..16_usize.pow(3)).map(|at| (at % 16, at / 16 % 16, at / 256)) {
            let text = [parts[i], parts[j], parts[k]].concat();
            same(&text);
            same(&format!("-{text}"));
            same(&format!("1{text}"));
            same(&format!("{text}5"));
        }
    }

    #[test]
    fn ends_of_the_range() {
        for text in [
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1e308",
            "1e309",
            "1e310",
            "1e311",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.5e-324",
            "1e-324",
            "1e-330",
            "1e-331",
            "1e-400",
            "2.2250738585072011e-308",
            "2.2250738585072012e-308",
            "2.2250738585072014e-308",
            "4.9e-324",
            "7.4e-324",
            "7.5e-324",
            "1e9223372036854775807",
            "1e-9223372036854775808",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "0e99999999999999999999",
            "0.000e-5",
            "9007199254740993",
            "9007199254740992.99999",
            "9007199254740993.00001",
        ] {
            same(text);
        }
        for zeros in [0, 1, 300, 308, 323, 330, 799, 800, 801, 2000, 65_535, 65_536, 655_360, 700_000] {
            let zeros = "0".repeat(zeros);
            for text in [
                format!("1{zeros}"),
                format!("0.{zeros}1"),
                format!("1.{zeros}1"),
                format!("{zeros}1{zeros}.{zeros}"),
            ] {
                same(&text);
                same(&format!("{text}e{}", zeros.len()));
                same(&format!("{text}e-{}", zeros.len()));
            }
        }
    }

    /// Reads the exact midpoint between a float and the next one, the midpoint with an additional digit far to the
    /// right, and the midpoint with its last digit reduced by one.
    #[test]
    fn halves_are_rounded_to_even_and_all_else_to_the_nearest() {
        let mut words = CounterRng::new(&[1; 32]);
        for at in 0..3000 {
            // A third of the floats are subnormal.
            let word = words.next_u64().unwrap();
            let float = f64::from_bits(if at % 3 == 0 { word >> 12 } else { word & (u64::MAX >> 1) });
            if !float.is_finite() {
                continue;
            }
            let next = f64::from_bits(float.to_bits() + 1);
            same(&format!("{float:.1100}"));
            let middle = middle(float, next);
            for text in [
                middle.clone(),
                format!("{middle}1"),
                format!("{middle}{}", "0".repeat(900)),
                format!("{middle}{}1", "0".repeat(900)),
                below(&middle),
            ] {
                same(&text);
                same(&format!("{text}e7"));
            }
        }
    }

    /// The exact mean of two floats: both have at most 1074 decimals.
    fn middle(low: f64, high: f64) -> String {
        let [low, high] = [low, high].map(|float| {
            let text = format!("{float:.1080}");
            text.bytes()
                .filter(u8::is_ascii_digit)
                .map(|digit| u32::from(digit - b'0'))
                .rev()
                .collect::<Vec<_>>()
        });
        let (mut carry, mut sum) = (0, Vec::new());
        for at in 0..high.len().max(low.len()) {
            let digit = low.get(at).unwrap_or(&0) + high.get(at).unwrap_or(&0) + carry;
            carry = digit / 10;
            sum.push(digit % 10);
        }
        sum.push(carry);
        let mut rest = 0;
        let mut text: Vec<u8> = sum
            .iter()
            .rev()
            .map(|digit| {
                let digit = rest * 10 + digit;
                rest = digit % 2;
                b'0' + (digit / 2) as u8
            })
            .collect();
        text.insert(text.len() - 1080, b'.');
        String::from_utf8(text).unwrap().trim_end_matches('0').to_owned()
    }

    fn below(middle: &str) -> String {
        let (head, last) = middle.split_at(middle.len() - 1);
        let last = last.bytes().next().unwrap();
        if last.is_ascii_digit() && last > b'0' {
            format!("{head}{}99", char::from(last - 1))
        } else {
            middle.to_owned()
        }
    }

    #[test]
    fn many_floats_come_back_and_many_decimals_are_read_alike() {
        let mut words = CounterRng::new(&[2; 32]);
        for _ in 0..300_000 {
            let [float, a, b] = [(); 3].map(|()| words.next_u64().unwrap());
            let float = f64::from_bits(float);
            if float.is_finite() {
                assert_eq!(read(&format!("{float:e}")).map(f64::to_bits), Some(float.to_bits()));
            }
            same(&format!("{a}e{}", b as i64 % 350));
            same(&format!("{}.{b}", a % 100_000));
            same(&format!("{a}{b}.{a}e-{}", b % 380));
        }
    }
}
