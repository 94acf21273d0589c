//! Parses and displays values of `hwrow/1` (`docs/spec/rows.md`). If there is no memory for a string, the process ends,
//! as with Rust's own collections.

use std::fmt::Write;
use unicode_normalization::UnicodeNormalization;

/// The maximum size in bytes of a string on an HTML page. Only a part of a longer string is shown.
pub const EXCERPT: usize = 1000;

/// Splits bytes into the first value and the rest.
#[must_use]
pub fn split_first(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    bytes.split_at_checked(len(bytes, 0)?)
}

/// A limit on the nesting of lists, structs and maps. The format limits it to 64.
const DEEPEST: u32 = 80;

/// The length in bytes of the value at the beginning.
fn len(bytes: &[u8], depth: u32) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    let (tag, rest) = bytes.split_first()?;
    Some(match tag {
        0..=2 => 1,
        0x10 | 0x20 | 0x40 | 0x43 => 9,
        0x11 => 3 + usize::from(*rest.get(1)?),
        0x30 | 0x31 => 1 + string(rest)?.1,
        0x41 | 0x42 | 0x44 => 13,
        0x45 => 17,
        0x50..=0x52 => {
            let (count, mut at) = count(rest)?;
            at += 1;
            for _ in 0..count {
                if *tag == 0x51 {
                    at += string(bytes.get(at..)?)?.1;
                }
                if *tag == 0x52 {
                    at += len(bytes.get(at..)?, depth + 1)?;
                }
                at += len(bytes.get(at..)?, depth + 1)?;
            }
            at
        }
        _ => return None,
    })
}

/// A count, and the number of bytes it takes.
fn count(bytes: &[u8]) -> Option<(usize, usize)> {
    match bytes.split_first()? {
        (0xff, rest) => Some((usize::try_from(u64::from_be_bytes(*rest.first_chunk()?)).ok()?, 9)),
        (count, _) => Some(((*count).into(), 1)),
    }
}

/// A string with a length prefix, and the number of bytes of both.
fn string(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let (len, head) = count(bytes)?;
    let end = head.checked_add(len)?;
    Some((bytes.get(head..end)?, end))
}

/// The bytes of a row's values, without the tag and the number of values at the beginning of the row.
#[must_use]
pub fn values(row: &[u8]) -> &[u8] {
    let head = row.get(1..).and_then(count).map_or(0, |(_, head)| 1 + head);
    row.get(head..).unwrap_or_default()
}

/// The first values in `rest`, each with the name of its column.
pub fn cells<'a>(names: &'a [String], mut rest: &'a [u8]) -> impl Iterator<Item = (&'a String, &'a [u8])> {
    names.iter().map_while(move |name| {
        let (value, more) = split_first(rest)?;
        rest = more;
        Some((name, value))
    })
}

/// Returns the string in an encoded value, or `None` if the value is not a string.
#[must_use]
pub fn text(value: &[u8]) -> Option<&str> {
    bytes(value).filter(|_| value.first() == Some(&0x30)).and_then(|bytes| std::str::from_utf8(bytes).ok())
}

/// Returns the bytes in an encoded value, or `None` if the value is neither a string nor bytes.
#[must_use]
pub fn bytes(value: &[u8]) -> Option<&[u8]> {
    let (tag, rest) = value.split_first()?;
    if matches!(tag, 0x30 | 0x31) { Some(string(rest)?.0) } else { None }
}

/// The number of a value, if it is a binary64.
#[must_use]
pub fn float(value: &[u8]) -> Option<f64> {
    let (tag, rest) = value.split_first()?;
    if *tag == 0x20 { Some(f64::from_be_bytes(*rest.first_chunk()?)) } else { None }
}

