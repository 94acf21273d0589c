//! Words from SHA-256 in counter mode. Not a DRBG: no state goes on, every block can be computed alone, so that
//! a stream of a public key can be rechecked anywhere in it. It is the source `counter` of `random`.

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

/// Blocks made side by side: a multiple of this, which every batch kernel's width divides, so that no lane idles.
const LANES: usize = 16;
/// And at most so many at a time.
const GROUP: usize = 4 * LANES;

/// Blocks that there are: i has 8 bytes.
const BLOCKS: u128 = 1 << 64;

/// A seekable stream: block i is SHA-256(K ‖ 00 ‖ i as 8 bytes, big-endian), four big-endian 64-bit words.
///
/// Every way of cutting the reads gives the same bytes. Unpredictable as long as nobody knows K; with a public
/// K it can be rechecked by anyone. It ends after 2^64 blocks, near which only [`CounterRng::seek`] gets anyone:
/// [`CounterRng::try_read`] says so, what cannot fail panics, and nothing is repeated.
#[derive(Clone)]
pub struct CounterRng {
    blocks: CounterBlocks,
    buffer: Buffer<[u8; BLOCK]>,
}

#[derive(Clone)]
struct CounterBlocks {
    /// K ‖ 00 ‖ i, i the last block made.
    message: [u8; BLOCK + 9],
    /// The block after it: 0 to 2^64.
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
    /// Goes on to the message of the next block.
    fn count(&mut self) {
        self.message[BLOCK + 1..].copy_from_slice(&(self.next as u64).to_be_bytes());
        self.next += 1;
    }

    /// So many blocks in the lanes of a batch kernel. Kept out of the loop that makes one block, whose stack would else hold
    /// all these messages.
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
        // By whole vectors: a volatile write for each byte costs as much as some of the blocks.
        messages.as_flattened_mut().fill(0);
        zeroize::optimization_barrier(messages);
    }
}

impl CounterRng {
    /// Bytes of the stream, 2^69.
    pub const END: u128 = BLOCKS * BLOCK as u128;

    /// The stream of key K, from its beginning.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        let mut message = [0; BLOCK + 9];
        message[..BLOCK].copy_from_slice(key);
        Self { blocks: CounterBlocks { message, next: 0 }, buffer: Buffer::new([0; BLOCK], false) }
    }

    /// The next eight bytes as a big-endian number.
    ///
    /// # Panics
    /// At the stream's end.
    #[must_use]
    pub fn next_word(&mut self) -> u64 {
        self.next_u64().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Bytes read so far.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.blocks.next * BLOCK as u128 - self.buffer.ahead() as u128
    }

    /// Fills `out` with the next bytes.
    ///
    /// # Panics
    /// Past the stream's end; see [`CounterRng::try_read`].
    pub fn read(&mut self, out: &mut [u8]) {
        self.try_read(out).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Fills `out` with the next bytes, if there are so many.
    ///
    /// # Errors
    /// [`Error::Exhausted`] past byte 2^69. Nothing is read then.
    #[inline]
    pub fn try_read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.buffer.read(out, &mut self.blocks)
    }

    /// Goes to a word, counted from 0, forward or back, at the cost of one block. 2^66 is the end.
    ///
    /// # Errors
    /// [`Error::Exhausted`] beyond it; the position stays.
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

/// Whether the stream has so many bytes.
fn check(asked: u128) -> Result<(), Error> {
    let end = CounterRng::END;
    if asked <= end { Ok(()) } else { Err(Error::Exhausted { stream: words("counter"), end, asked }) }
}

impl Drop for CounterRng {
    fn drop(&mut self) {
        // The buffer wipes itself.
        self.blocks.message.zeroize();
        // Where it was made, before it was moved to its place.
        wipe::below(wipe::Depth::Usual);
    }
}

impl core::fmt::Debug for CounterRng {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("CounterRng")
    }
}
