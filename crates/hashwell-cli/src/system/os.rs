//! Differences between operating systems: file identity, modes, files without a name, and the handles of the standard
//! streams. Names as bytes and reads at an offset come from `hashwell-git`, which has the same needs.
//!
//! The code for Windows was compiled and run under wine, for this file only.

pub(crate) use hashwell_git::files::{fill, name_bytes, name_of};

#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;

/// Identifies a file or directory regardless of its name: device and inode on Unix, the volume's serial number and the
/// file's index on Windows.
pub(crate) type Identity = (u64, u64);

#[cfg(unix)]
mod unix {
    use super::Identity;
    use std::ffi::OsString;
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::ops::Range;
    use std::os::fd::AsFd;
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::Path;

    /// The bytes of a text that the user gave, without copying them.
    ///
    /// # Errors
    /// Returns a message if the argument is not text.
    pub(crate) fn text_bytes(text: OsString) -> Result<Vec<u8>, &'static str> {
        Ok(text.into_vec())
    }

    /// Returns the identity of the file at `path`, whose metadata these are.
    pub(crate) fn identity(_path: &Path, metadata: &Metadata) -> io::Result<Identity> {
        Ok((metadata.dev(), metadata.ino()))
    }

    /// Returns the identity of an open file, if it is a regular file.
    pub(crate) fn identity_of_file(file: &File) -> Option<Identity> {
        let metadata = file.metadata().ok()?;
        metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
    }

    /// The change time in nanoseconds since 1970, which users cannot set, and the inode.
    pub(crate) fn change_and_inode(metadata: &Metadata) -> (Option<i128>, Option<u64>) {
        let ctime = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
        (Some(ctime), Some(metadata.ino()))
    }

    /// Returns true if a file has one of these permissions, given as the bits of a Unix mode.
    pub(crate) fn has_mode(metadata: &Metadata, bits: u32) -> bool {
        metadata.mode() & bits != 0
    }

    /// Lets the umask decide who may use a file, as for any new file. By default, temporary files are accessible only
    /// to their owner.
    pub(crate) fn for_everybody<'a, 'b, 'c>(
        file: &'c mut tempfile::Builder<'a, 'b>,
    ) -> &'c mut tempfile::Builder<'a, 'b> {
        file.permissions(Permissions::from_mode(0o666))
    }

    /// Gives a new file the permissions of an old one, and its owner and group as far as the system lets this user set
    /// them. If the group cannot be set, the new file's group gets only the permissions that everyone has.
    ///
    /// # Errors
    /// Returns an error if the permissions cannot be set.
    pub(crate) fn keep_access(file: &File, old: &Metadata) -> io::Result<()> {
        use std::os::unix::fs::fchown;
        let new = file.metadata()?;
        let mut mode = old.mode() & 0o777;
        let is_kept = (new.uid(), new.gid()) == (old.uid(), old.gid())
            || fchown(file, Some(old.uid()), Some(old.gid())).is_ok()
            || new.gid() == old.gid()
            || fchown(file, None, Some(old.gid())).is_ok();
        if !is_kept {
            mode &= 0o707 | (mode & 0o7) << 3;
        }
        if new.mode() & 0o777 != mode {
            file.set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(())
    }

    /// Waits until the names in a folder are on the disk. Not every file system supports this; errors are ignored,
    /// since the files have their names in any case.
    pub(crate) fn sync_folder(folder: &Path) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }

    /// Creates a file without a name in a folder, with the permissions that the umask allows. Returns `None` if the
    /// operating system or the file system does not support that.
    pub(crate) fn nameless_file(folder: &Path) -> Option<File> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{Mode, OFlags};
            let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
            rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = folder;
            None
        }
    }

    /// Gives a file without a name a name that no other file has.
    pub(crate) fn give_name(file: &File, name: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{AtFlags, CWD};
            use std::os::fd::AsRawFd;
            let open = format!("/proc/self/fd/{}", file.as_raw_fd());
            Ok(rustix::fs::linkat(CWD, open, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (file, name);
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// True if the file system stores fewer bytes than the file has.
    pub(crate) fn is_sparse(file: &File) -> bool {
        file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.blocks() < metadata.len() / 512)
    }

    /// The first range at or after an offset that has data. `None` if there is only a hole up to the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file system does not report holes.
    pub(crate) fn next_data(file: &File, at: u64) -> io::Result<Option<Range<u64>>> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{SeekFrom, seek};
            let start = match seek(file, SeekFrom::Data(at)) {
                Ok(start) => start,
                Err(error) if error == rustix::io::Errno::NXIO => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let end = seek(file, SeekFrom::Hole(start))?;
            // Go back to the beginning of the file, where sequential reads start.
            seek(file, SeekFrom::Start(0))?;
            Ok(Some(start..end))
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (file, at);
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Removes a file's pages from the page cache, after writing them, so that the next read comes from the disk.
    ///
    /// # Errors
    /// Returns an error if the system call fails, or does not exist on this system.
    pub(crate) fn drop_cache(file: &File) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{Advice, fadvise, fdatasync};
            fdatasync(file)?;
            Ok(fadvise(file, 0, None, Advice::DontNeed)?)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = file;
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// A copy of a standard stream's descriptor.
    pub(crate) fn copy_of(stream: &impl AsFd) -> io::Result<File> {
        Ok(stream.as_fd().try_clone_to_owned()?.into())
    }

    /// The error for using a stream that was closed.
    pub(crate) fn closed() -> io::Error {
        io::Error::from_raw_os_error(libc::EBADF)
    }
}

#[cfg(windows)]
mod windows {
    use super::Identity;
    use std::ffi::OsString;
    use std::fs::{File, Metadata};
    use std::io;
    use std::ops::Range;
    use std::os::windows::io::AsHandle;
    use std::path::Path;
    use winapi_util::file::{information, typ};
    use winapi_util::{AsHandleRef, Handle};

    /// The bytes of a text that the user gave, without copying them.
    ///
    /// # Errors
    /// Returns a message if the argument is not text.
    pub(crate) fn text_bytes(text: OsString) -> Result<Vec<u8>, &'static str> {
        text.into_string().map(String::into_bytes).map_err(|_| "not valid Unicode")
    }

    fn identity_of(handle: impl AsHandleRef) -> io::Result<Identity> {
        information(handle).map(|found| (found.volume_serial_number(), found.file_index()))
    }

    /// Returns the identity of the file at `path`, whose metadata these are.
    pub(crate) fn identity(path: &Path, _metadata: &Metadata) -> io::Result<Identity> {
        identity_of(Handle::from_path_any(path)?)
    }

    /// Returns the identity of an open file, if it is a regular file.
    pub(crate) fn identity_of_file(file: &File) -> Option<Identity> {
        let is_file = typ(file).ok()?.is_disk() && file.metadata().ok()?.is_file();
        is_file.then(|| identity_of(file).ok()).flatten()
    }

    /// Returns nothing: the metadata on this system have neither a change time nor an inode.
    pub(crate) fn change_and_inode(_metadata: &Metadata) -> (Option<i128>, Option<u64>) {
        (None, None)
    }

    /// Returns false: files on this system have none of Unix's permissions, and git treats them as ordinary files.
    pub(crate) fn has_mode(_metadata: &Metadata, _bits: u32) -> bool {
        false
    }

    /// Does nothing: the permissions of a new file follow from its folder.
    pub(crate) fn for_everybody<'a, 'b, 'c>(
        file: &'c mut tempfile::Builder<'a, 'b>,
    ) -> &'c mut tempfile::Builder<'a, 'b> {
        file
    }

    /// Does nothing: the permissions of a new file follow from its folder.
    pub(crate) fn keep_access(_file: &File, _old: &Metadata) -> io::Result<()> {
        Ok(())
    }

    /// Does nothing: folders cannot be synced by themselves.
    pub(crate) fn sync_folder(_folder: &Path) {}

    /// Returns `None`: files without a name are not supported.
    pub(crate) fn nameless_file(_folder: &Path) -> Option<File> {
        None
    }

    /// Never called, because there are no files without a name.
    pub(crate) fn give_name(_file: &File, _name: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns false: this system does not report holes here.
    pub(crate) fn is_sparse(_file: &File) -> bool {
        false
    }

    /// Returns an error, because this system does not report holes here.
    pub(crate) fn next_data(_file: &File, _at: u64) -> io::Result<Option<Range<u64>>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns an error, because there is no such call.
    pub(crate) fn drop_cache(_file: &File) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// A copy of a standard stream's handle.
    pub(crate) fn copy_of(stream: &impl AsHandle) -> io::Result<File> {
        Ok(stream.as_handle().try_clone_to_owned()?.into())
    }

    /// The error for using a stream that was closed.
    pub(crate) fn closed() -> io::Error {
        io::ErrorKind::BrokenPipe.into()
    }
}
