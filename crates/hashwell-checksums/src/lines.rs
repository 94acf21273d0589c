//! Reads lines of other tools, in shapes that `sum` and similar tools do not write.

use crate::encodings::{base32, base64, hex, hex_in_groups, hex_with_colons, multihash, nix_base32};
use crate::legacy::Legacy;
use crate::method::LONGEST_NAME;
use crate::method::Method;
use crate::parsed::{Parsed, strongest};

/// The minimum length in bytes of a digest before or after a name. A shorter one could be a word.
pub(crate) const SHORTEST: usize = 16;

/// The algorithm that a tag names, for digests of this length. The name of a family is accepted too, such as `SHA2` for
/// 32 bytes.
fn method_of(tag: &str, len: usize) -> Option<Method> {
    let family = || Method::from_tag(&format!("{tag}-{}", 8 * len), len);
    (tag.len() <= LONGEST_NAME).then(|| Method::from_tag(tag, len).or_else(family))?
}

/// The digests that a text with a tag can represent, in any encoding. There are several if several encodings fit.
pub(crate) fn under_tag(tag: &str, text: &[u8], name: Option<&[u8]>) -> Option<Parsed> {
    let readings = [
        hex(text),
        hex_with_colons(text),
        base64(text),
        // A text can be valid in both base32 encodings, because their alphabets have most digits in common.
        base32(text),
        nix_base32(text),
    ];
    let mut fitting = readings.into_iter().flatten().filter(|digest| method_of(tag, digest.len()).is_some());
    let digest = fitting.next()?;
    let method = method_of(tag, digest.len())?;
    let other_digests = fitting.filter(|other| other.len() == digest.len()).collect();
    Some(Parsed { other_digests, ..Parsed::of(method, digest, name) })
}

/// `ALG:DIGEST` or `ALG=DIGEST`, without spaces.
pub(crate) fn prefixed_value(token: &[u8], name: Option<&[u8]>) -> Option<Parsed> {
    let at = token.iter().position(|b| matches!(b, b':' | b'='))?;
    under_tag(str::from_utf8(&token[..at]).ok()?, &token[at + 1..], name)
}

/// The name after a separator: a space or tab, followed by the mark of text or binary mode if there is one.
pub(crate) fn name_after(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"\t"))?;
    let name = rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"*")).unwrap_or(rest);
    (!name.is_empty()).then_some(name)
}

/// The first word of a line, and the rest with the separator.
fn first_word(line: &[u8]) -> (&[u8], &[u8]) {
    line.split_at(line.iter().position(|b| matches!(b, b' ' | b'\t')).unwrap_or(line.len()))
}

/// `sha256:HEX  NAME`, the digest format of Docker, OCI, pip and GitHub. If there is no name, the digest belongs to the
/// file after which the list is named.
pub(crate) fn prefixed(line: &[u8]) -> Option<Parsed> {
    let (word, rest) = first_word(line.strip_prefix(b"--hash=").unwrap_or(line));
    let name = name_after(rest);
    if name.is_none() && !rest.trim_ascii().is_empty() {
        return None;
    }
    prefixed_value(word, name)
}

/// A multihash or a CID of raw bytes, with or without a name after it.
pub(crate) fn multihash_line(line: &[u8]) -> Option<Parsed> {
    let (word, rest) = first_word(line);
    let name = name_after(rest);
    if name.is_none() && !rest.trim_ascii().is_empty() {
        return None;
    }
    let (method, digest) = multihash(word)?;
    Some(Parsed::of(method, digest, name))
}

/// A digest in the base32 of RFC 4648 or of Nix, with the lengths that the usual tools write: 32 digits for SHA-1, 52
/// for SHA-256, and 103 for SHA-512.
pub(crate) fn base32_line(line: &[u8]) -> Option<Parsed> {
    let (word, rest) = first_word(line);
    let name = name_after(rest);
    if !matches!(word.len(), 32 | 52 | 103) || (name.is_none() && !rest.trim_ascii().is_empty()) {
        return None;
    }
    // All digits of a digest have the same case.
    let is_digit = |b: &u8| b.is_ascii_digit() || b.is_ascii_lowercase();
    if !(word.iter().all(is_digit) || word.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())) {
        return None;
    }
    let mut readings = [base32(word), nix_base32(word)].into_iter().flatten();
    let digest = readings.next()?;
    let other_digests = readings.filter(|other| other.len() == digest.len()).collect();
    Some(Parsed { other_digests, ..Parsed::of(None, digest, name) })
}

