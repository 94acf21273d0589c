//! The contract of all generators: a stream of bytes, and numbers in it.

use crate::api::hash::Reader;
use crate::internal::error::Error;
use alloc::boxed::Box;

/// A stream of bytes. Each is given once, in order, and every way of cutting the reads gives the same bytes.
///
/// [`CounterRng`](crate::CounterRng), [`Reader`](crate::Reader), [`DrbgStream`](crate::DrbgStream),
/// [`OsDrbg`](crate::OsDrbg) and [`RandomStream`](crate::RandomStream) are sources; so is what
/// [`random`](crate::random) makes of other generators. Reading allocates nothing, and `dyn ByteSource` is a source.
pub trait ByteSource {
    /// Fills `out` with the next bytes. No bytes can always be read.
    ///
    /// # Errors
    /// [`Error::Exhausted`] if fewer are left, of which none is read then; and what keeps this source from giving
    /// more, as it says. After an error `out` holds what it held before, or zeros.
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error>;

    /// The next `len` bytes, at most 8, with zeros before them. A source that has bytes ahead gives them in a register,
    /// where [`ByteSource::fill`] goes through memory.
    ///
    /// # Errors
    /// As [`ByteSource::fill`].
    ///
    /// # Panics
    /// If `len` is more than 8.
    #[inline]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes[8 - len..])?;
        Ok(bytes)
    }

    /// The next bytes, as many as this source has lying ready: for a loop that looks at many words and does not know how
    /// many it needs. None of a source that has no buffer, or whose bytes must not be seen before they are read.
    #[inline]
    fn ahead(&self) -> &[u8] {
        &[]
    }

    /// Reads so many of the bytes that lie [ahead](ByteSource::ahead), which gives them to nobody.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    fn pass(&mut self, len: usize) {
        assert_eq!(len, 0, "nothing lies ahead");
    }

    /// Bytes read so far; `None` of a source that does not count them.
    fn stream_position(&self) -> Option<u128> {
        None
    }

    /// Bytes of the whole stream; `None` of a source that does not know of an end.
    fn stream_end(&self) -> Option<u128> {
        None
    }
}

/// Numbers in a stream: the next bytes, big-endian, as many as a number needs. Every mix of calls reads the same
/// stream. Every [`ByteSource`] has them, and `dyn Words` is object-safe.
///
/// ```
/// use hashwell::{CounterRng, RandomSource};
///
/// let mut words = CounterRng::new(&[7; 32]);
/// let halves = [words.next_u32()?, words.next_u32()?];
/// words.seek(0)?;
/// assert_eq!(words.next_u64()?, u64::from(halves[0]) << 32 | u64::from(halves[1]));
/// # Ok::<(), hashwell::Error>(())
/// ```
pub trait RandomSource: ByteSource {
    /// A number of 0 <= x < 2^`bits`: the next ⌈`bits` / 8⌉ bytes, without their surplus low bits.
    ///
    /// # Errors
    /// As [`ByteSource::fill`].
    ///
    /// # Panics
    /// If `bits` is more than 64.
    #[inline]
    fn next_bits(&mut self, bits: u32) -> Result<u64, Error> {
        assert!(bits <= 64, "a number has at most 64 bits");
        let len = bits.div_ceil(8);
        Ok(number(self.take(len as usize)?) >> (8 * len - bits))
    }

    /// The next 4 bytes as a number.
    ///
    /// # Errors
    /// As [`ByteSource::fill`].
    #[inline]
    fn next_u32(&mut self) -> Result<u32, Error> {
        // Before its four bytes there are zeros.
        self.take(4).map(|bytes| number(bytes) as u32)
    }

    /// The next 8 bytes as a number.
    ///
    /// # Errors
    /// As [`ByteSource::fill`].
    #[inline(always)]
    fn next_u64(&mut self) -> Result<u64, Error> {
        self.take(8).map(number)
    }

    /// A number of 0 <= u < 1: (the next 8 bytes >> 11) · 2^-53.
    ///
    /// # Errors
    /// As [`ByteSource::fill`].
    #[inline(always)]
    fn next_f64(&mut self) -> Result<f64, Error> {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        Ok((self.next_u64()? >> 11) as f64 * STEP)
    }

    /// Numbers of 8 bytes each, left in the machine's byte order: for arrays that other languages own.
    ///
    /// # Errors
    /// As [`ByteSource::fill`].
    fn fill_native(&mut self, out: &mut [[u8; 8]]) -> Result<(), Error> {
        self.fill(out.as_flattened_mut())?;
        out.iter_mut().for_each(|word| *word = number(*word).to_ne_bytes());
        Ok(())
    }
}

impl<S: ByteSource + ?Sized> RandomSource for S {}

/// The byte order of every number in every stream.
#[inline]
fn number(bytes: [u8; 8]) -> u64 {
    u64::from_be_bytes(bytes)
}

/// The bytes of a number: the inverse, for sources that are made of numbers.
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

/// The output of an extendable-output function, which holds its own block.
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
