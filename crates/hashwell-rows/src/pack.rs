//! Compressed outputs: the counterpart of `unpack`.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};

use crate::options::Compression;

/// The memory that the gzip library allocates; it panics if there is none.
const GZIP_MEMORY: usize = 512 << 10;

/// A writer that compresses the data written to it, or passes it on unchanged. The output is complete only after
/// [`finish`](Self::finish).
///
/// ```
/// use hashwell_rows::{Compression, Packer};
/// use std::io::{Read, Write};
///
/// let mut packer = Packer::new(Some(Compression::Gzip), Vec::new())?;
/// packer.write_all(b"id\n1\n")?;
/// let packed = packer.finish()?;
/// assert_eq!(Compression::of_magic(&packed), Some(Compression::Gzip));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Packer<W: Write>(Inner<W>);

enum Inner<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
    Bzip2(bzip2::write::BzEncoder<W>),
    Xz(Box<XzWriter<W>>),
}

impl<W: Write> Packer<W> {
    /// Creates a writer that writes to `to`. If `compression` is `None`, it does not compress. The compression levels
    /// are the defaults of the command-line programs: gzip 6, zstd 3, bzip2 9, xz 6.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the compressor.
    pub fn new(compression: Option<Compression>, to: W) -> io::Result<Self> {
        Ok(Self(match compression {
            None => Inner::Plain(to),
            Some(Compression::Gzip) => {
                Vec::<u8>::new().try_reserve_exact(GZIP_MEMORY)?;
                Inner::Gzip(GzEncoder::new(to, flate2::Compression::new(6)))
            }
            Some(Compression::Zstd) => {
                let mut encoder = zstd::Encoder::new(to, 3)?;
                encoder.include_checksum(true)?;
                Inner::Zstd(encoder)
            }
            Some(Compression::Bzip2) => {
                Inner::Bzip2(bzip2::write::BzEncoder::new(to, bzip2::Compression::best()))
            }
            Some(Compression::Xz) => Inner::Xz(Box::new(XzWriter::new(to, XzOptions::with_preset(6))?)),
        }))
    }

    /// The underlying writer.
    pub fn get_ref(&self) -> &W {
        match &self.0 {
            Inner::Plain(to) => to,
            Inner::Gzip(encoder) => encoder.get_ref(),
            Inner::Zstd(encoder) => encoder.get_ref(),
            Inner::Bzip2(encoder) => encoder.get_ref(),
            Inner::Xz(encoder) => encoder.inner(),
        }
    }

    /// Writes the remaining data, and returns the underlying writer.
    ///
    /// # Errors
    /// Returns the same errors as the underlying writer.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Inner::Plain(mut to) => to.flush().map(|()| to),
            Inner::Gzip(encoder) => encoder.finish(),
            Inner::Zstd(encoder) => encoder.finish(),
            Inner::Bzip2(encoder) => encoder.finish(),
            Inner::Xz(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::Plain(to) => to.write(bytes),
            Inner::Gzip(encoder) => encoder.write(bytes),
            Inner::Zstd(encoder) => encoder.write(bytes),
            Inner::Bzip2(encoder) => encoder.write(bytes),
            Inner::Xz(encoder) => encoder.write(bytes),
        }
    }

    /// Flushes uncompressed data; a compressor keeps its data until [`finish`](Packer::finish).
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::Plain(to) => to.flush(),
            _ => Ok(()),
        }
    }
}
