//! Saved states of samplers: one versioned envelope for all of them.
//!
//! ```text
//! "hwstate/" ‖ version ‖ kind ‖ fields ‖ SHA-256 of all before
//! field: length as 8 bytes, big-endian ‖ as many bytes;   version, kind: 4 bytes, big-endian
//! number: a field of 8 or 16 bytes, big-endian
//! ```
//!
//! The digest detects accidental changes, not attacks: an attacker who can change the bytes can change their digest.
//! Readers therefore check all values: lengths against the bytes available before they allocate, and numbers against
//! one another.

use crate::Error;
use hashwell::Sha256;

const MAGIC: &[u8; 8] = b"hwstate/";
/// All other versions, older or newer, are rejected.
const VERSION: u32 = 1;
const HEAD: usize = MAGIC.len() + 8;
const DIGEST: usize = 32;
const WHAT: &str = "a saved sample";

macro_rules! kinds {
    ($($number:literal $kind:ident $name:literal)*) => {
        /// The type of the saved state. The numbers are part of the format and are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Kind {
            $(#[doc = concat!("Kind ", $number, ": ", $name, ".")] $kind = $number,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];

            /// The name of the type in messages.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Kind::$kind => $name,)* }
            }
        }
    };
}
kinds! {
    1 SkipReservoir "a reservoir with exact gaps"
    2 AlgorithmR "a reservoir with Algorithm R"
    3 AlgorithmL "a reservoir with Algorithm L"
    4 BottomK "a sample of the smallest tickets"
    5 OldWithReplacement "a sample with replacement from a version before 0.1.0"
    6 FisherYates "a sparse shuffle"
    7 SequentialSampler "a sequential sample"
    16 AExpJ "a weighted reservoir with jumps"
    17 WeightedTickets "a sample of the smallest weighted tickets"
    18 WeightedReplacement "a weighted sample with replacement"
    19 Proportional "a reservoir with proportional inclusion"
    20 ProportionalExact "a reservoir with proportional inclusion and long weights"
    21 WithReplacement "a sample with replacement"
    64 Command "a state of hashwell sample"
}

/// Builds a saved state, field by field.
#[derive(Clone, Debug)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Starts a state of this kind, without fields.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_be_bytes());
        bytes.extend((kind as u32).to_be_bytes());
        Self { bytes }
    }

    /// Appends a 64-bit number.
    pub fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    /// Appends a 128-bit number.
    pub fn u128(&mut self, number: u128) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    /// Appends a float, as its bits.
    pub fn f64(&mut self, number: f64) -> &mut Self {
        self.u64(number.to_bits())
    }

    /// Appends an optional number, as a field of 16 bytes, or as an empty field for `None`.
    pub fn option_u128(&mut self, number: Option<u128>) -> &mut Self {
        match number {
            Some(number) => self.u128(number),
            None => self.bytes(&[]),
        }
    }

    /// Appends bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend((bytes.len() as u64).to_be_bytes());
        self.bytes.extend(bytes);
        self
    }

    /// Returns the complete state with its digest.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = self.bytes;
        bytes.extend(Sha256::digest(&bytes));
        bytes
    }
}

