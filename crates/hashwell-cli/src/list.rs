//! Check lists: from the bytes of a list, in any of the usual formats and any mixture of them, to entries.
//!
//! Pure and total: any bytes give a [`List`]. The formats are described in `docs/spec/checkfile.md`.

use crate::choice::Choice;
use data_encoding::{BASE64, HEXLOWER_PERMISSIVE};

/// A list as read.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The checksums, in the list's order.
    pub entries: Vec<Entry>,
    /// Numbers of the lines that are no checksum, no comment and not blank; from 1.
    pub malformed: Vec<usize>,
    /// What was put right before reading, in words for the user.
    pub notes: Vec<&'static str>,
}

/// One checksum.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// Line of the list, from 1.
    pub line: usize,
    /// The algorithm that the line names, if it does.
    pub choice: Option<Choice>,
    /// The digest it says.
    pub digest: Vec<u8>,
    /// The file it is of; a list of one digest alone names none.
    pub name: Option<Vec<u8>>,
}

/// A digest alone on its line has to be at least this long; shorter, a word could be taken for one.
const SHORTEST_ALONE: usize = 16;

/// Reads a list.
#[must_use]
pub fn parse(bytes: &[u8]) -> List {
    let mut list = List::default();
    let text = decode(bytes, &mut list.notes);
    let nul_ended = text.contains(&0);
    let mut armour = Armour::Outside;
    let mut columns = Vec::new();
    for (number, line) in (1..).zip(text.split(|b| *b == if nul_ended { 0 } else { b'\n' })) {
        let mut line = line;
        if !nul_ended {
            if let Some(before) = line.strip_suffix(b"\r") {
                line = before;
                note(&mut list.notes, "CRLF line ends accepted");
            }
            match armour.strip(line) {
                Some(inside) => line = inside,
                None => {
                    note(&mut list.notes, "PGP armour skipped, the signature is not verified");
                    continue;
                }
            }
        }
        match parse_line(line, nul_ended, &mut columns) {
            Line::Entry { choice, digest, name } => {
                list.entries.push(Entry { line: number, choice, digest, name });
            }
            Line::Nothing => {}
            Line::Malformed => list.malformed.push(number),
        }
    }
    list
}

fn note(notes: &mut Vec<&'static str>, text: &'static str) {
    if !notes.contains(&text) {
        notes.push(text);
    }
}

/// The list's text without byte order mark, as UTF-8 if it was UTF-16 (PowerShell writes that), with U+FFFD for
/// what is none, half a unit at the end too; other bytes stay as they are, since names need not be text.
fn decode(bytes: &[u8], notes: &mut Vec<&'static str>) -> Vec<u8> {
    let utf16 = |body: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, half) = body.as_chunks();
        let units = pairs.iter().map(|pair| unit(*pair));
        let chars = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        chars.chain(half.iter().map(|_| char::REPLACEMENT_CHARACTER)).collect::<String>().into_bytes()
    };
    if let Some(body) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        note(notes, "byte order mark skipped");
        body.to_vec()
    } else if let Some(body) = bytes.strip_prefix(b"\xff\xfe") {
        note(notes, "read as UTF-16");
        utf16(body, u16::from_le_bytes)
    } else if let Some(body) = bytes.strip_prefix(b"\xfe\xff") {
        note(notes, "read as UTF-16");
        utf16(body, u16::from_be_bytes)
    } else {
        bytes.to_vec()
    }
}

/// Where a line stands in a clearsigned message (RFC 9580 section 7).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Armour {
    Outside,
    /// Between the first armour line and the blank line.
    Headers,
    Signed,
    Signature,
}

