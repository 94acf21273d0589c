//! The table of list formats: names, file names, and whether they can be written. Messages and documents are generated
//! from this table.

use crate::choice::Choice;
use crate::encodings::{to_multihash, to_nix_base32};
use crate::layout::{End, json, line};
use crate::stamp::Stamp;
use data_encoding::{BASE64URL_NOPAD, HEXLOWER, HEXUPPER};

/// A format of checksum lists.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name in messages.
    pub title: &'static str,
    /// An example line, or its beginning.
    pub example: &'static str,
    /// Names or extensions of files that usually have this format.
    pub files: &'static [&'static str],
    /// The writer, if `hashwell sum` can write the format.
    pub writer: Option<Writer>,
}

/// A format that `hashwell sum --format` can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// coreutils: `DIGEST  NAME`.
    Gnu,
    /// BSD and coreutils' `--tag`: `ALG (NAME) = DIGEST`.
    Bsd,
    /// `openssl dgst`: `ALG(NAME)= DIGEST`.
    OpenSsl,
    /// One JSON object per line.
    Json,
    /// `NAME CRC32`.
    Sfv,
    /// A manifest of BagIt 1.0 (RFC 8493): `DIGEST  PATH` with percent escapes.
    BagIt,
    /// The file RECORD of Python wheels: `PATH,ALG=BASE64URL,SIZE`.
    Record,
    /// `Get-FileHash | Export-Csv`.
    PowerShell,
    /// `ALG:DIGEST  NAME`.
    Oci,
    /// A multihash in multibase base16: `f1220DIGEST  NAME`.
    Multihash,
    /// `ALG:BASE32  NAME` with the digest in Nix's base32.
    Nix,
}

/// Every format, in the order in which messages name them.
pub const FORMATS: &[Format] = &[
    Format {
        title: "GNU",
        example: "DIGEST  NAME",
        files: &["SHA256SUMS", ".sha256", ".md5", ".b3"],
        writer: Some(Writer::Gnu),
    },
    Format {
        title: "BSD",
        example: "SHA256 (NAME) = DIGEST",
        files: &["CHECKSUM", "distinfo"],
        writer: Some(Writer::Bsd),
    },
    Format { title: "OpenSSL", example: "SHA2-256(NAME)= DIGEST", files: &[], writer: Some(Writer::OpenSsl) },
    Format {
        title: "JSON lines",
        example: "{\"algorithm\":\"sha256\",\"digest\":\"DIGEST\",\"name\":\"NAME\"}",
        files: &[],
        writer: Some(Writer::Json),
    },
    Format { title: "SFV", example: "NAME CRC32", files: &[".sfv"], writer: Some(Writer::Sfv) },
    Format { title: "cksum and sum", example: "CRC BYTES NAME", files: &[], writer: None },
    Format { title: "hashdeep", example: "%%%% size,md5,sha256,filename", files: &[], writer: None },
    Format { title: "SRI", example: "sha256-BASE64  NAME", files: &[], writer: None },
    Format { title: "ALG:DIGEST", example: "sha256:DIGEST  NAME", files: &[], writer: Some(Writer::Oci) },
    Format { title: "name first", example: "NAME: DIGEST DIGEST", files: &[], writer: None },
    Format { title: "gpg --print-md", example: "NAME: 5891B5B5 22D5DF08 …", files: &[], writer: None },
    Format { title: "certutil", example: "SHA256 hash of NAME:", files: &[], writer: None },
    Format {
        title: "Get-FileHash",
        example: "\"SHA256\",\"DIGEST\",\"NAME\"",
        files: &[".csv"],
        writer: Some(Writer::PowerShell),
    },
    Format { title: "FSUM", example: "DIGEST ?SHA256*NAME", files: &[".md5", ".sha1"], writer: None },
    Format {
        title: "BagIt",
        example: "DIGEST  data/NAME",
        files: &["manifest-sha256.txt"],
        writer: Some(Writer::BagIt),
    },
    Format {
        title: "Debian",
        example: " DIGEST SIZE NAME",
        files: &[".dsc", ".changes", ".buildinfo", "Release", "Packages"],
        writer: None,
    },
    Format { title: "Gentoo", example: "DIST NAME SIZE SHA512 DIGEST", files: &["Manifest"], writer: None },
    Format {
        title: "wheel RECORD",
        example: "NAME,sha256=BASE64URL,SIZE",
        files: &["RECORD"],
        writer: Some(Writer::Record),
    },
    Format {
        title: "mtree",
        example: "./NAME type=file sha256digest=DIGEST",
        files: &[".mtree"],
        writer: None,
    },
    Format { title: "magnet", example: "magnet:?dn=NAME&xt=urn:sha1:BASE32", files: &[], writer: None },
    Format { title: "multihash", example: "f1220DIGEST  NAME", files: &[], writer: Some(Writer::Multihash) },
    Format { title: "Nix", example: "sha256:BASE32  NAME", files: &[], writer: Some(Writer::Nix) },
    Format {
        title: "npm, OCI and Cargo.lock",
        example: "\"integrity\": \"sha512-BASE64\"",
        files: &["package-lock.json", "index.json", "Cargo.lock"],
        writer: None,
    },
];