/// Returns true for digest lengths that the usual algorithms have.
fn is_common(len: usize) -> bool {
    matches!(len, 16 | 20 | 28 | 32 | 48 | 64)
}

/// `NAME DIGEST`, `NAME: DIGEST`, `NAME DIGEST DIGEST …`: the name first, with one or several digests, in hexadecimal
/// or as `ALG:DIGEST`.
pub(crate) fn name_first(line: &[u8]) -> Option<Vec<Parsed>> {
    let mut rest = line.trim_ascii_end();
    let mut found = Vec::new();
    while let Some(at) = rest.iter().rposition(|b| matches!(b, b' ' | b'\t')) {
        let word = &rest[at + 1..];
        let plain = || {
            hex(word).filter(|digest| is_common(digest.len())).map(|digest| Parsed::of(None, digest, None))
        };
        let crc = || hex(word).filter(|digest| digest.len() == 4);
        let parsed =
            plain().or_else(|| prefixed_value(word, None).filter(|parsed| parsed.digest.len() >= SHORTEST));
        match parsed.or_else(|| crc().map(|crc| Parsed::of(Method::Legacy(Legacy::Crc32), crc, None))) {
            Some(parsed) => found.push(parsed),
            None => break,
        }
        rest = rest[..at].trim_ascii_end();
    }
    let name = rest.strip_suffix(b":").unwrap_or(rest);
    // A CRC without a longer digest could be a word.
    let only_crcs = found.iter().all(|parsed| parsed.method == Some(Method::Legacy(Legacy::Crc32)));
    // A name that ends like this is a malformed line of another shape.
    if only_crcs || name.is_empty() || name.ends_with(b"=") || name.ends_with(b")") {
        return None;
    }
    found.reverse();
    found.iter_mut().for_each(|parsed| parsed.name = Some(name.to_vec()));
    Some(without_crcs(found))
}

/// Returns true if a line has the form of [`name_first`], except that some of its columns are digests of algorithms that
/// hashwell does not support: Tiger in hexadecimal, AICH and TTH in base32.
pub(crate) fn has_unsupported_column(line: &[u8]) -> bool {
    let is_base32 = |word: &[u8]| matches!(word.len(), 32 | 39) && base32(word).is_some();
    let is_unsupported = |word: &[u8]| match hex(word) {
        Some(digest) => digest.len() == 24,
        None => is_base32(word),
    };
    let is_digest =
        |word: &[u8]| hex(word).is_some_and(|digest| digest.len() == 4 || is_common(digest.len()));
    let words: Vec<&[u8]> =
        line.split(|b| matches!(b, b' ' | b'\t')).filter(|word| !word.is_empty()).collect();
    let is_column = |word: &&&[u8]| is_digest(word) || is_unsupported(word);
    let columns: Vec<&&[u8]> = words.iter().rev().take_while(is_column).collect();
    columns.len() < words.len()
        && columns.iter().any(|word| word.len() > 8 && is_digest(word))
        && columns.iter().any(|word| is_unsupported(word))
}

/// Removes CRCs if there are also digests.
fn without_crcs(mut all: Vec<Parsed>) -> Vec<Parsed> {
    if all.iter().any(|parsed| parsed.method != Some(Method::Legacy(Legacy::Crc32))) {
        all.retain(|parsed| parsed.method != Some(Method::Legacy(Legacy::Crc32)));
    }
    all
}

/// `gpg --print-md`: `NAME: HEX HEX …`, and `gpg --print-mds`: `NAME:    ALG = HEX HEX …`. Lines that continue another
/// one have been joined with it.
pub(crate) fn gpg(line: &[u8]) -> Option<Parsed> {
    // The digest contains no colon, so the last colon of the line ends the name.
    let at = line.iter().rposition(|b| *b == b':')?;
    let (name, rest) = (&line[..at], line[at + 1..].trim_ascii());
    if name.is_empty() {
        return None;
    }
    let Some(equals) = rest.iter().position(|b| *b == b'=') else {
        return Some(Parsed::of(None, hex_in_groups(rest)?, Some(name)));
    };
    let tag = str::from_utf8(&rest[..equals]).ok()?.trim();
    let digest = hex_in_groups(&rest[equals + 1..])?;
    let tag = if tag == "RMD160" { "RIPEMD160" } else { tag };
    Some(Parsed::of(method_of(tag, digest.len())?, digest, Some(name)))
}