/// Returns true for a string that looks like a code, such as `007` or `+49`, and not like a number. Such a string
/// begins with a plus sign, or with a zero before another digit.
#[must_use]
pub fn is_code(value: &[u8]) -> bool {
    let Some(text) = text(value) else { return false };
    let text = text.trim();
    match text.strip_prefix('-').unwrap_or(text).as_bytes() {
        [b'+', ..] => true,
        [b'0', next, ..] => next.is_ascii_digit(),
        _ => false,
    }
}

/// Formats a value as JSON. Numbers have all their digits; NaN, infinities, bytes (in base64) and times are strings.
#[must_use]
pub fn json(value: &[u8]) -> String {
    let mut out = String::new();
    // A value that this program has written is always readable.
    if write(value, &mut out).is_none() {
        out.push_str("null");
    }
    out
}

fn write(value: &[u8], out: &mut String) -> Option<()> {
    let (tag, rest) = value.split_first()?;
    let first = || Some(i64::from_be_bytes(*rest.first_chunk()?));
    let nanoseconds = || Some(u32::from_be_bytes(*rest.get(8..)?.first_chunk()?));
    match tag {
        0 => out.push_str("null"),
        1 => out.push_str("false"),
        2 => out.push_str("true"),
        0x10 => write!(out, "{}", first()?).ok()?,
        0x11 => decimal(rest, out)?,
        0x20 => {
            let float = f64::from_be_bytes(*rest.first_chunk()?);
            match float {
                _ if float.is_finite() => write!(out, "{float:?}").ok()?,
                _ if float.is_nan() => out.push_str("\"NaN\""),
                _ => out.push_str(if float > 0.0 { "\"Infinity\"" } else { "\"-Infinity\"" }),
            }
        }
        0x30 => out.push_str(&quoted(&String::from_utf8_lossy(string(rest)?.0))),
        0x31 => {
            out.push('"');
            string(rest)?.0.chunks(3).for_each(|three| base64(three, out));
            out.push('"');
        }
        0x40 => write!(out, "\"{}\"", date(first()?)).ok()?,
        0x41 | 0x42 => {
            let zone = if *tag == 0x42 { "Z" } else { "" };
            let (days, seconds) = (first()?.div_euclid(86400), first()?.rem_euclid(86400));
            write!(out, "\"{}T{}{zone}\"", date(days), time(seconds, nanoseconds()?)).ok()?;
        }
        0x43 => {
            let all = first()?;
            write!(out, "\"{}\"", time(all / 1_000_000_000, (all % 1_000_000_000) as u32)).ok()?;
        }
        0x44 => {
            let all = i128::from(first()?) * 1_000_000_000 + i128::from(nanoseconds()?);
            let (sign, size) = (if all < 0 { "-" } else { "" }, all.unsigned_abs());
            let digits = fraction((size % 1_000_000_000) as u32);
            write!(out, "\"{sign}PT{}{digits}S\"", size / 1_000_000_000).ok()?;
        }
        0x45 => {
            let part = |at: usize| Some(i32::from_be_bytes(*rest.get(at..)?.first_chunk()?));
            let nanoseconds = i64::from_be_bytes(*rest.get(8..)?.first_chunk()?);
            write!(out, "\"{} months {} days {nanoseconds} ns\"", part(0)?, part(4)?).ok()?;
        }
        0x50..=0x52 => nested(*tag, rest, out)?,
        _ => return None,
    }
    Some(())
}

/// Writes up to three bytes in base64.
fn base64(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let byte = |i: usize| u32::from(bytes.get(i).copied().unwrap_or(0));
    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    for i in 0..4 {
        let digit = char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize]);
        out.push(if i <= bytes.len() { digit } else { '=' });
    }
}

/// Writes the first value, and removes it from `rest`.
fn next(rest: &mut &[u8], out: &mut String) -> Option<()> {
    let (value, more) = split_first(rest)?;
    *rest = more;
    write(value, out)
}

