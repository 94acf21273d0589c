//! Files that get their name only when they are complete.

use crate::system::os;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile, TempPath};

/// A file that is being written. On Linux it has no name until it is complete, so nothing is left of it if the process
/// ends early. On other systems and on file systems without unnamed files it has a temporary name, which is removed
/// unless the process is killed.
pub(crate) struct Pending {
    file: File,
    name: Option<TempPath>,
    /// The path that the file gets once it is complete.
    place: PathBuf,
}

/// Creates a file in the folder of `path`, which replaces `path` once it is complete. It gets the permissions and the
/// group of the file that it will replace. If `path` is a symbolic link, the file that it points to is replaced.
pub(crate) fn beside(path: &Path) -> io::Result<Pending> {
    let place = if path.is_symlink() { behind_links(path) } else { path.to_owned() };
    let folder = folder_of(&place);
    let (file, name) = match os::nameless_file(folder) {
        Some(file) => (file, None),
        None => {
            let (file, name) = named(folder)?.into_parts();
            (file, Some(name))
        }
    };
    let pending = Pending { file, name, place };
    if let Ok(old) = fs::symlink_metadata(&pending.place)
        && old.is_file()
    {
        os::keep_access(&pending.file, &old)?;
    }
    Ok(pending)
}

/// The absolute path of a file. If it is a symbolic link, this is the file that it points to, even if that does not exist
/// yet: the link itself is never replaced.
pub(crate) fn behind_links(path: &Path) -> PathBuf {
    /// The maximum number of symbolic links that Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for _ in 0..MOST_LINKS {
        if let Ok(path) = fs::canonicalize(&path) {
            return path;
        }
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("/")).join(to);
    }
    path
}

/// The prefix and the suffix of temporary names.
const PREFIX: &str = ".hashwell-";
const SUFFIX: &str = ".tmp";

/// Returns true if this is the path of a temporary file, such as one that a killed process left behind.
pub(crate) fn is_unfinished(path: &OsStr) -> bool {
    let begins = |name: &OsStr| os::name_bytes(name).starts_with(PREFIX.as_bytes());
    os::name_bytes(path).ends_with(SUFFIX.as_bytes()) && Path::new(path).file_name().is_some_and(begins)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn temporary() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    builder
}

fn named(folder: &Path) -> io::Result<NamedTempFile> {
    os::for_everybody(&mut temporary()).tempfile_in(folder)
}

impl Pending {
    /// Gives the file its name, and replaces a file that has this name. The bytes are on the disk before the name is,
    /// so that after a power failure, there is either the old file or the new one.
    pub(crate) fn persist(self) -> io::Result<()> {
        let (name, path) = self.linked()?;
        name.persist(&path).map_err(|error| error.error)?;
        os::sync_folder(folder_of(&path));
        Ok(())
    }

    /// Same as [`Self::persist`], but only if `is_current` returns true right before the file gets its name. If
    /// `is_new`, no file may have this name. Returns false if the file did not get its name, and removes it.
    pub(crate) fn persist_if(self, is_new: bool, is_current: impl Fn() -> bool) -> io::Result<bool> {
        let (name, path) = self.linked()?;
        if !is_current() {
            return Ok(false);
        }
        let renamed = if is_new { name.persist_noclobber(&path) } else { name.persist(&path) };
        match renamed {
            Ok(()) => {}
            Err(error) if is_new && error.error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            // Some file systems support neither hard links nor a rename that fails if the target exists. There, the
            // file is renamed if `is_current` is still true.
            Err(error) if is_new && is_current() => error.path.persist(&path).map_err(|error| error.error)?,
            Err(error) => return Err(error.error),
        }
        os::sync_folder(folder_of(&path));
        Ok(true)
    }

    /// Flushes the file to disk. Returns its temporary name, which is in the right folder, and its path.
    fn linked(self) -> io::Result<(TempPath, PathBuf)> {
        sync(&self.file)?;
        let folder = folder_of(&self.place);
        let name = match self.name {
            Some(name) => name,
            None => {
                // Linking cannot replace a file, so the new file gets a temporary name first and is then renamed.
                let link = |name: &Path| os::give_name(&self.file, name);
                match temporary().make_in(folder, link) {
                    Ok(linked) => linked.into_temp_path(),
                    // Without `/proc`, the system can't give a name to an unnamed file, so the file is copied.
                    Err(_) => copied(&self.file, folder)?,
                }
            }
        };
        Ok((name, self.place))
    }

    /// Gives the file the permissions, and if possible the owner and group, of a file with this metadata.
    pub(crate) fn keep_access(&self, like: &fs::Metadata) -> io::Result<()> {
        os::keep_access(&self.file, like)
    }

    /// Returns true if the file has a temporary name.
    pub(crate) fn is_visible(&self) -> bool {
        self.name.is_some()
    }

    /// Removes the file. Returns an error if that is not possible.
    pub(crate) fn give_up(self) -> io::Result<()> {
        self.name.map_or(Ok(()), TempPath::close)
    }
}

/// Waits until the file's bytes are on the disk, if the file system supports that.
fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => {
            Ok(())
        }
        result => result,
    }
}

/// Copies the file into one that has a name.
fn copied(mut file: &File, folder: &Path) -> io::Result<TempPath> {
    use std::io::{Seek, SeekFrom};
    let mut copy = named(folder)?;
    file.seek(SeekFrom::Start(0))?;
    io::copy(&mut file, &mut copy)?;
    os::keep_access(copy.as_file(), &file.metadata()?)?;
    sync(copy.as_file())?;
    Ok(copy.into_temp_path())
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both methods create the same file, and replace an existing one.
    #[test]
    fn files_get_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let (file, name) = named(folder.path()).unwrap().into_parts();
        for (mut pending, text) in [
            (beside(&path).unwrap(), "one"),
            (beside(&path).unwrap(), "two"),
            (Pending { file, name: Some(name), place: path.clone() }, "three"),
        ] {
            pending.write_all(text.as_bytes()).unwrap();
            pending.persist().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let file = beside(&path).unwrap();
        file.give_up().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn copies_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"all of it").unwrap();
        let copy = copied(&file, folder.path()).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), b"all of it");
    }

    /// The file is not visible before it is complete.
    #[cfg(target_os = "linux")]
    #[test]
    fn no_name_before_the_end() {
        let folder = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
        let path = folder.path().join("out");
        let mut pending = beside(&path).unwrap();
        pending.write_all(b"half").unwrap();
        // Some file systems don't support files without a name.
        if pending.name.is_none() {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
