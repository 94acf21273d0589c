//! Reads a list in any of the supported formats, or in any mixture of them. Any input results in a [`List`].

use crate::choice::Choice;
use crate::documents::{self, contains};
use crate::encodings::{hex, hex_in_groups, hex_with_colons};
use crate::layout;
use crate::legacy::{Legacy, cksum};
use crate::lines::{self, Manifest, name_after};
use crate::method::{LONGEST_NAME, Method};
pub use crate::parsed::Candidates;
use crate::parsed::Parsed;
use crate::stamp::Stamp;
use crate::unsupported::is_unsupported;
use data_encoding::BASE64;
use hashwell::registry::{PARAMETERS, Parameter, ParameterRow};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// A list that was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The checksums, in the list's order.
    pub entries: Vec<Entry>,
    /// The numbers, from 1, of lines that are neither a checksum nor a comment nor blank.
    pub malformed: Vec<usize>,
    /// The numbers of lines that belong to the format but contain no checksum, such as the size of a file.
    pub ignored: Vec<usize>,
    /// Comments and blank lines with their numbers, except comments with the size and times of a file.
    pub comments: Vec<(usize, Vec<u8>)>,
    /// Repairs that were made before parsing, as phrases for messages.
    pub notes: Vec<&'static str>,
    /// Unknown algorithms that malformed lines name.
    pub unsupported: BTreeSet<String>,
    /// The parameters that digests in the list depend on, in addition to the file. Without these parameters, no digest
    /// can match.
    pub needs: Vec<&'static ParameterRow>,
    /// True if four-byte digests on lines that name no algorithm look like CRCs, not like decimal numbers.
    pub has_crcs: bool,
    /// True if the list was probably written on Windows: it has a format of Windows, or names with backslashes. Then the
    /// case of letters in its names has no meaning.
    pub windows: bool,
}

/// One checksum.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line number in the list, from 1.
    pub line: usize,
    /// The algorithm, if the line names one.
    pub method: Option<Method>,
    /// The algorithm named in a comment, a heading or another line above this line, with its usual digest length.
    pub above: Option<Method>,
    /// The digest.
    pub digest: Vec<u8>,
    /// Other readings of the digest, if the text is valid in several encodings.
    pub other_digests: Vec<Vec<u8>>,
    /// The name of the file. It is `None` in a list that consists of one digest without a name.
    pub name: Option<Vec<u8>>,
    /// Another reading of the name, if the format is ambiguous.
    pub other_name: Option<Vec<u8>>,
    /// Other readings of the name, starting with the most likely one. The first of them that is the name of a file is the
    /// name of the entry. If there is no such file and `name` is `None`, the line is malformed.
    pub candidates: Candidates,
    /// True if, when the line is read with [`other_name`](Self::other_name), its digest is that of the file with
    /// converted line endings, as `shasum -U` computes it.
    pub folded: bool,
    /// True if the list allows the file to be missing (mtree's `optional`).
    pub optional: bool,
    /// The size and times of the file when it was listed, as far as the list contains them.
    pub stamp: Stamp,
}

/// The minimum length in bytes of a digest that is alone on its line. A shorter one could be a word.
const SHORTEST_ALONE: usize = 16;

/// The maximum length of a base64 text that may consist of hexadecimal digits by chance. The probability of this is 1
/// in 70 for 4 characters, and 1 in 10^15 for 32. A longer text is read as hexadecimal.
const LONGEST_CHANCE: usize = 32;

/// Reads a list.
#[must_use]
pub fn parse(bytes: &[u8]) -> List {
    parse_as(bytes, false)
}

/// Reads a list. If `sfv` is true, lines may have the form `NAME CRC32`. Otherwise, they may have this form only below
/// a comment that starts with `;`.
#[must_use]
pub fn parse_as(bytes: &[u8], sfv: bool) -> List {
    parse_with(bytes, Hints { sfv, bagit: None })
}

/// Information about a list that its bytes do not contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// True if lines may have the form `NAME CRC32`.
    pub sfv: bool,
    /// The version of BagIt, if the list is a BagIt manifest.
    pub bagit: Option<BagIt>,
}

/// Versions of BagIt that escape different characters in names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BagIt {
    /// Version 1.0 (RFC 8493) and later: newline, carriage return and percent sign are escaped.
    V1,
    /// Version 0.97 and earlier: newline and carriage return are escaped.
    Before,
}

/// Reads a list. `hints` is information about the list that its bytes do not contain.
#[must_use]
pub fn parse_with(bytes: &[u8], hints: Hints) -> List {
    let mut list = List::default();
    let text = decode(bytes, &mut list.notes);
    let nul_ended = memchr::memchr(0, &text).is_some();
    let mut armour = Armour::Outside;
    let is_begin = |line: &[u8]| line.starts_with(BEGIN_SIGNED) && line.trim_ascii_end() == BEGIN_SIGNED;
    let is_signed = !nul_ended && split(&text, b'\n').any(is_begin);
    let mut lines: Vec<(usize, &[u8])> = Vec::new();
    for (number, mut line) in (1..).zip(split(&text, if nul_ended { 0 } else { b'\n' })) {
        if !nul_ended {
            if let Some(before) = line.strip_suffix(b"\r") {
                line = before;
                note(&mut list.notes, "the list has CRLF line endings");
            }
            match armour.strip(line) {
                Some(outside) if is_signed && armour == Armour::Outside => {
                    if !is_comment(outside) {
                        note(&mut list.notes, UNSIGNED);
                    }
                    continue;
                }
                Some(inside) => line = inside,
                None => {
                    note(&mut list.notes, SIGNED);
                    continue;
                }
            }
        }
        lines.push((number, line));
    }
    let sfv = match hints.sfv {
        true => Sfv::List,
        false if !nul_ended && are_sfv(&lines) => Sfv::Comment,
        false => Sfv::No,
    };
    let names_first = !nul_ended && have_names_first(&lines);
    let shapes = Shapes { nul_ended, sfv, names_first, ..Shapes::default() };
    let document = if nul_ended { None } else { documents::read(&lines) };
    match document {
        Some(document) => {
            document.entries.into_iter().for_each(|(number, parsed)| list.add(number, parsed, None));
            list.malformed = document.malformed;
            list.unsupported.extend(document.unsupported);
        }
        None => list.read_lines(&lines, shapes),
    }
    if let Some(version) = hints.bagit {
        for entry in &mut list.entries {
            let name = entry.name.as_deref().unwrap_or_default();
            if let Some((name, other)) = lines::bagit_name(name, version == BagIt::Before) {
                (entry.name, entry.other_name) = (Some(name), Some(other));
            }
        }
    }
    // Eight decimal digits before a name may be a size or another number, unless the digests of other lines contain
    // letters, or this is the only line.
    let is_number = |entry: &Entry| entry.digest.iter().all(|byte| byte & 0xf < 10 && byte >> 4 < 10);
    let is_only_line = list.entries.len() == 1 && list.malformed.is_empty();
    let mut short = list.entries.iter().filter(|entry| entry.method.is_none() && entry.digest.len() == 4);
    list.has_crcs = short.any(|entry| is_only_line || !is_number(entry));
    list
}

/// The maximum number of bytes and lines of an entry that extends over several lines.
const LONGEST_JOINED: usize = 4096;
const MOST_JOINED: usize = 64;

/// A tag and the beginning of a name that contains a newline: `SHA256 (a`.
struct Open {
    text: Vec<u8>,
    lines: usize,
}

impl List {
    fn add(&mut self, line: usize, parsed: Parsed, above: Option<Method>) {
        let Parsed { method, digest, other_digests, name, other_name, candidates, .. } = parsed;
        let Parsed { needs, folded, optional, stamp, windows, .. } = parsed;
        self.windows |= windows;
        let new: Vec<_> = needs.into_iter().filter(|row| !self.needs.contains(row)).collect();
        self.needs.extend(new);
        self.entries.push(Entry {
            line,
            method,
            above,
            digest,
            other_digests,
            name,
            other_name,
            candidates,
            folded,
            optional,
            stamp,
        });
    }

