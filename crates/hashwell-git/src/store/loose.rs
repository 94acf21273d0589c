//! Loose objects: each has its own file, such as `objects/12/34…`.

use super::inflate::Reader;
use super::read::{Damage, Header, Limit, Object, give_back};
use crate::files::reason;
use crate::id::{ObjectHash, ObjectId};
use crate::object::ObjectType;
use crate::regular::Regular;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum length of a header with type and size; git's own limit.
const HEADER_MAX: usize = 32;

const GONE: &str = "it has disappeared: is another program changing the repository?";

/// The loose objects of one folder.
pub(super) struct Loose {
    objects: PathBuf,
    hash: ObjectHash,
}

impl Loose {
    pub(super) fn new(objects: PathBuf, hash: ObjectHash) -> Self {
        Self { objects, hash }
    }

    fn path(&self, id: &ObjectId) -> PathBuf {
        let hex = id.to_string();
        self.objects.join(&hex[..2]).join(&hex[2..])
    }

    pub(super) fn contains(&self, id: &ObjectId) -> bool {
        self.path(id).is_file()
    }

    /// The ids that begin with this byte. They are sorted, so that every run reads them in the same order.
    pub(super) fn ids(&self, first: u8, damage: &mut Vec<Damage>) -> Vec<ObjectId> {
        let first = format!("{first:02x}");
        let path = self.objects.join(&first);
        let files = match std::fs::read_dir(&path) {
            Ok(files) => files,
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    damage.push(Damage { path, why: reason(&error) });
                }
                return Vec::new();
            }
        };
        let mut ids = Vec::new();
        for file in files {
            match file {
                // Files with other names are not objects. Git creates such files while it writes an object.
                Ok(file) => {
                    let hex = file.file_name().to_str().map(|rest| first.clone() + rest);
                    let id = hex.and_then(|hex| ObjectId::of_hex(self.hash, hex.as_bytes()));
                    ids.extend(id);
                }
                Err(error) => {
                    damage.push(Damage { path, why: reason(&error) });
                    break;
                }
            }
        }
        ids.sort_unstable();
        ids
    }
}

/// Reads loose objects, one after the other.
pub(super) struct LooseReader {
    reader: Option<Reader>,
    limit: Limit,
    content: Vec<u8>,
}

impl LooseReader {
    pub(super) fn new(limit: Limit) -> Self {
        Self { reader: None, limit, content: Vec::new() }
    }

    pub(super) fn header(&mut self, loose: &Loose, id: &ObjectId) -> Result<Header, String> {
        self.open(loose, id).map(|(header, ..)| header)
    }

    pub(super) fn object(&mut self, loose: &Loose, id: &ObjectId) -> Result<Object<'_>, String> {
        let (Header { kind, size }, start, end) = self.open(loose, id)?;
        give_back(&mut self.content);
        let reader = self.reader.as_mut().expect("opened above");
        let all = size.saturating_add(start as u64);
        if reader.inflate(0..end, all, &mut self.content)? != end {
            return Err("extra bytes follow its compressed data".to_owned());
        }
        Ok(Object { kind, content: &self.content[start..] })
    }

    /// Reads the header. Returns it with its length and the length of the file.
    fn open(&mut self, loose: &Loose, id: &ObjectId) -> Result<(Header, usize, u64), String> {
        let file = Regular::open(&loose.path(id)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => GONE.to_owned(),
            _ => reason(&error),
        })?;
        let (end, file) = (file.len(), Arc::new(file));
        let reader = match &mut self.reader {
            Some(reader) => {
                reader.turn_to(file);
                reader
            }
            none => none.insert(Reader::new(file)),
        };
        let mut head = [0; HEADER_MAX];
        let count = reader.prefix(0..end, &mut head)?;
        let (header, start) = parse(&head[..count]).ok_or("it does not begin with its type and size")?;
        self.limit.check(header.size)?;
        Ok((header, start, end))
    }
}

/// Parses a header, for example `blob 12` and a zero byte. Returns the type and the size, and the length of the header.
pub(super) fn parse(head: &[u8]) -> Option<(Header, usize)> {
    let end = head.iter().position(|byte| *byte == 0)?;
    let (kind, size) = std::str::from_utf8(&head[..end]).ok()?.split_once(' ')?;
    let kind = ObjectType::of_name(kind)?;
    let is_decimal =
        size.bytes().all(|byte| byte.is_ascii_digit()) && (size == "0" || !size.starts_with('0'));
    let size = size.parse().ok().filter(|_| is_decimal)?;
    Some((Header { kind, size }, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        let of = |head: &[u8]| parse(head).map(|(Header { kind, size }, start)| (kind, size, start));
        assert_eq!(of(b"blob 12\0rest"), Some((ObjectType::Blob, 12, 8)));
        assert_eq!(of(b"tree 0\0"), Some((ObjectType::Tree, 0, 7)));
        assert_eq!(of(b"tag 18446744073709551615\0"), Some((ObjectType::Tag, u64::MAX, 25)));
        for wrong in [
            &b""[..],
            b"blob 12",
            b"blob\0",
            b"blob \0",
            b"blob 012\0",
            b"blob +1\0",
            b"blob -1\0",
            b"blob 1 \0",
            b"blob  1\0",
            b"bl\0b 1\0",
            b"blub 1\0",
            b"tag 18446744073709551616\0",
            b"\xff 1\0",
        ] {
            assert_eq!(of(wrong), None, "{}", wrong.escape_ascii());
        }
    }
}
