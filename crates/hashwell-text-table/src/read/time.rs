//! Parses dates and times of day in the formats of ISO 8601, with a `T` or a space between them.

use hashwell_table::Writer;

/// The reason why a string is not valid.
pub(super) type Wrong = &'static str;

const DAY: i64 = 86_400;

/// Writes `2026-11-22`.
pub(super) fn date(text: &[u8], out: &mut Writer) -> Result<(), Wrong> {
    const NONE: Wrong = "not a date such as 2026-11-22";
    let (days, rest) = days(text).ok_or(NONE)?;
    if !rest.is_empty() {
        return Err(NONE);
    }
    out.word(0x40, days.to_be_bytes());
    Ok(())
}

/// Writes a time of day such as `23:59:59.999`. The second and its fraction are optional, and `24:00:00` is accepted.
pub(super) fn time(text: &[u8], out: &mut Writer) -> Result<(), Wrong> {
    const NONE: Wrong = "not a time of day such as 23:59:59.999";
    let (seconds, nanoseconds, rest) = seconds(text).ok_or(NONE)?;
    if !rest.is_empty() {
        return Err(NONE);
    }
    out.word(0x43, (seconds * 1_000_000_000 + i64::from(nanoseconds)).to_be_bytes());
    Ok(())
}

/// Writes a date and a time, with an offset from UTC if `zoned`, and otherwise without one.
pub(super) fn timestamp(text: &[u8], zoned: bool, out: &mut Writer) -> Result<(), Wrong> {
    const NONE: Wrong = "not a timestamp such as 2026-11-22 23:59:59";
    let (days, rest) = days(text).ok_or(NONE)?;
    let (seconds, nanoseconds, rest) = match rest {
        [b'T' | b't' | b' ', time @ ..] => seconds(time).filter(|time| time.0 < DAY).ok_or(NONE)?,
        rest => (0, 0, rest),
    };
    let offset = match (zoned, rest) {
        (false, []) => 0,
        (true, []) => return Err("a timestamp without an offset from UTC, but the column requires one"),
        (true, rest) => offset(rest).ok_or("not a timestamp with an offset from UTC such as Z or +01:00")?,
        (false, rest) if offset(rest).is_some() => {
            return Err("a timestamp with an offset from UTC, but the column has no time zone");
        }
        (false, _) => return Err(NONE),
    };
    let since = days.checked_mul(DAY).and_then(|days| days.checked_add(seconds - offset));
    let since = since.ok_or("a timestamp outside the range of 64-bit seconds")?;
    out.instant(if zoned { 0x42 } else { 0x41 }, since, nanoseconds);
    Ok(())
}

/// Writes an ISO 8601 duration of days, hours, minutes and seconds: `PT1.5S`, `-P1DT2H`.
pub(super) fn duration(text: &[u8], out: &mut Writer) -> Result<(), Wrong> {
    const NONE: Wrong = "not a duration such as PT1.5S or P1DT2H";
    let parts = Parts::of(text).filter(|parts| parts.months == 0).ok_or(NONE)?;
    let days = parts.days.checked_mul(i128::from(DAY) * SECOND).ok_or(NONE)?;
    let sum = days.checked_add(parts.nanoseconds).ok_or(NONE)?;
    let seconds = i64::try_from(sum.div_euclid(SECOND))
        .map_err(|_| "a duration outside the range of 64-bit seconds")?;
    out.instant(0x44, seconds, sum.rem_euclid(SECOND) as u32);
    Ok(())
}

/// Writes an interval of months, days and a time, which are independent of each other: `P1Y2M3DT4H5M6.5S`.
pub(super) fn interval(text: &[u8], out: &mut Writer) -> Result<(), Wrong> {
    const NONE: Wrong = "not an interval such as P1Y2M3DT4H5M6.5S";
    let parts = Parts::of(text).ok_or(NONE)?;
    let months = i32::try_from(parts.months).map_err(|_| NONE)?;
    let days = i32::try_from(parts.days).map_err(|_| NONE)?;
    let nanoseconds = i64::try_from(parts.nanoseconds).map_err(|_| NONE)?;
    out.put(&[0x45]);
    out.put(&months.to_be_bytes());
    out.put(&days.to_be_bytes());
    out.put(&nanoseconds.to_be_bytes());
    Ok(())
}

const SECOND: i128 = 1_000_000_000;

/// The parts of an ISO 8601 period.
#[derive(Default)]
struct Parts {
    months: i128,
    days: i128,
    nanoseconds: i128,
}

