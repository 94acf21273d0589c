//! Reads `fetch.txt` of a bag: the files of the payload that must be downloaded (RFC 8493 section 2.2.3).

use crate::lines::bagit_name;
use crate::read::BagIt;

/// A file that must be downloaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// The number of the line, beginning with 1.
    pub line: usize,
    /// The URL of the file.
    pub url: String,
    /// The size in bytes; `None` if the line has `-` instead.
    pub size: Option<u64>,
    /// The path relative to the folder of the bag, without escapes.
    pub name: Vec<u8>,
    /// Another reading of the path, if it contains percent signs.
    pub other_name: Option<Vec<u8>>,
}

/// A malformed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The number of the line, beginning with 1.
    pub line: usize,
    /// The part of the line that is wrong.
    pub what: &'static str,
    /// The text of this part.
    pub got: Vec<u8>,
    /// A description of valid texts.
    pub expected: &'static str,
}

/// Reads the lines `URL LENGTH PATH`. Blank lines are ignored.
#[must_use]
pub fn parse(bytes: &[u8], version: BagIt) -> Vec<Result<Fetch, Malformed>> {
    let lines = (1..).zip(bytes.split(|b| *b == b'\n'));
    let lines = lines.map(|(number, line)| (number, line.strip_suffix(b"\r").unwrap_or(line)));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    lines.map(|(number, line)| entry(number, line, version)).collect()
}

fn entry(line: usize, text: &[u8], version: BagIt) -> Result<Fetch, Malformed> {
    let wrong = |what, got: &[u8], expected| Malformed { line, what, got: got.to_vec(), expected };
    let incomplete = || wrong("incomplete line", text, "URL LENGTH PATH");
    let (url, rest) = word(text).ok_or_else(incomplete)?;
    let (size, path) = word(rest).ok_or_else(incomplete)?;
    let url = str::from_utf8(url)
        .ok()
        .filter(|url| has_scheme(url))
        .ok_or_else(|| wrong("invalid URL", url, "a URL with a scheme, such as https://example.org/x"))?;
    let size = match size {
        b"-" => None,
        digits => {
            let number = str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
            let number = number.and_then(|text| text.parse().ok());
            Some(number.ok_or_else(|| wrong("invalid length", digits, "a number of bytes or -"))?)
        }
    };
    let (name, other_name) = match bagit_name(path, version == BagIt::Before) {
        Some((name, other)) => (name, Some(other)),
        None => (path.to_vec(), None),
    };
    let is_payload = |name: &[u8]| {
        let name = name.strip_prefix(b"./").unwrap_or(name);
        name.strip_prefix(b"data/").is_some_and(|rest| !rest.is_empty())
            && name.split(|b| *b == b'/').all(|part| part != b"..")
    };
    if !is_payload(&name) {
        return Err(wrong("invalid path", path, "a path below data/ without .."));
    }
    Ok(Fetch {
        line,
        url: url.to_owned(),
        size,
        name,
        other_name: other_name.filter(|name| is_payload(name)),
    })
}

/// The first word, and the text after the blanks that follow it. Returns `None` if one of them is empty.
fn word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_blank = |b: &u8| matches!(b, b' ' | b'\t');
    let (word, rest) = text.split_at(text.iter().position(is_blank)?);
    let rest = &rest[rest.iter().position(|b| !is_blank(b))?..];
    (!word.is_empty()).then_some((word, rest))
}

/// Returns true if a URL begins with a scheme and contains more than that (RFC 3986 section 3.1).
fn has_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, rest)| {
        let is_mark = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(is_mark)
            && !rest.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_fetch_files() {
        let text = b"https://example.org/a 3 data/a\r\n\nftp:x\t-  data/b c%0A%0d%25.txt \n";
        let read = parse(text, BagIt::V1);
        let fetch = |line, url: &str, size, name: &[u8], other: Option<&[u8]>| {
            let (name, other_name) = (name.to_vec(), other.map(<[u8]>::to_vec));
            Ok(Fetch { line, url: url.to_owned(), size, name, other_name })
        };
        let other: Option<&[u8]> = Some(b"data/b c%0A%0d%25.txt ");
        let expected = [
            fetch(1, "https://example.org/a", Some(3), b"data/a", None),
            fetch(3, "ftp:x", None, b"data/b c\n\r%.txt ", other),
        ];
        assert_eq!(read, expected);
        // Before version 1.0, percent signs were not escaped.
        let read = parse(b"ftp:x 0 data/100%25", BagIt::Before);
        assert_eq!(read, [fetch(1, "ftp:x", Some(0), b"data/100%25", None)]);
    }

    #[test]
    fn malformed_lines() {
        for (text, what) in [
            ("https://example.org/a", "incomplete line"),
            ("https://example.org/a 3", "incomplete line"),
            ("https://example.org/a 3 ", "incomplete line"),
            (" https://example.org/a 3 data/a", "incomplete line"),
            ("example.org/a 3 data/a", "invalid URL"),
            ("1http://x 3 data/a", "invalid URL"),
            ("https: 3 data/a", "invalid URL"),
            ("https://x +3 data/a", "invalid length"),
            ("https://x -3 data/a", "invalid length"),
            ("https://x 0x3 data/a", "invalid length"),
            ("https://x 18446744073709551616 data/a", "invalid length"),
            ("https://x 3 bag-info.txt", "invalid path"),
            ("https://x 3 data/", "invalid path"),
            ("https://x 3 data/../a", "invalid path"),
            ("https://x 3 /data/a", "invalid path"),
        ] {
            let read = parse(text.as_bytes(), BagIt::V1);
            let [Err(wrong)] = &read[..] else { panic!("{text}: {read:?}") };
            assert_eq!((wrong.line, wrong.what), (1, what), "{text}");
        }
    }
}
