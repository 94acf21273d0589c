//! Block buffering, once for every block-wise hash, and Merkle–Damgård padding.

use zeroize::Zeroize;

/// Whether a full block may be compressed at once or must wait until more input shows that it is not
/// the last one (BLAKE2 flags its last block, so it has to know).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Compress every full block.
    Nothing,
    /// Keep the last full block back.
    LastBlock,
}

/// The bytes of a block that is not complete yet (or held back).
#[derive(Clone)]
pub(crate) struct BlockBuffer<const B: usize> {
    bytes: [u8; B],
    len: usize,
    /// Bytes from here on were never written: a short message needs no clearing before its padding.
    written: usize,
}

impl<const B: usize> BlockBuffer<B> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; B], len: 0, written: 0 }
    }

    /// Takes `data` in and hands every block that may be compressed to `compress`, in order; whole
    /// blocks inside `data` are handed over where they lie.
    #[inline(always)]
    pub(crate) fn absorb(&mut self, mut data: &[u8], hold: Hold, mut compress: impl FnMut(&[[u8; B]])) {
        let held = usize::from(hold == Hold::LastBlock);
        if self.len > 0 {
            if self.len + data.len() < B + held {
                self.push(data);
                return;
            }
            let (head, rest) = data.split_at(B - self.len);
            self.push(head);
            data = rest;
            compress(core::slice::from_ref(&self.bytes));
            self.len = 0;
        }
        let whole = data.len().saturating_sub(held) / B;
        let (blocks, rest) = data.split_at(whole * B);
        if whole > 0 {
            compress(blocks.as_chunks().0);
        }
        self.push(rest);
    }

    #[inline(always)]
    fn push(&mut self, data: &[u8]) {
        self.bytes[self.len..self.len + data.len()].copy_from_slice(data);
        self.len += data.len();
        self.written = self.written.max(self.len);
    }

    /// Clears what is left of earlier blocks behind the current bytes.
    #[inline]
    fn clear_rest(&mut self) {
        if self.written > self.len {
            self.bytes[self.len..self.written].fill(0);
        }
    }

    /// The whole block, written so far or not.
    pub(crate) fn block(&self) -> &[u8; B] {
        &self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes that wait for the rest of their block, or are held back.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Puts bytes into an empty buffer, at most a block.
    pub(crate) fn refill(&mut self, bytes: &[u8]) {
        debug_assert!(self.is_empty());
        self.push(bytes);
    }

    /// The last block, padded with zeros, and the number of message bytes in it.
    pub(crate) fn zero_padded(&mut self) -> (&[u8; B], usize) {
        self.clear_rest();
        (&self.bytes, self.len)
    }

    /// [`strengthened`], of what is there.
    #[inline(always)]
    pub(crate) fn pad_merkle_damgard(
        &mut self,
        write_length: impl FnOnce(&mut [u8]),
        compress: impl FnMut(&[[u8; B]]),
    ) {
        self.clear_rest();
        strengthened(&mut self.bytes, self.len, write_length, compress);
    }
}

/// Merkle–Damgård strengthening (FIPS 180-4 section 5.1) of a block that begins with `len` bytes of a message and is zero
/// behind them: a one bit, zeros, and the message length as a number of `B / 8` bytes at the end of the last block, in the order
/// of bytes that the family has.
#[inline(always)]
pub(crate) fn strengthened<const B: usize>(
    block: &mut [u8; B],
    len: usize,
    write_length: impl FnOnce(&mut [u8]),
    mut compress: impl FnMut(&[[u8; B]]),
) {
    let length_bytes = B / 8;
    block[len] = 0x80;
    if len + 1 + length_bytes > B {
        compress(core::slice::from_ref(block));
        *block = [0; B];
    }
    write_length(&mut block[B - length_bytes..]);
    compress(core::slice::from_ref(block));
}

/// The same padding into memory of the caller's: writes the last `rest` of a message, less than a
/// block, and its padding to `tail`; returns the number of blocks.
#[inline(always)]
pub(crate) fn pad_merkle_damgard<const B: usize>(
    rest: &[u8],
    tail: &mut [u8],
    write_length: impl FnOnce(&mut [u8]),
) -> usize {
    let length_bytes = B / 8;
    let blocks = if rest.len() + 1 + length_bytes <= B { 1 } else { 2 };
    let (tail, _) = tail.as_chunks_mut::<B>();
    let (first, last) = (&mut tail[..blocks], blocks - 1);
    // Block by block, whose lengths the compiler knows: of a loop it would make a call.
    first[0] = [0; B];
    if blocks > 1 {
        first[last] = [0; B];
    }
    copy_short(rest, &mut first[0]);
    first[0][rest.len()] = 0x80;
    write_length(&mut first[last][B - length_bytes..]);
    blocks
}

/// Copies less than 256 bytes as two pieces that may overlap: half the time that a copy of any length takes. Its own function,
/// since each hash pads in several places.
#[inline(never)]
pub(crate) fn copy_short(from: &[u8], to: &mut [u8]) {
    let to = &mut to[..from.len()];
    let copied = from.len() >= 128 && copy_ends::<128>(from, to)
        || copy_ends::<64>(from, to)
        || copy_ends::<32>(from, to)
        || copy_ends::<16>(from, to)
        || copy_ends::<8>(from, to);
    if !copied {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

/// Copies the first and the last `N` bytes of at most twice as many, if there are so many.
#[inline(always)]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) -> bool {
    let Some((first, last)) = from.first_chunk::<N>().zip(from.last_chunk::<N>()) else { return false };
    to[..N].copy_from_slice(first);
    let at = to.len() - N;
    to[at..].copy_from_slice(last);
    true
}

impl<const B: usize> Zeroize for BlockBuffer<B> {
    /// By whole vectors, and a barrier so that it is really done: a volatile write for each byte costs more
    /// than a short message.
    fn zeroize(&mut self) {
        *self = Self::new();
        zeroize::optimization_barrier(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_copies() {
        let from: [u8; 255] = core::array::from_fn(|i| i as u8 + 1);
        for len in 0..=from.len() {
            let mut to = [0; 260];
            copy_short(&from[..len], &mut to);
            assert!(to[..len] == from[..len] && to[len..].iter().all(|byte| *byte == 0), "{len}");
        }
    }

    /// Of what a tail's memory held nothing is left, in one block or two.
    #[test]
    fn padding_in_memory_that_was_used() {
        for len in 0..64 {
            let (mut tail, blocks) = ([0xaa; 128], if len < 56 { 1 } else { 2 });
            assert_eq!(pad_merkle_damgard::<64>(&[7; 64][..len], &mut tail, |place| place.fill(9)), blocks);
            let (padded, rest) = tail.split_at(64 * blocks);
            let (text, last) = (&padded[..len], &padded[padded.len() - 8..]);
            assert!(text.iter().all(|byte| *byte == 7) && last == [9; 8] && padded[len] == 0x80, "{len}");
            assert!(padded[len + 1..padded.len() - 8].iter().all(|byte| *byte == 0), "{len}");
            assert!(rest.iter().all(|byte| *byte == 0xaa), "{len}");
        }
    }
}
