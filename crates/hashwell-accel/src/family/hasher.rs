//! Hashes a message in pieces: the padding and chaining of SHA-256 (FIPS 180-4 sections 5.1.1 and 6.2) for any member.

use crate::family::prepared::Prepared;
use block_buffer::EagerBuffer;
use block_buffer::array::Array;
use block_buffer::array::typenum::U64;

/// A hash in progress, of one member on one implementation.
#[derive(Clone, Debug)]
pub struct Hasher {
    prepared: Prepared,
    state: [u32; 8],
    buffer: EagerBuffer<U64>,
    /// The number of bytes so far, modulo 2^64.
    length: u64,
}

impl Prepared {
    /// Returns the digest of a message.
    #[must_use]
    pub fn digest(&self, message: &[u8]) -> [u8; 32] {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.digest()
    }

    /// Returns a hasher, to which you can pass a message in pieces.
    #[must_use]
    pub fn hasher(&self) -> Hasher {
        let state = *self.member().initial();
        Hasher { prepared: self.clone(), state, buffer: EagerBuffer::default(), length: 0 }
    }
}

impl Hasher {
    /// Appends bytes to the message.
    pub fn update(&mut self, data: &[u8]) {
        let Self { prepared, state, buffer, length } = self;
        buffer.digest_blocks(data, |blocks| prepared.compress(state, Array::cast_slice_to_core(blocks)));
        *length = length.wrapping_add(data.len() as u64);
    }

    /// Returns the digest of the message so far. You can append to the message afterwards.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let Self { prepared, mut state, mut buffer, length } = self.clone();
        let compress = |block: &Array<u8, U64>| prepared.compress(&mut state, &[block.0]);
        buffer.len64_padding_be(length.wrapping_mul(8), compress);
        let mut digest = [0; 32];
        for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }
}