    /// Reads line by line. Lines that continue the one above are joined with it first.
    fn read_lines(&mut self, lines: &[(usize, &[u8])], mut shapes: Shapes) {
        let mut open: Option<Open> = None;
        // In SFV lists, a line that begins with spaces is a separate entry. If only a comment suggests this format, it
        // must be the one with which tools begin SFV lists, because names in other formats can begin with a semicolon.
        let begins_sfv = || lines.first().is_some_and(|(_, line)| line.starts_with(b"; Generated by "));
        let is_sfv = shapes.sfv == Sfv::List || shapes.sfv == Sfv::Comment && begins_sfv();
        let is_single = shapes.nul_ended || is_sfv;
        // The line number at which the last entry's name ends.
        let mut tail = 0;
        let mut sizes: Vec<(usize, Vec<u8>)> = Vec::new();
        if lines.iter().any(|(_, line)| line.ends_with(b",,")) {
            shapes.record = lines.iter().any(|(_, line)| matches!(lines::record(line), Some(Some(_))));
        }
        let mut rest = lines;
        while let Some(((number, line), more)) = rest.split_first() {
            let joined = if is_single { 0 } else { continuations(line, more) };
            let whole: Cow<'_, [u8]> = match joined {
                0 => Cow::Borrowed(line),
                n => [(*number, *line)]
                    .iter()
                    .chain(&more[..n])
                    .map(|(_, line)| *line)
                    .collect::<Vec<_>>()
                    .join(&b' ')
                    .into(),
            };
            rest = &more[joined..];
            let next = rest.first().map_or(&b""[..], |(_, line)| line);
            let mut read = shapes.parse(&whole, next);
            if let (Line::Malformed, Some(before)) = (&read, open.take()) {
                let text = [&before.text, &b"\n"[..], &whole].concat();
                read = shapes.parse(&text, next);
                let lines = before.lines + 1;
                if matches!(read, Line::Malformed) {
                    open =
                        (text.len() <= LONGEST_JOINED && lines < MOST_JOINED).then_some(Open { text, lines });
                } else {
                    // The lines before are part of this entry, so they are not malformed.
                    self.malformed.truncate(self.malformed.len() - before.lines);
                }
            }
            match read {
                Line::Entries(all) => {
                    // In an escaped line, backslashes are part of the name, not separators.
                    let has_backslash =
                        |parsed: &Parsed| parsed.name.as_ref().is_some_and(|n| n.contains(&b'\\'));
                    self.windows |= !whole.starts_with(b"\\") && all.iter().any(has_backslash);
                    for parsed in all {
                        let (method, above) = (parsed.method, shapes.above);
                        // A CRC does not determine the algorithm of the lines below it, because CRCs have formats of
                        // their own.
                        if method.is_some_and(|m| m.row().is_some() || m == Method::Legacy(Legacy::Md5)) {
                            shapes.above = method;
                        }
                        self.add(*number, parsed, above);
                    }
                    tail = *number;
                }
                Line::Nothing => {
                    // The empty text after the last newline is not a line.
                    let is_end = whole.is_empty() && rest.is_empty();
                    if !is_end && is_comment(&whole) && !shapes.is_entry(&whole) {
                        self.comments.push((*number, whole.to_vec()));
                    }
                }
                Line::Stamp => {}
                Line::Size(name) => {
                    self.ignored.push(*number);
                    sizes.push((*number, name));
                }
                Line::Ignored => self.ignored.push(*number),
                Line::Malformed if shapes.is_field(&whole, lines) => {
                    self.ignored.push(*number);
                    open = None;
                }
                Line::Refused(kind) => {
                    self.malformed.push(*number);
                    self.unsupported.insert(kind.to_owned());
                }
                Line::Malformed => {
                    self.malformed.push(*number);
                    self.unsupported.extend(unsupported(line));
                    if !shapes.nul_ended && tail + 1 == *number && self.continue_name(line) {
                        tail = *number;
                    }
                    if open.is_none() && !shapes.nul_ended && begins_tag(line) {
                        open = Some(Open { text: line.to_vec(), lines: 1 });
                    }
                }
            }
        }
        self.check_sizes(sizes);
    }

    /// Adds the lines with the size of a file to the malformed lines, unless the list has a digest of this file.
    fn check_sizes(&mut self, sizes: Vec<(usize, Vec<u8>)>) {
        if sizes.is_empty() {
            return;
        }
        let named: HashSet<&[u8]> = self.entries.iter().filter_map(|entry| entry.name.as_deref()).collect();
        let lost = sizes.iter().filter(|(_, name)| !named.contains(&name[..])).map(|(number, _)| *number);
        self.malformed.extend(lost);
        self.malformed.sort_unstable();
    }

    /// Some tools write newlines in names without escaping them. Then this line is the rest of the last entry's name.
    /// The longer name is an alternative, for the case that such a file exists.
    fn continue_name(&mut self, line: &[u8]) -> bool {
        let Some(entry) = self.entries.last_mut().filter(|entry| !entry.folded) else { return false };
        let Some(name) = entry.other_name.as_ref().or(entry.name.as_ref()) else { return false };
        if name.len() + line.len() > LONGEST_JOINED {
            return false;
        }
        entry.other_name = Some([name, &b"\n"[..], line].concat());
        true
    }
}

/// The number of lines that continue this one.
fn continuations(line: &[u8], more: &[(usize, &[u8])]) -> usize {
    let mut above = Cow::Borrowed(line);
    let mut count = 0;
    while count < MOST_JOINED
        && let Some((_, next)) = more.get(count)
        && lines::continues(&above, next)
    {
        above.to_mut().extend_from_slice(next);
        count += 1;
    }
    count
}

/// Returns true for a tag followed by a parenthesis that the line does not close.
fn begins_tag(line: &[u8]) -> bool {
    let Some(at) = line.iter().position(|b| *b == b'(') else { return false };
    let tag = str::from_utf8(&line[..at]).unwrap_or_default().trim_end();
    let closed = line.windows(2).any(|pair| pair == b")=") || line.windows(3).any(|part| part == b") =");
    line.len() < LONGEST_JOINED
        && !closed
        && (1..=LONGEST_NAME).contains(&tag.len())
        && Method::find(tag).is_some()
}

/// The first line of a clearsigned message.
const BEGIN_SIGNED: &[u8] = b"-----BEGIN PGP SIGNED MESSAGE-----";

/// The note about lines before and after a signed message.
const UNSIGNED: &str = "lines outside the PGP-signed part were ignored";

/// The note about a list inside a signed message.
pub const SIGNED: &str = "the PGP signature is not verified";

/// Splits the text at these bytes, as `slice::split` does. Uses `memchr`, because a list can have millions of lines.
fn split(text: &[u8], end: u8) -> impl Iterator<Item = &[u8]> {
    let mut begin = 0;
    memchr::memchr_iter(end, text).chain([text.len()]).map(move |at| {
        let part = &text[begin..at];
        begin = at + 1;
        part
    })
}

fn note(notes: &mut Vec<&'static str>, text: &'static str) {
    if !notes.contains(&text) {
        notes.push(text);
    }
}

/// The list's text without a byte order mark. UTF-16, which PowerShell writes, is converted to UTF-8; invalid units,
/// including half a unit at the end, become U+FFFD. Other bytes are not changed, because names need not be valid text.
fn decode<'a>(bytes: &'a [u8], notes: &mut Vec<&'static str>) -> Cow<'a, [u8]> {
    let utf16 = |body: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, half) = body.as_chunks();
        let units = pairs.iter().map(|pair| unit(*pair));
        let chars = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
        Cow::Owned(
            chars.chain(half.iter().map(|_| char::REPLACEMENT_CHARACTER)).collect::<String>().into_bytes(),
        )
    };
    if let Some(body) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        note(notes, "the byte order mark was skipped");
        Cow::Borrowed(body)
    } else if let Some(body) = bytes.strip_prefix(b"\xff\xfe") {
        note(notes, "the list was read as UTF-16");
        utf16(body, u16::from_le_bytes)
    } else if let Some(body) = bytes.strip_prefix(b"\xfe\xff") {
        note(notes, "the list was read as UTF-16");
        utf16(body, u16::from_be_bytes)
    } else {
        Cow::Borrowed(bytes)
    }
}

/// The current part of a clearsigned message (RFC 9580 section 7).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Armour {
    Outside,
    /// The lines between the first armor line and the blank line.
    Headers,
    Signed,
    Signature,
}

impl Armour {
    /// Returns the line without its dash escape, or `None` if the line belongs to the armor.
    fn strip<'a>(&mut self, line: &'a [u8]) -> Option<&'a [u8]> {
        let trimmed = line.trim_ascii_end();
        let next = match (*self, trimmed) {
            (Armour::Outside, line) if line == BEGIN_SIGNED => Armour::Headers,
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
    Entries(Vec<Parsed>),
    /// A blank line, a comment or a header.
    Nothing,
    /// A comment with the size and times of a file.
    Stamp,
    /// The size of a file, whose digest is on a different line, and its name.
    Size(Vec<u8>),
    /// A different line without a checksum.
    Ignored,
    /// An entry that contains nothing to check, and its kind.
    Refused(&'static str),
    Malformed,
}

/// Shows if lines may have the form `NAME CRC32`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Sfv {
    #[default]
    No,
    /// A comment that begins with a semicolon is above the line. Other formats have such comments too.
    Comment,
    /// The list's name or the caller selects the format.
    List,
}

/// The shapes that lines may have, which depend on the lines before them.
#[derive(Default)]
struct Shapes {
    nul_ended: bool,
    sfv: Sfv,
    /// True if the name is before the digest in all lines that are not comments.
    names_first: bool,
    /// The columns of hashdeep's CSV, after its header was read.
    columns: Vec<String>,
    /// The last algorithm that was named, for lines that name none.
    above: Option<Method>,
    /// True after a heading of a Debian control file, whose indented lines have the size before the name.
    debian: bool,
    /// The file to which the digest on the next line belongs, as certutil names it.
    next: Option<Next>,
    /// The size and times of a file from the last comment that contains them. The file's name is added when the next
    /// entry is read.
    stamp: Option<(Stamp, Option<Vec<u8>>)>,
    /// True if the list is a wheel's RECORD.
    record: bool,
    /// True if the list is a Debian control file, or `None` if this is not known yet.
    control: Option<bool>,
    /// True below a field of a Debian control file that contains no digests.
    in_field: bool,
    /// True after a line of pip's requirements, whose hashes belong to the files of a package and not to a named file.
    requirements: bool,
}