/// Reads a saved state, field by field, in the order in which it was written.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts reading a state of this kind. Checks the digest first.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the bytes are not a complete state of this version and kind.
    pub fn new(bytes: &'a [u8], kind: Kind) -> Result<Self, Error> {
        let invalid = |reason: String| Err(Error::invalid(WHAT, reason));
        if !bytes.starts_with(MAGIC) {
            return invalid("it does not begin with hwstate/".into());
        }
        let Some(end) = bytes.len().checked_sub(DIGEST).filter(|&end| end >= HEAD) else {
            return invalid(format!(
                "it has {} bytes, but the shortest state has {}",
                bytes.len(),
                HEAD + DIGEST
            ));
        };
        let number = |at: usize| bytes[at..].first_chunk().map_or(0, |number| u32::from_be_bytes(*number));
        if number(MAGIC.len()) != VERSION {
            return invalid(format!("it has version {}, not {VERSION}", number(MAGIC.len())));
        }
        if bytes[end..] != Sha256::digest(&bytes[..end]) {
            return invalid("it is truncated or damaged: its digest does not match".into());
        }
        let got = number(MAGIC.len() + 4);
        if got != kind as u32 {
            let is = Kind::ALL.iter().find(|kind| **kind as u32 == got);
            let is = is.map_or_else(|| format!("of kind {got}"), |kind| kind.name().into());
            return invalid(format!("it is {is}, not {}", kind.name()));
        }
        Ok(Self { left: &bytes[HEAD..end] })
    }

    /// Returns true if the bytes begin like a state of this kind.
    pub(crate) fn is(bytes: &[u8], kind: Kind) -> bool {
        bytes.get(MAGIC.len() + 4..HEAD) == Some(&(kind as u32).to_be_bytes())
    }

    /// Reads the next field as a 64-bit number.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the field does not have 8 bytes.
    pub fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_be_bytes)
    }

    /// Reads the next field as a 128-bit number.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the field does not have 16 bytes.
    pub fn u128(&mut self) -> Result<u128, Error> {
        self.array().map(u128::from_be_bytes)
    }

    /// Reads the next field as a float. Any bit pattern is accepted.
    ///
    /// # Errors
    /// Returns the same errors as [`Reader::u64`].
    pub fn f64(&mut self) -> Result<f64, Error> {
        self.u64().map(f64::from_bits)
    }

    /// Reads the next field as an optional number.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if the field has neither 16 nor 0 bytes.
    pub fn option_u128(&mut self) -> Result<Option<u128>, Error> {
        let mut ahead = self.clone();
        if ahead.bytes()?.is_empty() {
            *self = ahead;
            return Ok(None);
        }
        self.u128().map(Some)
    }

    /// Reads the next field as a number of objects in memory (`usize`).
    ///
    /// # Errors
    /// Returns the same errors as [`Reader::u64`]. Also returns [`Error::Invalid`] if the number is too large for
    /// `usize`.
    pub fn usize(&mut self) -> Result<usize, Error> {
        usize::try_from(self.u64()?)
            .map_err(|_| Error::invalid(WHAT, "a count is too large for this machine"))
    }

    /// Reads the next field as bytes.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if there is no further field, or if fewer bytes are left than its declared length.
    pub fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let short = || Error::invalid(WHAT, "a field is longer than the remaining bytes");
        let (len, rest) = self.left.split_first_chunk().ok_or_else(short)?;
        let len = usize::try_from(u64::from_be_bytes(*len)).map_err(|_| short())?;
        let (field, rest) = rest.split_at_checked(len).ok_or_else(short)?;
        self.left = rest;
        Ok(field)
    }

    /// The number of bytes that have not been read yet, including length prefixes. A count that the state declares
    /// can't be valid if it exceeds this number.
    #[must_use]
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Checks that all fields were read.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] if there are further fields.
    pub fn end(self) -> Result<(), Error> {
        if self.left.is_empty() { Ok(()) } else { Err(Error::invalid(WHAT, "it has extra fields")) }
    }

    /// Creates an [`Error::Invalid`] for a state with inconsistent fields.
    #[must_use]
    pub fn contradiction(reason: &'static str) -> Error {
        Error::invalid(WHAT, reason)
    }

    /// Rejects a state that differs from the encoding of the values read from it: each state has only one encoding.
    pub(crate) fn same(read: &[u8], written: &[u8]) -> Result<(), Error> {
        if read == written {
            return Ok(());
        }
        Err(Self::contradiction("its encoding is not the one that hashwell writes"))
    }

    fn array<const LEN: usize>(&mut self) -> Result<[u8; LEN], Error> {
        let field = self.bytes()?;
        let invalid = |_| Error::invalid(WHAT, format!("a number has {} bytes, not {LEN}", field.len()));
        field.try_into().map_err(invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved() -> Vec<u8> {
        let mut writer = Writer::new(Kind::SkipReservoir);
        writer.u64(7).u128(1 << 100).option_u128(None).option_u128(Some(5)).bytes(b"abc").f64(0.5);
        writer.finish()
    }

    fn read(bytes: &[u8]) -> Result<(), Error> {
        let mut reader = Reader::new(bytes, Kind::SkipReservoir)?;
        assert_eq!((reader.u64()?, reader.u128()?), (7, 1 << 100));
        assert_eq!((reader.option_u128()?, reader.option_u128()?), (None, Some(5)));
        assert_eq!((reader.bytes()?, reader.left(), reader.f64()?), (&b"abc"[..], 16, 0.5));
        reader.end()
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = saved();
        read(&bytes).unwrap();
        assert_eq!(bytes.len(), 16 + 16 + 24 + 8 + 24 + 11 + 16 + 32);
        assert_eq!(&bytes[..24], b"hwstate/\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\x08");
    }

    #[test]
    fn every_truncation_and_every_flipped_bit_is_refused() {
        let bytes = saved();
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len]).is_err(), "{len} bytes");
        }
        for bit in 0..bytes.len() * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&changed).is_err(), "bit {bit}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(read(&longer).is_err());
    }

    #[test]
    fn lengths_lie_even_under_a_right_digest() {
        for len in [4_u64, 1 << 40, u64::MAX] {
            let mut bytes = Writer::new(Kind::SkipReservoir).bytes;
            bytes.extend(len.to_be_bytes());
            bytes.extend(b"abc");
            let bytes = Writer { bytes }.finish();
            let error = Reader::new(&bytes, Kind::SkipReservoir).unwrap().bytes().unwrap_err();
            assert_eq!(error.to_string(), "not a saved sample: a field is longer than the remaining bytes");
        }
        let said = |kind| Reader::new(&saved(), kind).unwrap_err().to_string();
        let must =
            "not a saved sample: it is a reservoir with exact gaps, not a sample of the smallest tickets";
        assert_eq!(said(Kind::BottomK), must);
        let mut reader = saved();
        reader[11] = 2;
        let said = Reader::new(&reader, Kind::SkipReservoir).unwrap_err().to_string();
        assert_eq!(said, "not a saved sample: it has version 2, not 1");
        let bytes = Writer::new(Kind::SkipReservoir).finish();
        assert!(Reader::new(&bytes, Kind::SkipReservoir).unwrap().u64().is_err());
        let mut writer = Writer::new(Kind::SkipReservoir);
        writer.u64(7).u64(8);
        let bytes = writer.finish();
        let mut reader = Reader::new(&bytes, Kind::SkipReservoir).unwrap();
        assert_eq!(reader.u64(), Ok(7));
        let said = reader.end().unwrap_err().to_string();
        assert_eq!(said, "not a saved sample: it has extra fields");
    }
}