impl Armour {
    /// The line without its dash escape, or nothing if it belongs to the armour.
    fn strip<'a>(&mut self, line: &'a [u8]) -> Option<&'a [u8]> {
        let trimmed = line.trim_ascii_end();
        let next = match (*self, trimmed) {
            (Armour::Outside, b"-----BEGIN PGP SIGNED MESSAGE-----") => Armour::Headers,
            (Armour::Headers, b"") => Armour::Signed,
            (Armour::Outside | Armour::Signed, b"-----BEGIN PGP SIGNATURE-----") => Armour::Signature,
            (Armour::Signature, b"-----END PGP SIGNATURE-----") => Armour::Outside,
            (Armour::Outside | Armour::Signed, _) => {
                let escaped = (*self == Armour::Signed).then(|| line.strip_prefix(b"- ")).flatten();
                return Some(escaped.unwrap_or(line));
            }
            (Armour::Headers | Armour::Signature, _) => *self,
        };
        *self = next;
        None
    }
}

enum Line {
    Entry {
        choice: Option<Choice>,
        digest: Vec<u8>,
        name: Option<Vec<u8>>,
    },
    /// Blank, a comment, or a header.
    Nothing,
    Malformed,
}

/// `columns`: of hashdeep's CSV, once its header was seen.
fn parse_line(line: &[u8], nul_ended: bool, columns: &mut Vec<String>) -> Line {
    if line.starts_with(b"#") || line.trim_ascii().is_empty() {
        return Line::Nothing;
    }
    if let Some(header) = line.strip_prefix(b"%%%% ") {
        if header.starts_with(b"size,") {
            *columns = String::from_utf8_lossy(header).split(',').map(str::to_owned).collect();
        }
        return Line::Nothing;
    }
    let parsed = if columns.is_empty() {
        let line = line.trim_ascii_start();
        let (escaped, line) = match line.strip_prefix(b"\\") {
            Some(rest) if !nul_ended => (true, rest),
            _ => (false, line),
        };
        let parsed = tagged(line).or_else(|| sri(line)).or_else(|| untagged(line));
        if escaped { parsed.and_then(unescaped) } else { parsed }
    } else {
        hashdeep(line, columns)
    };
    match parsed {
        Some((choice, digest, name)) => Line::Entry { choice, digest, name },
        None => Line::Malformed,
    }
}

type Parsed = (Option<Choice>, Vec<u8>, Option<Vec<u8>>);

/// `ALG (NAME) = DIGEST`, with OpenSSL's `ALG(NAME)= DIGEST`.
fn tagged(line: &[u8]) -> Option<Parsed> {
    let open = line.iter().position(|b| *b == b'(')?;
    let close = line.iter().rposition(|b| *b == b')')?;
    let tag = line[..open].trim_ascii_end();
    if tag.is_empty() || !tag.iter().all(|b| b.is_ascii_alphanumeric() || b"/_.-".contains(b)) {
        return None;
    }
    let name = line.get(open + 1..close)?;
    let digest = digest(line[close + 1..].trim_ascii().strip_prefix(b"=")?.trim_ascii())?;
    let choice = Choice::from_tag(str::from_utf8(tag).ok()?, digest.len())?;
    (!name.is_empty()).then(|| (Some(choice), digest, Some(name.to_vec())))
}

/// `DIGEST  NAME`, `DIGEST *NAME`, `DIGEST NAME`, or a digest alone.
fn untagged(line: &[u8]) -> Option<Parsed> {
    let end = line.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(line.len());
    let digest = digest(&line[..end])?;
    let rest = &line[end..];
    match name_after(rest) {
        Some(name) => Some((None, digest, Some(name.to_vec()))),
        None => {
            let hex = end == 2 * digest.len();
            let long = digest.len() >= SHORTEST_ALONE && (hex || is_usual(digest.len()));
            (long && rest.trim_ascii().is_empty()).then_some((None, digest, None))
        }
    }
}

/// Whether an algorithm has digests of this many bytes without being asked for them. Words can be base64 too, and
/// this leaves few that could be taken for a digest.
fn is_usual(digest_len: usize) -> bool {
    hashwell::ALGORITHMS.iter().any(|algorithm| algorithm.output == digest_len)
}

