//! Packed bytes become those that were packed. Members, frames and streams that follow one another are one text.

use std::io::{self, BufReader, Read};

use crate::options::Compression;

/// The memory that an xz stream's dictionary may take, in KiB: its header says how much, and may lie. `xz -9` takes 64 MiB.
const XZ_MEMORY: u32 = 512 << 10;

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
) -> io::Result<Box<dyn Read + Send>> {
    look_for_room(compression)?;
    let packed = BufReader::with_capacity(PACKED, packed);
    let reader: Box<dyn Read + Send> = match compression {
        Compression::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(packed)?),
        Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
        Compression::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_MEMORY)),
    };
    Ok(Box::new(Unpacked { compression, reader }))
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
                kind => io::Error::new(kind, format!("the {name} data cannot be unpacked: {error}")),
            }
        })
    }
}
