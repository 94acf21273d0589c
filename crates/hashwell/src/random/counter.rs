//! SHA-256 in counter mode. This is not a DRBG: it has no state that evolves, and each block can be
//! computed independently. So anyone who knows the key can verify any part of the stream.
//! [`Source`](crate::Source) calls this generator `counter`.

use super::buffer::{Blocks, Buffer};
use super::words::{ByteSource, RandomSource};
use crate::api::typed::Sha256;
use crate::families::Jobs;
use crate::internal::batch::Messages;
use crate::internal::error::Error;
use crate::internal::try_alloc::words;
use crate::internal::wipe;
use zeroize::Zeroize;

const BLOCK: usize = 32;

/// The number of blocks computed in parallel is a multiple of this constant, which is a multiple of
/// every batch kernel's width, so that no lane is idle.
const LANES: usize = 16;
/// The maximum number of blocks computed at a time.
const GROUP: usize = 4 * LANES;

/// The number of blocks. The block number i has 8 bytes.
const BLOCKS: u128 = 1 << 64;

/// A seekable stream from a key K. Block i is SHA-256(K ‖ 00 ‖ i as 8 bytes, big-endian). Each block contains four
/// big-endian 64-bit integers.
///
/// The bytes do not depend on how you divide the reads. The stream is unpredictable as long as K is
/// secret. If K is public, anyone can verify the stream.
///
/// The stream ends after 2^64 blocks, which you can reach only with [`CounterRng::seek`]. At the end,
/// [`CounterRng::try_read`] returns an error, and methods that cannot return an error panic. A stream never repeats.
///
/// ```
/// let mut rng = hashwell::CounterRng::new(&[7; 32]);
/// let first = rng.next_word();
/// rng.seek(0)?;
/// assert_eq!(rng.next_word(), first);
/// # Ok::<(), hashwell::Error>(())
/// ```
#[derive(Clone)]
pub struct CounterRng {
    blocks: CounterBlocks,
    buffer: Buffer<[u8; BLOCK]>,
}

#[derive(Clone)]
struct CounterBlocks {
    /// K ‖ 00 ‖ i, where i is the number of the last block that was computed.
    message: [u8; BLOCK + 9],
    /// The number of the next block: 0 to 2^64.
    next: u128,
}

impl Blocks for CounterBlocks {
    #[inline]
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error> {
        for group in out.chunks_mut(GROUP * BLOCK) {
            let (together, alone) = group.split_at_mut(group.len() - group.len() % (LANES * BLOCK));
            if !together.is_empty() {
                self.make_together(together);
            }
            for block in alone.as_chunks_mut::<BLOCK>().0 {
                self.count();
                *block = Sha256::digest(&self.message);
            }
        }
        Ok(())
    }

    fn check_left(&self, len: u128) -> Result<(), Error> {
        check(self.next * BLOCK as u128 + len)
    }

    fn left(&self) -> u128 {
        (BLOCKS - self.next) * BLOCK as u128
    }
}

impl CounterBlocks {
    /// Prepares the message of the next block.
    fn count(&mut self) {
        self.message[BLOCK + 1..].copy_from_slice(&(self.next as u64).to_be_bytes());
        self.next += 1;
    }

    /// Computes several blocks in the lanes of a batch kernel. This function is separate because
    /// the loop that computes one block would otherwise reserve stack for all these messages.
    #[inline(never)]
    fn make_together(&mut self, out: &mut [u8]) {
        let mut messages = [self.message; GROUP];
        let messages = &mut messages[..out.len() / BLOCK];
        for message in messages.iter_mut() {
            self.count();
            *message = self.message;
        }
        let message = |i: usize| &messages[i][..];
        let jobs =
            Jobs { messages: Messages::new(messages.len(), &message), output_len: BLOCK, secret: true };
        let sha256 = Sha256::algorithm();
        sha256.family.digest_many(&sha256.default_state(), &jobs, None, out);
        // Writes whole vectors, because a volatile write for each byte costs as much as some of the
        // blocks.
        messages.as_flattened_mut().fill(0);
        zeroize::optimization_barrier(messages);
    }
}

impl CounterRng {
    /// The length of the stream in bytes, 2^69.
    pub const END: u128 = BLOCKS * BLOCK as u128;

    /// Returns the stream of the key K, positioned at its start.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        let mut message = [0; BLOCK + 9];
        message[..BLOCK].copy_from_slice(key);
        Self { blocks: CounterBlocks { message, next: 0 }, buffer: Buffer::new([0; BLOCK], false) }
    }

    /// Returns the next eight bytes as a big-endian integer.
    ///
    /// # Panics
    /// Panics at the end of the stream.
    #[must_use]
    pub fn next_word(&mut self) -> u64 {
        self.next_u64().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the number of bytes read so far.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.blocks.next * BLOCK as u128 - self.buffer.ahead() as u128
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Panics
    /// Panics if the stream has fewer than `out.len()` bytes left. [`CounterRng::try_read`] returns an error instead.
    pub fn read(&mut self, out: &mut [u8]) {
        self.try_read(out).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Errors
    /// Returns [`Error::Exhausted`] if the stream has fewer than `out.len()` bytes left. In this case, nothing is read.
    #[inline]
    pub fn try_read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.buffer.read(out, &mut self.blocks)
    }

    /// Moves to the 64-bit integer with the number `word`, counted from 0. You can move forwards or backwards, at the
    /// cost of computing one block. The number 2^66 is the end of the stream.
    ///
    /// # Errors
    /// Returns [`Error::Exhausted`] if `word` is greater than 2^66. In this case, the position is unchanged.
    pub fn seek(&mut self, word: u128) -> Result<(), Error> {
        check(word.saturating_mul(8))?;
        self.blocks.next = word / 4;
        self.buffer.clear();
        self.buffer.skip(word % 4 * 8, &mut self.blocks)
    }
}

impl ByteSource for CounterRng {
    #[inline]
    fn fill(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.try_read(out)
    }

    #[inline(always)]
    fn take(&mut self, len: usize) -> Result<[u8; 8], Error> {
        self.buffer.take(len, &mut self.blocks)
    }

    fn stream_position(&self) -> Option<u128> {
        Some(self.position())
    }

    fn stream_end(&self) -> Option<u128> {
        Some(Self::END)
    }
}

/// Checks that the stream has this number of bytes.
fn check(asked: u128) -> Result<(), Error> {
    let end = CounterRng::END;
    if asked <= end { Ok(()) } else { Err(Error::Exhausted { stream: words("counter"), end, asked }) }
}

impl Drop for CounterRng {
    fn drop(&mut self) {
        // The buffer wipes itself.
        self.blocks.message.zeroize();
        // Overwrites the stack on which the value was made before it was moved.
        wipe::below(wipe::Depth::Usual);
    }
}

impl core::fmt::Debug for CounterRng {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CounterRng")
    }
}