/// The names of all formats that can be read, for the message about a file that is not a list.
#[must_use]
pub fn titles() -> String {
    FORMATS.iter().map(|format| format.title).collect::<Vec<_>>().join(", ")
}

impl Writer {
    /// Every format that can be written.
    pub const ALL: [Writer; 11] = [
        Writer::Gnu,
        Writer::Bsd,
        Writer::OpenSsl,
        Writer::Json,
        Writer::Sfv,
        Writer::BagIt,
        Writer::Record,
        Writer::PowerShell,
        Writer::Oci,
        Writer::Multihash,
        Writer::Nix,
    ];

    /// The format's name as a value of the option `--format`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Writer::Gnu => "gnu",
            Writer::Bsd => "bsd",
            Writer::OpenSsl => "openssl",
            Writer::Json => "json",
            Writer::Sfv => "sfv",
            Writer::BagIt => "bagit",
            Writer::Record => "record",
            Writer::PowerShell => "powershell",
            Writer::Oci => "oci",
            Writer::Multihash => "multihash",
            Writer::Nix => "nix",
        }
    }

    /// Finds the format with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|writer| writer.name() == name)
    }

    /// The line before the first entry, with its newline, if the format has one.
    #[must_use]
    pub fn header(self) -> Option<&'static str> {
        match self {
            Writer::PowerShell => Some("\"Algorithm\",\"Hash\",\"Path\"\r\n"),
            Writer::Sfv => Some("; Generated by hashwell\n"),
            _ => None,
        }
    }

    /// The character that begins a comment, or `None` if the format has no comments.
    #[must_use]
    pub fn comment(self) -> Option<char> {
        match self {
            Writer::Sfv => Some(';'),
            Writer::BagIt | Writer::Record | Writer::PowerShell => None,
            _ => Some('#'),
        }
    }

    /// Returns true if lines of the format do not name their algorithm.
    #[must_use]
    pub fn is_untagged(self) -> bool {
        matches!(self, Writer::Gnu | Writer::Sfv | Writer::BagIt | Writer::Record)
    }

    /// Checks that the format supports this algorithm and digest length.
    ///
    /// # Errors
    /// If the format does not support them, returns a message with the algorithms that it supports.
    pub fn check(self, choice: Choice) -> Result<(), String> {
        let (name, usual) = (choice.name(), choice.output_len == choice.algorithm.output);
        let refuse = |known: &str| Err(format!("--format {} supports {known}, not {name}", self.name()));
        match self {
            Writer::PowerShell if !(usual && ["sha1", "sha256", "sha384", "sha512"].contains(&&name[..])) => {
                refuse("sha1, sha256, sha384 and sha512")
            }
            Writer::Nix if !(usual && ["sha1", "sha256", "sha512"].contains(&&name[..])) => {
                refuse("sha1, sha256 and sha512")
            }
            Writer::Record
                if !(usual
                    && ["sha224", "sha256", "sha384", "sha512", "sha3-256", "sha3-512"]
                        .contains(&&name[..])) =>
            {
                refuse("sha224, sha256, sha384, sha512, sha3-256 and sha3-512")
            }
            Writer::Oci if !usual => refuse("digests of the usual length"),
            Writer::Multihash if to_multihash(choice, &[]).is_none() => {
                refuse("algorithms with a multihash code")
            }
            _ => Ok(()),
        }
    }

    /// The line for one digest, with its line ending. A JSON line contains no times; [`Style`](crate::write::Style)
    /// adds them. For an SFV line, `digest` must be the CRC-32.
    ///
    /// # Errors
    /// Returns a message if the format cannot represent this name.
    pub fn line(self, choice: Choice, digest: &[u8], name: &[u8], size: u64) -> Result<Vec<u8>, String> {
        let hex = || HEXLOWER.encode(digest);
        let tag = choice.name();
        let has_newline = name.iter().any(|b| matches!(b, b'\n' | b'\r'));
        Ok(match self {
            Writer::Gnu => line(&hex(), "  ", name, "", End::Newline),
            Writer::Json => {
                let stamp = Stamp { size: Some(size), ..Stamp::default() };
                json(choice, [], digest, name, &stamp)
            }
            Writer::Sfv => return sfv(digest, name),
            Writer::Bsd => line(&choice.tag(), " (", name, &format!(") = {}", hex()), End::Newline),
            Writer::OpenSsl if has_newline => return Err(refusal("OpenSSL", "a newline")),
            Writer::OpenSsl => {
                [openssl_name(choice).as_bytes(), b"(", name, b")= ", hex().as_bytes(), b"\n"].concat()
            }
            Writer::BagIt => [hex().as_bytes(), b"  ", &to_bagit_name(name), b"\n"].concat(),
            Writer::Record if has_newline => return Err(refusal("RECORD", "a newline")),
            Writer::Record => {
                let digest = BASE64URL_NOPAD.encode(digest);
                let tag = tag.replace("sha3-", "sha3_");
                [&csv_field(name, false)[..], format!(",{tag}={digest},{size}\n").as_bytes()].concat()
            }
            Writer::PowerShell if has_newline => return Err(refusal("PowerShell CSV", "a newline")),
            Writer::PowerShell => {
                let begin = format!("\"{}\",\"{}\",", tag.to_ascii_uppercase(), HEXUPPER.encode(digest));
                [begin.as_bytes(), &csv_field(name, true), b"\r\n"].concat()
            }
            Writer::Oci => line(&format!("{tag}:{}", hex()), "  ", name, "", End::Newline),
            Writer::Multihash => {
                let bytes = to_multihash(choice, digest).unwrap_or_default();
                line(&format!("f{}", HEXLOWER.encode(&bytes)), "  ", name, "", End::Newline)
            }
            Writer::Nix => line(&format!("{tag}:{}", to_nix_base32(digest)), "  ", name, "", End::Newline),
        })
    }
}

