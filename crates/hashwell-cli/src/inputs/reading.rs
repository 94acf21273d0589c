//! Reading a file, or standard input, piece by piece.

use crate::system::report::{Failure, printable};
use crate::system::{parallel, report, standard};
use hashwell::threads::room;
use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::sync::mpsc;
use std::time::SystemTime;

/// Bytes per read: large enough that system calls do not matter, small enough for the second-level cache,
/// where each further algorithm finds them.
const BUFFER: usize = 256 << 10;

/// Bytes per read by a thread that reads ahead, each of several such pieces waiting: enough for all cores to
/// share one, and all of them inside the cache that the cores share.
const AHEAD: usize = 2 << 20;

/// The smallest buffer for reading, where memory is scarce.
const LEAST: usize = 4 << 10;

/// Bytes of memory that what is read leaves free, for allocations that would end the process.
const MARGIN: usize = 256 << 10;

/// Whether one file may occupy more than one core.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Help {
    /// As with `--jobs 1`.
    None,
    /// Large files are read ahead and hashed on all cores.
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
    pub(crate) fn changed() -> Self {
        Unreadable::Other("changed while it was read".to_owned())
    }

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
    io::Error::other(format!("more than {} MiB, the limit of what is kept in memory", most >> 20))
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
pub(crate) fn read_file(name: &OsString, help: Help, mut take: impl FnMut(&[u8])) -> Result<u64, Unreadable> {
    try_read_file(name, help, |bytes| {
        take(bytes);
        Ok(())
    })
}

/// As [`read_file`], until `take` fails.
pub(crate) fn try_read_file(
    name: &OsString,
    help: Help,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<u64, Unreadable> {
    if is_stdin(name) {
        return Ok(standard::read(|input| read_all(input, &mut take))?);
    }
    let mut file = File::open(name)?;
    let before = Stamp::of(&file)?;
    let large = before.is_some_and(|stamp| stamp.size >= 2 * AHEAD as u64);
    let size = if large && help == Help::OtherCores {
        read_ahead(&mut file, &mut take)?
    } else {
        read_all(&mut file, &mut take)?
    };
    match before {
        // Not compared with the bytes read: files of /proc and /sys are regular but give other sizes.
        Some(_) if Stamp::of(&file)? != before => Err(Unreadable::changed()),
        _ => Ok(size),
    }
}

/// What shows that a regular file was written to; pipes and devices have none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    pub(crate) fn of(file: &File) -> io::Result<Option<Self>> {
        let metadata = file.metadata()?;
        let stamp = Stamp { size: metadata.len(), modified: metadata.modified().ok() };
        Ok(metadata.is_file().then_some(stamp))
    }
}

thread_local! {
    /// For all files that the thread reads: a new one, cleared, would cost more than a small file's digest.
    static PIECE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for that many bytes, beside the margin.
fn large_buffer(len: usize) -> io::Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(len)?;
    room(MARGIN)?;
    Ok(buffer)
}

/// Room for that many bytes, or for fewer where memory is scarce.
fn buffer(len: usize) -> io::Result<Vec<u8>> {
    if len > LEAST {
        return large_buffer(len).or_else(|_| buffer(len / 2));
    }
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(len)?;
    Ok(buffer)
}

fn read_all(source: &mut impl Read, take: &mut impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
    PIECE.with_borrow_mut(|piece| {
        if piece.is_empty() {
            *piece = buffer(BUFFER)?;
            piece.resize(piece.capacity(), 0);
        }
        read_pieces(source, piece, take)
    })
}

fn read_pieces(
    source: &mut impl Read,
    buffer: &mut [u8],
    take: &mut impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    let mut size = 0;
    loop {
        match source.read(buffer) {
            Ok(0) => return Ok(size),
            Ok(n) => {
                take(&buffer[..n])?;
                size += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// As `read_all`, while another thread, if the system allows one and memory its pieces, reads the next piece.
fn read_ahead(
    source: &mut (impl Read + Send),
    take: &mut impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<u64> {
    // Two pieces go round: one being read, one being hashed.
    let (Ok(one), Ok(other)) = (large_buffer(AHEAD), large_buffer(AHEAD)) else {
        return read_all(source, take);
    };
    let (full, to_hash) = mpsc::sync_channel::<io::Result<Vec<u8>>>(1);
    let (empty, to_read) = mpsc::channel::<Vec<u8>>();
    for piece in [one, other] {
        let sent = empty.send(piece);
        debug_assert!(sent.is_ok());
    }
    let ahead = source.by_ref();
    let reader = move || {
        for mut piece in to_read {
            piece.clear();
            let read = ahead.take(AHEAD as u64).read_to_end(&mut piece);
            let ended = !matches!(read, Ok(AHEAD));
            if full.send(read.map(|_| piece)).is_err() || ended {
                break;
            }
        }
    };
    let taken = &mut *take;
    // It owns both ends, so that however it ends, by an error or unwinding, the reader does not wait for it.
    let hash = move || {
        let mut size = 0;
        for piece in to_hash {
            let piece = piece?;
            taken(&piece)?;
            size += piece.len() as u64;
            // The reader may have ended already.
            let _ = empty.send(piece);
        }
        Ok(size)
    };
    let started = std::thread::scope(|scope| parallel::start(scope, reader).map(|_| hash()));
    started.unwrap_or_else(|_| read_all(source, take))
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
        let Err(Unreadable::Other(reason)) = result else { panic!("not noticed") };
        assert_eq!(reason, "changed while it was read");
        assert!(read_file(&name, Help::None, |_| ()).is_ok());
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

    /// A panic of the hashing must end the reader too, or it would wait for ever.
    #[test]
    fn unwinding_ends_the_reader() {
        let mut source = io::repeat(1).take(20 * AHEAD as u64);
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            read_ahead(&mut source, &mut |_: &[u8]| -> io::Result<()> {
                std::panic::resume_unwind(Box::new("without a trace, which takes memory"))
            })
        }));
        assert!(unwound.is_err());
        let mut source = io::repeat(1).take(20 * AHEAD as u64);
        let failed = read_ahead(&mut source, &mut |_: &[u8]| Err(io::ErrorKind::Other.into()));
        assert!(failed.is_err());
    }
}
