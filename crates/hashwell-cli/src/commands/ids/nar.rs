//! The hash of a file or directory in Nix: the digest of its NAR serialization ("Nix Archive", Eelco Dolstra's thesis,
//! figure 5.2).
//!
//! ```text
//! archive   = string("nix-archive-1") node
//! node      = "(" "type" "regular" ["executable" ""] "contents" BYTES ")"
//!           | "(" "type" "symlink" "target" TARGET ")"
//!           | "(" "type" "directory" { "entry" "(" "name" NAME "node" node ")" } ")"
//! string(s) = the length of s (8 bytes, little-endian), s, and zeros up to a multiple of 8 bytes
//! ```
//!
//! The archive is hashed while it is made, so memory does not depend on the sizes of files. The open directories are in
//! a list and not on the stack, so that a deep tree does not overflow it.

use super::Take;
use crate::inputs::reading::{Help, Unreadable, is_stdin, try_read_file};
use crate::inputs::walk::{Child, children};
use crate::options::args::{NarFormat, SumOptions};
use crate::system::os::{has_mode, name_bytes};
use crate::system::parallel;
use crate::system::progress::Progress;
use crate::system::report::{Failure, complain_of, reason};
use data_encoding::{BASE64, HEXLOWER};
use hashwell::Hasher;
use hashwell_checksums::Choice;
use hashwell_checksums::encodings::to_nix_base32;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

/// Computes the hash of each name.
pub(super) fn compute(
    options: &SumOptions,
    choice: Choice,
    names: &[OsString],
    take: &mut Take<'_>,
) -> Result<(), Failure> {
    let format = options.nar_format.unwrap_or(NarFormat::Sri);
    let jobs = parallel::jobs(options.jobs, names.len())?;
    let progress = Progress::of_files(None, names.len());
    let work = |name: &OsString| {
        progress.begin(name);
        Archive::of(name, choice.algorithm.hasher(), &progress)
    };
    parallel::in_order(names, jobs, work, |name, found| {
        progress.suspend(|| match found {
            Ok(digest) => take(name, Some(format.write(choice, &digest))),
            Err(refused) => {
                refused.iter().for_each(|(path, reason)| complain_of(path, reason));
                take(name, None)
            }
        })
    })
}

impl NarFormat {
    /// Returns the digest as Nix writes it.
    fn write(self, choice: Choice, digest: &[u8]) -> String {
        match self {
            NarFormat::Sri => format!("{}-{}", choice.algorithm.name, BASE64.encode(digest)),
            NarFormat::Nix32 => to_nix_base32(digest),
            NarFormat::Base16 => HEXLOWER.encode(digest),
            NarFormat::Base64 => BASE64.encode(digest),
        }
    }
}

/// The entries that have no serialization, with the reasons.
type Refused = Vec<(OsString, String)>;

/// An archive in progress, of which only the hash is kept.
struct Archive<'a> {
    hasher: Hasher,
    /// The open directories, the innermost last.
    open: Vec<Directory>,
    refused: Refused,
    progress: &'a Progress,
}

/// A directory with the children that are not in the archive yet, in byte order.
struct Directory {
    path: PathBuf,
    children: IntoIter<Child>,
}

impl<'a> Archive<'a> {
    /// Returns the digest of the archive of a file, a link or a directory.
    fn of(name: &OsStr, hasher: Hasher, progress: &'a Progress) -> Result<Vec<u8>, Refused> {
        let mut archive = Self { hasher, open: Vec::new(), refused: Vec::new(), progress };
        archive.strings(&[b"nix-archive-1"]);
        archive.node(PathBuf::from(name));
        while let Some(directory) = archive.open.last_mut() {
            match directory.children.next() {
                Some(child) => {
                    let path = directory.path.join(&child.name);
                    archive.strings(&[b"entry", b"(", b"name", &name_bytes(&child.name), b"node"]);
                    archive.node(path);
                }
                None => {
                    archive.open.pop();
                    archive.end_node();
                }
            }
        }
        if archive.refused.is_empty() { Ok(archive.hasher.digest()) } else { Err(archive.refused) }
    }

    /// Adds a file or a link, or opens a directory.
    fn node(&mut self, path: PathBuf) {
        self.strings(&[b"(", b"type"]);
        let added = match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => match children(path.as_os_str()) {
                Ok(children) => {
                    self.strings(&[b"directory"]);
                    self.open.push(Directory { path, children: children.into_iter() });
                    return;
                }
                Err(error) => Err(reason(&error)),
            },
            Ok(metadata) if metadata.is_symlink() => self.link(&path).map_err(|error| reason(&error)),
            Ok(metadata) if metadata.is_file() => {
                self.file(&path, &metadata).map_err(|error| error.reason().to_owned())
            }
            Ok(_) => Err("not a file, directory or link, and a NAR can't contain anything else".to_owned()),
            Err(error) => Err(reason(&error)),
        };
        if let Err(reason) = added {
            self.refused.push((path.into_os_string(), reason));
        }
        self.end_node();
    }

    /// Ends a node and, if it is in a directory, its entry.
    fn end_node(&mut self) {
        self.strings(&[b")"]);
        if !self.open.is_empty() {
            self.strings(&[b")"]);
        }
    }

    fn link(&mut self, path: &Path) -> io::Result<()> {
        let target = fs::read_link(path)?;
        self.strings(&[b"symlink", b"target", &name_bytes(target.as_os_str())]);
        Ok(())
    }

    fn file(&mut self, path: &Path, metadata: &Metadata) -> Result<(), Unreadable> {
        let size = metadata.len();
        self.strings(&[b"regular"]);
        // Nix checks whether the owner may execute the file.
        if has_mode(metadata, 0o100) {
            self.strings(&[b"executable", b""]);
        }
        self.strings(&[b"contents"]);
        self.hasher.update(&size.to_le_bytes());
        // A file named "-" is not standard input.
        let path = if is_stdin(path.as_os_str()) { Path::new(".").join(path) } else { path.to_owned() };
        let Self { hasher, progress, .. } = self;
        let mut read = 0_u64;
        let changed = || io::Error::other(Unreadable::Changed.reason());
        try_read_file(&path.into_os_string(), Help::None, |bytes| {
            read += bytes.len() as u64;
            // Stop at the expected size, because a file may grow faster than it is read.
            if read > size {
                return Err(changed());
            }
            hasher.update(bytes);
            progress.add(bytes.len() as u64);
            Ok(())
        })?;
        if read != size {
            return Err(Unreadable::Changed);
        }
        self.pad(size);
        Ok(())
    }

    fn strings(&mut self, strings: &[&[u8]]) {
        for string in strings {
            self.hasher.update(&(string.len() as u64).to_le_bytes());
            self.hasher.update(string);
            self.pad(string.len() as u64);
        }
    }

    /// Pads the last string.
    fn pad(&mut self, len: u64) {
        self.hasher.update(&[0; 8][..(len.wrapping_neg() % 8) as usize]);
    }
}