/// The name behind a separator: a space or tab, then the mark of text or binary if there is one.
fn name_after(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"\t"))?;
    let name = rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"*")).unwrap_or(rest);
    (!name.is_empty()).then_some(name)
}

/// Subresource integrity: one value or several, of which the strongest counts, and perhaps a name.
fn sri(line: &[u8]) -> Option<Parsed> {
    let mut strongest: Option<(Choice, Vec<u8>)> = None;
    let mut rest = line;
    loop {
        let end = rest.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(rest.len());
        let Some((choice, digest)) = sri_value(&rest[..end]) else {
            let (choice, digest) = strongest?;
            return Some((Some(choice), digest, Some(rest.to_vec())));
        };
        if strongest.as_ref().is_none_or(|(c, _)| choice.output_len > c.output_len) {
            strongest = Some((choice, digest));
        }
        match name_after(&rest[end..]) {
            Some(next) => rest = next,
            None => return strongest.map(|(choice, digest)| (Some(choice), digest, None)),
        }
    }
}

/// `sha256-BASE64`, with options after `?`, which the recommendation says to ignore.
fn sri_value(token: &[u8]) -> Option<(Choice, Vec<u8>)> {
    let token = str::from_utf8(token).ok()?;
    let (name, value) = token.split_once('-')?;
    if !["sha256", "sha384", "sha512"].contains(&name) {
        return None;
    }
    let digest = BASE64.decode(value.split('?').next()?.as_bytes()).ok()?;
    let choice = Choice::from_tag(name, digest.len())?;
    Some((choice, digest))
}

/// `size,HASH,…,NAME` under a header that names the columns; the longest digest we know counts.
fn hashdeep(line: &[u8], columns: &[String]) -> Option<Parsed> {
    let fields: Vec<&[u8]> = line.splitn(columns.len(), |b| *b == b',').collect();
    if fields.len() != columns.len() {
        return None;
    }
    let known = |(column, field): (&String, &&[u8])| {
        let digest = digest(field)?;
        Some((Choice::from_tag(column, digest.len())?, digest))
    };
    let (choice, digest) = columns.iter().zip(&fields).filter_map(known).max_by_key(|(c, _)| c.output_len)?;
    let name = fields[fields.len() - 1];
    (!name.is_empty()).then(|| (Some(choice), digest, Some(name.to_vec())))
}

/// Hexadecimal of either case, else base64 with its padding.
fn digest(text: &[u8]) -> Option<Vec<u8>> {
    if text.is_empty() {
        return None;
    }
    HEXLOWER_PERMISSIVE.decode(text).ok().or_else(|| {
        let decoded = BASE64.decode(text).ok()?;
        (decoded.len() >= SHORTEST_ALONE).then_some(decoded)
    })
}

