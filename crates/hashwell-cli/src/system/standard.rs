//! Standard input and output, as they are.
//!
//! Where one of them is closed, Rust's runtime opens /dev/null in its place before `main`, and Rust's own handles take
//! what a closed descriptor refuses for written, or for the end of the input: lost output would count as success. The
//! /dev/null of the runtime cannot be told from one that somebody passed (Python's `subprocess.DEVNULL` is open for
//! both directions too), so that the program must look before the runtime starts; `main.rs` does. Here every use is a
//! descriptor's own, whose errors show.

use crate::system::os;
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard input was closed when the process started.
pub static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when the process started.
pub static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// The stream, unless it was closed.
fn open(closed: &AtomicBool, stream: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
    if closed.load(Ordering::Relaxed) { Err(os::closed()) } else { stream() }
}

/// Standard output.
pub(crate) fn output() -> io::Result<File> {
    open(&OUTPUT_CLOSED, || os::copy_of(&io::stdout()))
}

/// Writes to standard output; one thread at a time, so that its bytes stay together.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    let _one_at_a_time = io::stdout().lock();
    output()?.write_all(bytes)
}

/// Reads standard input; one thread at a time, so that its bytes go to one.
pub(crate) fn read<R>(read: impl FnOnce(&mut File) -> io::Result<R>) -> io::Result<R> {
    let _one_at_a_time = io::stdin().lock();
    read(&mut open(&INPUT_CLOSED, || os::copy_of(&io::stdin()))?)
}
