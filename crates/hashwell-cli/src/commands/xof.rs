//! `hashwell xof`: prints an output stream.

use crate::digests::recipe::Keying;
use crate::inputs::reading::{Help, read_file};
use crate::inputs::walk::size;
use crate::options::args::XofOptions;
use crate::options::names::warning;
use crate::system::exit::SUCCESS;
use crate::system::parallel::Core;
use crate::system::progress::Progress;
use crate::system::report::{Failure, note, printable, write_bytes, write_line};
use hashwell::{Hasher, Reader};
use hashwell_checksums::Choice;
use hashwell_draw::hex;
use std::ffi::OsString;

/// The number of bytes squeezed at a time.
const PIECE: u64 = 64 << 10;

pub(crate) fn run(options: &XofOptions) -> Result<u8, Failure> {
    let usage = |error: hashwell::Error| Failure::Usage(error.to_string());
    let algorithm = hashwell::find(&options.algorithm).map_err(usage)?;
    let name = options.file.clone().unwrap_or_else(|| "-".into());
    let keying = Keying::of(&options.parameters, std::slice::from_ref(&name))?;
    let params = keying.params(Choice::of(algorithm)).map_err(usage)?;
    let mut hasher = algorithm.build(&params).map_err(usage)?;
    warning(algorithm).iter().for_each(|text| note(text));
    // Reject an algorithm without an output stream before waiting for input.
    hasher.clone().into_reader().map_err(usage)?;

    if options.seek.checked_add(options.bytes).is_none() {
        let (seek, bytes) = (options.seek, options.bytes);
        return Err(Failure::Usage(format!(
            "--seek {seek} plus {bytes} bytes exceeds the maximum position 2^64 - 1"
        )));
    }

    absorb(&mut hasher, &name)?;
    let mut reader = hasher.into_reader().map_err(usage)?;
    skip(&mut reader, options.seek)?;

    let progress = Progress::beside_output(Some(options.bytes));
    for_each_piece(options.bytes, |len| {
        let bytes = reader.read_vec(len);
        progress.add(bytes.len() as u64);
        if options.raw { write_bytes(&bytes) } else { write_line(&hex::digits(&bytes)) }
    })?;
    if !options.raw {
        write_line(b"\n")?;
    }
    Ok(SUCCESS)
}

fn absorb(hasher: &mut Hasher, name: &OsString) -> Result<(), Failure> {
    let progress = Progress::new(size(name));
    let _core = Core::of_a_job();
    let read = read_file(name, Help::OtherCores, |bytes| {
        hasher.update_parallel(bytes);
        progress.add(bytes.len() as u64);
    });
    read.map(drop)
        .map_err(|unreadable| Failure::Work(format!("{}: {}", printable(name), unreadable.reason())))
}

/// Moves to a position. If the stream can't seek, squeezes and discards the bytes before it.
fn skip(reader: &mut Reader, position: u64) -> Result<(), Failure> {
    if reader.is_seekable() {
        return reader.seek(position).map_err(|error| Failure::Work(error.to_string()));
    }
    let progress = Progress::new(Some(position));
    let mut dropped = vec![0; PIECE as usize];
    for_each_piece(position, |len| {
        reader.read(&mut dropped[..len]);
        progress.add(len as u64);
        Ok(())
    })
}

/// Calls `each` with the lengths of pieces that make up `total` bytes.
pub(crate) fn for_each_piece(
    total: u64,
    mut each: impl FnMut(usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut left = total;
    while left > 0 {
        let len = left.min(PIECE);
        each(len as usize)?;
        left -= len;
    }
    Ok(())
}