fn refusal(format: &str, what: &str) -> String {
    format!("a name with {what} cannot be written in the {format} format")
}

/// The line for a file in an SFV list.
fn sfv(crc: &[u8], name: &[u8]) -> Result<Vec<u8>, String> {
    if name.iter().any(|b| matches!(b, b'\n' | b'\r')) {
        return Err(refusal("SFV", "a newline"));
    }
    if name.starts_with(b";") {
        return Err(refusal("SFV", "a semicolon at the beginning"));
    }
    if name.trim_ascii().is_empty() {
        return Err("a name of only blanks cannot be written in the SFV format".to_owned());
    }
    Ok([name, b" ", HEXUPPER.encode(crc).as_bytes(), b"\n"].concat())
}

/// The algorithm name that `openssl dgst` of version 3 writes.
fn openssl_name(choice: Choice) -> String {
    let tag = choice.tag();
    match choice.algorithm.name {
        "sha224" | "sha256" | "sha384" | "sha512" | "sha512-224" | "sha512-256" => {
            tag.replacen("SHA", "SHA2-", 1)
        }
        "blake2b-512" | "blake2s-256" if choice.output_len == choice.algorithm.output => {
            format!("{}-{}", tag.to_ascii_uppercase(), 8 * choice.output_len)
        }
        _ => tag,
    }
}

