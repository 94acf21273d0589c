//! Size, times and inode of files, as lists record them.

use crate::inputs::reading::is_stdin;
use crate::system::os;
use hashwell_checksums::stamp::Stamp;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds since 1970.
pub(crate) fn nanoseconds(time: SystemTime) -> i128 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_nanos() as i128,
        Err(before) => -(before.duration().as_nanos() as i128),
    }
}

/// The stamp of a file with this metadata, without a time of recording.
pub(crate) fn of_metadata(metadata: &Metadata) -> Stamp {
    let (ctime, inode) = os::change_and_inode(metadata);
    Stamp {
        size: Some(metadata.len()),
        mtime: metadata.modified().ok().map(nanoseconds),
        ctime,
        inode,
        recorded: None,
    }
}

/// The stamp of the regular file of this name; `None` for anything else.
pub(crate) fn of_name(name: &OsStr) -> Option<Stamp> {
    if is_stdin(name) {
        return None;
    }
    let metadata = fs::metadata(name).ok().filter(Metadata::is_file)?;
    Some(of_metadata(&metadata))
}

/// The time now.
pub(crate) fn now() -> i128 {
    nanoseconds(SystemTime::now())
}
