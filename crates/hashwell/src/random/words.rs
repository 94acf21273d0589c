//! The traits of all generators: a byte stream, and numbers in it.

use crate::api::hash::Reader;
use crate::internal::error::Error;
use alloc::boxed::Box;

/// A byte stream. Each byte is returned once, in order. The bytes do not depend on how you divide
/// the reads.
///
/// [`CounterRng`](crate::CounterRng), [`Reader`](crate::Reader), [`DrbgStream`](crate::DrbgStream),
/// [`OsDrbg`](crate::OsDrbg) and [`RandomStream`](crate::RandomStream) implement this trait. The
/// module [`random`](crate::random) has adapters for other generators. Reading does not allocate.
/// You can use `dyn ByteSource`.
pub trait ByteSource {
    /// Fills `out` with the next bytes. Reading zero bytes always succeeds.
    ///
    /// # Errors
    /// Returns [`Error::Exhausted`] if fewer than `out.len()` bytes are left. In this case, nothing is read. A source
    /// can also return other errors. After an error, each byte of `out` is either unchanged or zero.
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error>;

    /// Returns the next `len` bytes (at most 8). They are at the end of the array, after zeros.
    ///
    /// A source with a buffer returns the bytes in a register, which is faster than [`ByteSource::fill`].
    ///
    /// # Errors
    /// Returns the same errors as [`ByteSource::fill`].
    ///
    /// # Panics
    /// Panics if `len` is more than 8.
    #[inline]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes[8 - len..])?;
        Ok(bytes)
    }

    /// Returns the next bytes that are available in a buffer, without reading them. Use this method
    /// in loops that consume an unknown number of integers.
    ///
    /// The slice is empty if the source has no buffer, or if the source does not show bytes before they are read.
    #[inline]
    fn ahead(&self) -> &[u8] {
        &[]
    }

    /// Skips `len` of the bytes that [`ByteSource::ahead`] returns.
    ///
    /// # Panics
    /// Panics if fewer than `len` bytes are available.
    #[inline]
    fn pass(&mut self, len: usize) {
        assert_eq!(len, 0, "nothing lies ahead");
    }

    /// Returns the number of bytes read so far, or `None` if the source does not count them.
    fn stream_position(&self) -> Option<u128> {
        None
    }

    /// Returns the length of the whole stream in bytes, or `None` if the length is not known.
    fn stream_end(&self) -> Option<u128> {
        None
    }
}

/// Reads numbers from a byte stream. Each number is made from the next bytes of the stream (at most 8), in big-endian
/// order.
///
/// All methods read from the same stream, so you can mix calls. Every [`ByteSource`] implements this trait, and you can
/// use `dyn RandomSource`.
///
/// ```
/// use hashwell::{CounterRng, RandomSource};
///
/// let mut rng = CounterRng::new(&[7; 32]);
/// let halves = [rng.next_u32()?, rng.next_u32()?];
/// rng.seek(0)?;
/// assert_eq!(rng.next_u64()?, u64::from(halves[0]) << 32 | u64::from(halves[1]));
/// # Ok::<(), hashwell::Error>(())
/// ```
pub trait RandomSource: ByteSource {
    /// Returns a uniform integer of `bits` bits. This method reads ⌈`bits` / 8⌉ bytes and drops the surplus low bits.
    ///
    /// # Errors
    /// Returns the same errors as [`ByteSource::fill`].
    ///
    /// # Panics
    /// Panics if `bits` is more than 64.
    #[inline]
    fn next_bits(&mut self, bits: u32) -> Result<u64, Error> {
        assert!(bits <= 64, "a number has at most 64 bits");
        let len = bits.div_ceil(8);
        Ok(number(self.take(len as usize)?) >> (8 * len - bits))
    }

    /// Returns the next 4 bytes as an integer.
    ///
    /// # Errors
    /// Returns the same errors as [`ByteSource::fill`].
    #[inline]
    fn next_u32(&mut self) -> Result<u32, Error> {
        // The four bytes have zeros before them.
        self.take(4).map(|bytes| number(bytes) as u32)
    }