fn nested(tag: u8, bytes: &[u8], out: &mut String) -> Option<()> {
    let (count, head) = count(bytes)?;
    let mut rest = &bytes[head..];
    let [open, close] = if tag == 0x51 { ['{', '}'] } else { ['[', ']'] };
    out.push(open);
    for i in 0..count {
        if i > 0 {
            out.push(',');
        }
        match tag {
            0x50 => next(&mut rest, out)?,
            0x52 => {
                out.push('[');
                next(&mut rest, out)?;
                out.push(',');
                next(&mut rest, out)?;
                out.push(']');
            }
            _ => {
                let (name, len) = string(rest)?;
                out.push_str(&quoted(&String::from_utf8_lossy(name)));
                out.push(':');
                rest = &rest[len..];
                next(&mut rest, out)?;
            }
        }
    }
    out.push(close);
    Some(())
}

/// A decimal: its scale, the number of bytes, and an integer in two's complement.
fn decimal(bytes: &[u8], out: &mut String) -> Option<()> {
    let (scale, number) = (usize::from(*bytes.first()?), bytes.get(2..2 + usize::from(*bytes.get(1)?))?);
    let negative = number.first()? & 0x80 != 0;
    // The absolute value of the number in base 256, and the carry of its negation.
    let mut size = number.to_vec();
    if negative {
        let mut carry = true;
        for byte in size.iter_mut().rev() {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let mut digits = Vec::new();
    while size.iter().any(|byte| *byte != 0) {
        let mut rest = 0_u32;
        for byte in &mut size {
            let all = rest << 8 | u32::from(*byte);
            (*byte, rest) = ((all / 10) as u8, all % 10);
        }
        digits.push(char::from(b'0' + rest as u8));
    }
    while digits.len() <= scale {
        digits.push('0');
    }
    if negative {
        out.push('-');
    }
    let (whole, part) = digits.split_at_checked(scale).map(|(part, whole)| (whole, part))?;
    out.extend(whole.iter().rev());
    if scale > 0 {
        out.push('.');
        out.extend(part.iter().rev());
    }
    Some(())
}

/// A day in the proleptic Gregorian calendar, by Hinnant's algorithm. If the year does not have four digits, the number
/// of days is written.
fn date(days: i64) -> String {
    if !(-719_528..=2_932_896).contains(&days) {
        return format!("day {days}");
    }
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

fn time(seconds: i64, nanoseconds: u32) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}{}", fraction(nanoseconds))
}

/// The digits after the decimal point, without trailing zeros.
fn fraction(nanoseconds: u32) -> String {
    let digits = format!("{nanoseconds:09}");
    match digits.trim_end_matches('0') {
        "" => String::new(),
        digits => format!(".{digits}"),
    }
}

/// Formats a string as JSON.
#[must_use]
pub fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// Formats a value on one line. A string has no quotes if it can't be confused with anything else.
#[must_use]
pub fn shown(value: &[u8]) -> String {
    match text(value) {
        Some(text) => shown_text(text),
        None => visible(&json(value), false),
    }
}

/// Formats a string on one line, such as the name of a column. The string has no quotes if it can't be confused with
/// anything else.
#[must_use]
pub fn shown_text(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { spelled(text, false) }
}

/// Formats two different values, each on one line, so that they never look alike.
#[must_use]
pub fn shown_both(old: &[u8], new: &[u8]) -> [String; 2] {
    let both = match (text(old), text(new)) {
        (Some(a), Some(b)) => {
            let escape = look_alike(a, b);
            if is_plain(a) && is_plain(b) && !escape {
                [a.to_owned(), b.to_owned()]
            } else {
                [spelled(a, escape), spelled(b, escape)]
            }
        }
        (a, b) => {
            let [one, other] = [json(old), json(new)];
            let escape = look_alike(&one, &other);
            let form = |text: Option<&str>, json| {
                text.map_or_else(|| visible(json, escape), |text| spelled(text, escape))
            };
            [form(a, &one), form(b, &other)]
        }
    };
    told_apart(both, old, new)
}

/// Adds the types of two values to their texts if the texts are equal. If the types are equal too, adds the first bytes
/// of their encodings that differ.
fn told_apart([a, b]: [String; 2], old: &[u8], new: &[u8]) -> [String; 2] {
    if a != b || old == new {
        return [a, b];
    }
    let [one, other] = [old, new].map(|value| kind(value.first().copied()));
    if one != other {
        return [format!("{a} ({one})"), format!("{b} ({other})")];
    }
    // The types differ only within a list, a struct or a map.
    let from = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let hex = |value: &[u8]| {
        let bytes = value[from..].iter().take(16).map(|byte| format!("{byte:02x}"));
        format!("encoding from byte {from}: {}", bytes.collect::<String>())
    };
    [format!("{a} ({})", hex(old)), format!("{b} ({})", hex(new))]
}

/// Formats two different values as JSON, so that the two results always differ. If both values have the same JSON text,
/// [`json_typed`] formats them.
#[must_use]
pub fn json_both(old: &[u8], new: &[u8]) -> [String; 2] {
    let both = [json(old), json(new)];
    if both[0] != both[1] || old == new { both } else { [old, new].map(json_typed) }
}

/// Formats a value as a JSON object that contains the value and its type. For a list, struct or map, the object also
/// contains the encoding in hexadecimal, because the types of the items can differ.
#[must_use]
pub fn json_typed(value: &[u8]) -> String {
    let (json, kind) = (json(value), kind(value.first().copied()));
    format!("{{\"value\":{json},\"type\":\"{kind}\"{}}}", encoding(value, ",\"encoding\":\"", "\""))
}

/// Same as [`shown`], but followed by the type of the value. For a list, struct or map, the encoding in hexadecimal
/// follows too.
#[must_use]
pub fn shown_typed(value: &[u8]) -> String {
    format!("{} ({}{})", shown(value), kind(value.first().copied()), encoding(value, " encoded as ", ""))
}

/// The encoding of a list, a struct or a map in hexadecimal, between two texts.
fn encoding(value: &[u8], before: &str, after: &str) -> String {
    if value.first().is_none_or(|tag| *tag < 0x50) {
        return String::new();
    }
    value.iter().fold(before.to_owned(), |hex, byte| hex + &format!("{byte:02x}")) + after
}

/// The type of a value, from its first byte.
fn kind(tag: Option<u8>) -> &'static str {
    match tag {
        Some(0) => "null",
        Some(1 | 2) => "bool",
        Some(0x10) => "int",
        Some(0x11) => "decimal",
        Some(0x20) => "float64",
        Some(0x30) => "text",
        Some(0x31) => "bytes",
        Some(0x40) => "date",
        Some(0x41) => "timestamp",
        Some(0x42) => "instant",
        Some(0x43) => "time",
        Some(0x44) => "duration",
        Some(0x45) => "interval",
        Some(0x50) => "list",
        Some(0x51) => "struct",
        _ => "map",
    }
}

