//! Regular files in folders that may come from an attacker. Other files are rejected before a read could wait forever
//! (a pipe) or never end (a device). No file is read beyond the requested size.

use crate::files;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// A regular file, open for reading.
#[derive(Debug)]
pub(crate) struct Regular {
    file: File,
    len: u64,
}

impl Regular {
    /// Opens a file without waiting for another process.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or is not a regular file.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        // Check the path first, because opening some devices has side effects. The opened file is checked as well,
        // because the path may be replaced in the meantime.
        refuse_others(&fs::metadata(path)?)?;
        let file = files::open_at_once(path)?;
        let metadata = file.metadata()?;
        refuse_others(&metadata)?;
        Ok(Self { file, len: metadata.len() })
    }

    /// The size in bytes when it was opened.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Fills `out` with the bytes from `at` on, and returns their number. If the file has become shorter, there may be
    /// fewer bytes, but at least `need`.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read, or if the file has become too short.
    pub(crate) fn read_at(&self, at: u64, out: &mut [u8], need: usize) -> io::Result<usize> {
        let done = files::fill(&self.file, at, out)?;
        if done < need.min(out.len()) {
            return Err(io::Error::other("it was truncated while it was read"));
        }
        Ok(done)
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, has more than `most` bytes, or does not fit into memory.
    pub(crate) fn read(&self, most: u64) -> io::Result<Vec<u8>> {
        let large = || io::Error::other(format!("larger than {most} bytes, the limit for this file"));
        if self.len > most {
            return Err(large());
        }
        let mut bytes = Vec::new();
        let room = usize::try_from(self.len).map_err(|_| large())?;
        bytes.try_reserve_exact(room).map_err(|_| no_memory(self.len))?;
        // The file may have grown in the meantime, or may report a size of 0, as some files in /proc do.
        (&self.file).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most { Err(large()) } else { Ok(bytes) }
    }
}

/// Reads a whole regular file of at most `most` bytes.
///
/// # Errors
/// Returns an error in the same cases as [`Regular::open`] and [`Regular::read`].
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    Regular::open(path)?.read(most)
}

/// The error for a failure to allocate this number of bytes.
pub(crate) fn no_memory(bytes: u64) -> io::Error {
    io::Error::other(format!("not enough memory for its {bytes} bytes"))
}

fn refuse_others(metadata: &fs::Metadata) -> io::Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(io::Error::other("not a regular file")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_files_only_and_no_more_than_asked() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "12345").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        assert_eq!(read(&at("file"), 5).unwrap(), b"12345");
        assert_eq!(read(&at("link"), 9).unwrap(), b"12345");
        assert!(read(&at("file"), 4).unwrap_err().to_string().contains("larger than 4 bytes"));
        assert_eq!(read(&at("gone"), 5).unwrap_err().kind(), io::ErrorKind::NotFound);
        let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
        assert!(made.success());
        for other in [&at("pipe"), folder.path(), Path::new("/dev/zero")] {
            let error = read(other, 5).unwrap_err().to_string();
            assert!(error.contains("not a regular file"), "{}: {error}", other.display());
        }
        // A file that reports a size of 0.
        assert!(!read(Path::new("/proc/self/stat"), 1 << 16).unwrap().is_empty());
    }

    #[test]
    fn a_file_that_becomes_shorter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        let file = Regular::open(&path).unwrap();
        let mut out = [0; 3];
        assert_eq!(file.read_at(2, &mut out, 3).unwrap(), 3);
        assert_eq!((&out, file.len()), (b"345", 5));
        File::options().write(true).open(&path).unwrap().set_len(2).unwrap();
        assert_eq!(file.read_at(1, &mut out, 1).unwrap(), 1);
        assert!(file.read_at(1, &mut out, 2).unwrap_err().to_string().contains("truncated"));
    }
}
