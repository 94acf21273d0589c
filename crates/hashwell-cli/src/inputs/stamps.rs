//! Size, times and inode of files, as lists record them.

use crate::inputs::reading::is_stdin;
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
    let (ctime, inode) = of_system(metadata);
    Stamp {
        size: Some(metadata.len()),
        mtime: metadata.modified().ok().map(nanoseconds),
        ctime,
        inode,
        recorded: None,
    }
}

/// The time of change and the inode.
#[cfg(unix)]
pub(crate) fn of_system(metadata: &Metadata) -> (Option<i128>, Option<u64>) {
    use std::os::unix::fs::MetadataExt;
    let ctime = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
    (Some(ctime), Some(metadata.ino()))
}

/// The time of change and the inode: the system has none.
#[cfg(not(unix))]
pub(crate) fn of_system(_metadata: &Metadata) -> (Option<i128>, Option<u64>) {
    (None, None)
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
