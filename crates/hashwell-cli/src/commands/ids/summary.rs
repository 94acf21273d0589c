//! Combines the files below a name into one identifier.

use hashwell_git::object::Mode;
use std::ffi::{OsStr, OsString};

/// Computes one identifier from everything that is found below a name.
pub(super) trait Summary {
    /// A directory begins.
    fn enter(&mut self) {}
    /// A file, a link or a repository, with its digest.
    fn add(&mut self, mode: Mode, path: &OsStr, digest: Vec<u8>);
    /// The directory ends.
    fn leave(&mut self, _path: &OsStr) {}
    /// Returns the identifier of `root`, and resets this value for the next name.
    fn finish(&mut self, root: &OsStr) -> String;
}

/// The result for a file: digests with their paths (several for an archive), or the reason why there is none.
pub(super) type Found = Result<Vec<(OsString, Vec<u8>)>, String>;
