//! One read of a file, any number of algorithms.

use crate::choice::Choice;
use crate::progress::Progress;
use crate::report;
use hashwell::Hasher;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::time::SystemTime;

/// Bytes per read: large enough that system calls do not matter, small enough for the second-level cache,
/// where each further algorithm finds them.
const BUFFER: usize = 256 << 10;

/// What a file's bytes gave.
pub(crate) struct Digests {
    /// One for each choice, in their order.
    pub(crate) digests: Vec<Vec<u8>>,
    /// Bytes read.
    pub(crate) size: u64,
}

/// Why a file has no digest, in words for the user.
pub(crate) enum Unreadable {
    /// No such file.
    Missing(String),
    /// Anything else.
    Other(String),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        let reason = report::reason(&error);
        if error.kind() == io::ErrorKind::NotFound {
            Unreadable::Missing(reason)
        } else {
            Unreadable::Other(reason)
        }
    }
}

impl Unreadable {
    pub(crate) fn reason(&self) -> &str {
        match self {
            Unreadable::Missing(reason) | Unreadable::Other(reason) => reason,
        }
    }
}

/// The name that means standard input.
pub(crate) fn is_stdin(name: &OsStr) -> bool {
    name == "-"
}

/// Reads the file (or standard input) once and hashes it with every choice.
pub(crate) fn digest_file(
    name: &OsString,
    choices: &[Choice],
    progress: &Progress,
) -> Result<Digests, Unreadable> {
    let mut hashers: Vec<Hasher> = choices.iter().map(|c| c.hasher()).collect();
    let size = read_file(name, |bytes| {
        hashers.iter_mut().for_each(|hasher| hasher.update(bytes));
        progress.add(bytes.len() as u64);
    })?;
    Ok(Digests { digests: hashers.iter().map(Hasher::digest).collect(), size })
}

/// Hands the file's bytes (or standard input's) to `take`, piece by piece, and returns how many there were.
pub(crate) fn read_file(name: &OsString, mut take: impl FnMut(&[u8])) -> Result<u64, Unreadable> {
    if is_stdin(name) {
        return Ok(read_all(&mut io::stdin().lock(), &mut take)?);
    }
    let mut file = File::open(name)?;
    let before = Stamp::of(&file)?;
    let size = read_all(&mut file, &mut take)?;
    match before {
        // Not compared with the bytes read: files of /proc and /sys are regular but give other sizes.
        Some(_) if Stamp::of(&file)? != before => {
            Err(Unreadable::Other("changed while it was read".to_owned()))
        }
        _ => Ok(size),
    }
}

/// What shows that a regular file was written to; pipes and devices have none.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Option<Self>> {
        let metadata = file.metadata()?;
        let stamp = Stamp { size: metadata.len(), modified: metadata.modified().ok() };
        Ok(metadata.is_file().then_some(stamp))
    }
}

fn read_all(source: &mut impl Read, take: &mut impl FnMut(&[u8])) -> io::Result<u64> {
    let mut buffer = vec![0; BUFFER];
    let mut size = 0;
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(size),
            Ok(n) => {
                take(&buffer[..n]);
                size += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_that_grows_is_reported() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[1; 10]).unwrap();
        let name = file.path().as_os_str().to_owned();
        let mut grow = true;
        let result = read_file(&name, |_| {
            if std::mem::take(&mut grow) {
                file.write_all(b"more").unwrap();
            }
        });
        let Err(Unreadable::Other(reason)) = result else { panic!("not noticed") };
        assert_eq!(reason, "changed while it was read");
        assert!(read_file(&name, |_| ()).is_ok());
    }

    #[test]
    fn a_file_rewritten_in_place_is_reported() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[1; 10]).unwrap();
        let old = SystemTime::UNIX_EPOCH;
        file.as_file().set_modified(old).unwrap();
        let name = file.path().as_os_str().to_owned();
        let result = read_file(&name, |_| file.as_file().set_modified(SystemTime::now()).unwrap());
        assert!(result.is_err());
    }
}
