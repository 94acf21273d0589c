//! Decompression. Consecutive members, frames and streams are read as one text.

use std::io::{self, BufRead, BufReader, Read};

use crate::options::Compression;

/// The maximum memory for an xz stream's dictionary, in KiB. The stream's header requests it, and may be malicious. `xz
/// -9` uses 64 MiB.
const XZ_MEMORY: u32 = 512 << 10;

/// The base-2 logarithm of the longest Zstandard window, 2 GiB, which the caller has to allow.
const LONGEST_WINDOW: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

/// The number of compressed bytes read at a time.
const PACKED: usize = 64 << 10;

/// Checks for the memory needed by libraries that cannot report an allocation failure: the gzip library panics, and the
/// bzip2 library reports invalid data.
pub(crate) fn look_for_room(compression: Compression) -> io::Result<()> {
    let untold = match compression {
        Compression::Gzip => 64 << 10,
        // The library needs four bytes for each of the 900,000 bytes of a block, and tables.
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

/// The members of a gzip file, one after another. Zero bytes after the last one, which tapes and some archivers use to
/// fill a block, are ignored, as gzip does.
struct Members<R> {
    member: Option<flate2::bufread::GzDecoder<R>>,
    /// The reader after the last member, as long as no next member was found.
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

/// Reports the errors of all four libraries in the same way.
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
                    "the Zstandard data need a window of more than 128 MiB: use --long, which allows up to 2 GiB, or \
                     decompress them first (zstd -dc --long=31 FILE | hashwell ...)",
                ),
                kind => io::Error::new(kind, format!("the {name} data cannot be decompressed: {error}")),
            }
        })
    }
}

/// Returns true if the library rejects a frame because of its window. Only the error's text shows this.
fn needs_window(error: &io::Error) -> bool {
    error.to_string().contains("requires too much memory")
}
