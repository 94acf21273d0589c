//! What is made of the files below a name: one identifier.

use hashwell_git::object::Mode;
use std::ffi::{OsStr, OsString};

/// Makes one identifier of what is found below a name.
pub(super) trait Summary {
    /// A directory begins.
    fn enter(&mut self) {}
    /// A file, a link or a repository, with its digest.
    fn add(&mut self, mode: Mode, path: &OsStr, digest: Vec<u8>);
    /// The directory ends.
    fn leave(&mut self, _path: &OsStr) {}
    /// The identifier of `root`, and back to the beginning.
    fn finish(&mut self, root: &OsStr) -> String;
}

/// What was found in a file: digests with their paths, several for an archive, or why there is none.
pub(super) type Found = Result<Vec<(OsString, Vec<u8>)>, String>;
