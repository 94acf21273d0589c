//! BLAKE3 trees and lists of KT128 chunk values that are stored next to files, for `sum --outboard`, `--locate` and
//! `--slice`.

use crate::inputs::reading::read_named;
use crate::system::report::{Failure, printable, reason};
use hashwell::{ChunkList, Error, Outboard};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum size in bytes of a tree, which must fit into memory. This is enough for 1 TiB in groups of 16 KiB.
pub(crate) const MOST: u64 = 4 << 30;

/// The kind of a file that is stored next to a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Blake3Tree,
    Kt128List,
}

impl Kind {
    /// The kind of file for the algorithms that `-a` names.
    pub(crate) fn of(algorithms: &[String], task: &str) -> Result<Self, Failure> {
        match algorithms {
            [] => Ok(Self::Blake3Tree),
            [name] if name == "blake3" => Ok(Self::Blake3Tree),
            [name] if name == "kt128" => Ok(Self::Kt128List),
            [name] => Err(Failure::Usage(format!("{task} supports only blake3 and kt128, not {name}"))),
            _ => Err(Failure::Usage(format!("{task} requires one algorithm, not {}", algorithms.len()))),
        }
    }

    pub(crate) fn algorithm(self) -> &'static str {
        match self {
            Self::Blake3Tree => "blake3",
            Self::Kt128List => "kt128",
        }
    }

    /// The name in messages.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Blake3Tree => "tree",
            Self::Kt128List => "list",
        }
    }

    /// The name of the file with the tree or list of a file.
    pub(crate) fn place(self, name: &OsStr) -> PathBuf {
        let mut place = name.to_owned();
        place.push(match self {
            Self::Blake3Tree => ".obao",
            Self::Kt128List => ".hwcl",
        });
        place.into()
    }
}

pub(crate) fn of(error: Error) -> Failure {
    Failure::Work(error.to_string())
}

/// A failure that names the file.
pub(crate) fn about(name: &OsStr, text: &dyn std::fmt::Display) -> Failure {
    Failure::Work(format!("{}: {text}", printable(name)))
}

/// Returns the size of a regular file. Other files are rejected before they are opened, because opening a pipe can
/// block forever.
pub(crate) fn size(name: &OsStr) -> Result<u64, Failure> {
    let found = fs::metadata(name).map_err(|error| about(name, &reason(&error)))?;
    match found {
        found if found.is_file() => Ok(found.len()),
        found if found.is_dir() => Err(about(name, &reason(&io::ErrorKind::IsADirectory.into()))),
        _ => Err(about(name, &"not a regular file, so it may not be possible to read it again")),
    }
}

/// The group size that `--group` sets.
pub(crate) fn group(given: Option<u64>) -> usize {
    given.map_or(Outboard::DEFAULT_GROUP, |group| usize::try_from(group).unwrap_or(usize::MAX))
}

/// Returns true if both are names of one existing file.
pub(crate) fn is_same(name: &OsStr, place: &Path) -> bool {
    let same = |other: PathBuf| fs::canonicalize(name).is_ok_and(|name| name == other);
    fs::canonicalize(place).is_ok_and(same)
}

/// Reads the tree at `place`.
pub(crate) fn tree(place: &Path) -> Result<Outboard, Failure> {
    let name = place.as_os_str().to_owned();
    tree_size(place, Kind::Blake3Tree)?;
    let bytes = read_named(&name, MOST)?;
    Outboard::from_bytes(&bytes)
        .map_err(|error| no_tree(place, bytes.len() as u64, bytes.first_chunk(), &error))
}

/// Reads the list at `place`.
pub(crate) fn list(place: &Path) -> Result<ChunkList, Failure> {
    let name = place.as_os_str().to_owned();
    tree_size(place, Kind::Kt128List)?;
    let bytes = read_named(&name, MOST)?;
    ChunkList::from_bytes(&bytes).map_err(|error| match error {
        Error::BadState { what } => about(&name, &format!("damaged or truncated: {what}")),
        error => about(&name, &error),
    })
}

/// Returns the size of the tree or list at `place`.
pub(crate) fn tree_size(place: &Path, kind: Kind) -> Result<u64, Failure> {
    size(place.as_os_str()).map_err(|failure| match failure {
        Failure::Work(text) => Failure::Work(format!("{text} (--outboard writes the {})", kind.word())),
        other => other,
    })
}

/// The failure for a file of this size and with these first bytes that is not a tree.
pub(crate) fn no_tree(place: &Path, size: u64, first: Option<&[u8; 8]>, error: &Error) -> Failure {
    let name = place.as_os_str();
    match error {
        Error::BadState { .. } => {
            let claim = first.map(|len| u64::from_le_bytes(*len));
            let claim = claim.map_or_else(String::new, |len| format!(" of a file of {len} bytes"));
            about(name, &format!("damaged or truncated: a tree{claim} can't have {size} bytes"))
        }
        error => about(name, error),
    }
}