impl Shapes {
    /// The content of the most frequent kind of line, `HEX  NAME`, if no other shape is possible.
    fn usual(&self, line: &[u8], next: &[u8]) -> Option<Parsed> {
        let digits = memchr::memchr(b' ', line)?;
        let name = line[digits..].strip_prefix(b"  ")?;
        let (first, last) = (*name.first()?, *name.last()?);
        // Shorter digests can also be base64.
        let is_usual = matches!(digits, 40 | 56 | 64 | 96 | 128)
            && matches!(first, b'.' | b'/' | b'_' | b'-') | first.is_ascii_alphanumeric()
            && last != b':'
            && !last.is_ascii_whitespace()
            && memchr::memchr3(b' ', b'(', b'=', name).is_none()
            && !next.starts_with(b"--hash=")
            && !(self.nul_ended
                || self.sfv != Sfv::No
                || self.debian
                || self.next.is_some()
                || !self.columns.is_empty());
        is_usual.then(|| hex(&line[..digits]).map(|digest| Parsed::of(None, digest, Some(name))))?
    }

    /// Parses a line. `next` is the line below it.
    fn parse(&mut self, line: &[u8], next: &[u8]) -> Line {
        if is_comment(line) && !self.is_entry(line) {
            if line.starts_with(b";") && self.sfv == Sfv::No {
                self.sfv = Sfv::Comment;
            }
            if let Some(stamp) = Stamp::from_comment(line) {
                self.stamp = Some((stamp, None));
                return Line::Stamp;
            }
            self.above = named_in(line).or(self.above);
            return Line::Nothing;
        }
        self.in_field &= line.starts_with(b" ");
        if !self.nul_ended
            && let Some(read) = distinfo(line)
        {
            return read;
        }
        let mut read = match self.usual(line, next) {
            Some(parsed) => Line::Entries(vec![parsed]),
            None => self.content(line, next),
        };
        if let Line::Entries(all) = &mut read {
            for parsed in all {
                match &mut self.stamp {
                    // If a file has lines for several algorithms, these lines are consecutive.
                    Some((stamp, of)) if of.is_none() || *of == parsed.name => {
                        parsed.stamp = *stamp;
                        of.clone_from(&parsed.name);
                    }
                    _ => self.stamp = None,
                }
            }
        }
        read
    }

    /// Returns true if a line that looks like a comment is an entry, in a format in which the name is at the beginning
    /// of the line: the name begins with `#` or `;`.
    fn is_entry(&self, line: &[u8]) -> bool {
        let begins = |marks: &[u8]| line.first().is_some_and(|first| marks.contains(first));
        if self.nul_ended || !begins(b"#;") || !self.columns.is_empty() {
            return false;
        }
        // Only a semicolon begins a comment in SFV lists.
        let is_sfv = || self.sfv != Sfv::No && begins(b"#") && Stamp::from_comment(line).is_none();
        is_sfv() && sfv(line).is_some()
            || self.names_first && has_name_first(line)
            || matches!(lines::record(line), Some(Some(_)))
    }

    /// Reads a line of an SFV list. If only a comment suggests this format, more specific formats are preferred.
    fn sfv(&self, line: &[u8]) -> Option<Parsed> {
        if self.sfv == Sfv::No || tagged(line.trim_ascii_start(), usize::MAX).is_some() {
            return None;
        }
        let is_other = || {
            let begins_with_digest = untagged(line).is_some_and(|parsed| {
                let name = parsed.name.unwrap_or_default();
                let digits = line.iter().position(|b| *b == b' ').unwrap_or(line.len());
                let two_spaces = line[digits..].starts_with(b"  ") && !line[digits..].starts_with(b"   ");
                is_common(parsed.digest.len()) && (two_spaces || name.trim_ascii().contains(&b' '))
            });
            begins_with_digest || has_name_first(line)
        };
        sfv(line).filter(|_| self.sfv == Sfv::List || !is_other())
    }

    fn content(&mut self, line: &[u8], next: &[u8]) -> Line {
        if let Some(header) = line.strip_prefix(b"%%%% ") {
            if header.starts_with(b"size,") {
                self.columns = String::from_utf8_lossy(header).split(',').map(str::to_owned).collect();
            }
            return Line::Nothing;
        }
        let one =
            |parsed: Option<Parsed>| parsed.map_or(Line::Malformed, |parsed| Line::Entries(vec![parsed]));
        if !self.columns.is_empty() {
            return one(hashdeep(line, &self.columns));
        }
        if self.heading(line, next) {
            return Line::Nothing;
        }
        self.requirements |= is_requirement(line);
        if self.requirements && (is_requirement(line) || line.trim_ascii_start().starts_with(b"--hash=")) {
            return Line::Refused("pip's requirements format (its lines have no file names)");
        }
        // `pip hash` prints the file's name above the options for requirements files.
        if next.starts_with(b"--hash=")
            && let Some(name) = line.trim_ascii_end().strip_suffix(b":").filter(|name| !name.is_empty())
        {
            self.next = Some(Next { name: Some(name.to_vec()), ..Next::default() });
            return Line::Nothing;
        }
        if !self.nul_ended {
            match lines::manifest(line) {
                Some(Manifest::Entries(all)) => return Line::Entries(all),
                Some(Manifest::Nothing) => return Line::Nothing,
                None => {}
            }
        }
        let indented = line.starts_with(b" ");
        let untrimmed = line;
        self.debian &= indented;
        let sfv = self.sfv(line);
        let line = line.trim_ascii_start();
        if sfv.is_none()
            && let Some(kind) = lines::refused(line)
        {
            return Line::Refused(kind);
        }
        let with_size = || match (self.debian, indented) {
            (true, _) => size_after_digest(line),
            (false, true) => size_before_digest(line),
            (false, false) => None,
        };
        let parsed = sfv.or_else(with_size).or_else(|| match line.strip_prefix(b"\\") {
            Some(escaped) if !self.nul_ended => {
                let written = written(escaped).filter(|p| p.method.is_some() || is_common(p.digest.len()));
                let prefixed = || lines::prefixed(escaped).or_else(|| lines::multihash_line(escaped));
                written.or_else(prefixed).or_else(|| self::written(escaped)).and_then(unescaped)
            }
            _ => json(line).or_else(|| groups(line)).or_else(|| posix_cksum(line)).or_else(|| written(line)),
        });
        let in_doubt =
            parsed.as_ref().is_none_or(|parsed| parsed.method.is_none() && !is_common(parsed.digest.len()));
        if in_doubt
            && !self.nul_ended
            && let Some(mut others) = self.other_tools(line)
        {
            if let Line::Entries(all) = &mut others
                && indented
            {
                all.iter_mut().for_each(|parsed| add_indented_name(parsed, untrimmed));
            }
            // A hexadecimal digest of an unusual length can also be base32.
            if let (Line::Entries(all), Some(parsed)) = (&mut others, parsed)
                && let [other] = &mut all[..]
                && other.method.is_none()
                && other.name == parsed.name
            {
                other.other_digests.push(parsed.digest);
            }
            return others;
        }
        let Some(mut parsed) = parsed else { return Line::Malformed };
        if let Some(next) = self.next.take()
            && parsed.name.is_none()
        {
            next.name(&mut parsed);
        }
        Line::Entries(vec![parsed])
    }

    /// Reads a line of other tools, in a shape that `sum` and similar tools do not write.
    fn other_tools(&mut self, line: &[u8]) -> Option<Line> {
        let single = lines::prefixed(line)
            .or_else(|| lines::multihash_line(line))
            .or_else(|| lines::base32_line(line))
            .or_else(|| lines::gpg_with_colons(line))
            .or_else(|| lines::gpg(line));
        if let Some(mut parsed) = single {
            // Several `--hash=` lines may follow one name.
            if let Some(next) = self.next.clone()
                && parsed.name.is_none()
            {
                next.name(&mut parsed);
            }
            return Some(Line::Entries(vec![parsed]));
        }
        if lines::has_unsupported_column(line) {
            return Some(Line::Refused("a column with the digest of TTH, AICH or Tiger"));
        }
        if let Some(all) = lines::magnet(line).or_else(|| lines::name_first(line)) {
            return Some(Line::Entries(all));
        }
        match lines::record(line)? {
            Some(parsed) => Some(Line::Entries(vec![parsed])),
            None => self.record.then_some(Line::Nothing),
        }
    }

    /// Handles a line that describes the lines below: a heading of a Debian control file (`Checksums-Sha256:`,
    /// `SHA256:`, `MD5Sum:`, `Files:`) or of certutil (`SHA256 hash of NAME:`). certutil's last line has no effect, unless
    /// it is an error message, which contains a code. `next` is the line below.
    fn heading(&mut self, line: &[u8], next: &[u8]) -> bool {
        if line.starts_with(b"CertUtil: ") {
            return !contains(line, b" 0x");
        }
        if let Some(next) = certutil(line, next) {
            self.next = Some(next);
            return true;
        }
        let Some(method) = debian_heading(line) else { return false };
        (self.above, self.debian) = (method, true);
        true
    }

    /// Returns true for a field of a Debian control file that contains no digests, such as `Format: 1.0`, and for the
    /// lines that continue it.
    fn is_field(&mut self, line: &[u8], lines: &[(usize, &[u8])]) -> bool {
        if line.starts_with(b" ") {
            return self.in_field;
        }
        let name = line.split(|b| *b == b':').next().unwrap_or_default();
        let is_name = name.len() < line.len()
            && name.first().is_some_and(u8::is_ascii_uppercase)
            && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
        self.in_field = is_name && !self.nul_ended && *self.control.get_or_insert_with(|| is_control(lines));
        self.in_field
    }
}