/// Returns true if a line continues one that [`gpg`] reads, because it is indented and consists of groups of digits.
pub(crate) fn continues(above: &[u8], line: &[u8]) -> bool {
    let groups = |text: &[u8]| {
        let mut groups = text.split(|b| *b == b' ').filter(|group| !group.is_empty()).peekable();
        groups.peek().is_some() && groups.all(|group| group.len() <= 16 && hex(group).is_some())
    };
    let tail = || above.iter().rposition(|b| matches!(b, b':' | b'=')).map(|at| &above[at + 1..]);
    line.starts_with(b"  ") && groups(line) && tail().is_some_and(groups)
}

/// The numbers of hash algorithms in OpenPGP (RFC 9580 section 9.5).
const OPENPGP: &[(&[u8], &str)] = &[
    (b"1", "md5"),
    (b"2", "sha1"),
    (b"3", "ripemd160"),
    (b"8", "sha256"),
    (b"9", "sha384"),
    (b"10", "sha512"),
    (b"11", "sha224"),
    (b"12", "sha3-256"),
    (b"14", "sha3-512"),
];

/// `gpg --with-colons --print-md`: `NAME:8:HEX:`, with percent escapes in the name.
pub(crate) fn gpg_with_colons(line: &[u8]) -> Option<Parsed> {
    let line = line.strip_suffix(b":")?;
    let mut fields = line.rsplitn(3, |b| *b == b':');
    let (digest, number, name) = (hex(fields.next()?)?, fields.next()?, fields.next()?);
    let tag = OPENPGP.iter().find(|(known, _)| *known == number)?.1;
    Parsed::of(method_of(tag, digest.len())?, digest, Some(&percent_decoded(name))).named()
}

impl Parsed {
    /// Returns `self`, or `None` if the name is empty.
    fn named(self) -> Option<Self> {
        self.name.as_ref().is_some_and(|name| !name.is_empty()).then_some(self)
    }
}

/// Decodes percent escapes. A percent sign that does not start an escape is kept.
pub(crate) fn percent_decoded(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, more)) = rest.split_first() {
        let byte = (*first == b'%').then(|| more.get(..2).and_then(hex)).flatten();
        decoded.push(byte.as_ref().map_or(*first, |byte| byte[0]));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    decoded
}

/// A name in a BagIt manifest, and an alternative reading. Version 1.0 escapes newline, carriage return and percent
/// sign. Earlier versions only escape the first two, so an escape may also be part of the name.
pub(crate) fn bagit_name(name: &[u8], before_1_0: bool) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut decoded = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((first, more)) = rest.split_first() {
        let byte = match more.get(..2).filter(|_| *first == b'%').map(<[u8]>::to_ascii_uppercase).as_deref() {
            Some(b"0A") => Some(b'\n'),
            Some(b"0D") => Some(b'\r'),
            Some(b"25") if !before_1_0 => Some(b'%'),
            _ => None,
        };
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    (decoded != name).then(|| if before_1_0 { (name.to_vec(), decoded) } else { (decoded, name.to_vec()) })
}

/// A line of a Gentoo Manifest file (GLEP 74): `TYPE PATH SIZE ALG HEX ALG HEX …`.
pub(crate) enum Manifest {
    Entries(Vec<Parsed>),
    /// A line that is not about a file: `IGNORE`, `TIMESTAMP`.
    Nothing,
}

/// Parses a line of a Manifest file.
pub(crate) fn manifest(line: &[u8]) -> Option<Manifest> {
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let (kind, path) = (fields.next()?, fields.next()?);
    let folder: &[u8] = match kind {
        b"DATA" | b"DIST" | b"MANIFEST" | b"MISC" | b"EBUILD" => b"",
        b"AUX" => b"files/",
        b"IGNORE" | b"TIMESTAMP" | b"OPTIONAL" => {
            return fields.next().is_none().then_some(Manifest::Nothing);
        }
        _ => return None,
    };
    fields.next().filter(|size| size.iter().all(u8::is_ascii_digit))?;
    let name = [folder, &gentoo_name(path)?].concat();
    let mut entries = Vec::new();
    while let Some(tag) = fields.next() {
        entries.extend(under_tag(str::from_utf8(tag).ok()?, fields.next()?, Some(&name)));
    }
    (!entries.is_empty()).then(|| Manifest::Entries(strongest(entries)))
}

