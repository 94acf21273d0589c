//! What differs between operating systems: names as bytes, places in files, which file is which, modes, and handles of
//! the standard streams. All else is written once.
//!
//! The parts for Windows were compiled and tried under wine, this file by itself.

use std::fs::File;
use std::io;

#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// What tells a file or directory from all others, whatever it is called: on Unix device and inode, on Windows the
/// volume's serial number and the file's index.
pub(crate) type Identity = (u64, u64);

/// Fills `out` with the bytes from `at` on, and leaves out what the file does not have; returns how many there were.
pub(crate) fn fill(file: &File, at: u64, out: &mut [u8]) -> io::Result<usize> {
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
mod unix {
    use super::Identity;
    use std::borrow::Cow;
    use std::ffi::{OsStr, OsString};
    use std::fs::{File, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::Path;

    /// The bytes of a name, as lists and identifiers have them.
    pub(crate) fn name_bytes(name: &OsStr) -> Cow<'_, [u8]> {
        name.as_bytes().into()
    }

    /// The name that these bytes are; none if this system has no such name.
    pub(crate) fn name_of(bytes: Vec<u8>) -> Option<OsString> {
        Some(OsString::from_vec(bytes))
    }

    /// The bytes of a text that the user gave, in the memory that it had.
    ///
    /// # Errors
    /// In words, if the text is none.
    pub(crate) fn text_bytes(text: OsString) -> Result<Vec<u8>, &'static str> {
        Ok(text.into_vec())
    }

    /// Reads from a place in a file.
    pub(super) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
        file.read_at(out, at)
    }

    /// Opens for reading without waiting for anybody at a pipe's other end.
    pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)
    }

    /// What tells the file at `path`, whose metadata these are, from all others.
    pub(crate) fn identity(_path: &Path, metadata: &Metadata) -> io::Result<Identity> {
        Ok((metadata.dev(), metadata.ino()))
    }

    /// The same of the regular file that standard output goes to, if it does.
    pub(crate) fn identity_of_output() -> Option<Identity> {
        let metadata = copy_of(&io::stdout()).ok()?.metadata().ok()?;
        metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
    }

    /// Whether a file has one of these permissions, as Unix numbers them.
    pub(crate) fn has_mode(metadata: &Metadata, bits: u32) -> bool {
        metadata.mode() & bits != 0
    }

    /// Gives the umask the say about who may use a file, as for any new one; temporary files are the owner's alone.
    pub(crate) fn for_everybody<'a, 'b, 'c>(
        file: &'c mut tempfile::Builder<'a, 'b>,
    ) -> &'c mut tempfile::Builder<'a, 'b> {
        file.permissions(Permissions::from_mode(0o666))
    }

    /// A copy of a standard stream's descriptor.
    pub(crate) fn copy_of(stream: &impl AsFd) -> io::Result<File> {
        Ok(stream.as_fd().try_clone_to_owned()?.into())
    }

    /// Why nothing goes through a stream that was closed.
    pub(crate) fn closed() -> io::Error {
        io::Error::from_raw_os_error(libc::EBADF)
    }
}

#[cfg(windows)]
mod windows {
    use super::Identity;
    use std::borrow::Cow;
    use std::ffi::{OsStr, OsString};
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::windows::fs::FileExt;
    use std::os::windows::io::AsHandle;
    use std::path::Path;
    use winapi_util::file::{information, typ};
    use winapi_util::{AsHandleRef, Handle};

    /// The bytes of a name, as lists and identifiers have them: UTF-8, with slashes. What is not Unicode in a name (half of
    /// a surrogate pair) is replaced, so that such a file can be listed and not found again.
    pub(crate) fn name_bytes(name: &OsStr) -> Cow<'_, [u8]> {
        name.to_string_lossy().replace('\\', "/").into_bytes().into()
    }

    /// The name that these bytes are; none if this system has no such name.
    pub(crate) fn name_of(bytes: Vec<u8>) -> Option<OsString> {
        String::from_utf8(bytes).ok().map(OsString::from)
    }

    /// The bytes of a text that the user gave, in the memory that it had.
    ///
    /// # Errors
    /// In words, if the text is none.
    pub(crate) fn text_bytes(text: OsString) -> Result<Vec<u8>, &'static str> {
        text.into_string().map(String::into_bytes).map_err(|_| "not Unicode")
    }

    /// Reads from a place in a file; where the next read without one begins changes, too.
    pub(super) fn read_at(file: &File, out: &mut [u8], at: u64) -> io::Result<usize> {
        // A pipe would ignore the place.
        if !typ(file)?.is_disk() {
            return Err(io::ErrorKind::NotSeekable.into());
        }
        file.seek_read(out, at)
    }

    /// Opens for reading without waiting for anybody.
    pub(crate) fn open_at_once(path: &Path) -> io::Result<File> {
        File::open(path)
    }

    fn identity_of(handle: impl AsHandleRef) -> io::Result<Identity> {
        information(handle).map(|found| (found.volume_serial_number(), found.file_index()))
    }

    /// What tells the file at `path`, whose metadata these are, from all others.
    pub(crate) fn identity(path: &Path, _metadata: &Metadata) -> io::Result<Identity> {
        identity_of(Handle::from_path_any(path)?)
    }

    /// The same of the regular file that standard output goes to, if it does.
    pub(crate) fn identity_of_output() -> Option<Identity> {
        let output = copy_of(&io::stdout()).ok()?;
        let is_file = typ(&output).ok()?.is_disk() && output.metadata().ok()?.is_file();
        is_file.then(|| identity_of(&output).ok()).flatten()
    }

    /// Whether a file has one of these permissions: files here have none of Unix's, and git takes them for ordinary ones.
    pub(crate) fn has_mode(_metadata: &Metadata, _bits: u32) -> bool {
        false
    }

    /// What a new file may be used for follows from its folder.
    pub(crate) fn for_everybody<'a, 'b, 'c>(
        file: &'c mut tempfile::Builder<'a, 'b>,
    ) -> &'c mut tempfile::Builder<'a, 'b> {
        file
    }

    /// A copy of a standard stream's handle.
    pub(crate) fn copy_of(stream: &impl AsHandle) -> io::Result<File> {
        Ok(stream.as_handle().try_clone_to_owned()?.into())
    }

    /// Why nothing goes through a stream that was closed.
    pub(crate) fn closed() -> io::Error {
        io::ErrorKind::BrokenPipe.into()
    }
}
