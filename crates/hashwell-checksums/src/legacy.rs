//! Checksums that can be verified, but are not used for new lists. They detect accidental changes but not attacks,
//! because an attacker can make a different file with the same checksum.

use crc::{CRC_32_CKSUM, CRC_32_ISCSI, CRC_32_ISO_HDLC, Crc, Digest as CrcDigest, Table};
use md5::{Digest, Md5};

/// A checksum that can only be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Legacy {
    /// RFC 1321.
    Md5,
    /// The CRC-32 in SFV lists, zip files and rhash (ISO 3309).
    Crc32,
    /// CRC-32C (RFC 3720).
    Crc32c,
    /// POSIX `cksum`: a CRC-32 of the content and its length, followed by the length.
    Cksum,
    /// `cksum -a crc32b`: the same CRC-32 as in SFV lists, followed by the length of the content.
    Crc32b,
    /// BSD's `sum -r`: a checksum of 16 bits, followed by the number of blocks of 1024 bytes.
    Bsd,
    /// System V's `sum -s`: a checksum of 16 bits, followed by the number of blocks of 512 bytes.
    Sysv,
}

static CRC32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);
static CRC32C: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);
static CKSUM: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_CKSUM);

impl Legacy {
    /// Checksums whose lists have two decimal numbers before each name, but don't name the checksum.
    pub const DECIMAL: [Self; 4] = [Legacy::Cksum, Legacy::Crc32b, Legacy::Bsd, Legacy::Sysv];

    /// Finds the checksum with this name. Case, hyphens and underscores are ignored.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        match &name.to_ascii_lowercase().replace(['-', '_'], "")[..] {
            "md5" => Some(Legacy::Md5),
            "crc32" | "sfv" => Some(Legacy::Crc32),
            "crc32c" => Some(Legacy::Crc32c),
            "cksum" | "crc" => Some(Legacy::Cksum),
            "crc32b" => Some(Legacy::Crc32b),
            "bsd" => Some(Legacy::Bsd),
            "sysv" => Some(Legacy::Sysv),
            _ => None,
        }
    }

    /// The name in tags and messages.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Legacy::Md5 => "MD5",
            Legacy::Crc32 => "CRC32",
            Legacy::Crc32c => "CRC32C",
            Legacy::Cksum => "CRC",
            Legacy::Crc32b => "CRC32B",
            Legacy::Bsd => "BSD",
            Legacy::Sysv => "SYSV",
        }
    }

    /// The number of bytes that are compared. These are the bytes of the checksum, followed by the length of the file
    /// for the checksums in [`Legacy::DECIMAL`].
    #[must_use]
    pub fn digest_len(self) -> usize {
        match self {
            Legacy::Md5 => 16,
            Legacy::Crc32 | Legacy::Crc32c => 4,
            Legacy::Cksum | Legacy::Crc32b | Legacy::Bsd | Legacy::Sysv => 4 + 8,
        }
    }
}

/// The state of a checksum computation.
#[allow(missing_docs)] // a variant for each shape of state
#[allow(missing_debug_implementations)]
pub enum State {
    Md5(Md5),
    Crc(CrcDigest<'static, u32, Table<16>>),
    Cksum(CrcDigest<'static, u32, Table<16>>),
    Crc32b(CrcDigest<'static, u32, Table<16>>),
    Bsd(u16),
    Sysv(u32),
}

impl State {
    /// Creates the state before the first byte of the file.
    #[must_use]
    pub fn new(legacy: Legacy) -> Self {
        match legacy {
            Legacy::Md5 => State::Md5(Md5::new()),
            Legacy::Crc32 => State::Crc(CRC32.digest()),
            Legacy::Crc32c => State::Crc(CRC32C.digest()),
            Legacy::Cksum => State::Cksum(CKSUM.digest()),
            Legacy::Crc32b => State::Crc32b(CRC32.digest()),
            Legacy::Bsd => State::Bsd(0),
            Legacy::Sysv => State::Sysv(0),
        }
    }

    /// Adds bytes of the file.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            State::Md5(state) => state.update(bytes),
            State::Crc(state) | State::Cksum(state) | State::Crc32b(state) => state.update(bytes),
            State::Bsd(sum) => {
                *sum = bytes.iter().fold(*sum, |sum, b| sum.rotate_right(1).wrapping_add(u16::from(*b)));
            }
            State::Sysv(sum) => *sum = bytes.iter().fold(*sum, |sum, b| sum.wrapping_add(u32::from(*b))),
        }
    }

    /// Returns the bytes to compare for a file of `size` bytes.
    #[must_use]
    pub fn finish(self, size: u64) -> Vec<u8> {
        match self {
            State::Md5(state) => state.finalize().to_vec(),
            State::Crc(state) => state.finalize().to_be_bytes().to_vec(),
            State::Cksum(mut state) => {
                // POSIX: the length follows, least significant byte first, without leading zeros.
                let bytes = size.to_le_bytes();
                let significant = 8 - size.leading_zeros() as usize / 8;
                state.update(&bytes[..significant]);
                cksum(state.finalize(), size)
            }
            State::Crc32b(state) => cksum(state.finalize(), size),
            State::Bsd(sum) => cksum(u32::from(sum), size.div_ceil(1024)),
            State::Sysv(sum) => {
                // The sum of both halves, plus the carry.
                let folded = (sum & 0xffff) + (sum >> 16);
                cksum((folded & 0xffff) + (folded >> 16), size.div_ceil(512))
            }
        }
    }
}

/// Returns the bytes to compare for a line of `cksum`, `sum -r` or `sum -s`. `size` is the number of bytes or blocks.
#[must_use]
pub fn cksum(crc: u32, size: u64) -> Vec<u8> {
    [&crc.to_be_bytes()[..], &size.to_be_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        let hex = |legacy: Legacy, bytes: &[u8]| {
            let mut state = State::new(legacy);
            bytes.chunks(4).for_each(|piece| state.update(piece));
            data_encoding::HEXLOWER.encode(&state.finish(bytes.len() as u64))
        };
        // The expected values are from RFC 1321 A.5, the catalogue of CRCs (check values), RFC 3720 B.4, POSIX (cksum
        // of empty input) and the output of coreutils.
        assert_eq!(hex(Legacy::Md5, b"abc"), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(hex(Legacy::Md5, b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(Legacy::Crc32, b"123456789"), "cbf43926");
        assert_eq!(hex(Legacy::Crc32c, &[0; 32]), "8a9136aa");
        assert_eq!(hex(Legacy::Cksum, b""), format!("{:08x}{:016x}", u32::MAX, 0));
        assert_eq!(hex(Legacy::Cksum, b"abc"), format!("{:08x}{:016x}", 1_219_131_554, 3));
        // The values for `Bsd` and `Sysv` are from coreutils' `sum -r` and `sum -s`.
        assert_eq!(hex(Legacy::Crc32b, b"123456789"), format!("cbf43926{:016x}", 9));
        assert_eq!(hex(Legacy::Bsd, b"abc"), format!("{:08x}{:016x}", 16556, 1));
        assert_eq!(hex(Legacy::Sysv, b"abc"), format!("{:08x}{:016x}", 294, 1));
        assert_eq!(hex(Legacy::Sysv, &[255; 1025]), format!("{:08x}{:016x}", 64770, 3));
    }
}