/// The algorithm in a heading of a Debian control file. The heading `Files:` names none.
fn debian_heading(line: &[u8]) -> Option<Option<Method>> {
    let heading = str::from_utf8(line).ok()?.trim_ascii_end().strip_suffix(':')?;
    let word = heading.strip_prefix("Checksums-").unwrap_or(heading);
    let word = word.strip_suffix("Sum").unwrap_or(word);
    let method = (word.len() <= LONGEST_NAME).then(|| Method::find(word)).flatten();
    (method.is_some() || heading == "Files").then_some(method)
}

/// Returns true if a heading of a Debian control file is above a line with a digest and a size.
fn is_control(lines: &[(usize, &[u8])]) -> bool {
    lines.windows(2).any(|pair| {
        let [(_, heading), (_, below)] = pair else { return false };
        below.starts_with(b" ")
            && size_after_digest(below.trim_ascii()).is_some()
            && debian_heading(heading).is_some()
    })
}

/// A line without a digest in a BSD distinfo file: `SIZE (NAME) = BYTES`, `Size (NAME) = N bytes`, `TIMESTAMP = N`, or
/// the keyword of a version control system, such as `$NetBSD$`.
fn distinfo(line: &[u8]) -> Option<Line> {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    if let Some(rest) = line.strip_prefix(b"SIZE (").or_else(|| line.strip_prefix(b"Size (")) {
        let close = rest.windows(4).rposition(|part| part == b") = ")?;
        let size = rest[close + 4..].trim_ascii_end();
        let size = size.strip_suffix(b" bytes").unwrap_or(size);
        return is_number(size).then(|| Line::Size(rest[..close].to_vec()));
    }
    let is_time = line.strip_prefix(b"TIMESTAMP = ").is_some_and(|time| is_number(time.trim_ascii_end()));
    let keywords: [&[u8]; 3] = [b"$NetBSD", b"$OpenBSD", b"$FreeBSD"];
    let is_keyword =
        || keywords.iter().any(|word| line.starts_with(word)) && line.trim_ascii_end().ends_with(b"$");
    (is_time || is_keyword()).then_some(Line::Ignored)
}

/// The file and the algorithm of the digest on the next line.
#[derive(Clone, Default)]
struct Next {
    method: Option<Method>,
    name: Option<Vec<u8>>,
    candidates: Candidates,
    windows: bool,
}

impl Next {
    /// Adds the file to the entry on the next line.
    fn name(self, parsed: &mut Parsed) {
        parsed.method = parsed.method.or(self.method);
        (parsed.name, parsed.candidates, parsed.windows) = (self.name, self.candidates, self.windows);
    }
}

/// The maximum number of words in a heading of certutil that are tried as the beginning of a name.
const MOST_WORDS: usize = 64;

/// Reads a heading of certutil in any language: `SHA256 hash of NAME:`, `SHA256 hachage de NAME :`. Such a line contains
/// an algorithm and ends with a colon, and the line below it, `next`, is a digest of this algorithm. The name is at the
/// end of the heading, but the language decides where it begins.
fn certutil(line: &[u8], next: &[u8]) -> Option<Next> {
    let line = line.trim_ascii_end();
    let heading = line.strip_suffix(b":").or_else(|| line.strip_suffix("：".as_bytes()))?;
    let digest = hex(next.trim_ascii()).or_else(|| hex_in_groups(next.trim_ascii()))?;
    // French has a space or a no-break space before the colon.
    let mut heading = heading.trim_ascii_end();
    heading = heading.strip_suffix("\u{a0}".as_bytes()).unwrap_or(heading);
    let word = heading.split(|b| !b.is_ascii_alphanumeric()).find_map(|word| {
        let name = str::from_utf8(word).ok().filter(|name| (1..=LONGEST_NAME).contains(&name.len()))?;
        Some((word, Method::find(name)?))
    });
    let (word, method) = word.filter(|(_, method)| method.digest_len() == digest.len())?;
    let end = heading.windows(word.len()).position(|window| window == word)? + word.len();
    // Some languages have a word or a parenthesis after the name.
    let ends = [")", "）", " 哈希", " 哈希值", " 해시", " ハッシュ"];
    let shorter = ends.iter().filter_map(|end| heading.strip_suffix(end.as_bytes()));
    let mut places: Vec<Range<usize>> = Vec::new();
    for text in [heading].into_iter().chain(shorter) {
        let rest = text.get(end..).unwrap_or_default();
        let begins = memchr::memchr2_iter(b' ', b'(', rest).map(|at| end + at + 1);
        places.extend(begins.map(|at| at..text.len()).filter(|place| !place.is_empty()).take(MOST_WORDS));
    }
    let name = str::from_utf8(heading).ok().and_then(certutil_name).map(|name| name.as_bytes().to_vec());
    // A heading that ends with the algorithm, such as `SHA256:`, is not about a file.
    let candidates = Candidates::of(heading, places);
    let next = Next { method: Some(method), name, candidates, windows: true };
    (!next.candidates.is_empty()).then_some(next)
}

/// The name in a heading of certutil whose language is known.
fn certutil_name(heading: &str) -> Option<&str> {
    let places = [" of ", " von ", " der ", " de ", " du ", " del ", " di ", " do "];
    let files = ["file ", "Datei ", "fichier ", "archivo ", "arquivo ", "ficheiro "];
    let is_hash = |word: &str| ["hash", "hachage"].contains(&word.to_ascii_lowercase().as_str());
    places.iter().find_map(|place| {
        let (what, name) = heading.split_once(place)?;
        let (hashes, others): (Vec<&str>, Vec<&str>) = what.split([' ', '-']).partition(|word| is_hash(word));
        let ([_], [_]) = (&hashes[..], &others[..]) else { return None };
        let name = files.iter().find_map(|word| name.strip_prefix(word)).unwrap_or(name);
        (!name.is_empty()).then_some(name)
    })
}

/// If an indented line begins with the name of a file, the spaces may be a part of the name. The file with this name is
/// used if it exists.
fn add_indented_name(parsed: &mut Parsed, line: &[u8]) {
    let spaces = line.len() - line.trim_ascii_start().len();
    let longer =
        parsed.name.as_ref().and_then(|name| line.get(..spaces + name.len()).filter(|l| l.ends_with(name)));
    if let Some(longer) = longer {
        parsed.candidates = Candidates::one(longer);
    }
}

/// Returns true for a line that begins with the name of a file and contains its digests.
fn has_name_first(line: &[u8]) -> bool {
    lines::gpg_with_colons(line).is_some() || lines::gpg(line).is_some() || lines::name_first(line).is_some()
}

/// Returns true if a list has a comment that begins with a semicolon, and all other lines that do not look like comments
/// have the form of SFV.
fn are_sfv(lines: &[(usize, &[u8])]) -> bool {
    lines.iter().any(|(_, line)| line.starts_with(b";"))
        && lines.iter().all(|(_, line)| is_comment(line) || sfv(line).is_some())
}

/// Returns true if all lines that do not look like comments begin with the name of a file, or continue the line above.
fn have_names_first(lines: &[(usize, &[u8])]) -> bool {
    let is_mark = |line: &[u8]| line.starts_with(b"#") || line.starts_with(b";");
    // This is only important for names that look like comments.
    if !lines.iter().any(|(_, line)| is_mark(line)) {
        return false;
    }
    let mut rest = lines;
    while let Some(((_, line), more)) = rest.split_first() {
        let joined = continuations(line, more);
        let whole: Vec<&[u8]> = rest[..=joined].iter().map(|(_, line)| *line).collect();
        rest = &more[joined..];
        if !is_comment(line) && !has_name_first(&whole.join(&b' ')) {
            return false;
        }
    }
    true
}

/// Returns true for a line of pip's requirements with hashes on this line or the next: `NAME==VERSION \`.
fn is_requirement(line: &[u8]) -> bool {
    let word = line.split(|b| *b == b' ').next().unwrap_or_default();
    // Two equals signs at the end of a word may belong to base64.
    contains(word.trim_ascii_end().strip_suffix(b"==").unwrap_or(word), b"==")
        && (line.ends_with(b" \\") || contains(line, b" --hash="))
}

/// Returns true for comments and blank lines.
fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.starts_with(b";") || line.trim_ascii_start().is_empty()
}

/// The algorithm that a comment names, if there is exactly one: `# BLAKE2B HASH`, `; made by sha512sum`.
fn named_in(comment: &[u8]) -> Option<Method> {
    let comment = str::from_utf8(comment).ok()?;
    let words = comment.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '/'));
    let named = words.filter_map(|word| {
        let word = word.to_ascii_lowercase();
        let word = word.strip_suffix("sums").or_else(|| word.strip_suffix("sum")).unwrap_or(&word);
        let may_name = word.len() <= LONGEST_NAME && word.starts_with(|c: char| c.is_ascii_alphabetic());
        // The names of all algorithms that use a common format contain a digit.
        (may_name && word.contains(|c: char| c.is_ascii_digit())).then(|| Method::find(word))?
    });
    let mut named: Vec<Method> = named.collect();
    named.dedup();
    if let [method] = named[..] { Some(method) } else { None }
}

/// A line below a heading of a Debian control file: `DIGEST SIZE NAME`, or `DIGEST SIZE SECTION PRIORITY NAME`. Names
/// contain no spaces.
fn size_after_digest(line: &[u8]) -> Option<Parsed> {
    let fields: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
    let ([digest, size, name] | [digest, size, _, _, name]) = fields[..] else { return None };
    let digest = hex(digest).filter(|_| size.iter().all(u8::is_ascii_digit))?;
    Some(Parsed::of(None, digest, Some(name)))
}