    /// Returns the next 8 bytes as an integer.
    ///
    /// # Errors
    /// Returns the same errors as [`ByteSource::fill`].
    #[inline(always)]
    fn next_u64(&mut self) -> Result<u64, Error> {
        self.take(8).map(number)
    }

    /// Returns a uniform number u with 0 <= u < 1. It is (w >> 11) · 2^-53, where w is the integer in the next 8 bytes.
    ///
    /// # Errors
    /// Returns the same errors as [`ByteSource::fill`].
    #[inline(always)]
    fn next_f64(&mut self) -> Result<f64, Error> {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        Ok((self.next_u64()? >> 11) as f64 * STEP)
    }

    /// Fills `out` with integers of 8 bytes each, in the byte order of the machine. Use this method to fill arrays of
    /// programs in other languages.
    ///
    /// # Errors
    /// Returns the same errors as [`ByteSource::fill`].
    fn fill_native(&mut self, out: &mut [[u8; 8]]) -> Result<(), Error> {
        self.fill(out.as_flattened_mut())?;
        out.iter_mut().for_each(|word| *word = number(*word).to_ne_bytes());
        Ok(())
    }
}

impl<S: ByteSource + ?Sized> RandomSource for S {}

/// Defines the byte order of every number in every stream.
#[inline]
fn number(bytes: [u8; 8]) -> u64 {
    u64::from_be_bytes(bytes)
}

/// Returns the bytes of a number. This is the inverse of [`number`], for sources that produce
/// numbers.
#[inline]
pub(super) fn bytes(number: u64) -> [u8; 8] {
    number.to_be_bytes()
}

macro_rules! passes_on {
    ($($type:ty),*) => {$(
        impl<S: ByteSource + ?Sized> ByteSource for $type {
            #[inline]
            fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
                (**self).fill(out)
            }

            #[inline]
            fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
                (**self).take(len)
            }

            #[inline]
            fn ahead(&self) -> &[u8] {
                (**self).ahead()
            }

            #[inline]
            fn pass(&mut self, len: usize) {
                (**self).pass(len);
            }

            fn stream_position(&self) -> Option<u128> {
                (**self).stream_position()
            }

            fn stream_end(&self) -> Option<u128> {
                (**self).stream_end()
            }
        }
    )*};
}
passes_on!(&mut S, Box<S>);

/// The output of an extendable-output function. The reader has its own block buffer.
impl ByteSource for Reader {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.try_read(out)
    }

    fn stream_position(&self) -> Option<u128> {
        Some(self.position().into())
    }

    fn stream_end(&self) -> Option<u128> {
        Some(Self::END.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Tape;

    #[test]
    fn numbers_are_the_next_bytes() {
        let words = [0x0102_0304_0506_0708, 0x090a_0b0c_0d0e_0f10, u64::MAX, 1 << 63, 5];
        let mut tape = Tape::new(&words);
        assert_eq!(tape.next_bits(0), Ok(0));
        assert_eq!(tape.next_bits(1), Ok(0));
        assert_eq!(tape.next_bits(9), Ok(0x0203 >> 7));
        assert_eq!(tape.next_bits(32), Ok(0x0405_0607));
        assert_eq!(tape.next_u32(), Ok(0x0809_0a0b));
        assert_eq!(tape.next_bits(40), Ok(0x0c_0d0e_0f10));
        assert_eq!(tape.next_f64(), Ok(1.0 - 2f64.powi(-53)));
        assert_eq!(tape.next_f64(), Ok(0.5));
        assert_eq!((tape.stream_position(), tape.next_u64()), (Some(32), Ok(5)));
        let mut native = [[0; 8]; 2];
        let mut tape = Tape::new(&words);
        (&mut tape as &mut dyn RandomSource).fill_native(&mut native).unwrap();
        assert_eq!(native.map(u64::from_ne_bytes), words[..2]);
    }

    #[test]
    #[should_panic(expected = "at most 64 bits")]
    fn numbers_have_64_bits() {
        let _ = Tape::new(&[0; 9]).next_bits(65);
    }
}
