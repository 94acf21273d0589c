//! Reads a file, or standard input, in pieces.

use crate::inputs::buffer::{MARGIN, buffer};
use crate::inputs::holes::Data;
use crate::inputs::workers::{self, Taker, Work};
use crate::system::report::{Failure, printable};
use crate::system::{os, rate, report, standard};
use hashwell_work::{Aligned, LINE, room};
use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// The number of bytes per read: large enough that the cost of system calls does not matter, and small enough for the
/// second-level cache, so that each further algorithm finds the bytes there.
const BUFFER: usize = 256 << 10;

/// The size in bytes from which a file is read by several threads. For such files, the cost of starting them is
/// negligible.
const LARGE: u64 = 4 << 20;

/// The cores that may work on one file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Help {
    /// One core only, as with `--jobs 1`.
    None,
    /// Large files are read and hashed by all free cores.
    OtherCores,
}

impl Help {
    /// The cores that `--jobs` allows.
    pub(crate) fn of(jobs: Option<usize>) -> Self {
        if jobs == Some(1) { Help::None } else { Help::OtherCores }
    }
}

/// The reason why a file has no digest, as a message for the user.
pub(crate) enum Unreadable {
    /// The file does not exist.
    Missing(String),
    /// The file changed while it was read.
    Changed,
    /// Any other reason.
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

/// Returns true if the name means standard input.
pub(crate) fn is_stdin(name: &OsStr) -> bool {
    name == "-"
}

/// The given names, or standard input if there are none.
pub(crate) fn names(files: &[OsString]) -> Vec<OsString> {
    if files.is_empty() { vec!["-".into()] } else { files.to_vec() }
}

/// Creates a temporary file without a name, for input that can be read only once.
///
/// # Errors
/// Returns an error that names the folder for temporary files.
pub(crate) fn temporary_file() -> io::Result<File> {
    tempfile::tempfile().map_err(|error| io::Error::new(error.kind(), of_temporary_file(&error)))
}

/// If there is not enough space for a copy, adds the folder for temporary files to the error.
pub(crate) fn of_copy(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ (io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge) => {
            io::Error::new(kind, of_temporary_file(&error))
        }
        _ => error,
    }
}

/// The reason why a temporary file can't be used, with its folder.
pub(crate) fn of_temporary_file(error: &io::Error) -> String {
    format!("temporary file in {}: {}", std::env::temp_dir().display(), report::reason(error))
}

/// Appends bytes to the content of a file.
///
/// # Errors
/// Returns an error if the content would be longer than `most` bytes, or would not fit into memory.
pub(crate) fn append(content: &mut Vec<u8>, bytes: &[u8], most: u64) -> io::Result<()> {
    if (content.len() + bytes.len()) as u64 > most {
        return Err(too_long(most));
    }
    content.try_reserve(bytes.len())?;
    room(MARGIN)?;
    content.extend_from_slice(bytes);
    Ok(())
}

/// The error for an input that has more than `most` bytes.
pub(crate) fn too_long(most: u64) -> io::Error {
    io::Error::other(format!("larger than {} MiB, the limit for input that must fit into memory", most >> 20))
}

/// Reads a whole file (or standard input). Because this may be an endless device, it is an error if there are more than
/// `most` bytes.
pub(crate) fn read_whole(name: &OsString, most: u64) -> Result<Vec<u8>, Unreadable> {
    let mut content = Vec::new();
    try_read_file(name, Help::None, |bytes| append(&mut content, bytes, most))?;
    Ok(content)
}

/// Same as [`read_whole`], with a failure that names the file.
pub(crate) fn read_named(name: &OsString, most: u64) -> Result<Vec<u8>, Failure> {
    let failed = |error: Unreadable| Failure::Work(format!("{}: {}", printable(name), error.reason()));
    read_whole(name, most).map_err(failed)
}

/// Passes the bytes of the file (or of standard input) to `take` in pieces, and returns the number of bytes.
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

/// Same as [`read_file`], but stops if `take` fails.
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

/// True if `--direct` was given, which applies to the whole process.
static DIRECT: AtomicBool = AtomicBool::new(false);

/// From now on, files are read from the disk, not from the page cache.
pub(crate) fn read_directly() {
    DIRECT.store(true, Ordering::Relaxed);
}

/// True if `--update` was given, which applies to the whole process.
static WATCHED: AtomicBool = AtomicBool::new(false);

/// From now on, a file also counts as changed while it was read if its change time or inode differs. The modification
/// time is not enough, because a program can set it back.
pub(crate) fn watch_files() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// An open file, whose metadata are compared before and after reading.
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

    /// Opens a file that is large enough for several threads, and returns its size. Returns `None` if it is smaller, is
    /// not a regular file, or cannot be opened.
    pub(crate) fn large(name: &OsStr) -> Option<(Self, u64)> {
        // Check this before opening the file, because opening a pipe can wait for its other end.
        let is_large = |file: &Metadata| file.is_file() && file.len() >= LARGE;
        fs::metadata(name).ok().filter(is_large)?;
        let file = Self::new(name).ok().filter(Self::is_large)?;
        let size = file.before?.size;
        Some((file, size))
    }

    fn is_large(&self) -> bool {
        self.before.is_some_and(|stamp| stamp.size >= LARGE)
    }

    /// Same as [`workers::read`].
    pub(crate) fn read_by_crew<V: Send + Sync>(&self, work: Work<'_, V>) -> Result<Option<u64>, Unreadable> {
        let data = Data::of(&self.file, self.before.map_or(0, |stamp| stamp.size));
        let read = workers::read(&self.file, &data, work)?;
        self.check_unchanged().map(|()| read)
    }

    fn read(mut self, take: &mut impl FnMut(&[u8]) -> io::Result<()>) -> Result<u64, Unreadable> {
        let size = read_all(&mut self.file, self.before.map(|stamp| stamp.size), take)?;
        self.check_unchanged().map(|()| size)
    }

    /// Passes the bytes of a regular file from `start` on to `take`, and returns the size of the file.
    pub(crate) fn read_from(
        mut self,
        start: u64,
        mut take: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<u64, Unreadable> {
        self.file.seek(SeekFrom::Start(start))?;
        let expected = self.before.and_then(|stamp| stamp.size.checked_sub(start));
        let read = read_all(&mut self.file, expected, &mut take)?;
        self.check_unchanged().map(|()| start + read)
    }

    pub(crate) fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }

    fn check_unchanged(&self) -> Result<(), Unreadable> {
        match self.before {
            // The size is not compared with the number of bytes read: files of /proc and /sys are regular, but report
            // other sizes.
            Some(_) if Stamp::of(&self.file)? != self.before => Err(Unreadable::Changed),
            _ => Ok(()),
        }
    }
}

/// The metadata that show whether a regular file was written to. Pipes and devices have none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
    /// The change time and the inode, if they are watched.
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
    /// The buffer for all files that the thread reads. Allocating and zeroing a new one would take longer than hashing
    /// a small file.
    static PIECE: RefCell<Option<Aligned>> = const { RefCell::new(None) };
}

/// `expected`: the size of a regular file. If that many bytes were read and the last read returned less than requested,
/// the file is at its end, and the system call to confirm this can be omitted. It would take as long as hashing a small
/// file.
fn read_all(
    source: &mut impl Read,
    expected: Option<u64>,
    take: &mut impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    PIECE.with_borrow_mut(|piece| {
        let piece = match piece {
            Some(piece) => piece,
            none => none.insert(Aligned::over(buffer(BUFFER + LINE)?, BUFFER)),
        };
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
                rate::wait(n)?;
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

    /// Returns pieces of these lengths, and then the end of the input.
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