/// Same as [`shown`], but a string longer than `most` bytes is shortened to its beginning, followed by its length.
#[must_use]
pub fn shown_within(value: &[u8], most: usize) -> String {
    match text(value) {
        Some(text) if text.len() > most => Excerpt::of(text, 0, most).shown(false),
        Some(text) => shown_text(text),
        None => {
            let json = visible(&json(value), false);
            if json.len() > most { Excerpt::of(&json, 0, most).as_it_is() } else { json }
        }
    }
}

/// Same as [`shown_both`], but texts longer than `most` bytes are shortened to the part around the first difference,
/// followed by their lengths.
#[must_use]
pub fn shown_both_within(old: &[u8], new: &[u8], most: usize) -> [String; 2] {
    let [a, b] = [old, new].map(text);
    if [(a, old), (b, new)].iter().all(|(text, value)| text.map_or(value.len(), str::len) <= most / 4) {
        return shown_both(old, new);
    }
    let (one, other) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        _ => {
            let [a, b] = shown_both(old, new);
            if a.len().max(b.len()) <= most {
                return [a, b];
            }
            let from = window_start(&a, &b, most);
            return [a, b].map(|text| Excerpt::of(&text, from, most).as_it_is());
        }
    };
    if one.len().max(other.len()) <= most {
        return shown_both(old, new);
    }
    let from = window_start(one, other, most);
    let both = [one, other].map(|text| Excerpt::of(text, from, most));
    let [a, b] = [both[0].text, both[1].text];
    // The last characters are ignored: both parts have the same number of bytes, but not of characters.
    let escape = !(a.is_ascii() && b.is_ascii()) && skeleton(a).zip(skeleton(b)).all(|(a, b)| a == b);
    both.map(|excerpt| excerpt.shown(escape))
}

