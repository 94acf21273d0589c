//! Checksums of the past: lists of them are verified (`sum -c`), new ones are never made. They show accidents; whoever
//! wants to can make another file with the same one.

use crc::{CRC_32_CKSUM, CRC_32_ISCSI, CRC_32_ISO_HDLC, Crc, Digest as CrcDigest, Table};
use md5::{Digest, Md5};

/// A checksum that is verified only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Legacy {
    /// RFC 1321.
    Md5,
    /// CRC-32 of SFV lists, zip and rhash (ISO 3309).
    Crc32,
    /// CRC-32C (RFC 3720).
    Crc32c,
    /// POSIX `cksum`: a CRC-32 of content and length, beside the length.
    Cksum,
}

static CRC32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISO_HDLC);
static CRC32C: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);
static CKSUM: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_CKSUM);

impl Legacy {
    /// What users and tags call it, in any case, with or without hyphens.
    pub(crate) fn find(name: &str) -> Option<Self> {
        match &name.to_ascii_lowercase().replace(['-', '_'], "")[..] {
            "md5" => Some(Legacy::Md5),
            "crc32" | "sfv" => Some(Legacy::Crc32),
            "crc32c" => Some(Legacy::Crc32c),
            "cksum" | "crc" => Some(Legacy::Cksum),
            _ => None,
        }
    }

    /// As tags and messages have it.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Legacy::Md5 => "MD5",
            Legacy::Crc32 => "CRC32",
            Legacy::Crc32c => "CRC32C",
            Legacy::Cksum => "CRC",
        }
    }

    /// Bytes of what is compared; `cksum`'s are the CRC and the length.
    pub(crate) fn digest_len(self) -> usize {
        match self {
            Legacy::Md5 => 16,
            Legacy::Crc32 | Legacy::Crc32c => 4,
            Legacy::Cksum => 4 + 8,
        }
    }
}

/// A checksum in the making.
pub(crate) enum State {
    Md5(Md5),
    Crc(CrcDigest<'static, u32, Table<16>>),
    Cksum(CrcDigest<'static, u32, Table<16>>),
}

impl State {
    pub(crate) fn new(legacy: Legacy) -> Self {
        match legacy {
            Legacy::Md5 => State::Md5(Md5::new()),
            Legacy::Crc32 => State::Crc(CRC32.digest()),
            Legacy::Crc32c => State::Crc(CRC32C.digest()),
            Legacy::Cksum => State::Cksum(CKSUM.digest()),
        }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match self {
            State::Md5(state) => state.update(bytes),
            State::Crc(state) | State::Cksum(state) => state.update(bytes),
        }
    }

    pub(crate) fn finish(self, size: u64) -> Vec<u8> {
        match self {
            State::Md5(state) => state.finalize().to_vec(),
            State::Crc(state) => state.finalize().to_be_bytes().to_vec(),
            State::Cksum(mut state) => {
                // POSIX: the length follows, least significant byte first, without its leading zeros.
                let bytes = size.to_le_bytes();
                let significant = 8 - size.leading_zeros() as usize / 8;
                state.update(&bytes[..significant]);
                cksum(state.finalize(), size)
            }
        }
    }
}

/// What of a line of `cksum` is compared.
pub(crate) fn cksum(crc: u32, size: u64) -> Vec<u8> {
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
        // RFC 1321 A.5; the catalogue of CRCs' check values; RFC 3720 B.4; POSIX cksum of nothing and coreutils' own.
        assert_eq!(hex(Legacy::Md5, b"abc"), "900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(hex(Legacy::Md5, b""), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(Legacy::Crc32, b"123456789"), "cbf43926");
        assert_eq!(hex(Legacy::Crc32c, &[0; 32]), "8a9136aa");
        assert_eq!(hex(Legacy::Cksum, b""), format!("{:08x}{:016x}", u32::MAX, 0));
        assert_eq!(hex(Legacy::Cksum, b"abc"), format!("{:08x}{:016x}", 1_219_131_554, 3));
    }
}
