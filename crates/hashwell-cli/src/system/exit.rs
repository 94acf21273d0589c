//! Exit codes.

/// All work was done, and no problem was found.
pub(crate) const SUCCESS: u8 = 0;
/// A file could not be read, a checksum is wrong, or output could not be written.
pub(crate) const FAILURE: u8 = 1;
/// The command line is invalid.
pub(crate) const USAGE: u8 = 2;
/// `timing-test` is inconclusive.
pub(crate) const INCONCLUSIVE: u8 = 3;
/// For `verify`: everything that was checked agrees, but not everything was checked.
pub(crate) const PARTIAL: u8 = 3;
/// For `sum -c`: files were edited after they were listed, and nothing else is wrong.
pub(crate) const EDITED: u8 = 4;
/// For `sum -c` and `sum --update`: a file's bytes differ, but its size and time of modification are the recorded ones.
pub(crate) const ROTTEN: u8 = 5;
/// For `sum -c`: a file changed so soon after it was listed that an edit can't be told from bit rot.
pub(crate) const UNCERTAIN: u8 = 6;
/// For `sum --locate`: the tree of a file is damaged, but the file is not.
pub(crate) const ONLY_TREE: u8 = 7;
/// A closed pipe ended the process. This is the exit code that shells report.
pub(crate) const BROKEN_PIPE: u8 = 141;
