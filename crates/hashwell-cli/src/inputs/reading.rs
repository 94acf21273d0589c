//! Reading a file, or standard input, piece by piece.

use crate::inputs::buffer::{MARGIN, buffer};
use crate::inputs::holes::Data;
use crate::inputs::workers::{self, Taker, Work};
use crate::system::report::{Failure, printable};
use crate::system::{os, rate, report, standard};
use hashwell_work::room;
use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// Bytes per read: large enough that system calls do not matter, small enough for the second-level cache,
/// where each further algorithm finds them.
const BUFFER: usize = 256 << 10;

/// Bytes from which on a file is read by several threads: what starting one costs is nothing to it.
const LARGE: u64 = 4 << 20;

/// Whether one file may occupy more than one core.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Help {
    /// As with `--jobs 1`.
    None,
    /// Large files are read and hashed by all cores that are free.
    OtherCores,
}

impl Help {
    /// What `--jobs` allows.
    pub(crate) fn of(jobs: Option<usize>) -> Self {
        if jobs == Some(1) { Help::None } else { Help::OtherCores }
    }
}

/// Why a file has no digest, in words for the user.
pub(crate) enum Unreadable {
    /// No such file.
    Missing(String),
    /// It changed while it was read.
    Changed,
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
            Unreadable::Changed => "changed while it was being read",
        }
    }
}

/// The name that means standard input.
pub(crate) fn is_stdin(name: &OsStr) -> bool {
    name == "-"
}

/// The names given, or standard input.
pub(crate) fn names(files: &[OsString]) -> Vec<OsString> {
    if files.is_empty() { vec!["-".into()] } else { files.to_vec() }
}

/// Adds to what is kept of a file.
///
/// # Errors
/// If that would be more than `most` bytes, or more than memory has.
pub(crate) fn append(content: &mut Vec<u8>, bytes: &[u8], most: u64) -> io::Result<()> {
    if (content.len() + bytes.len()) as u64 > most {
        return Err(too_long(most));
    }
    content.try_reserve(bytes.len())?;
    room(MARGIN)?;
    content.extend_from_slice(bytes);
    Ok(())
}

/// Why something is not read to its end.
pub(crate) fn too_long(most: u64) -> io::Error {
    io::Error::other(format!("larger than {} MiB, the limit for input that must fit into memory", most >> 20))
}

/// Everything in a file (or standard input), which may be an endless device: an error beyond `most` bytes.
pub(crate) fn read_whole(name: &OsString, most: u64) -> Result<Vec<u8>, Unreadable> {
    let mut content = Vec::new();
    try_read_file(name, Help::None, |bytes| append(&mut content, bytes, most))?;
    Ok(content)
}

/// As [`read_whole`], with a failure that names the file.
pub(crate) fn read_named(name: &OsString, most: u64) -> Result<Vec<u8>, Failure> {
    let failed = |error: Unreadable| Failure::Work(format!("{}: {}", printable(name), error.reason()));
    read_whole(name, most).map_err(failed)
}

/// Hands the file's bytes (or standard input's) to `take`, piece by piece, and returns how many there were.
pub(crate) fn read_file(
    name: &OsString,
    help: Help,
    mut take: impl FnMut(&[u8]) + Send,
) -> Result<u64, Unreadable> {
    try_read_file(name, help, |bytes| {
        take(bytes);
        Ok(())
    })
}

/// As [`read_file`], until `take` fails.
pub(crate) fn try_read_file(
    name: &OsString,
    help: Help,
    mut take: impl FnMut(&[u8]) -> io::Result<()> + Send,
) -> Result<u64, Unreadable> {
    if is_stdin(name) {
        return Ok(standard::read(|input| read_all(input, None, &mut take))?);
    }
    let file = Opened::new(name)?;
    if help == Help::OtherCores && file.is_large() {
        let takers: Vec<Taker<'_, ()>> = vec![Box::new(|piece| take(piece.bytes()))];
        if let Some(size) = file.read_by_crew(Work { value: &|_, _| (), keeps_bytes: true, takers })? {
            return Ok(size);
        }
    }
    file.read(&mut take)
}

/// `--direct`: of the whole process.
static DIRECT: AtomicBool = AtomicBool::new(false);

/// Reads files from the medium from now on.
pub(crate) fn read_directly() {
    DIRECT.store(true, Ordering::Relaxed);
}

/// `--update`: of the whole process.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// From now on, a file also counts as changed while it was read if the time of change or the inode differ: a program can set the
/// time of modification back.
pub(crate) fn watch_files() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// A file, which is looked at before it is read and after.
pub(crate) struct Opened {
    file: File,
    before: Option<Stamp>,
}

impl Opened {
    pub(crate) fn new(name: &OsStr) -> Result<Self, Unreadable> {
        let file = File::open(name)?;
        let before = Stamp::of(&file)?;
        if before.is_some() && DIRECT.load(Ordering::Relaxed) {
            os::drop_cache(&file)?;
        }
        Ok(Self { file, before })
    }

