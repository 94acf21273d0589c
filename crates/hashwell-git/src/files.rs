//! File names as bytes, reads at an offset, and error messages of the operating system.

use std::fs::File;
use std::io;

#[cfg(unix)]
pub(crate) use unix::open_at_once;
#[cfg(unix)]
pub use unix::{name_bytes, name_of};
#[cfg(windows)]
pub(crate) use windows::open_at_once;
#[cfg(windows)]
pub use windows::{name_bytes, name_of};

/// Fills `out` with the bytes of a file from offset `at` on, and returns the number of bytes read. This is less than
/// the length of `out` only if the file ends earlier.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn fill(file: &File, at: u64, out: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < out.len() {
        match read_at(file, &mut out[len..], at + len as u64) {
            Ok(0) => break,
            Ok(n) => len += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

#[cfg(unix)]
use unix::read_at;
#[cfg(windows)]
use windows::read_at;

/// The operating system's message, without Rust's "(os error 2)".
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

#[cfg(unix)]
mod unix {
    use std::borrow::Cow;
    use std::ffi::{OsStr, OsString};
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::os::unix::fs::{FileExt, OpenOptionsExt};
    use std::path::Path;

    /// The bytes of a file name.
    #[must_use]
    pub fn name_bytes(name: &OsStr) -> Cow<'_, [u8]> {
        name.as_bytes().into()
    }

    /// The file name that consists of these bytes. `None` if the system has no such name.
    #[must_use]
    pub fn name_of(bytes: Vec<u8>) -> Option<OsString> {
        Some(OsString::from_vec(bytes))
    }

    pub(super) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
        file.read_at(out, at)
    }

    /// Opens a file for reading. If it is a pipe, this does not wait for a writer.
    pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
    }
}

#[cfg(windows)]
mod windows {
    use std::borrow::Cow;
    use std::ffi::{OsStr, OsString};
    use std::fs::File;
    use std::io;
    use std::os::windows::fs::FileExt;
    use std::path::Path;
    use winapi_util::file::typ;

    /// The bytes of a file name: UTF-8, with slashes. Invalid Unicode in a name (half of a surrogate pair) is replaced,
    /// so such a file can be listed, but cannot be opened again by these bytes.
    #[must_use]
    pub fn name_bytes(name: &OsStr) -> Cow<'_, [u8]> {
        name.to_string_lossy().replace('\\', "/").into_bytes().into()
    }

    /// The file name that consists of these bytes. `None` if the system has no such name.
    #[must_use]
    pub fn name_of(bytes: Vec<u8>) -> Option<OsString> {
        String::from_utf8(bytes).ok().map(OsString::from)
    }

    /// Reads at an offset. On this system, this also moves the position of the file.
    pub(super) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
        // A pipe would ignore the offset.
        if !typ(file)?.is_disk() {
            return Err(io::ErrorKind::NotSeekable.into());
        }
        file.seek_read(out, at)
    }

    pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
        File::open(path)
    }
}