/// Undoes coreutils' escaping of the name; any other escape makes the line malformed.
fn unescaped((choice, digest, name): Parsed) -> Option<Parsed> {
    let escaped = name?;
    let mut name = Vec::with_capacity(escaped.len());
    let mut bytes = escaped.into_iter();
    while let Some(byte) = bytes.next() {
        name.push(match byte {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                _ => return None,
            },
            other => other,
        });
    }
    Some((choice, digest, Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Encoding, End, Layout, Style};
    use crate::recipe::Keying;
    use proptest::prelude::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /// Algorithm (if named), digest length and name of each entry.
    fn read(text: &str) -> Vec<(Option<&'static str>, usize, String)> {
        let list = parse(text.as_bytes());
        let name = |e: &Entry| String::from_utf8(e.name.clone().unwrap_or_default()).unwrap();
        list.entries.iter().map(|e| (e.choice.map(|c| c.algorithm.name), e.digest.len(), name(e))).collect()
    }

    #[test]
    fn every_shape() {
        let b64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        for (line, algorithm, name) in [
            (format!("{ABC}  a b"), None, "a b"),
            (format!("{ABC} *a"), None, "a"),
            (format!("{ABC} a"), None, "a"),
            (format!("  {ABC}  a"), None, "a"),
            (format!("{}  a", ABC.to_uppercase()), None, "a"),
            (format!("{ABC}   a"), None, " a"),
            (format!("\\{ABC}  a\\nb\\\\c\\r"), None, "a\nb\\c\r"),
            (format!("{b64}  a"), None, "a"),
            (format!("{ABC}  \t"), None, "\t"),
            (ABC.to_owned(), None, ""),
            (format!("{ABC} "), None, ""),
            (format!("SHA256 (a) = {ABC}"), Some("sha256"), "a"),
            (format!("SHA256 (a) = b) = {ABC}"), Some("sha256"), "a) = b"),
            (format!("\\SHA256 (a\\nb) = {ABC}"), Some("sha256"), "a\nb"),
            (format!("SHA256(a)= {ABC}"), Some("sha256"), "a"),
            (format!("SHA2-256(a)= {ABC}"), Some("sha256"), "a"),
            (format!("SHA256 (a) = {b64}"), Some("sha256"), "a"),
            (format!("BLAKE2b-256 (a) = {ABC}"), Some("blake2b-256"), "a"),
            (format!("BLAKE3 (a) = {}", &ABC[..16]), Some("blake3"), "a"),
            (format!("SHAKE128-256 (a) = {ABC}"), Some("shake128"), "a"),
            (format!("SHA256-90R (a) = {ABC}"), Some("sha256-90r"), "a"),
            (format!("sha256-{b64}"), Some("sha256"), ""),
            (format!("sha256-{b64}  a"), Some("sha256"), "a"),
            (format!("sha256-{b64}?opt sha256-{b64}"), Some("sha256"), ""),
        ] {
            let list = read(&line);
            assert_eq!(list.len(), 1, "{line}");
            assert_eq!((list[0].0, &list[0].2[..]), (algorithm, name), "{line}");
        }
    }

    #[test]
    fn a_word_alone_is_no_digest() {
        let word = "internationalisation/tests";
        for (line, len) in [
            (&word[..24], None),
            (&BASE64.encode(&[7; 17]), None),
            (&BASE64.encode(&[7; 32]), Some(32)),
            (&BASE64.encode(&[7; 20]), Some(20)),
            (&ABC[..34], Some(17)),
        ] {
            let list = parse(line.as_bytes());
            assert_eq!(list.entries.first().map(|entry| entry.digest.len()), len, "{line}");
            assert_eq!(list.malformed.is_empty(), len.is_some(), "{line}");
        }
    }

    #[test]
    fn malformed_lines_are_counted_and_the_rest_read() {
        let text = format!(
            "# comment\n\nnonsense\n{ABC}  good\n{ABC}x  odd\n{ABC}\tTab\nMD5 (a) = 00\nSHA256 (a) = {}\n\
             \\{ABC}  bad\\escape\nhello  world\nSHA256 () = {ABC}\n{ABC}  \n",
            &ABC[2..]
        );
        let list = parse(text.as_bytes());
        assert_eq!(list.malformed, [3, 5, 7, 8, 9, 10, 11]);
        // The last line is a digest alone, followed by spaces.
        assert_eq!(list.entries.iter().map(|e| e.line).collect::<Vec<_>>(), [4, 6, 12]);
    }

    #[test]
    fn repairs_are_named() {
        let crlf = parse(format!("{ABC}  a\r\n{ABC}  b\r\n").as_bytes());
        assert_eq!((crlf.entries.len(), &crlf.notes[..]), (2, &["CRLF line ends accepted"][..]));
        assert_eq!(crlf.entries[0].name.as_deref(), Some(&b"a"[..]));
        let bom = parse(format!("\u{feff}{ABC}  a\n").as_bytes());
        assert_eq!((bom.entries.len(), &bom.notes[..]), (1, &["byte order mark skipped"][..]));
        let utf16: Vec<u8> =
            format!("\u{feff}{ABC}  ä\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let list = parse(&utf16);
        assert_eq!(list.notes, ["read as UTF-16", "CRLF line ends accepted"]);
        assert_eq!(list.entries[0].name.as_deref(), Some("ä".as_bytes()));
        let swapped: Vec<u8> = utf16.chunks(2).flat_map(|p| [p[1], p[0]]).collect();
        assert_eq!(parse(&swapped), list);
        let truncated = parse(&[&utf16[..], b"x"].concat());
        assert_eq!((truncated.entries.len(), &truncated.malformed[..]), (1, &[2][..]));
        let truncated = parse(&utf16[..utf16.len() - 5]);
        assert_eq!(truncated.entries[0].name.as_deref(), Some("\u{fffd}".as_bytes()));
    }

    #[test]
    fn clearsigned() {
        let text = format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{ABC}  a\n- -----dashes\n\
             -----BEGIN PGP SIGNATURE-----\n\niQEzBAEBCAAdFiEE\n=abcd\n-----END PGP SIGNATURE-----\n"
        );
        let list = parse(text.as_bytes());
        assert_eq!((list.entries.len(), &list.malformed[..]), (1, &[5][..]));
        assert_eq!(list.notes, ["PGP armour skipped, the signature is not verified"]);
    }

    #[test]
    fn sri_takes_the_strongest() {
        let sha512 = BASE64.encode(&[7; 64]);
        let list = read(&format!("sha512-{sha512} sha256-{} name", BASE64.encode(&[1; 32])));
        assert_eq!(list, [(Some("sha512"), 64, "name".to_owned())]);
    }

    #[test]
    fn hashdeep_csv() {
        let text = format!(
            "%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n## $ hashdeep a\n##\n\
             3,900150983cd24fb0d6963f7d28e17f72,{ABC},/tmp/a,b\n3,900150983cd24fb0d6963f7d28e17f72\n"
        );
        assert_eq!(read(&text), [(Some("sha256"), 32, "/tmp/a,b".to_owned())]);
        assert_eq!(parse(text.as_bytes()).malformed, [6]);
    }

    #[test]
    fn nul_ended() {
        let text = format!("{ABC}  a\nb\\\0{ABC}  c\0");
        assert_eq!(read(&text), [(None, 32, "a\nb\\".to_owned()), (None, 32, "c".to_owned())]);
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_list(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let list = parse(&bytes);
            prop_assert!(list.entries.len() + list.malformed.len() <= bytes.len());
        }

        /// What `sum` writes reads back, whatever the name, in every layout that lists have.
        #[test]
        fn written_lines_read_back(
            row in 0..hashwell::ALGORITHMS.len(),
            name in prop::collection::vec(1..=255_u8, 1..30),
            layout in prop::sample::select(vec![Layout::Gnu, Layout::Tag]),
            encoding in prop::sample::select(vec![Encoding::Hex, Encoding::Base64]),
            end in prop::sample::select(vec![End::Newline, End::Nul]),
        ) {
            let choice = Choice::of(&hashwell::ALGORITHMS[row]);
            let digest = choice.algorithm.digest(&name);
            let style = Style { layout, names: true, encoding, end };
            let line = style.line(choice, &Keying::None, &digest, OsStr::from_bytes(&name), 0);
            let list = parse(&line);
            prop_assert_eq!(&list.malformed, &Vec::<usize>::new());
            prop_assert_eq!(list.entries.len(), 1);
            prop_assert_eq!(list.entries[0].name.as_ref(), Some(&name));
            prop_assert_eq!(&list.entries[0].digest, &digest);
            let named = list.entries[0].choice.map(Choice::tag);
            prop_assert_eq!(named, (layout == Layout::Tag).then(|| choice.tag()));
        }
    }
}
