//! Words from SHA-256 in counter mode. Not a DRBG: no state goes on, every block can be computed alone, so that
//! a stream of a public key can be rechecked anywhere in it. It is the source `counter` of `random`.

use crate::ground::error::Error;
use crate::ground::wipe;
use crate::surface::typed::Sha256;
use zeroize::Zeroize;

const BLOCK: usize = 32;

/// Blocks that there are: i has 8 bytes.
const BLOCKS: u128 = 1 << 64;

/// A seekable stream: block i is SHA-256(K ‖ 00 ‖ i as 8 bytes, big-endian), four big-endian 64-bit words.
///
/// Every way of cutting the reads gives the same bytes. Unpredictable as long as nobody knows K; with a public
/// K it can be rechecked by anyone. It ends after 2^64 blocks, near which only [`CounterWords::seek`] gets anyone:
/// [`CounterWords::try_read`] says so, what cannot fail panics, and nothing is repeated.
#[derive(Clone)]
pub struct CounterWords {
    /// K ‖ 00 ‖ i, i the block in `block`.
    message: [u8; BLOCK + 9],
    /// The block after it: 0 to 2^64.
    next: u128,
    block: [u8; BLOCK],
    /// Bytes of `block` read.
    at: usize,
}

impl CounterWords {
    /// Bytes of the stream, 2^69.
    pub const END: u128 = BLOCKS * BLOCK as u128;

    /// The stream of key K, from its beginning.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        let mut message = [0; BLOCK + 9];
        message[..BLOCK].copy_from_slice(key);
        Self { message, next: 0, block: [0; BLOCK], at: BLOCK }
    }

    /// The next eight bytes as a big-endian number.
    ///
    /// # Panics
    /// At the stream's end.
    #[must_use]
    pub fn next_word(&mut self) -> u64 {
        let mut word = [0; 8];
        self.read(&mut word);
        u64::from_be_bytes(word)
    }

    /// Bytes read so far.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.next * BLOCK as u128 - (BLOCK - self.at) as u128
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Panics
    /// Past the stream's end; see [`CounterWords::try_read`].
    pub fn read(&mut self, out: &mut [u8]) {
        self.try_read(out).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Fills `out` with the next bytes, if there are so many.
    ///
    /// # Errors
    /// [`Error::Exhausted`] past byte 2^69. Nothing is read then.
    pub fn try_read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        check(self.position() + out.len() as u128)?;
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
        Ok(())
    }

    /// Makes block `next`, which exists.
    fn advance(&mut self) {
        self.message[BLOCK + 1..].copy_from_slice(&(self.next as u64).to_be_bytes());
        self.block = Sha256::digest(&self.message);
        self.next += 1;
        self.at = 0;
    }

    /// Goes to a word, counted from 0, forward or back, at the cost of one block. 2^66 is the end.
    ///
    /// # Errors
    /// [`Error::Exhausted`] beyond it; the position stays.
    pub fn seek(&mut self, word: u128) -> Result<(), Error> {
        check(word.saturating_mul(8))?;
        self.next = word / 4;
        self.at = BLOCK;
        if !word.is_multiple_of(4) {
            self.advance();
            self.at = (word % 4) as usize * 8;
        }
        Ok(())
    }
}

/// Whether the stream has so many bytes.
fn check(asked: u128) -> Result<(), Error> {
    let end = CounterWords::END;
    if asked <= end { Ok(()) } else { Err(Error::Exhausted { stream: "counter".into(), end, asked }) }
}

impl Drop for CounterWords {
    fn drop(&mut self) {
        self.message.zeroize();
        self.block.zeroize();
        // Where it was made, before it was moved to its place.
        wipe::below();
    }
}

impl core::fmt::Debug for CounterWords {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CounterWords")
    }
}