impl Parts {
    fn of(text: &[u8]) -> Option<Parts> {
        let (negative, text) = sign(text);
        let mut rest = text.strip_prefix(b"P")?;
        let (mut parts, mut in_time, mut units) = (Parts::default(), false, &b"YMWD"[..]);
        if rest.is_empty() || rest == b"T" || rest.ends_with(b"T") {
            return None;
        }
        while !rest.is_empty() {
            if let (false, Some(time)) = (in_time, rest.strip_prefix(b"T")) {
                (in_time, units, rest) = (true, b"HMS", time);
                continue;
            }
            let len = rest.iter().position(u8::is_ascii_alphabetic)?;
            let (number, unit) = (&rest[..len], rest[len]);
            // Each unit may occur once, with larger units first.
            units = &units[units.iter().position(|other| *other == unit)? + 1..];
            let size = match (in_time, unit) {
                (false, b'Y') => (&mut parts.months, 12),
                (false, b'M') => (&mut parts.months, 1),
                (false, b'W') => (&mut parts.days, 7),
                (false, _) => (&mut parts.days, 1),
                (true, b'H') => (&mut parts.nanoseconds, 3_600 * SECOND),
                (true, b'M') => (&mut parts.nanoseconds, 60 * SECOND),
                (true, _) => (&mut parts.nanoseconds, 1),
            };
            let number = if in_time && unit == b'S' { decimal(number)? } else { integer(number)? };
            *size.0 = size.0.checked_add(number.checked_mul(size.1)?)?;
            rest = &rest[len + 1..];
        }
        if negative {
            parts = Parts { months: -parts.months, days: -parts.days, nanoseconds: -parts.nanoseconds };
        }
        Some(parts)
    }
}

/// Splits a sign from the beginning of a string. Returns a pair: true if the sign is a minus, and the rest.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    }
}

/// An integer of at most 20 digits.
fn integer(text: &[u8]) -> Option<i128> {
    let (negative, rest) = sign(text);
    if rest.is_empty() || rest.len() > 20 {
        return None;
    }
    let add = |sum: i128, byte: &u8| byte.is_ascii_digit().then(|| sum * 10 + i128::from(byte - b'0'));
    let sum = rest.iter().try_fold(0, add)?;
    Some(if negative { -sum } else { sum })
}

/// A number of seconds in nanoseconds.
fn decimal(text: &[u8]) -> Option<i128> {
    let (negative, rest) = sign(text);
    let (whole, nanoseconds) = match rest.iter().position(|byte| matches!(byte, b'.' | b',')) {
        Some(at) => (&rest[..at], fraction(&rest[at + 1..]).filter(|(_, rest)| rest.is_empty())?.0),
        None => (rest, 0),
    };
    if !whole.first()?.is_ascii_digit() {
        return None;
    }
    let sum = integer(whole)? * SECOND + i128::from(nanoseconds);
    Some(if negative { -sum } else { sum })
}

/// Parses a date at the beginning of a text. Returns its days since 1970 and the rest of the text. Years have four to
/// twelve digits, as many as a 64-bit number of seconds can express.
fn days(text: &[u8]) -> Option<(i64, &[u8])> {
    let (negative, rest) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let len = rest.iter().position(|byte| *byte == b'-').filter(|len| (4..=12).contains(len))?;
    let (year, rest) = (digits(&rest[..len])?, &rest[len..]);
    let [b'-', a, b, b'-', c, d, rest @ ..] = rest else { return None };
    let (month, day) = (digits(&[*a, *b])?, digits(&[*c, *d])?);
    let year = if negative { -year } else { year };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=longest).contains(&day) {
        return None;
    }
    // Years begin in March here, so that a leap day is the last day of the year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year;
    Some((days - 719_468, rest))
}

/// Parses a time of day at the beginning of a text. Returns seconds, nanoseconds and the rest of the text.
fn seconds(text: &[u8]) -> Option<(i64, u32, &[u8])> {
    let [a, b, b':', c, d, rest @ ..] = text else { return None };
    let (hours, minutes) = (digits(&[*a, *b])?, digits(&[*c, *d])?);
    let (seconds, rest) = match rest {
        [b':', a, b, rest @ ..] => (digits(&[*a, *b])?, rest),
        rest => (0, rest),
    };
    let (nanoseconds, rest) = match rest {
        [b'.', rest @ ..] => fraction(rest)?,
        rest => (0, rest),
    };
    let sum = hours * 3600 + minutes * 60 + seconds;
    let within = minutes < 60 && seconds < 60 && (sum < DAY || (sum == DAY && nanoseconds == 0));
    within.then_some((sum, nanoseconds, rest))
}

/// A fraction in nanoseconds. Digits after the ninth must be zero.
fn fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if len == 0 || text[len.min(9)..len].iter().any(|digit| *digit != b'0') {
        return None;
    }
    let digit = |i: usize| if i < len { u32::from(text[i] - b'0') } else { 0 };
    Some(((0..9).fold(0, |sum, i| sum * 10 + digit(i)), &text[len..]))
}