/// A line of `sha256deep -z` and similar tools, without leading spaces: `SIZE  DIGEST  NAME`.
fn size_before_digest(line: &[u8]) -> Option<Parsed> {
    let end = line.iter().position(|b| !b.is_ascii_digit()).filter(|end| (1..=20).contains(end))?;
    let rest = line[end..].strip_prefix(b"  ")?;
    let digits = rest.iter().position(|b| *b == b' ')?;
    let name = rest[digits..].strip_prefix(b"  ").filter(|name| !name.is_empty())?;
    Some(Parsed::of(None, hex(&rest[..digits]).filter(|digest| digest.len() >= SHORTEST_ALONE)?, Some(name)))
}

/// A digest without a name, in groups of digits, as certutil printed it before Windows 10 and as gpg prints it for
/// standard input.
fn groups(line: &[u8]) -> Option<Parsed> {
    hex_in_groups(line.trim_ascii_end()).map(|digest| Parsed::of(None, digest, None))
}

/// Returns true for the digest lengths of the usual algorithms, and for the length of a CRC with four bytes.
fn is_common(len: usize) -> bool {
    matches!(len, 16 | 20 | 28 | 32 | 48 | 64)
}

/// The shapes of `sum` and similar tools, in which names may be escaped. A tag with at most one space before its
/// parenthesis is tried first. A digest is followed by two spaces, so a digest that is spelled like the name of an
/// algorithm is not confused with a tag.
fn written(line: &[u8]) -> Option<Parsed> {
    let is_hex = |line: &[u8]| line.split(|b| *b == b' ').next().is_some_and(|word| hex(word).is_some());
    if has_padded_tag(line) || begins_tag(line) && !is_hex(line) {
        return tagged(line, usize::MAX);
    }
    tagged(line, 1).or_else(|| sri(line)).or_else(|| untagged(line)).or_else(|| tagged(line, usize::MAX))
}

/// Returns true if the line begins with the name of an algorithm and any number of spaces before the parenthesis.
/// `rhash --bsd` pads tags to a column: `SHA1  (NAME) = DIGEST`. Such a tag can also be base64, but only of a digest of a
/// few bytes. Hexadecimal digits before two spaces are a digest.
fn has_padded_tag(line: &[u8]) -> bool {
    tag_of(line, usize::MAX).is_some_and(|(tag, ..)| {
        tag.len() <= LONGEST_NAME
            && hex(tag.as_bytes()).is_none()
            && (Method::find(tag).is_some() || is_unsupported(tag))
    })
}

/// Splits a line into a tag, a name and a possible digest: `ALG (NAME) = DIGEST`, or OpenSSL's `ALG(NAME)= DIGEST`. At
/// most `blanks` spaces are allowed after the tag.
fn tag_of(line: &[u8], blanks: usize) -> Option<(&str, &[u8], &[u8])> {
    let open = line.iter().position(|b| *b == b'(')?;
    let close = line.iter().rposition(|b| *b == b')')?;
    let tag = line[..open].trim_ascii_end();
    if tag.is_empty() || open - tag.len() > blanks {
        return None;
    }
    let name = line.get(open + 1..close).filter(|name| !name.is_empty())?;
    let value = line[close + 1..].trim_ascii().strip_prefix(b"=")?.trim_ascii();
    let word =
        |bytes: &[u8], marks: &[u8]| bytes.iter().all(|b| b.is_ascii_alphanumeric() || marks.contains(b));
    let tag = str::from_utf8(tag).ok().filter(|tag| word(tag.as_bytes(), b"/_.-"))?;
    (!value.is_empty() && word(value, b"+/=:")).then_some((tag, name, value))
}

fn tagged(line: &[u8], blanks: usize) -> Option<Parsed> {
    let (tag, name, value) = tag_of(line, blanks)?;
    let fits = |digest: Vec<u8>| Some((Method::from_tag(tag, digest.len())?, digest));
    let digest = hex(value).or_else(|| hex_with_colons(value)).and_then(fits);
    let (method, digest) = digest.or_else(|| BASE64.decode(value).ok().and_then(fits))?;
    Some(Parsed::of(method, digest, Some(name)))
}

/// The algorithm that a line names, if the line cannot be read because this algorithm is unknown.
fn unsupported(line: &[u8]) -> Option<String> {
    let line = line.strip_prefix(b"\\").unwrap_or(line);
    let (tag, _, value) = tag_of(line.trim_ascii_start(), usize::MAX)?;
    let base =
        tag.rsplit_once('-').filter(|(_, bits)| bits.parse::<u64>().is_ok()).map_or(tag, |(base, _)| base);
    let known = [tag, base].iter().any(|name| hashwell::find(name).is_ok() || Legacy::find(name).is_some());
    // The digest must have at least four bytes in hexadecimal. If shorter ones were accepted, a sentence could be taken
    // for a line with a digest.
    (!known && value.len() >= 8).then(|| tag.to_owned())
}

/// `sum --json`: one object per line.
fn json(line: &[u8]) -> Option<Parsed> {
    if !line.starts_with(b"{") {
        return None;
    }
    let object: serde_json::Value = serde_json::from_slice(line).ok()?;
    let text = |key: &str| object.get(key)?.as_str();
    let algorithm = hashwell::find(text("algorithm")?).ok()?;
    let digest = hex(text("digest")?.as_bytes())?;
    let choice = Choice::with_len(algorithm, digest.len())?;
    let name = match text("name_b64") {
        Some(encoded) => BASE64.decode(encoded.as_bytes()).ok()?,
        None => text("name")?.as_bytes().to_vec(),
    };
    let is_needed = |row: &&ParameterRow| match row.parameter {
        Parameter::Key => object.get("keyed") == Some(&true.into()),
        Parameter::Context => object.get("derive_key").is_some(),
        _ => object.get("parameters").is_some_and(|parameters| parameters.get(row.name).is_some()),
    };
    let needs = PARAMETERS.iter().filter(is_needed).collect();
    let mut stamp = Stamp::default();
    for key in ["size", "mtime", "ctime", "inode", "recorded"] {
        match object.get(key) {
            Some(serde_json::Value::String(text)) => stamp.set(key, text),
            Some(serde_json::Value::Number(number)) => stamp.set(key, &number.to_string()),
            _ => Some(()),
        }?;
    }
    (!name.is_empty()).then(|| Parsed {
        needs,
        stamp,
        ..Parsed::of(Method::Row(choice), digest, Some(&name))
    })
}

/// POSIX `cksum`: `CRC BYTES NAME`, with decimal numbers. `cksum -a bsd` puts more than one space before the number of
/// blocks. Names are not escaped.
fn posix_cksum(line: &[u8]) -> Option<Parsed> {
    let number = |text: &[u8]| -> Option<(u64, usize)> {
        let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
        Some((str::from_utf8(&text[..len]).ok()?.parse().ok()?, len))
    };
    let (crc, len) = number(line)?;
    let padded = line[len..].strip_prefix(b" ")?;
    let rest = padded.trim_ascii_start();
    let (size, digits) = number(rest)?;
    let blanks = padded.len() - rest.len();
    // `sum -r` writes five digits, and pads the number of blocks to five columns.
    if blanks > 0 && (len != 5 || blanks + digits != 5) {
        return None;
    }
    let name = rest[digits..].strip_prefix(b" ").filter(|name| !name.is_empty())?;
    Some(Parsed::of(Method::Legacy(Legacy::Cksum), cksum(u32::try_from(crc).ok()?, size), Some(name)))
}

/// SFV: `NAME CRC32`. RHash escapes names like coreutils; other tools don't.
fn sfv(line: &[u8]) -> Option<Parsed> {
    let line = line.trim_ascii_end();
    let (before, crc) = line.split_at(line.len().checked_sub(8)?);
    let name = before.trim_ascii_end();
    let apart = name.len() < before.len() && !name.is_empty();
    let digest = hex(crc).filter(|_| apart)?;
    // More than one space may align the checksums, or all but the last one may belong to the name.
    let longer = &before[..before.len() - 1];
    let candidates = if longer == name { Candidates::default() } else { Candidates::one(longer) };
    let parsed = Parsed::of(Method::Legacy(Legacy::Crc32), digest, Some(name));
    let as_it_is = Parsed { candidates, windows: true, ..parsed };
    let escaped = name.strip_prefix(b"\\").filter(|escaped| !escaped.is_empty());
    let read = escaped
        .and_then(|escaped| unescaped(Parsed::of(as_it_is.method, as_it_is.digest.clone(), Some(escaped))));
    Some(match read {
        Some(read) => Parsed { other_name: as_it_is.name, windows: true, ..read },
        None => as_it_is,
    })
}

