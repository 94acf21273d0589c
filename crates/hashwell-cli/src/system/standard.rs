//! Standard input and output, with all their errors.
//!
//! If one of these streams is closed when the process starts, Rust's runtime opens /dev/null in its place before
//! `main`. In addition, Rust's own handles ignore the errors of a closed descriptor: they treat a failed write as
//! written, and a failed read as the end of the input. So lost output would count as success. The /dev/null that the
//! runtime opened cannot be told from one that the caller passed (Python's `subprocess.DEVNULL` is open for both
//! directions, too). Therefore the program must check the streams before the runtime starts, which `main.rs` does. The
//! functions here use the descriptors directly, so that errors are reported.

use crate::system::os::{self, Identity};
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// True if standard input was closed when the process started.
pub static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// True if standard output was closed when the process started.
pub static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns the stream, or an error if it was closed.
fn open(closed: &AtomicBool, stream: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    if closed.load(Ordering::Relaxed) { Err(os::closed()) } else { stream() }
}

/// Standard output.
pub(crate) fn output() -> io::Result<File> {
    open(&OUTPUT_CLOSED, || os::copy_of(&io::stdout()))
}

/// Standard error.
pub(crate) fn error() -> io::Result<File> {
    os::copy_of(&io::stderr())
}

/// Returns the identity of the regular file that standard output goes to, if it does.
pub(crate) fn identity_of_output() -> Option<Identity> {
    output().ok().as_ref().and_then(os::identity_of_file)
}

/// Writes to standard output. Only one thread writes at a time, so that bytes of different threads are not mixed.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    let _one_at_a_time = io::stdout().lock();
    output()?.write_all(bytes)
}

/// Reads standard input. Only one thread reads at a time, so that it gets consecutive bytes.
pub(crate) fn read<R>(read: impl FnOnce(&mut File) -> io::Result<R>) -> io::Result<R> {
    let _one_at_a_time = io::stdin().lock();
    read(&mut open(&INPUT_CLOSED, || os::copy_of(&io::stdin()))?)
}