/// Escapes a name as in BagIt 1.0.
#[must_use]
pub fn to_bagit_name(name: &[u8]) -> Vec<u8> {
    let escape = |byte: &u8| match byte {
        b'\n' => b"%0A".to_vec(),
        b'\r' => b"%0D".to_vec(),
        b'%' => b"%25".to_vec(),
        other => vec![*other],
    };
    name.iter().flat_map(escape).collect()
}

/// A CSV field, in quotes if necessary. A field is quoted if it begins or ends with whitespace, because readers may
/// remove it, or if it begins with a comment character, because the field may be at the beginning of the line.
fn csv_field(text: &[u8], always: bool) -> Vec<u8> {
    let is_plain = text.trim_ascii().len() == text.len() && !matches!(text.first(), Some(b'#' | b';' | b'%'));
    if !always && is_plain && !text.iter().any(|b| matches!(b, b',' | b'"')) {
        return text.to_vec();
    }
    let doubled = text.iter().flat_map(|b| if *b == b'"' { vec![b'"', b'"'] } else { vec![*b] });
    [b'"'].into_iter().chain(doubled).chain([b'"']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::read::{self, BagIt, Hints};
    use crate::resolve::Resolver;

    /// Lines in every format can be read again, with any name that the format can represent.
    #[test]
    fn every_writer_is_read() {
        let names: [&[u8]; 16] = [
            b"a.txt",
            b"d/b c",
            b"100%",
            b"a,b",
            b"q\"u",
            b"back\\slash",
            b"new\nline",
            "\u{e4}".as_bytes(),
            b"(x) = y",
            b" *a",
            b"  3 a",
            b"b ",
            b"t\t",
            b";c",
            b"#mtree",
            b"%%%% HASHDEEP-1.0",
        ];
        for writer in Writer::ALL {
            // The tests of `resolve` cover the GNU format, and the checksums of SFV have a different length.
            if matches!(writer, Writer::Gnu | Writer::Sfv) {
                continue;
            }
            let rows =
                hashwell::ALGORITHMS.iter().map(Choice::of).filter(|choice| writer.check(*choice).is_ok());
            for choice in rows {
                let digest: Vec<u8> = (0..choice.output_len).map(|i| (i * 7 + 0xc3) as u8).collect();
                for name in names {
                    let Ok(line) = writer.line(choice, &digest, name, 5) else {
                        assert!(name.contains(&b'\n'), "{writer:?}");
                        continue;
                    };
                    let text = [writer.header().unwrap_or_default().as_bytes(), &line].concat();
                    let hints =
                        Hints { bagit: (writer == Writer::BagIt).then_some(BagIt::V1), ..Hints::default() };
                    let list = read::parse_with(&text, hints);
                    let shown = String::from_utf8_lossy(&text).into_owned();
                    assert_eq!(
                        (list.entries.len(), &list.malformed[..]),
                        (1, &[][..]),
                        "{writer:?}: {shown}"
                    );
                    let entry = list.entries.into_iter().next().unwrap();
                    assert_eq!(entry.name.as_deref(), Some(name), "{writer:?}: {shown}");
                    // The manifest's file name contains the algorithm.
                    let file = format!("manifest-{}.txt", choice.algorithm.name);
                    let file = if writer == Writer::BagIt { &file } else { "list" };
                    let given = [Method::Row(choice)];
                    let given = if writer == Writer::BagIt { &given[..] } else { &[] };
                    let read = Resolver::new(file.as_ref(), given, false).resolve(entry);
                    let is_it = |(method, read): &(Method, Vec<u8>)| {
                        method.row().map(Choice::tag) == Some(choice.tag()) && *read == digest
                    };
                    assert!(read.readings.iter().any(is_it), "{writer:?}: {shown} {:?}", read.readings);
                }
            }
        }
    }
}