/// `DIGEST  NAME`, `DIGEST *NAME`, `DIGEST NAME`, or only a digest.
fn untagged(line: &[u8]) -> Option<Parsed> {
    let end = line.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(line.len());
    let (text, rest) = line.split_at(end);
    let name = name_after(rest).map(|name| if rest.starts_with(b"  ") { name } else { without_time(name) });
    let hex = hex(text);
    if let Some((method, name)) = hex.as_ref().and_then(|digest| lines::fsum(rest, digest.len())) {
        return Some(Parsed::of(method, hex?, Some(name)));
    }
    // `shasum -U` marks digests of text with changed line endings.
    let unmarked = rest.strip_prefix(b" U").filter(|name| !name.is_empty()).map(<[u8]>::to_vec);
    let folded = hex.is_some() && unmarked.is_some();
    // Words of prose can be base64, but are rarely followed by a separator of two characters.
    let as_written = rest.starts_with(b"  ") || rest.starts_with(b" *");
    let base64 = BASE64.decode(text).ok().filter(|digest| !digest.is_empty());
    let base64 = base64.filter(|digest| digest.len() >= SHORTEST_ALONE || as_written);
    if name.is_none() {
        let long = |digest: &Vec<u8>| digest.len() >= SHORTEST_ALONE;
        let usual = |digest: &Vec<u8>| long(digest) && is_usual(digest.len());
        let digest = hex.filter(long).or_else(|| base64.filter(usual))?;
        return rest.trim_ascii().is_empty().then(|| Parsed::of(None, digest, None));
    }
    match (hex, base64) {
        (Some(hex), as_base64) => {
            let other_digests = as_base64.filter(|_| text.len() <= LONGEST_CHANCE).into_iter().collect();
            let other_name = if folded { unmarked } else { None };
            Some(Parsed { other_digests, other_name, folded, ..Parsed::of(None, hex, name) })
        }
        (None, Some(base64)) => {
            let as_base32 = lines::base32_line(line);
            let other_digests =
                as_base32.map(|p| [vec![p.digest], p.other_digests].concat()).unwrap_or_default();
            Some(Parsed { other_digests, ..Parsed::of(None, base64, name) })
        }
        (None, None) => None,
    }
}

/// Removes the time that `sha256deep -t` and similar tools write before a name: `DIGEST 2026:11:28:13:25:20  NAME`.
fn without_time(name: &[u8]) -> &[u8] {
    let shape = |(i, byte): (usize, &u8)| if i % 3 == 1 { *byte == b':' } else { byte.is_ascii_digit() };
    // The two leading digits of the year were skipped.
    let time = name.get(2..19).is_some_and(|time| time.iter().enumerate().all(|(i, b)| shape((i + 2, b))));
    let rest = name.get(19..).and_then(|rest| rest.strip_prefix(b"  ")).filter(|rest| !rest.is_empty());
    rest.filter(|_| time && name[..2].iter().all(u8::is_ascii_digit)).unwrap_or(name)
}

/// Returns true if this is the default digest length of an algorithm. Ordinary words can be valid base64, but with this
/// restriction few of them can be taken for a digest.
fn is_usual(digest_len: usize) -> bool {
    hashwell::ALGORITHMS.iter().any(|algorithm| algorithm.output == digest_len)
}

/// Subresource integrity: one or several values, of which the strongest counts, possibly followed by a name. After the
/// separator of two characters that `sum` writes, any name is accepted.
fn sri(line: &[u8]) -> Option<Parsed> {
    let mut strongest: Option<(Choice, Vec<Vec<u8>>)> = None;
    let parsed = |strongest: Option<(Choice, Vec<Vec<u8>>)>, name| {
        let (choice, mut digests) = strongest?;
        let digest = digests.remove(0);
        Some(Parsed { other_digests: digests, ..Parsed::of(Method::Row(choice), digest, name) })
    };
    let mut rest = line;
    loop {
        let end = rest.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(rest.len());
        let Some((choice, digest)) = sri_value(&rest[..end]) else {
            return parsed(strongest, Some(rest));
        };
        match &mut strongest {
            Some((best, _)) if choice.output_len < best.output_len => {}
            Some((best, digests)) if choice.output_len == best.output_len => digests.push(digest),
            _ => strongest = Some((choice, vec![digest])),
        }
        let behind = &rest[end..];
        let name = name_after(behind);
        match name {
            Some(next) if !(behind.starts_with(b"  ") || behind.starts_with(b" *")) => rest = next,
            _ => return parsed(strongest, name),
        }
    }
}

/// `sha256-BASE64`, optionally followed by `?` and options, which are ignored, as the W3C recommendation requires.
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

/// `size,HASH,…,NAME`, below a header that names the columns. If a line has several digests, the longest one with a
/// supported algorithm is used. A legacy digest is only used if there is no other.
fn hashdeep(line: &[u8], columns: &[String]) -> Option<Parsed> {
    let fields: Vec<&[u8]> = line.splitn(columns.len(), |b| *b == b',').collect();
    if fields.len() != columns.len() {
        return None;
    }
    let known = |(column, field): (&String, &&[u8])| {
        let digest = hex(field)?;
        Some((Method::from_tag(column, digest.len())?, digest))
    };
    let strength = |(method, _): &(Method, Vec<u8>)| (matches!(method, Method::Row(_)), method.digest_len());
    let (method, digest) = columns.iter().zip(&fields).filter_map(known).max_by_key(strength)?;
    let name = fields.last().filter(|name| !name.is_empty())?;
    Some(Parsed::of(method, digest, Some(name)))
}

