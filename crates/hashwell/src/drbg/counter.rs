//! Words from SHA-256 in counter mode. Not a DRBG: no state goes on, every block can be computed alone, so that
//! a stream of a public key can be rechecked anywhere in it. It is the source `counter` of `random`; it stands here
//! because `rand_core`'s traits are implemented for all generators of this crate in one place.

use crate::typed::Sha256;
use zeroize::Zeroize;

const BLOCK: usize = 32;

/// A seekable stream: block i is SHA-256(K ‖ 00 ‖ i as 8 bytes, big-endian), four big-endian 64-bit words.
///
/// Every way of cutting the reads gives the same bytes. Unpredictable as long as nobody knows K; with a public
/// K it can be rechecked by anyone. There are 2^64 blocks, after which it starts again.
#[derive(Clone)]
pub struct CounterWords {
    /// K ‖ 00 ‖ i, i the block that comes after the one in `block`.
    message: [u8; BLOCK + 9],
    next: u64,
    block: [u8; BLOCK],
    /// Bytes of `block` read.
    at: usize,
}

impl CounterWords {
    /// The stream of key K, from its beginning.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        let mut message = [0; BLOCK + 9];
        message[..BLOCK].copy_from_slice(key);
        Self { message, next: 0, block: [0; BLOCK], at: BLOCK }
    }

    /// The next eight bytes as a big-endian number.
    #[must_use]
    pub fn next_word(&mut self) -> u64 {
        let mut word = [0; 8];
        self.read(&mut word);
        u64::from_be_bytes(word)
    }

    /// Fills `out` with the next bytes.
    pub fn read(&mut self, out: &mut [u8]) {
        let mut out = out;
        while !out.is_empty() {
            if self.at == BLOCK {
                self.advance();
            }
            let len = out.len().min(BLOCK - self.at);
            let (head, rest) = out.split_at_mut(len);
            head.copy_from_slice(&self.block[self.at..][..len]);
            self.at += len;
            out = rest;
        }
    }

    fn advance(&mut self) {
        self.message[BLOCK + 1..].copy_from_slice(&self.next.to_be_bytes());
        self.block = Sha256::digest(&self.message);
        self.next = self.next.wrapping_add(1);
        self.at = 0;
    }

    /// Goes to a word, counted from 0, forward or back, at the cost of one block.
    pub fn seek(&mut self, word: u64) {
        self.next = word / 4;
        self.at = BLOCK;
        if !word.is_multiple_of(4) {
            self.advance();
            self.at = (word % 4) as usize * 8;
        }
    }
}

impl Drop for CounterWords {
    fn drop(&mut self) {
        self.message.zeroize();
        self.block.zeroize();
    }
}

impl core::fmt::Debug for CounterWords {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CounterWords")
    }
}