/// Decodes the escapes of GLEP 74: `\x20`, `\u00e4`, `\U0001f600`.
fn gentoo_name(text: &[u8]) -> Option<Vec<u8>> {
    let mut name = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, more)) = rest.split_first() {
        rest = more;
        if *first != b'\\' {
            name.push(*first);
            continue;
        }
        let (kind, more) = rest.split_first()?;
        let digits = match kind {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => return None,
        };
        let code = u32::from_str_radix(str::from_utf8(more.get(..digits)?).ok()?, 16).ok()?;
        match digits {
            2 => name.push(code as u8),
            _ => name.extend(char::from_u32(code)?.to_string().into_bytes()),
        }
        rest = &more[digits..];
    }
    Some(name)
}

/// The fields of a CSV line (RFC 4180). `None` if a quote is not closed.
pub(crate) fn csv(line: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut fields = vec![Vec::new()];
    let mut bytes = line.iter().peekable();
    let mut quoted = false;
    let mut at_start = true;
    while let Some(byte) = bytes.next() {
        let field = fields.last_mut()?;
        match byte {
            b'"' if quoted && bytes.peek() == Some(&&b'"') => {
                field.push(b'"');
                bytes.next();
            }
            b'"' if quoted || at_start => quoted = !quoted,
            b',' if !quoted => {
                fields.push(Vec::new());
                at_start = true;
                continue;
            }
            _ => field.push(*byte),
        }
        at_start = false;
    }
    (!quoted).then_some(fields)
}

/// A line of RECORD in Python's wheels: `PATH,sha256=BASE64URL,SIZE`. For files without a digest, the last two fields
/// are empty.
pub(crate) fn record(line: &[u8]) -> Option<Option<Parsed>> {
    let fields = csv(line)?;
    let [path, digest, size] = &fields[..] else { return None };
    if path.is_empty() || !size.iter().all(u8::is_ascii_digit) {
        return None;
    }
    if digest.is_empty() && size.is_empty() {
        return Some(None);
    }
    let at = digest.iter().position(|b| *b == b'=')?;
    let tag = str::from_utf8(&digest[..at]).ok()?;
    under_tag(tag, &digest[at + 1..], Some(path)).map(Some)
}

/// A magnet link of RHash, with the name in `dn` and the digests in `xt=urn:ALG:DIGEST`.
pub(crate) fn magnet(line: &[u8]) -> Option<Vec<Parsed>> {
    let query = line.trim_ascii_end().strip_prefix(b"magnet:?")?;
    let fields = || query.split(|b| *b == b'&');
    let name = percent_decoded(fields().find_map(|field| field.strip_prefix(b"dn="))?);
    let digest = |field: &[u8]| {
        let urn = str::from_utf8(field.strip_prefix(b"xt=urn:")?).ok()?;
        let (tag, digest) = urn.rsplit_once(':')?;
        under_tag(tag, digest.as_bytes(), Some(&name))
    };
    let found: Vec<Parsed> = fields().filter_map(digest).collect();
    (!found.is_empty() && !name.is_empty()).then(|| strongest(found))
}

/// The algorithm and name in FSUM's lines for several algorithms: `DIGEST ?ALG*NAME`. `rest` begins after the digest.
pub(crate) fn fsum(rest: &[u8], len: usize) -> Option<(Method, &[u8])> {
    let rest = rest.strip_prefix(b" ?")?;
    let star = rest.iter().position(|b| *b == b'*')?;
    let method = method_of(str::from_utf8(&rest[..star]).ok()?, len)?;
    Some((method, &rest[star + 1..])).filter(|(_, name)| !name.is_empty())
}

/// The kind of a line that looks like a digest and a name, but is not the digest of a file's bytes.
pub(crate) fn refused(line: &[u8]) -> Option<&'static str> {
    let (word, rest) = first_word(line);
    if word.starts_with(b"swh:1:") {
        return Some("a SWHID without the option --swhid");
    }
    if crate::encodings::is_cid_of_node(word) {
        return Some("the CID of a directory, or of a file that is split into blocks");
    }
    hex(word).filter(|digest| digest.len() >= SHORTEST)?;
    if rest.starts_with(b" ^") {
        return Some("shasum -0 (digests of bit strings)");
    }
    // md5deep -p: NAME offset 0-65535
    let range = rest.iter().rposition(|b| *b == b' ').map(|at| rest.split_at(at));
    let (before, range) = range?;
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let mut ends = range[1..].split(|b| *b == b'-');
    let is_range =
        ends.next().is_some_and(is_number) && ends.next().is_some_and(is_number) && ends.next().is_none();
    (is_range && before.ends_with(b" offset")).then_some("a digest of a part of a file (md5deep -p)")
}