/// Decodes coreutils' escapes in the name. Any other escape makes the line malformed.
fn unescaped(parsed: Parsed) -> Option<Parsed> {
    let name = layout::unescaped(parsed.name.as_ref()?)?;
    Some(Parsed { name: Some(name), ..parsed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    /// Parts of lines in many formats.
    const PARTS: &[&str] = &[
        "\n",
        "\n ",
        "  ",
        " ",
        "#",
        ";",
        ",",
        ",,",
        "a",
        ":",
        ABC,
        "f97c5d29941bfb1b2fdab0874906ab82",
        "352441C2",
        "F97C5D29 941BFB1B",
        "SHA256",
        "SHA1",
        "SHA256:",
        "Files:",
        "SIZE",
        "TIMESTAMP = 1",
        "Format: 1.0",
        " (a",
        ") = ",
        "sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0",
        "SHA256 hash of a:\n",
        "CertUtil: x",
        "Directory: d\n",
        "\\",
        "3",
    ];

    /// The fast path gives the same results as the general code.
    #[test]
    fn usual_lines() {
        let parts = [
            "a",
            "0",
            ".",
            "/",
            "_",
            "-",
            ":",
            ",",
            "*",
            "?SHA256*",
            "\\",
            "%0A",
            "é",
            "U",
            "^",
            "deadbeef",
            " ",
            "offset 0-2",
        ];
        let mut count = 0;
        for len in [16, 20, 28, 32, 48, 64] {
            // Words that consist of decimal digits, of letters, and of both.
            for byte in ["11", "AB", "f1", "12"] {
                for name in parts.iter().flat_map(|a| parts.iter().map(move |b| format!("{a}{b}"))) {
                    let line = format!("{}  {name}", byte.repeat(len));
                    let mut shapes = Shapes::default();
                    let Some(short) = shapes.usual(line.as_bytes(), b"") else { continue };
                    let Line::Entries(long) = shapes.content(line.as_bytes(), b"") else { panic!("{line}") };
                    let [long] = &long[..] else { panic!("{line}") };
                    let fields = |parsed: &Parsed| {
                        let Parsed { method, digest, other_digests, name, other_name, folded, .. } = parsed;
                        (
                            *method,
                            digest.clone(),
                            other_digests.clone(),
                            name.clone(),
                            other_name.clone(),
                            *folded,
                        )
                    };
                    assert_eq!(fields(&short), fields(long), "{line}");
                    assert!(long.needs.is_empty() && long.stamp == Stamp::default());
                    count += 1;
                }
            }
        }
        assert!(count > 1000, "{count}");
    }

    fn choice(entry: &Entry) -> Option<Choice> {
        match entry.method? {
            Method::Row(choice) => Some(choice),
            Method::Legacy(_) => None,
        }
    }

    /// The algorithm (if named), the digest length and the name of each entry.
    fn read(text: &str) -> Vec<(Option<&'static str>, usize, String)> {
        let list = parse(text.as_bytes());
        let name = |e: &Entry| String::from_utf8(e.name.clone().unwrap_or_default()).unwrap();
        list.entries.iter().map(|e| (choice(e).map(|c| c.algorithm.name), e.digest.len(), name(e))).collect()
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
        // The last line is a digest without a name, followed by spaces.
        assert_eq!(list.entries.iter().map(|e| e.line).collect::<Vec<_>>(), [4, 6, 12]);
    }

    #[test]
    fn repairs_are_named() {
        let crlf = parse(format!("{ABC}  a\r\n{ABC}  b\r\n").as_bytes());
        assert_eq!((crlf.entries.len(), &crlf.notes[..]), (2, &["the list has CRLF line endings"][..]));
        assert_eq!(crlf.entries[0].name.as_deref(), Some(&b"a"[..]));
        let bom = parse(format!("\u{feff}{ABC}  a\n").as_bytes());
        assert_eq!((bom.entries.len(), &bom.notes[..]), (1, &["the byte order mark was skipped"][..]));
        let utf16: Vec<u8> =
            format!("\u{feff}{ABC}  ä\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let list = parse(&utf16);
        assert_eq!(list.notes, ["the list was read as UTF-16", "the list has CRLF line endings"]);
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
        assert_eq!(list.notes, ["the PGP signature is not verified"]);
        // In a signed message, a dash and a space are an escape. Elsewhere, they are not part of any line.
        let text = format!("-----BEGIN PGP SIGNED MESSAGE-----\n\n- {ABC}  a\n");
        assert_eq!(read(&text), [(None, 32, "a".to_owned())]);
        assert_eq!(parse(format!("- {ABC}  a\n").as_bytes()).malformed, [1]);
        // Lines around the signed message are not part of it.
        let signed = "-----BEGIN PGP SIGNED MESSAGE-----\n\n{ABC}  a\n-----BEGIN PGP SIGNATURE-----\n\n\
                      -----END PGP SIGNATURE-----\n"
            .replace("{ABC}", ABC);
        for text in [format!("{ABC}  b\n{signed}"), format!("{signed}{ABC}  b\n")] {
            assert_eq!(read(&text), [(None, 32, "a".to_owned())], "{text}");
            assert!(parse(text.as_bytes()).notes.contains(&UNSIGNED), "{text}");
        }
        assert!(!parse(format!("# comment\n\n{signed}\n").as_bytes()).notes.contains(&UNSIGNED));
    }

    #[test]
    fn sri_takes_the_strongest() {
        let sha512 = BASE64.encode(&[7; 64]);
        let list = read(&format!("sha512-{sha512} sha256-{} name", BASE64.encode(&[1; 32])));
        assert_eq!(list, [(Some("sha512"), 64, "name".to_owned())]);
        // If they are equally strong, any of them may match.
        let two = format!("sha256-{} sha256-{}", BASE64.encode(&[1; 32]), BASE64.encode(&[2; 32]));
        let entry = parse(two.as_bytes()).entries.remove(0);
        assert_eq!((entry.digest, entry.other_digests), (vec![1; 32], vec![vec![2; 32]]));
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
    fn legacy_lists() {
        let of = |text: &str| {
            let entry =
                |e: &Entry| (e.method, e.digest.len(), String::from_utf8(e.name.clone().unwrap()).unwrap());
            let list = parse(text.as_bytes());
            (list.entries.iter().map(entry).collect::<Vec<_>>(), list.malformed)
        };
        let legacy = |legacy, len, name: &str| (Some(Method::Legacy(legacy)), len, name.to_owned());
        let sfv = "; made by hand\r\na b.txt   352441C2\r\nplain 352441c2\r\n352441C2\r\n";
        assert_eq!(
            of(sfv),
            (vec![legacy(Legacy::Crc32, 4, "a b.txt"), legacy(Legacy::Crc32, 4, "plain")], vec![4])
        );
        // A checksum is only recognized if a separator is between it and a name.
        assert_eq!(of("; \nplain352441c2\n  352441c2\n").1, [2, 3]);
        // A line with a tag or a longer digest is not read as a name and a CRC.
        let md5 = "f97c5d29941bfb1b2fdab0874906ab82";
        let list = format!(
            "; x\nCRC32 (a) = 352441C2\n{md5}  b 352441c2\nc: F97C5D29 941BFB1B 2FDAB087 4906AB82\n{md5}  352441c2\n\
             {md5} 352441c2\n"
        );
        let (crc, named) = (legacy(Legacy::Crc32, 4, "a"), |name: &str| (None, 16, name.to_owned()));
        let sfv = legacy(Legacy::Crc32, 4, md5);
        assert_eq!(of(&list).0, [crc, named("b 352441c2"), named("c"), named("352441c2"), sfv]);
        // Without the comment, this could be a malformed line of any format.
        assert_eq!(of("a b.txt 352441C2\n").1, [1]);
        let cksum = "1219131554 3 a b\n42949672960 3 a\n121913155 3\n";
        assert_eq!(of(cksum), (vec![legacy(Legacy::Cksum, 12, "a b")], vec![2, 3]));
        let rhash =
            "CRC32 (a) = 352441C2\nCRC32C (a) = 364b3fb7\nMD5 (a) = 900150983cd24fb0d6963f7d28e17f72\n";
        let of_tags = [(Legacy::Crc32, 4), (Legacy::Crc32c, 4), (Legacy::Md5, 16)];
        assert_eq!(of(rhash).0, of_tags.map(|(of, len)| legacy(of, len, "a")));
        let hashdeep = "%%%% size,md5,filename\n3,900150983cd24fb0d6963f7d28e17f72,a\n";
        assert_eq!(of(hashdeep).0, [legacy(Legacy::Md5, 16, "a")]);
    }

    /// In formats with the name at the beginning of the line, a name may begin like a comment.
    #[test]
    fn names_that_begin_like_comments() {
        let names = |text: &str, sfv| {
            let list = parse_as(text.as_bytes(), sfv);
            assert!(list.malformed.is_empty(), "{text}");
            let name = |entry: Entry| String::from_utf8(entry.name.unwrap()).unwrap();
            list.entries.into_iter().map(name).collect::<Vec<_>>()
        };
        let sfv = "# comment\n#1 a 352441C2\n#hashwell: size=3 mtime=1.0\nb 352441C2\n";
        assert_eq!(names(sfv, true), ["#1 a", "b"]);
        assert_eq!(names(&format!("; x\n{sfv}"), false), ["#1 a", "b"]);
        assert_eq!(names(&format!("{sfv}; x\n"), false), ["#1 a", "b"]);
        assert_eq!(names("; ;a 352441C2\n;b 352441C2\nb 352441C2\n", true), ["b"]);
        let groups = |name: &str| format!("{name}: F97C5D29 941BFB1B\n    2FDAB087 4906AB82\n");
        assert_eq!(names(&[groups("#1"), groups(";2"), groups("a")].concat(), false), ["#1", ";2", "a"]);
        assert_eq!(names(&format!("{ABC}  a\n{}", groups("# key")), false), ["a"]);
        let record = "#1,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n";
        assert_eq!(names(record, false), ["#1"]);
        assert_eq!(names(&format!("#1  {ABC}\na  {ABC}\n"), false), ["#1", "a"]);
        let indented = parse(format!("  a {ABC}\n  b: {ABC}\n  sha256:{ABC}  c\n").as_bytes());
        let candidates: Vec<_> = indented
            .entries
            .iter()
            .map(|entry| entry.candidates.iter().collect::<Vec<_>>().concat())
            .collect();
        assert_eq!(candidates, [&b"  a"[..], b"  b", b""]);
    }

    /// Lines of RHash's custom formats have digests in any order after the name.
    #[test]
    fn columns_after_names() {
        let (md5, crc) = ("f97c5d29941bfb1b2fdab0874906ab82", "7a6c86f1");
        for line in
            [format!("a b {md5} {crc}"), format!("a b {crc} {md5}"), format!("a b\t{crc} {md5} {crc}")]
        {
            assert_eq!(read(&line), [(None, 16, "a b".to_owned())], "{line}");
        }
        assert_eq!(parse(format!("a b {crc}").as_bytes()).malformed, [1]);
        let tiger = "93e2f2e6a2b0c0e1a4f5d6c7b8a9f0e1d2c3b4a5968778ab";
        let (tth, aich) = ("ASD4UJSEH5M47PDYB46KBTSQTSGDKLBHYXOMUIA", "7YTO5TTWAGVIIEFNOKF2H5C73R7PLTTY");
        for line in [
            format!("a {md5} {tiger}"),
            format!("a {tiger} {md5}"),
            format!("a {tth} {ABC} {crc}"),
            format!("a {ABC} {}", aich.to_lowercase()),
        ] {
            let list = parse(line.as_bytes());
            assert_eq!(
                (list.malformed.len(), list.unsupported.len(), list.entries.len()),
                (1, 1, 0),
                "{line}"
            );
        }
    }

    /// certutil's headings depend on the language of Windows.
    #[test]
    fn headings_of_certutil() {
        for (heading, name, candidate) in [
            ("SHA256 hash of file a b:", Some("a b"), "a b"),
            ("SHA256-Hash der Datei a:", Some("a"), "a"),
            ("SHA256 hachage du fichier a\u{a0}:", Some("a"), "a"),
            ("SHA256 hash de d\\a:", Some("d\\a"), "d\\a"),
            ("Хэш SHA256 a：", None, "a"),
            ("SHA256 的 a 哈希:", None, "a"),
            ("SHA256 ハッシュ (対象 a):", None, "a"),
        ] {
            let list = parse(format!("{heading}\n{ABC}\nCertUtil: -hashfile\n").as_bytes());
            assert!(list.malformed.is_empty() && list.windows, "{heading}");
            let [entry] = &list.entries[..] else { panic!("{heading}") };
            assert_eq!(entry.name.as_deref(), name.map(str::as_bytes), "{heading}");
            assert!(entry.candidates.iter().any(|name| name == candidate.as_bytes()), "{heading}");
        }
        // Without a digest of the algorithm on the next line, it isn't a heading.
        assert_eq!(parse(format!("SHA1 hash of a:\n{ABC}\n").as_bytes()).malformed, [1]);
        assert_eq!(parse(b"CertUtil: -hashfile command FAILED: 0x80070002\n").malformed, [1]);
    }

    /// RHash escapes the names in SFV lists; cksfv does not.
    #[test]
    fn names_of_sfv_lists_may_be_escaped() {
        let names = |line: &str| {
            let list = parse(format!("; \n{line} 352441C2\n").as_bytes());
            let text = |name: &Option<Vec<u8>>| name.clone().map(|name| String::from_utf8(name).unwrap());
            (text(&list.entries[0].name).unwrap(), text(&list.entries[0].other_name))
        };
        assert_eq!(names("d\\new"), ("d\\new".to_owned(), None));
        assert_eq!(names("\\d/new\\nline"), ("d/new\nline".to_owned(), Some("\\d/new\\nline".to_owned())));
        assert_eq!(names("\\d/back\\\\slash").0, "d/back\\slash");
        // RHash does not write these escapes, so the names are not decoded.
        assert_eq!(names("\\d\\x"), ("\\d\\x".to_owned(), None));
        assert_eq!(names("\\"), ("\\".to_owned(), None));
    }

    #[test]
    fn columns_before_names() {
        let pairs: Vec<String> =
            ABC.as_bytes().chunks(2).map(|pair| String::from_utf8(pair.to_vec()).unwrap()).collect();
        for (line, name) in [
            (format!("         6  {ABC}  a b"), "a b"),
            (format!("{ABC} 2026:11:28:13:25:20  a b"), "a b"),
            // After two spaces, this is the name of the file.
            (format!("{ABC}  2026:11:28:13:25:20  a"), "2026:11:28:13:25:20  a"),
            (format!("{ABC} 2026:11:28:13:25  a"), "2026:11:28:13:25  a"),
            (pairs.join(" "), ""),
        ] {
            assert_eq!(read(&line), [(None, 32, name.to_owned())], "{line}");
        }
        // Without spaces before it, the number may be a digest.
        assert_eq!(read(&format!("123456  {ABC}  a")), [(None, 3, format!("{ABC}  a"))]);
        let md5 = &ABC[..32];
        let list =
            format!("Files:\n {md5} 7 misc optional a\nSHA256:\n {ABC}      7 d/a\nOrigin: x\n {md5} 7 a\n");
        let list = parse(list.as_bytes());
        let above = |entry: &Entry| entry.above.map(Method::title);
        let names: Vec<_> = list.entries.iter().map(|e| (e.name.as_deref().unwrap(), above(e))).collect();
        let sha256 = Some("SHA256".to_owned());
        assert_eq!(names, [(&b"a"[..], None), (b"d/a", sha256.clone()), (b"7 a", sha256)]);
        // The fields of a control file that contain no digests are not malformed, but damaged digests are.
        assert!(list.malformed.is_empty());
        let fields =
            format!("Format: 1.0\nDescription: x\n y\n .\nSHA256:\n {ABC} 7 a\n zz 7 b\nOrigin: x\n");
        assert_eq!(parse(fields.as_bytes()).malformed, [7]);
        assert_eq!(parse(format!("Format: 1.0\n{ABC}  a\n").as_bytes()).malformed, [1]);
        let open = format!("SHA256:\n {ABC} 7 a\nSHA256 (x\nOrigin: x\ny) = {ABC}\n");
        assert_eq!(parse(open.as_bytes()).malformed, [3, 5]);
        // apt's Release files begin with MD5, and sizes are aligned.
        let release =
            parse(format!("Suite: x\nMD5Sum:\n {md5}        7 a\n {md5} 12345678 b/c\n").as_bytes());
        let names: Vec<_> = release
            .entries
            .iter()
            .map(|e| (e.name.as_deref().unwrap(), e.above.map(Method::title)))
            .collect();
        assert_eq!(names, [(&b"a"[..], Some("MD5".to_owned())), (b"b/c", Some("MD5".to_owned()))]);
    }

    /// Lines without digests in RECORD and in distinfo files are not malformed, if a different line has the digest.
    #[test]
    fn lines_without_digests() {
        let record = "a/RECORD,,\na,sha256=ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0,3\n";
        assert!(parse(record.as_bytes()).malformed.is_empty());
        assert_eq!(parse(b"a/RECORD,,\n").malformed, [1]);
        let distinfo = format!(
            "$NetBSD: distinfo,v 1.1 $\n\nTIMESTAMP = 1700000000\nSHA256 (a) = {ABC}\nSIZE (a) = 123456789\n\
             Size (a) = 3 bytes\nSIZE (b) = 3\n"
        );
        let list = parse(distinfo.as_bytes());
        assert_eq!((list.entries.len(), list.malformed, list.unsupported.len()), (1, vec![7], 0));
        assert_eq!(list.ignored, [1, 3, 5, 6, 7]);
    }

    #[test]
    fn tags_of_freebsd() {
        let line = format!("SHA512t256 (a) = {ABC}");
        assert_eq!(read(&line), [(Some("sha512-256"), 32, "a".to_owned())]);
    }

    /// A text such as `b3` can be a tag or a digest. If two spaces follow, as before a name, it is read as a digest.
    /// Tags that are not hexadecimal may be padded with spaces, as `rhash --bsd` does.
    #[test]
    fn spaces_after_tags() {
        for line in [format!("b3 (a) = {ABC}"), format!("b3(a)= {ABC}"), format!("BLAKE3  (a) = {ABC}")] {
            assert_eq!(read(&line), [(Some("blake3"), 32, "a".to_owned())], "{line}");
        }
        assert_eq!(read(&format!("b3  (a) = {ABC}")), [(None, 1, format!("(a) = {ABC}"))]);
        for line in [format!("SHA1  (a) = {}", &ABC[..40]), format!("\\SHA1    (a) = {}", &ABC[..40])] {
            assert_eq!(read(&line), [(Some("sha1"), 20, "a".to_owned())], "{line}");
        }
        assert_eq!(read(&format!("SHA1  (a\nb) = {}", &ABC[..40])), [(Some("sha1"), 20, "a\nb".to_owned())]);
        let aich = parse(b"AICH  (a) = 7YTO5TTWAGVIIEFNOKF2H5C73R7PLTTY\n");
        assert_eq!((&aich.malformed[..], aich.unsupported), (&[1][..], ["AICH".to_owned()].into()));
        let list = parse(format!("(a) = {ABC}\n").as_bytes());
        assert_eq!((&list.malformed[..], list.unsupported.len()), (&[1][..], 0));
    }

    #[test]
    fn as_long_as_a_digest_has_to_be() {
        let b64 = |len| BASE64.encode(&vec![7; len]);
        // Before a single space, base64 must have 16 bytes, as for a digest that is alone on its line.
        assert_eq!(read(&format!("{} a", b64(16))), [(None, 16, "a".to_owned())]);
        assert_eq!(parse(format!("{} a", b64(15)).as_bytes()).malformed, [1]);
        assert_eq!(read(&format!("{}  a", b64(15))), [(None, 15, "a".to_owned())]);
        assert_eq!(
            (read(&ABC[..32]), parse(&ABC.as_bytes()[..30]).malformed),
            (vec![(None, 16, String::new())], vec![1])
        );
        // Up to 32 hexadecimal characters may be base64 by chance. Longer texts are not read as base64.
        for (digits, bytes) in [(4, Some(3)), (32, Some(24)), (36, None)] {
            let list = parse(format!("{}  a", &ABC[..digits]).as_bytes());
            assert_eq!(list.entries[0].other_digests.first().map(Vec::len), bytes, "{digits}");
        }
    }

    #[test]
    fn lists_say_what_their_lines_need() {
        let line = |more: &str| {
            format!("{{\"algorithm\":\"blake3\",\"bits\":256,\"digest\":\"{ABC}\",\"name\":\"a\"{more}}}\n")
        };
        let needs =
            |text: &str| parse(text.as_bytes()).needs.iter().map(|row| row.parameter).collect::<Vec<_>>();
        assert_eq!(needs(&line("")), []);
        assert_eq!(needs(&line(",\"keyed\":false")), []);
        let (keyed, derived) = (line(",\"keyed\":true"), line(",\"derive_key\":\"c\""));
        assert_eq!(needs(&format!("{keyed}{keyed}")), [Parameter::Key]);
        assert_eq!(needs(&format!("{derived}{keyed}{derived}")), [Parameter::Context, Parameter::Key]);
    }

    #[test]
    fn unknown_algorithms_are_named() {
        let text = format!(
            "WHIRLPOOL (a) = {ABC}{ABC}\nTTH (a) = ASD4UJSEH5M47PDYB46KBTSQTSGDKLBHYXOMUIA\nGOST12-256 (a) = {ABC}\n\
             SHA256 (a) = {}\nSHA256-91R (a) = {ABC}\nNote (this) = well\nNote (this) = well, well\n\
             CRC16 (a) = 1a2b\nADLER32 (a) = 024d0127\n",
            &ABC[2..]
        );
        let list = parse(text.as_bytes());
        assert_eq!(list.malformed, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(
            list.unsupported,
            ["ADLER32", "GOST12-256", "SHA256-91R", "TTH", "WHIRLPOOL"].map(str::to_owned).into()
        );
    }

    #[test]
    fn nul_ended() {
        let text = format!("{ABC}  a\nb\\\0{ABC}  c\0");
        assert_eq!(read(&text), [(None, 32, "a\nb\\".to_owned()), (None, 32, "c".to_owned())]);
        // Names are not escaped in lines that end with a zero byte, so a backslash before the digest is invalid.
        assert_eq!(parse(format!("\\{ABC}  a\\nb\0").as_bytes()).malformed, [1]);
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_list(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let list = parse(&bytes);
            prop_assert!(list.entries.len() + list.malformed.len() <= bytes.len());
        }

        /// Parts of lines in any order give a list in which no line is both malformed and read.
        #[test]
        fn any_parts_of_lines_give_a_list(
            parts in prop::collection::vec(prop::sample::select(PARTS), 0..30),
            sfv in any::<bool>(),
        ) {
            let list = parse_as(parts.concat().as_bytes(), sfv);
            let mut malformed = list.malformed.clone();
            malformed.dedup();
            prop_assert_eq!(&malformed, &list.malformed);
            prop_assert!(list.entries.iter().all(|entry| !malformed.contains(&entry.line)));
            prop_assert!(list.entries.iter().all(|entry| entry.name != Some(Vec::new())));
        }
    }
}
