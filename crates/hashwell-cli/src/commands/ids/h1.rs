//! Go's hash of a directory, `h1:`: SHA-256 of the lines that `sha256sum` would print for its files, sorted by name.
//! This is `HashDir`, `HashZip` and `Hash1` of golang.org/x/mod/sumdb/dirhash.

use super::summary::{Found, Summary};
use crate::system::os::{name_bytes, name_of};
use crate::system::progress::Progress;
use crate::system::report::{Failure, reason};
use data_encoding::{BASE64, HEXLOWER};
use hashwell::Sha256;
use hashwell_checksums::Choice;
use hashwell_git::object::Mode;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use zip::ZipArchive;
use zip::result::ZipError;

/// The prefix to put before each name. If it isn't empty, it ends with a slash.
///
/// Go cleans the names that it builds with a prefix, and doesn't find the file if cleaning changed the prefix. So only
/// directories with a clean prefix have a hash.
pub(super) fn prefix(asked: Option<&OsStr>) -> Result<Vec<u8>, Failure> {
    let asked = &*name_bytes(asked.unwrap_or_default());
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let parts = asked.strip_suffix(b"/").unwrap_or(asked);
    let parts = parts.strip_prefix(b"/").unwrap_or(parts);
    let clean = parts.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."));
    if asked.contains(&b'\n') || !(clean || asked == b"/") {
        let message = "--go-h1-prefix must be a path without newlines, without empty parts, \
            and without the parts '.' and '..'";
        return Err(Failure::Usage(message.to_owned()));
    }
    let slash: &[u8] = if asked.ends_with(b"/") { b"" } else { b"/" };
    Ok([asked, slash].concat())
}

/// The lines of one directory or zip file.
pub(super) struct Lines {
    prefix: Vec<u8>,
    files: Vec<(OsString, Vec<u8>)>,
}

impl Lines {
    pub(super) fn new(prefix: Vec<u8>) -> Self {
        Self { prefix, files: Vec::new() }
    }
}

impl Summary for Lines {
    fn add(&mut self, _mode: Mode, path: &OsStr, digest: Vec<u8>) {
        self.files.push((path.to_owned(), digest));
    }

    fn finish(&mut self, root: &OsStr) -> String {
        let name = |path: &OsString| match Path::new(path).strip_prefix(root) {
            Ok(below) => [&self.prefix, &*name_bytes(below.as_os_str())].concat(),
            // Names in a zip file are used in full.
            Err(_) => name_bytes(path).into_owned(),
        };
        hash1(self.files.drain(..).map(|(path, digest)| (name(&path), digest)).collect())
    }
}

/// Returns `h1:` and the base64 of the SHA-256 of the lines for these names and SHA-256 digests.
fn hash1(mut files: Vec<(Vec<u8>, Vec<u8>)>) -> String {
    files.sort();
    let mut hasher = Sha256::new();
    for (name, digest) in &files {
        hasher.update(HEXLOWER.encode(digest).as_bytes());
        hasher.update(b"  ");
        hasher.update(name);
        hasher.update(b"\n");
    }
    format!("h1:{}", BASE64.encode(&hasher.finalize()))
}

/// The names in a zip file, with the digests of their contents. All other fields of the zip file are ignored.
pub(super) fn archive(path: &OsStr, choice: Choice, progress: &Progress) -> Found {
    progress.begin(path);
    let file = File::open(path).map_err(|error| reason(&error))?;
    let mut archive = ZipArchive::new(BufReader::new(file))
        .map_err(|error| format!("neither a directory nor a zip file: {}", zip_reason(&error)))?;
    if archive.has_duplicate_names() {
        return Err("two files in the zip file have the same name".to_owned());
    }
    let mut buffer = vec![0; 1 << 16];
    let mut digests = Vec::with_capacity(archive.len());
    for i in 0..archive.len() {
        let mut file = archive.by_index(i).map_err(|error| zip_reason(&error))?;
        let name = file.name_raw().to_vec();
        if name.contains(&b'\n') {
            return Err("a name in the zip file has a newline, which Go's h1 hash does not allow".to_owned());
        }
        let path = name_of(name.clone()).filter(|path| *name_bytes(path) == name);
        let path = path.ok_or("a name in the zip file is not valid on this system")?;
        let mut hasher = choice.algorithm.hasher();
        loop {
            let n = file.read(&mut buffer).map_err(|error| reason(&error))?;
            if n == 0 {
                break;
            }
            hasher.update(&buffer[..n]);
            progress.add(n as u64);
        }
        digests.push((path, hasher.digest()));
    }
    Ok(digests)
}

/// Explains an error without requiring knowledge of the zip format.
fn zip_reason(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            "the file is truncated".to_owned()
        }
        ZipError::Io(error) => reason(error),
        ZipError::UnsupportedArchive(_)
        | ZipError::CompressionMethodNotSupported(_)
        | ZipError::InvalidPassword => {
            "an entry is encrypted, or compressed with an unsupported method".to_owned()
        }
        _ => "the central directory is missing or damaged".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_that_go_would_change_are_refused() {
        let of = |asked: &str| prefix(Some(asked.as_ref())).ok();
        for clean in ["m@v1", "a/b@v1.2.3", "/a", ".a/..b"] {
            assert_eq!(of(clean), Some(format!("{clean}/").into_bytes()));
            assert_eq!(of(&format!("{clean}/")), of(clean));
        }
        assert_eq!((of(""), prefix(None).ok(), of("/")), (Some(vec![]), Some(vec![]), Some(b"/".to_vec())));
        for unclean in [".", "..", "a//b", "./a", "a/../b", "a/.", "//", "//a", "a//", "a\nb"] {
            assert_eq!(of(unclean), None, "{unclean:?}");
        }
    }
}