/// The position at which an excerpt with the first difference of two texts begins. In both texts, a character begins
/// there.
fn window_start(a: &str, b: &str, most: usize) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let mut from = same.saturating_sub(most / 4);
    while !a.is_char_boundary(from) || !b.is_char_boundary(from) {
        from -= 1;
    }
    from
}

/// A part of a long text.
struct Excerpt<'a> {
    text: &'a str,
    from: usize,
    /// The length in bytes of the whole text.
    whole: usize,
}

impl<'a> Excerpt<'a> {
    fn of(text: &'a str, from: usize, most: usize) -> Self {
        let mut end = text.len().min(from.saturating_add(most));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self { text: &text[from.min(end)..end], from, whole: text.len() }
    }

    /// The part of a string in quotes.
    fn shown(&self, all: bool) -> String {
        self.with_places(&spelled(self.text, all))
    }

    /// The part of a string that needs no quotes.
    fn as_it_is(&self) -> String {
        self.with_places(self.text)
    }

    fn with_places(&self, shown: &str) -> String {
        let end = self.from + self.text.len();
        if (self.from, end) == (0, self.whole) {
            return shown.to_owned();
        }
        format!("{shown} (bytes {} to {end} of {})", self.from, self.whole)
    }
}

/// Returns true if this text without quotes can't be confused with anything else.
fn is_plain(text: &str) -> bool {
    let reserved = ["null", "true", "false"].contains(&text);
    !text.is_empty()
        && !reserved
        && text.trim() == text
        && !text.contains(|c: char| c.is_control() || is_hidden(c) || "\"\\,;=→".contains(c))
        && !text.contains("  ")
}