    /// A file that is worth several threads, and its bytes; nothing of what is no regular file, or cannot be opened.
    pub(crate) fn large(name: &OsStr) -> Option<(Self, u64)> {
        // Asked first, since who opens a pipe may wait for its other end.
        let is_large = |file: &Metadata| file.is_file() && file.len() >= LARGE;
        fs::metadata(name).ok().filter(is_large)?;
        let file = Self::new(name).ok().filter(Self::is_large)?;
        let size = file.before?.size;
        Some((file, size))
    }

    fn is_large(&self) -> bool {
        self.before.is_some_and(|stamp| stamp.size >= LARGE)
    }

    /// As [`workers::read`].
    pub(crate) fn read_by_crew<V: Send + Sync>(&self, work: Work<'_, V>) -> Result<Option<u64>, Unreadable> {
        let data = Data::of(&self.file, self.before.map_or(0, |stamp| stamp.size));
        let read = workers::read(&self.file, &data, work)?;
        self.check_unchanged().map(|()| read)
    }

    fn read(mut self, take: &mut impl FnMut(&[u8]) -> io::Result<()>) -> Result<u64, Unreadable> {
        let size = read_all(&mut self.file, self.before.map(|stamp| stamp.size), take)?;
        self.check_unchanged().map(|()| size)
    }

    fn check_unchanged(&self) -> Result<(), Unreadable> {
        match self.before {
            // Not compared with the bytes read: files of /proc and /sys are regular but give other sizes.
            Some(_) if Stamp::of(&self.file)? != self.before => Err(Unreadable::Changed),
            _ => Ok(()),
        }
    }
}

/// What shows that a regular file was written to; pipes and devices have none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
    /// Time of change and inode, if they are watched.
    system: (Option<i128>, Option<u64>),
}

impl Stamp {
    pub(crate) fn of(file: &File) -> io::Result<Option<Self>> {
        let metadata = file.metadata()?;
        let watched = WATCHED.load(Ordering::Relaxed);
        let system = if watched { os::change_and_inode(&metadata) } else { (None, None) };
        let stamp = Stamp { size: metadata.len(), modified: metadata.modified().ok(), system };
        Ok(metadata.is_file().then_some(stamp))
    }
}

thread_local! {
    /// For all files that the thread reads: a new one, cleared, would cost more than a small file's digest.
    static PIECE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// `expected`: the bytes of a regular file. One that gave so many, and less than was asked for, is at its end; asking
/// it once more costs what a small digest does.
fn read_all(
    source: &mut impl Read,
    expected: Option<u64>,
    take: &mut impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    PIECE.with_borrow_mut(|piece| {
        if piece.is_empty() {
            *piece = buffer(BUFFER)?;
            piece.resize(piece.capacity(), 0);
        }
        read_pieces(source, piece, expected, take)
    })
}

fn read_pieces(
    source: &mut impl Read,
    buffer: &mut [u8],
    expected: Option<u64>,
    take: &mut impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut size = 0;
    loop {
        match source.read(buffer) {
            Ok(0) => return Ok(size),
            Ok(n) => {
                rate::wait(n);
                take(&buffer[..n])?;
                size += n as u64;
                if n < buffer.len() && expected == Some(size) {
                    return Ok(size);
                }
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
        let result = read_file(&name, Help::None, |_| {
            if std::mem::take(&mut grow) {
                file.write_all(b"more").unwrap();
            }
        });
        let Err(unreadable @ Unreadable::Changed) = result else { panic!("not noticed") };
        assert_eq!(unreadable.reason(), "changed while it was being read");
        assert!(read_file(&name, Help::None, |_| ()).is_ok());
    }

    /// Gives pieces of these lengths, then nothing.
    struct Pieces<'a>(&'a [usize], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            Ok(self.0.get(self.1 - 1).copied().unwrap_or(0))
        }
    }

    #[test]
    fn a_file_is_asked_once_more_unless_it_gave_what_it_has_and_less_than_was_asked_for() {
        for (pieces, expected, reads) in [
            (&[10][..], Some(10), 1),
            (&[10], Some(11), 2),
            (&[10], None, 2),
            (&[10, 5], Some(0), 3),
            (&[16], Some(16), 2),
            (&[16, 4], Some(20), 2),
            (&[16, 4], Some(16), 3),
        ] {
            let mut source = Pieces(pieces, 0);
            let size = read_pieces(&mut source, &mut [0; 16], expected, &mut |_| Ok(())).unwrap();
            assert_eq!(
                (size, source.1),
                (pieces.iter().sum::<usize>() as u64, reads),
                "{pieces:?} {expected:?}"
            );
        }
    }

    #[test]
    fn a_file_rewritten_in_place_is_reported() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&[1; 10]).unwrap();
        let old = SystemTime::UNIX_EPOCH;
        file.as_file().set_modified(old).unwrap();
        let name = file.path().as_os_str().to_owned();
        let result =
            read_file(&name, Help::None, |_| file.as_file().set_modified(SystemTime::now()).unwrap());
        assert!(result.is_err());
    }
}
