//! Lists that are other kinds of documents, in which an entry extends over several lines or the whole file:
//! PowerShell's `Get-FileHash`, BSD mtree, Debian's Packages, Cargo.lock, and JSON from npm, OCI and PowerShell.

use crate::encodings::hex;
use crate::legacy::{Legacy, cksum};
use crate::lines::{SHORTEST, csv, under_tag};
use crate::method::Method;
use crate::parsed::{Parsed, strongest};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// A document that was read.
#[derive(Default)]
pub(crate) struct Document {
    /// The entries, each with its line number.
    pub(crate) entries: Vec<(usize, Parsed)>,
    /// The numbers of malformed lines.
    pub(crate) malformed: Vec<usize>,
    /// The kinds of entries that cannot be checked.
    pub(crate) unsupported: Vec<String>,
}

/// A line and its number.
pub(crate) type Numbered<'a> = (usize, &'a [u8]);

/// A reader of one format.
type Reader = fn(&[Numbered<'_>]) -> Option<Document>;

/// The readers, each of which returns `None` if the lines are not in its format.
const READERS: &[Reader] = &[
    powershell_list,
    powershell_table,
    powershell_csv,
    mtree,
    sources,
    packages,
    cargo_lock,
    go_sum,
    aide,
    json,
];

/// Reads the lines as a document. Returns `None` if they are lines of an ordinary list.
pub(crate) fn read(lines: &[Numbered<'_>]) -> Option<Document> {
    READERS.iter().find_map(|reader| reader(lines))
}

/// The lines that are not blank.
fn filled<'l, 'a>(lines: &'l [Numbered<'a>]) -> impl Iterator<Item = Numbered<'a>> + 'l {
    lines.iter().copied().filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// The entry for the algorithm, the hash and the path that PowerShell lists for a file. `Select-Object Hash, Path`
/// removes the algorithm.
fn file_hash(algorithm: Option<&[u8]>, hash: &[u8], path: &[u8]) -> Option<Parsed> {
    let name = Some(path).filter(|path| !path.is_empty());
    let parsed = match algorithm {
        Some(algorithm) => under_tag(str::from_utf8(algorithm).ok()?, hash, name)?,
        None => Parsed::of(None, hex(hash).filter(|digest| digest.len() >= SHORTEST)?, Some(name?)),
    };
    Some(Parsed { windows: true, ..parsed })
}

/// `Get-FileHash | Format-List`: three fields per file. A long value continues on the next, indented line.
fn powershell_list(lines: &[Numbered<'_>]) -> Option<Document> {
    fn field(line: &[u8]) -> Option<(&str, &[u8])> {
        let at = line.windows(3).position(|window| window == b" : ")?;
        let key = str::from_utf8(&line[..at]).ok()?.trim_end();
        ["Algorithm", "Hash", "Path"].contains(&key).then_some((key, &line[at + 3..]))
    }
    let (_, first) = filled(lines).next()?;
    field(first)?;
    let mut document = Document::default();
    let mut fields: Vec<(&str, Vec<u8>)> = Vec::new();
    let mut begun = 0;
    let mut end = |fields: &mut Vec<(&str, Vec<u8>)>, number: usize| {
        if fields.is_empty() {
            return;
        }
        let value = |key: &str| fields.iter().find(|(k, _)| *k == key).map(|(_, value)| &value[..]);
        let parsed = || {
            file_hash(value("Algorithm").map(<[u8]>::trim_ascii), value("Hash")?.trim_ascii(), value("Path")?)
        };
        match parsed() {
            Some(parsed) => document.entries.push((number, parsed)),
            None => document.malformed.push(number),
        }
        fields.clear();
    };
    for (number, line) in lines.iter().copied() {
        match field(line) {
            Some((key, value)) => {
                if fields.iter().any(|(known, _)| *known == key) {
                    end(&mut fields, begun);
                }
                if fields.is_empty() {
                    begun = number;
                }
                fields.push((key, value.to_vec()));
            }
            None if line.starts_with(b"     ") && !fields.is_empty() => {
                fields.last_mut()?.1.extend_from_slice(line.trim_ascii_start());
            }
            None => end(&mut fields, begun),
        }
    }
    end(&mut fields, begun);
    Some(document)
}

/// `Get-FileHash | Format-Table`: a heading, dashes, and columns that are aligned with the words of the heading. A path
/// can contain spaces, so it must be in the first or the last column.
fn powershell_table(lines: &[Numbered<'_>]) -> Option<Document> {
    let mut filled = filled(lines);
    let (_, heading) = filled.next()?;
    let words: Vec<&[u8]> = heading.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let column = |name: &[u8]| words.iter().position(|word| *word == name);
    let (algorithm, hash, path) = (column(b"Algorithm"), column(b"Hash")?, column(b"Path")?);
    if words.len() != 2 + usize::from(algorithm.is_some()) || path == 1 && words.len() == 3 {
        return None;
    }
    let mut document = Document::default();
    for (number, line) in filled {
        if line.starts_with(b"---") {
            continue;
        }
        let parsed = || {
            let mut rest = line.trim_ascii();
            let mut fields: Vec<&[u8]> = vec![b""; words.len()];
            let columns: Vec<usize> =
                if path == 0 { (1..words.len()).rev().collect() } else { (0..path).collect() };
            for column in columns {
                let space = |b: &u8| *b == b' ';
                (fields[column], rest) = match path {
                    0 => {
                        rest.iter().rposition(space).map(|at| (&rest[at + 1..], rest[..at].trim_ascii_end()))
                    }
                    _ => rest.iter().position(space).map(|at| (&rest[..at], rest[at..].trim_ascii_start())),
                }?;
            }
            file_hash(algorithm.map(|column| fields[column]), fields[hash], rest)
        };
        match parsed() {
            Some(parsed) => document.entries.push((number, parsed)),
            None => document.malformed.push(number),
        }
    }
    Some(document)
}

/// `Get-FileHash | Export-Csv`: columns in any order, possibly after a line `#TYPE …`.
fn powershell_csv(lines: &[Numbered<'_>]) -> Option<Document> {
    let mut filled = filled(lines).skip_while(|(_, line)| line.starts_with(b"#TYPE "));
    let header = csv(filled.next()?.1)?;
    let column = |name: &[u8]| header.iter().position(|field| field == name);
    let (algorithm, hash, path) = (column(b"Algorithm"), column(b"Hash")?, column(b"Path")?);
    let mut document = Document::default();
    for (number, line) in filled {
        let parsed = || {
            let fields = csv(line)?;
            let algorithm = match algorithm {
                Some(column) => Some(&fields.get(column)?[..]),
                None => None,
            };
            file_hash(algorithm, fields.get(hash)?, fields.get(path)?)
        };
        match parsed() {
            Some(parsed) => document.entries.push((number, parsed)),
            None => document.malformed.push(number),
        }
    }
    Some(document)
}

/// Decodes the escapes of vis(3): three octal digits, the letters of C, `\\^C` for control characters, and `\\M-C` and
/// `\\M^C` for bytes whose highest bit is set.
fn unvis(text: &[u8]) -> Vec<u8> {
    let mut name = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, more)) = rest.split_first() {
        rest = more;
        if *first != b'\\' {
            name.push(*first);
            continue;
        }
        let octal = more.get(..3).and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 8).ok());
        let control = |c: u8| if c == b'?' { 0x7f } else { c & 0x1f };
        let (byte, len) = match (octal, more.first()) {
            (Some(byte), _) => (byte, 3),
            (None, Some(b'^')) if more.len() > 1 => (control(more[1]), 2),
            (None, Some(b'M')) if more.len() > 2 && more[1] == b'-' => (more[2] | 0x80, 3),
            (None, Some(b'M')) if more.len() > 2 && more[1] == b'^' => (control(more[2]) | 0x80, 3),
            (None, Some(b'a')) => (7, 1),
            (None, Some(b'b')) => (8, 1),
            (None, Some(b'v')) => (0xb, 1),
            (None, Some(b'f')) => (0xc, 1),
            (None, Some(b'E')) => (0x1b, 1),
            (None, Some(b'n')) => (b'\n', 1),
            (None, Some(b'r')) => (b'\r', 1),
            (None, Some(b't')) => (b'\t', 1),
            (None, Some(b's')) => (b' ', 1),
            (None, Some(other)) => (*other, 1),
            (None, None) => (b'\\', 0),
        };
        name.push(byte);
        rest = &more[len..];
    }
    name
}

/// BSD mtree, as bsdtar and mtree write it: `PATH KEY=VALUE …`, with `/set` for defaults, nested folders, `..`, and
/// lines that continue after a backslash. `mtree -D` writes the path at the end of the line.
fn mtree(lines: &[Numbered<'_>]) -> Option<Document> {
    const FIRST: [&[u8]; 2] = [b"#mtree", b"/set "];
    // The program mtree writes comments above its first line.
    let is_comment = |line: &[u8]| line.starts_with(b"#") && !line.starts_with(b"#mtree");
    let (_, first) = filled(lines).find(|(_, line)| !is_comment(line))?;
    let keyed = |line: &[u8]| [&b" type="[..], b" mode=", b" uid="].iter().any(|key| contains(line, key));
    let begins = FIRST.iter().any(|begin| first.starts_with(begin));
    let path_is_last = first.starts_with(b"type=")
        && first.split(u8::is_ascii_whitespace).rfind(|field| !field.is_empty()) == Some(b".");
    if !(begins || path_is_last || first.starts_with(b".") && keyed(first)) {
        return None;
    }
    let mut document = Document::default();
    let mut defaults: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let mut folders: Vec<Vec<u8>> = Vec::new();
    let mut without_digest = 0_usize;
    let mut logical: Vec<u8> = Vec::new();
    let mut begun = 0;
    for (number, line) in lines.iter().copied() {
        let line = line.trim_ascii();
        if logical.is_empty() {
            begun = number;
        }
        // In a name, a backslash is written as two.
        let backslashes = line.iter().rev().take_while(|b| **b == b'\\').count();
        if let Some(before) = line.strip_suffix(b"\\").filter(|_| backslashes % 2 == 1) {
            logical.extend_from_slice(before);
            logical.push(b' ');
            continue;
        }
        logical.extend_from_slice(line);
        let line = std::mem::take(&mut logical);
        let mut fields: Vec<&[u8]> =
            line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
        if path_is_last {
            let moved = usize::from(!fields.is_empty());
            fields.rotate_right(moved);
        }
        let mut fields = fields.into_iter();
        let Some(path) = fields.next().filter(|path| !path.starts_with(b"#")) else { continue };
        let pairs = fields.map(|field| match field.iter().position(|b| *b == b'=') {
            Some(at) => (field[..at].to_vec(), field[at + 1..].to_vec()),
            None => (field.to_vec(), Vec::new()),
        });
        match path {
            b"/set" => {
                for (key, value) in pairs {
                    defaults.retain(|(known, _)| *known != key);
                    defaults.push((key, value));
                }
                continue;
            }
            b"/unset" => {
                let unset: Vec<Vec<u8>> = pairs.map(|(key, _)| key).collect();
                defaults
                    .retain(|(known, _)| !unset.contains(known) && !unset.iter().any(|key| key == b"all"));
                continue;
            }
            b".." => {
                folders.pop();
                continue;
            }
            _ => {}
        }
        let pairs: Vec<(Vec<u8>, Vec<u8>)> = pairs.collect();
        let value = |key: &str| {
            pairs.iter().chain(&defaults).find(|(k, _)| k == key.as_bytes()).map(|(_, value)| &value[..])
        };
        let kind = value("type").unwrap_or(b"file");
        let nested = !path.contains(&b'/');
        let name = unvis(path);
        if kind == b"dir" {
            // Names with a slash are complete paths, and don't change the current folder.
            if nested && folders.len() < 1000 {
                folders.push(name);
            }
            continue;
        }
        if kind != b"file" {
            continue;
        }
        let name = match nested {
            true => folders
                .iter()
                .filter(|folder| *folder != b".")
                .chain([&name])
                .cloned()
                .collect::<Vec<_>>()
                .join(&b'/'),
            false => name,
        };
        let digest = |(key, value): &(Vec<u8>, Vec<u8>)| {
            let key = str::from_utf8(key).ok()?;
            let tag = key.strip_suffix("digest").unwrap_or(key);
            let tag = if tag == "rmd160" { "ripemd160" } else { tag };
            under_tag(tag, value, Some(&name))
        };
        let mut found: Vec<Parsed> = pairs.iter().filter_map(digest).collect();
        let number_of = |key: &str| str::from_utf8(value(key)?).ok()?.parse::<u64>().ok();
        if let (Some(crc), Some(size)) = (number_of("cksum"), number_of("size"))
            && let Ok(crc) = u32::try_from(crc)
            && found.is_empty()
        {
            found.push(Parsed::of(Method::Legacy(Legacy::Cksum), cksum(crc, size), Some(&name)));
        }
        if found.is_empty() {
            without_digest += 1;
        }
        let optional = value("optional").is_some();
        let found = strongest(found).into_iter().map(|parsed| Parsed { optional, ..parsed });
        document.entries.extend(found.map(|parsed| (begun, parsed)));
    }
    if without_digest > 0 {
        document
            .unsupported
            .push(format!("checking mtree entries without a digest (found: {without_digest})"));
    }
    Some(document)
}

pub(crate) fn contains(line: &[u8], part: &[u8]) -> bool {
    line.windows(part.len()).any(|window| window == part)
}

/// Debian's Sources: stanzas with `Directory:`, and indented lines `DIGEST SIZE NAME` below a heading for each algorithm.
fn sources(lines: &[Numbered<'_>]) -> Option<Document> {
    const TAGS: [(&[u8], &str); 4] = [
        (b"Files:", "md5"),
        (b"Checksums-Sha1:", "sha1"),
        (b"Checksums-Sha256:", "sha256"),
        (b"Checksums-Sha512:", "sha512"),
    ];
    let heading = |line: &[u8]| {
        TAGS.iter().find(|(begin, _)| line.trim_ascii_end().eq_ignore_ascii_case(begin)).map(|(_, tag)| *tag)
    };
    let has_directory = lines.iter().any(|(_, line)| line.starts_with(b"Directory: "));
    if !has_directory || !lines.iter().any(|(_, line)| heading(line).is_some()) {
        return None;
    }
    let mut document = Document::default();
    for stanza in lines.split(|(_, line)| line.trim_ascii().is_empty()) {
        let folder = stanza.iter().find_map(|(_, line)| line.strip_prefix(b"Directory: "));
        let folder = folder.map(<[u8]>::trim_ascii).filter(|folder| *folder != b".").unwrap_or_default();
        let mut tag = None;
        // The entries of each file.
        let mut files: BTreeMap<&[u8], Vec<(usize, Parsed)>> = BTreeMap::new();
        for (number, line) in stanza.iter().copied() {
            if !line.starts_with(b" ") {
                tag = heading(line);
                continue;
            }
            let Some(tag) = tag else { continue };
            let fields: Vec<&[u8]> =
                line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
            let parsed = || {
                let [digest, _, name] = fields[..] else { return None };
                let path = if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() };
                Some((name, under_tag(tag, digest, Some(&path))?))
            };
            match parsed() {
                Some((name, parsed)) => files.entry(name).or_default().push((number, parsed)),
                None => document.malformed.push(number),
            }
        }
        for entries in files.into_values() {
            let (numbers, found): (Vec<usize>, Vec<Parsed>) = entries.into_iter().unzip();
            document.entries.extend(strongest(found).into_iter().map(|parsed| (numbers[0], parsed)));
        }
    }
    document.entries.sort_by_key(|(number, _)| *number);
    (!document.entries.is_empty()).then_some(document)
}

/// Debian's Packages: stanzas with `Filename:` and one line for each algorithm.
fn packages(lines: &[Numbered<'_>]) -> Option<Document> {
    const TAGS: [(&[u8], &str); 4] =
        [(b"MD5sum: ", "md5"), (b"SHA1: ", "sha1"), (b"SHA256: ", "sha256"), (b"SHA512: ", "sha512")];
    if !lines.iter().any(|(_, line)| line.starts_with(b"Filename: ")) {
        return None;
    }
    let mut document = Document::default();
    for stanza in lines.split(|(_, line)| line.trim_ascii().is_empty()) {
        let Some(name) = stanza.iter().find_map(|(_, line)| line.strip_prefix(b"Filename: ")) else {
            continue;
        };
        let digest = |(number, line): &Numbered<'_>| {
            let (digest, tag) =
                TAGS.iter().find_map(|(begin, tag)| Some((line.strip_prefix(*begin)?, *tag)))?;
            Some((*number, under_tag(tag, digest.trim_ascii(), Some(name.trim_ascii()))?))
        };
        let (numbers, found): (Vec<usize>, Vec<Parsed>) = stanza.iter().filter_map(digest).unzip();
        let number = numbers.first().copied().unwrap_or(0);
        document.entries.extend(strongest(found).into_iter().map(|parsed| (number, parsed)));
    }
    (!document.entries.is_empty()).then_some(document)
}

/// Cargo.lock: the checksum of a package is the SHA-256 of `NAME-VERSION.crate`.
fn cargo_lock(lines: &[Numbered<'_>]) -> Option<Document> {
    if !lines.iter().any(|(_, line)| *line == b"[[package]]") {
        return None;
    }
    fn value<'a>(line: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
        line.strip_prefix(key)?.strip_prefix(b" = \"")?.strip_suffix(b"\"")
    }
    let mut document = Document::default();
    let (mut name, mut version): (&[u8], &[u8]) = (b"", b"");
    for (number, line) in lines.iter().copied() {
        name = value(line, b"name").unwrap_or(name);
        version = value(line, b"version").unwrap_or(version);
        if let Some(digest) = value(line, b"checksum") {
            let file = [name, b"-", version, b".crate"].concat();
            match under_tag("sha256", digest, Some(&file)) {
                Some(parsed) => document.entries.push((number, parsed)),
                None => document.malformed.push(number),
            }
        }
    }
    Some(document)
}

/// go.sum: its digests are for modules, not for files.
fn go_sum(lines: &[Numbered<'_>]) -> Option<Document> {
    let is_module = |line: &[u8]| {
        let fields: Vec<&[u8]> = line.split(|b| *b == b' ').collect();
        fields.len() == 3 && fields[1].starts_with(b"v") && fields[2].starts_with(b"h1:")
    };
    let all = filled(lines).next().is_some() && filled(lines).all(|(_, line)| is_module(line));
    all.then(|| refused("go.sum (print a module's hash with --go-h1)", lines))
}

/// AIDE's database.
fn aide(lines: &[Numbered<'_>]) -> Option<Document> {
    let (_, first) = filled(lines).find(|(_, line)| !line.starts_with(b"#"))?;
    first.starts_with(b"@@begin_db").then(|| refused("AIDE's database", lines))
}

/// A document in which nothing can be checked.
fn refused(kind: &str, lines: &[Numbered<'_>]) -> Document {
    Document {
        malformed: filled(lines).map(|(number, _)| number).collect(),
        unsupported: vec![kind.to_owned()],
        ..Document::default()
    }
}

/// A document that consists of one JSON text: an array or object from PowerShell, npm's `pack --json` or
/// package-lock.json, or an OCI manifest or index.
fn json(lines: &[Numbered<'_>]) -> Option<Document> {
    let (number, first) = filled(lines).next()?;
    if !(first.trim_ascii().starts_with(b"{") || first.trim_ascii().starts_with(b"[")) {
        return None;
    }
    let text = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(&b'\n');
    let json: Json = serde_json::from_slice(&text).ok()?;
    // This is a line of `sum --json`, not a document.
    if json.get("algorithm").is_some() && json.get("digest").is_some() {
        return None;
    }
    let mut document = Document::default();
    let mut elsewhere = 0_usize;
    let mut open = vec![&json];
    while let Some(value) = open.pop() {
        match value {
            Json::Array(values) => open.extend(values.iter().rev()),
            Json::Object(object) => {
                let text = |key: &str| object.get(key).and_then(Json::as_str);
                let parsed = match (
                    text("Algorithm"),
                    text("Hash"),
                    text("Path"),
                    text("integrity"),
                    text("digest"),
                ) {
                    (algorithm, Some(hash), Some(path), ..) => {
                        file_hash(algorithm.map(str::as_bytes), hash.as_bytes(), path.as_bytes())
                    }
                    (_, _, _, Some(integrity), _) => {
                        let file = text("filename").or_else(|| text("resolved")?.strip_prefix("file:"));
                        elsewhere += usize::from(file.is_none());
                        file.and_then(|file| sri(integrity, file.as_bytes()))
                    }
                    // The blobs of an OCI image layout are named after their digests.
                    (.., Some(digest)) if object.contains_key("mediaType") => {
                        let blob = digest.split_once(':').map(|(tag, hex)| format!("blobs/{tag}/{hex}"));
                        blob.and_then(|blob| {
                            crate::lines::prefixed_value(digest.as_bytes(), Some(blob.as_bytes()))
                        })
                    }
                    _ => None,
                };
                document.entries.extend(parsed.map(|parsed| (number, parsed)));
                open.extend(object.values());
            }
            _ => {}
        }
    }
    if elsewhere > 0 {
        document
            .unsupported
            .push(format!("checking integrity values without a local file (found: {elsewhere})"));
    }
    (!document.entries.is_empty() || elsewhere > 0).then_some(document)
}

/// The strongest value of a subresource integrity string.
fn sri(text: &str, name: &[u8]) -> Option<Parsed> {
    let value = |token: &str| {
        let (tag, digest) = token.split_once('-')?;
        under_tag(tag, digest.split('?').next()?.as_bytes(), Some(name))
    };
    text.split_ascii_whitespace().filter_map(value).max_by_key(|parsed| parsed.digest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::parse;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn names(text: &str) -> Vec<Vec<u8>> {
        let list = parse(text.as_bytes());
        assert!(list.malformed.is_empty() && list.unsupported.is_empty(), "{text}");
        list.entries.into_iter().map(|entry| entry.name.unwrap()).collect()
    }

    /// The program mtree of NetBSD and Debian writes the form `\M-C` for bytes that are not ASCII.
    #[test]
    fn escapes_of_vis() {
        for (text, bytes) in [
            ("\\M-C\\M-<", "\u{fc}".as_bytes()),
            ("\\303\\274", "\u{fc}".as_bytes()),
            ("\\M^A\\M^?", b"\x81\xff"),
            ("\\^A\\^?\\a\\E", b"\x01\x7f\x07\x1b"),
            ("\\#a\\sb\\\\c\\", b"#a b\\c\\"),
            ("\\M\\M", b"MM"),
            ("\\^", b"^"),
        ] {
            assert_eq!(unvis(text.as_bytes()), bytes, "{text}");
        }
    }

    /// `mtree -D` writes the path at the end of each line.
    #[test]
    fn paths_at_the_end() {
        let text = format!(
            "type=dir mode=0755 .\ntype=file sha256={ABC} flags=none ./a=\\\\\ntype=file sha256={ABC} ./d/c\n"
        );
        assert_eq!(names(&text), [b"./a=\\", b"./d/c"]);
    }

    #[test]
    fn directories_of_sources() {
        let md5 = &ABC[..32];
        let stanza = |line: &str| {
            format!(
                "Package: x\nFiles:\n {md5} 3 a\n {md5} 3 b\n{line}Checksums-Sha256:\n {ABC} 3 a\n {ABC} 3 b\n\n"
            )
        };
        let text = stanza("Directory: pool/x\n") + &stanza("Directory: .\n");
        assert_eq!(names(&text), [&b"pool/x/a"[..], b"pool/x/b", b"a", b"b"]);
        assert_eq!(parse(text.replacen(" 3 b", " b", 1).as_bytes()).malformed, [4]);
    }

    /// `Select-Object Hash, Path` removes the algorithm.
    #[test]
    fn columns_of_powershell() {
        let line = "----";
        for text in [
            format!("Hash Path\n{line} {line}\n{ABC} a b\n"),
            format!("Path  Hash\n{line}  {line}\na b   {ABC}\n"),
            format!("Path Algorithm Hash\na b SHA256 {ABC}\n"),
            format!("\"Hash\",\"Path\"\n\"{ABC}\",\"a b\"\n"),
            format!("Hash : {ABC}\nPath : a b\n"),
            format!("{{\"Hash\":\"{ABC}\",\"Path\":\"a b\"}}\n"),
        ] {
            assert_eq!(names(&text), [b"a b"], "{text}");
        }
    }
}