/// A text in quotes, with escapes for invisible characters. With `all`, all characters that are not ASCII are escaped.
fn spelled(text: &str, all: bool) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if c.is_control() || is_hidden(c) || all && !c.is_ascii() => out.extend(c.escape_default()),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// JSON with escapes for invisible characters. With `all`, all characters that are not ASCII are escaped.
fn visible(json: &str, all: bool) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_control() || is_hidden(c) || all && !c.is_ascii() {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns true for characters that are hard to see: combining marks, spaces other than the ASCII space, characters of no
/// width, and characters without a glyph, which a page may replace.
fn is_hidden(c: char) -> bool {
    matches!(u32::from(c), 0xa0 | 0xad | 0x300..=0x36f | 0x61c | 0x115f | 0x1160 | 0x1680 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
        | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x2000..=0x200f | 0x2028..=0x202f | 0x205f..=0x206f | 0x20d0..=0x20ff | 0x2800
        | 0x3000 | 0x3164 | 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f | 0xfeff | 0xffa0
        | 0xfff0..=0xffff | 0x1d173..=0x1d17a | 0x1fffe | 0x1ffff | 0xe0000..)
}

/// Returns true if two different strings look alike although they have no hidden characters, which are escaped anyway.
fn look_alike(a: &str, b: &str) -> bool {
    !(a.is_ascii() && b.is_ascii()) && skeleton(a).eq(skeleton(b))
}

/// The characters of a string in a normal form, each replaced by one that stands for all characters that look like it.
fn skeleton(text: &str) -> impl Iterator<Item = char> {
    let plain = |c| TWINS.iter().find(|(_, twins)| twins.contains(c)).map_or(c, |(plain, _)| *plain);
    text.nfkd().map(move |c| if c.is_ascii() { c } else { plain(c) })
}

/// Characters in common use, and others that look like them.
const TWINS: &[(char, &str)] = &[
    ('a', "аαɑ"),
    ('c', "с"),
    ('d', "ԁ"),
    ('e', "еҽ"),
    ('g', "ɡց"),
    ('h', "һհ"),
    ('i', "іιıɩ"),
    ('j', "јյ"),
    ('l', "ӏ"),
    ('n', "ո"),
    ('o', "оοσօ"),
    ('p', "рρ"),
    ('q', "ԛզ"),
    ('r', "г"),
    ('s', "ѕ"),
    ('u', "υս"),
    ('v', "νѵ"),
    ('w', "ԝѡ"),
    ('x', "хχ×"),
    ('y', "уγү"),
    ('A', "АΑᎪ"),
    ('B', "ВΒᏴ"),
    ('C', "СᏟ"),
    ('D', "Ꭰ"),
    ('E', "ЕΕᎬ"),
    ('H', "НΗᎻ"),
    ('I', "ІΙӀ"),
    ('J', "ЈᎫ"),
    ('K', "КΚᏦ"),
    ('M', "МΜᎷ"),
    ('N', "Ν"),
    ('O', "ОΟՕ〇"),
    ('P', "РΡᏢ"),
    ('S', "ЅՏ"),
    ('T', "ТΤᎢ"),
    ('X', "ХΧ"),
    ('Y', "УΥҮ"),
    ('Z', "ΖᏃ"),
    ('к', "κ"),
    ('β', "ß"),
    ('Ð', "ĐƉ"),
    ('ي', "یى"),
    ('ك', "ک"),
    // A cedilla and a comma below a letter.
    ('\u{327}', "\u{326}"),
    ('-', "\u{2010}\u{2012}–—―−ー一"),
    ('\'', "‘’‚‛′ʹʼʻ"),
    ('"', "“”„‟"),
    ('/', "∕⁄"),
    ('*', "∗"),
    ('|', "ǀ∣"),
    (':', "∶ː"),
    ('·', "•∙⋅"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect()
    }

    #[test]
    fn values_are_taken_apart_and_shown() {
        let cases = [
            ("00", "null"),
            ("02", "true"),
            ("10fffffffffffffffe", "-2"),
            ("11020183", "-1.25"),
            ("11000900ffffffffffffffff", "18446744073709551615"),
            ("110301ff", "-0.001"),
            ("203fe0000000000000", "0.5"),
            ("207ff8000000000000", "\"NaN\""),
            ("3003612262", "\"a\\\"b\""),
            ("3102ff00", "\"/wA=\""),
            ("3100", "\"\""),
            ("3103616263", "\"YWJj\""),
            ("31046162ff64", "\"YWL/ZA==\""),
            ("207ff0000000000000", "\"Infinity\""),
            ("20fff0000000000000", "\"-Infinity\""),
            ("400000000000004a1e", "\"2021-12-13\""),
            ("40ffffffffffffffff", "\"1969-12-31\""),
            ("41ffffffffffffffff1dcd6500", "\"1969-12-31T23:59:59.5\""),
            ("4200000000000000000000000100", "\"1970-01-01T00:00:00.000000001Z\""),
            ("4300004e94914effff", "\"23:59:59.999999999\""),
            ("44ffffffffffffffff1dcd6500", "\"-PT0.5S\""),
            ("500202500100", "[true,[null]]"),
            ("51010161300162", "{\"a\":\"b\"}"),
            ("5201300161300162", "[[\"a\",\"b\"]]"),
        ];
        for (hex, expected) in cases {
            let mut bytes = bytes(hex);
            let len = len(&bytes, 0).unwrap();
            assert!(len == bytes.len() || hex.starts_with("42"), "{hex}");
            bytes.truncate(len);
            assert_eq!(json(&bytes), expected, "{hex}");
            bytes.push(7);
            assert_eq!(split_first(&bytes).unwrap().1, [7]);
        }
    }

    #[test]
    fn values_that_differ_never_look_alike() {
        let text = |text: &str| [&[0x30, text.len() as u8], text.as_bytes()].concat();
        let both = |a: &str, b: &str| shown_both(&text(a), &text(b));
        assert_eq!(both("1.30", "1.31"), ["1.30", "1.31"]);
        assert_eq!(both("a", "a "), ["\"a\"", "\"a \""]);
        assert_eq!(both("", "x"), ["\"\"", "\"x\""]);
        assert_eq!(
            both("\u{e9}t\u{e9}", "e\u{301}te\u{301}"),
            ["\"\\u{e9}t\\u{e9}\"", "\"e\\u{301}te\\u{301}\""]
        );
        assert_eq!(both("M\u{fc}ller", "J\u{f6}rg"), ["M\u{fc}ller", "J\u{f6}rg"]);
        assert_eq!(both("a\r\nb", "a\nb"), ["\"a\\r\\nb\"", "\"a\\nb\""]);
        assert_eq!(shown_both(&[0], &text("null")), ["null", "\"null\""]);
        assert_eq!(shown_both(&bytes("100000000000000001"), &text("1")), ["1", "\"1\""]);
        // Letters of another alphabet, syllables taken apart, and characters that change the direction of text.
        assert_eq!(both("paypal", "\u{440}\u{430}ypal")[1], "\"\\u{440}\\u{430}ypal\"");
        assert_eq!(both("\u{430}\u{435}\u{43e}", "aeo")[0], "\"\\u{430}\\u{435}\\u{43e}\"");
        assert_eq!(both("\u{d55c}\u{ae00}", "\u{1112}\u{1161}\u{11ab}\u{ae00}")[0], "\"\\u{d55c}\\u{ae00}\"");
        assert_eq!(both("a\u{2066}b", "ab"), ["\"a\\u{2066}b\"", "\"ab\""]);
        assert_eq!(
            both("\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}", "\u{422}\u{432}\u{435}\u{440}\u{44c}")[1],
            "\u{422}\u{432}\u{435}\u{440}\u{44c}"
        );
        assert_eq!(both("10\u{2013}20", "10-20"), ["\"10\\u{2013}20\"", "\"10-20\""]);
        assert_eq!(both("Ia\u{15f}i", "Ia\u{219}i"), ["\"Ia\\u{15f}i\"", "\"Ia\\u{219}i\""]);
        // Letters that are not ASCII are shown as they are, if the values do not look alike.
        for (old, new) in [
            ("\u{6771}\u{4eac}", "\u{5927}\u{962a}"),
            ("M\u{fc}ller", "Mueller"),
            ("M\u{fc}ller", "Muller"),
            ("\u{1f600}", "\u{1f601}"),
            ("Moscow", "\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}"),
            ("Wroc\u{142}aw", "Wroclaw"),
        ] {
            assert_eq!(both(old, new), [old, new]);
            assert_eq!(shown_both(&[0], &text(new)), ["null".to_owned(), format!("\"{new}\"")]);
        }
        assert_eq!(shown(&text("M\u{fc}ller; 1\u{a0}kg")), "\"M\u{fc}ller; 1\\u{a0}kg\"");
    }

    #[test]
    fn values_with_one_text_are_told_apart() {
        let text = |text: &str| [&[0x30, text.len() as u8], text.as_bytes()].concat();
        let (decimal, float) = (bytes("1101010f"), bytes("203ff8000000000000"));
        assert_eq!(shown_both(&decimal, &float), ["1.5 (decimal)", "1.5 (float64)"]);
        let date = bytes("400000000000004a1e");
        assert_eq!(
            shown_both(&date, &text("2021-12-13")),
            ["\"2021-12-13\" (date)", "\"2021-12-13\" (text)"]
        );
        assert_eq!(shown_typed(&decimal), "1.5 (decimal)");
        assert_eq!(
            json_both(&date, &text("2021-12-13")),
            [r#"{"value":"2021-12-13","type":"date"}"#, r#"{"value":"2021-12-13","type":"text"}"#]
        );
        assert_eq!(json_both(&date, &text("2021-12-14")), ["\"2021-12-13\"", "\"2021-12-14\""]);
        assert_eq!(json_both(&bytes("310131"), &text("MQ=="))[0], r#"{"value":"MQ==","type":"bytes"}"#);
        assert_eq!(json_both(&date, &date), ["\"2021-12-13\"", "\"2021-12-13\""]);
        let list = |value: &[u8]| [&[0x50, 1], value].concat();
        assert_eq!(
            json_both(&list(&decimal), &list(&float))[0],
            r#"{"value":[1.5],"type":"list","encoding":"50011101010f"}"#
        );
        let [a, b] = shown_both(&list(&decimal), &list(&float));
        assert_eq!(a, "[1.5] (encoding from byte 2: 1101010f)");
        assert_ne!(a, b);
        let [a, b] = shown_both(&list(&text("\u{e9}")), &list(&text("e\u{301}")));
        assert_eq!([a, b], ["[\"\\u00e9\"]", "[\"e\\u0301\"]"]);
    }

    #[test]
    fn long_values_are_shown_around_their_difference() {
        let text =
            |text: &str| [&[0x30, 0xff][..], &(text.len() as u64).to_be_bytes(), text.as_bytes()].concat();
        let a = "x".repeat(1000) + "\u{e9}" + &"y".repeat(1000);
        let b = "x".repeat(1000) + "e\u{301}" + &"y".repeat(1000);
        let [a, b] = shown_both_within(&text(&a), &text(&b), 40);
        assert_eq!(
            a,
            format!("\"{}\\u{{e9}}{}\" (bytes 990 to 1030 of 2002)", "x".repeat(10), "y".repeat(28))
        );
        assert_eq!(
            b,
            format!("\"{}e\\u{{301}}{}\" (bytes 990 to 1030 of 2003)", "x".repeat(10), "y".repeat(27))
        );
        // One text is the beginning of the other.
        let [a, b] = shown_both_within(&text(&"x".repeat(100)), &text(&"x".repeat(101)), 40);
        assert_eq!(a, format!("\"{}\" (bytes 90 to 100 of 100)", "x".repeat(10)));
        assert_eq!(b, format!("\"{}\" (bytes 90 to 101 of 101)", "x".repeat(11)));
        assert_eq!(shown_within(&text(&"x".repeat(50)), 4), "\"xxxx\" (bytes 0 to 4 of 50)");
        let list = [&[0x50, 1][..], &text(&"x".repeat(50))].concat();
        assert_eq!(shown_within(&list, 4), "[\"xx (bytes 0 to 4 of 54)");
    }

    #[test]
    fn codes_begin_with_a_zero_or_a_plus_sign() {
        let code = |text: &str| is_code(&[&[0x30, text.len() as u8], text.as_bytes()].concat());
        assert!(["007", "00", "+49", "-01", " 01.5", "+0.5"].into_iter().all(code));
        assert!(!["7", "0", "0.7", "-0.7", "0e1", "", "-", "1e3", ".5", "x01"].into_iter().any(code));
        assert!(!is_code(&bytes("200000000000000000")));
    }
}