/// Seconds east of UTC: `Z`, `UTC`, `+01`, `+0100`, `+01:00`, optionally with a space before it.
fn offset(text: &[u8]) -> Option<i64> {
    let text = text.strip_prefix(b" ").unwrap_or(text);
    let (sign, rest) = match text {
        b"Z" | b"z" | b"UTC" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match rest {
        [a, b] => (digits(&[*a, *b])?, 0),
        [a, b, c, d] | [a, b, b':', c, d] => (digits(&[*a, *b])?, digits(&[*c, *d])?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

fn digits(text: &[u8]) -> Option<i64> {
    let digit = |sum: i64, byte: &u8| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0'));
    text.iter().try_fold(0, digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_since_1970() {
        let known = [
            ("1970-01-01", 0),
            ("1969-12-31", -1),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
            ("2026-11-22", 20_779),
            ("0001-01-01", -719_162),
            ("0000-03-01", -719_468),
            ("-0001-12-31", -719_529),
            ("9999-12-31", 2_932_896),
        ];
        for (text, expected) in known {
            assert_eq!(days(text.as_bytes()), Some((expected, &[][..])), "{text}");
        }
        assert_eq!(days(b"+10000-01-01"), Some((2_932_897, &[][..])));
        assert_eq!(days(b"-5877641-06-23"), Some((i32::MIN.into(), &[][..])));
        assert_eq!(days(b"+5881580-07-11"), Some((i32::MAX.into(), &[][..])));
        for wrong in
            ["1900-02-29", "2023-13-01", "2023-00-01", "2023-04-31", "2023-1-01", "23-01-01", "2023-01-00"]
        {
            assert_eq!(days(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn durations_and_intervals() {
        let of = |text: &str| {
            let mut out = Writer::default();
            duration(text.as_bytes(), &mut out).map(|()| out.as_bytes().to_vec())
        };
        let instant = |seconds: i64, nanoseconds: u32| {
            let mut out = Writer::default();
            out.instant(0x44, seconds, nanoseconds);
            Ok(out.as_bytes().to_vec())
        };
        for (text, seconds, nanoseconds) in [
            ("PT0S", 0, 0),
            ("PT1.5S", 1, 500_000_000),
            ("PT-0.000000001S", -1, 999_999_999),
            ("-PT0.000000001S", -1, 999_999_999),
            ("P1DT2H3M4,25S", 93_784, 250_000_000),
            ("P1W", 604_800, 0),
            ("PT-9223372036854775808S", i64::MIN, 0),
        ] {
            assert_eq!(of(text), instant(seconds, nanoseconds), "{text}");
        }
        for wrong in [
            "",
            "P",
            "PT",
            "P1DT",
            "1S",
            "PT1",
            "PT1S1M",
            "PT1S2S",
            "P1M",
            "P1Y",
            "PT1.S",
            "PT1.0000000001S",
            "PT9223372036854775808S",
            "PT1.5H",
            "PTS",
            "PT--1S",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        let mut out = Writer::default();
        interval(b"P1Y2M-3DT1H-0.5S", &mut out).unwrap();
        let time = 3_600_000_000_000_i64 - 500_000_000;
        let expected =
            [&[0x45][..], &14_i32.to_be_bytes(), &(-3_i32).to_be_bytes(), &time.to_be_bytes()].concat();
        assert_eq!(out.as_bytes(), expected);
        for wrong in ["P2147483648M", "P2147483648D", "P1", "P1DT10000000000S", "P1D1M"] {
            assert!(interval(wrong.as_bytes(), &mut Writer::default()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn timestamps_and_offsets() {
        let written = |text: &str, zoned| {
            let mut out = Writer::default();
            timestamp(text.as_bytes(), zoned, &mut out).map(|()| out.as_bytes().to_vec())
        };
        let instant = [0x42, 0, 0, 0, 0, 0x5e, 0x0b, 0xe1, 0, 0x07, 0x5b, 0xcd, 0x15];
        for text in [
            "2020-01-01T00:00:00.123456789Z",
            "2020-01-01 01:00:00.123456789+01",
            "2020-01-01 01:30:00.123456789000 +01:30",
            "2019-12-31 19:00:00.123456789-0500",
        ] {
            assert_eq!(written(text, true).as_deref(), Ok(&instant[..]), "{text}");
        }
        let local = |text| written(text, false);
        assert_eq!(
            local("1969-12-31 23:59:59.5").unwrap()[1..],
            [255, 255, 255, 255, 255, 255, 255, 255, 0x1d, 0xcd, 0x65, 0]
        );
        assert_eq!(local("1970-01-01"), local("1970-01-01T00:00"));
        for wrong in [
            "2020-01-01 24:00:00",
            "2020-01-01 00:60",
            "2020-01-01 00:00:00.",
            "2020-01-01x",
            "2020-01-01 00:00:00Z",
        ] {
            assert!(local(wrong).is_err(), "{wrong}");
        }
        for wrong in ["2020-01-01", "2020-01-01 00:00:00 Oslo", "2020-01-01 00:00:00+25"] {
            assert!(written(wrong, true).is_err(), "{wrong}");
        }
        assert!(time(b"24:00:00", &mut Writer::default()).is_ok());
        assert!(time(b"24:00:01", &mut Writer::default()).is_err());
    }
}
