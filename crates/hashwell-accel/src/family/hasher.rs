//! A message in pieces: SHA-256's padding and chaining (FIPS 180-4 sections 5.1.1 and 6.2) around any member.

use crate::family::prepared::Prepared;
use block_buffer::EagerBuffer;
use block_buffer::array::Array;
use block_buffer::array::typenum::U64;

/// One message in progress, on a member and an implementation.
#[derive(Clone, Debug)]
pub struct Hasher {
    prepared: Prepared,
    state: [u32; 8],
    buffer: EagerBuffer<U64>,
    /// Bytes so far, modulo 2^64.
    length: u64,
}

impl Prepared {
    /// The digest of a message.
    #[must_use]
    pub fn digest(&self, message: &[u8]) -> [u8; 32] {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.digest()
    }

    /// For a message in pieces.
    #[must_use]
    pub fn hasher(&self) -> Hasher {
        let state = *self.member().initial();
        Hasher { prepared: self.clone(), state, buffer: EagerBuffer::default(), length: 0 }
    }
}

impl Hasher {
    /// Appends to the message.
    pub fn update(&mut self, data: &[u8]) {
        let Self { prepared, state, buffer, length } = self;
        buffer.digest_blocks(data, |blocks| prepared.compress(state, Array::cast_slice_to_core(blocks)));
        *length = length.wrapping_add(data.len() as u64);
    }

    /// The digest of what came so far; the message may go on.
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
