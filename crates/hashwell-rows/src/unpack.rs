//! Packed bytes become those that were packed. Members, frames and streams that follow one another are one text.

use std::io::{self, BufRead, BufReader, Read};

use crate::options::Compression;

/// The memory that an xz stream's dictionary may take, in KiB: its header says how much, and may lie. `xz -9` takes 64 MiB.
const XZ_MEMORY: u32 = 512 << 10;

/// The logarithm of the longest Zstandard window, 2 GiB, for which the caller has to ask.
const LONGEST_WINDOW: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

/// Bytes that are read at once from the packed file.
const PACKED: usize = 64 << 10;

/// Looks for the memory that a library takes which cannot say that there is none: of gzip it panics, of bzip2 it blames the
/// data.
pub(crate) fn look_for_room(compression: Compression) -> io::Result<()> {
    let untold = match compression {
        Compression::Gzip => 64 << 10,
        // Four bytes for each of a block's 900,000, and tables.
        Compression::Bzip2 => 4 << 20,
        Compression::Zstd | Compression::Xz => 0,
    };
    Ok(Vec::<u8>::new().try_reserve_exact(untold)?)
}

pub(crate) fn unpacked(
    compression: Compression,
    packed: Box<dyn Read + Send>,
    long_window: bool,
) -> io::Result<Box<dyn Read + Send>> {
    look_for_room(compression)?;
    let packed = BufReader::with_capacity(PACKED, packed);
    let reader: Box<dyn Read + Send> = match compression {
        Compression::Gzip => Box::new(Members { member: None, next: Some(packed) }),
        Compression::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
            if long_window {
                decoder.window_log_max(LONGEST_WINDOW)?;
            }
            Box::new(decoder)
        }
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        Compression::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_MEMORY)),
    };
    Ok(Box::new(Unpacked { compression, reader }))
}

/// The members of a gzip file, one after the other. Zero bytes behind the last one, with which tapes and some archivers fill
/// a block, are ignored, as gzip ignores them.
struct Members<R> {
    member: Option<flate2::bufread::GzDecoder<R>>,
    /// What follows the last member, while there is no next one.
    next: Option<R>,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(member) = &mut self.member {
                let read = member.read(bytes)?;
                if read > 0 || bytes.is_empty() {
                    return Ok(read);
                }
                self.next = self.member.take().map(flate2::bufread::GzDecoder::into_inner);
                if let Some(rest) = &mut self.next {
                    skip_zeros(rest)?;
                }
            }
            let Some(rest) = &mut self.next else { return Ok(0) };
            if rest.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.member = self.next.take().map(flate2::bufread::GzDecoder::new);
        }
    }
}

fn skip_zeros(rest: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = rest.fill_buf()?;
        let zeros = buffer.iter().take_while(|byte| **byte == 0).count();
        let more = zeros == buffer.len() && zeros > 0;
        rest.consume(zeros);
        if !more {
            return Ok(());
        }
    }
}

/// Says in one way what the libraries say in four.
struct Unpacked {
    compression: Compression,
    reader: Box<dyn Read + Send>,
}

impl Read for Unpacked {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.reader.read(bytes).map_err(|error| {
            let name = self.compression.name();
            match error.kind() {
                io::ErrorKind::Interrupted => error,
                io::ErrorKind::UnexpectedEof => {
                    io::Error::new(error.kind(), format!("the {name} data end too early"))
                }
                _ if self.compression == Compression::Zstd && needs_window(&error) => io::Error::new(
                    io::ErrorKind::InvalidData,
                    "the Zstandard data were written with --long and need a window of more than 128 MiB: --long allows \
                     up to 2 GiB, or decompress them first (zstd -dc --long=31 FILE | hashwell ...)",
                ),
                kind => io::Error::new(kind, format!("the {name} data cannot be decompressed: {error}")),
            }
        })
    }
}

/// Returns true if the library refuses a frame because of its window. It tells so in words only.
fn needs_window(error: &io::Error) -> bool {
    error.to_string().contains("requires too much memory")
}
