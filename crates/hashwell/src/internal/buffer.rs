//! The block buffer of every block-wise hash, and Merkle–Damgård padding.

use zeroize::Zeroize;

/// Determines when a full block is compressed: immediately, or only when further input shows that it is not the last
/// block. BLAKE2 sets a flag for the last block, so it must know which block is the last one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Compress every full block immediately.
    Nothing,
    /// Keep the last full block in the buffer.
    LastBlock,
}

/// The bytes of a block that is incomplete or kept back.
#[derive(Clone)]
pub(crate) struct BlockBuffer<const B: usize> {
    bytes: [u8; B],
    len: usize,
    /// Bytes from this index on were never written, so a short message needs no clearing before its
    /// padding.
    written: usize,
}

impl<const B: usize> BlockBuffer<B> {
    pub(crate) const fn new() -> Self {
        Self { bytes: [0; B], len: 0, written: 0 }
    }

    /// Appends `data`, and passes every block that can be compressed to `compress`, in order. Whole
    /// blocks inside `data` are passed without copying.
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

    /// Clears the bytes of earlier blocks after the current bytes.
    #[inline]
    fn clear_rest(&mut self) {
        if self.written > self.len {
            self.bytes[self.len..self.written].fill(0);
        }
    }

    /// Returns the whole block, including bytes that are not part of the message.
    pub(crate) fn block(&self) -> &[u8; B] {
        &self.bytes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the bytes of the incomplete block, or of the block that is kept back.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Replaces the buffered bytes by other bytes, at most one block.
    pub(crate) fn refill(&mut self, bytes: &[u8]) {
        self.len = 0;
        self.push(bytes);
    }

    /// Returns the last block, padded with zeros, and the number of message bytes in it.
    pub(crate) fn zero_padded(&mut self) -> (&[u8; B], usize) {
        self.clear_rest();
        (&self.bytes, self.len)
    }

    /// Applies [`strengthened`] to the buffered bytes.
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

/// Computes the Merkle–Damgård strengthening (FIPS 180-4 section 5.1) of a block that starts with
/// `len` message bytes followed by zeros. The padding is a one bit, zeros, and the message length
/// in bits as a number of `B / 8` bytes at the end of the last block, in the byte order of the
/// family.
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

/// Computes the same padding in the caller's memory. Writes `rest`, the last bytes of a message
/// (less than a block), and the padding to `tail`, and returns the number of blocks.
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
    // The blocks are cleared one by one, with lengths that the compiler knows. The compiler would turn a loop into a
    // function call.
    first[0] = [0; B];
    if blocks > 1 {
        first[last] = [0; B];
    }
    copy_short(rest, &mut first[0]);
    first[0][rest.len()] = 0x80;
    write_length(&mut first[last][B - length_bytes..]);
    blocks
}

/// Copies less than 256 bytes as two pieces that may overlap, which takes half the time of a copy
/// of arbitrary length. This is a separate function because each hash pads in several places.
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

/// Copies the first and the last `N` bytes of a slice of `N` to `2 * N` bytes. Returns false if
/// there are fewer bytes.
#[inline(always)]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) -> bool {
    let Some((first, last)) = from.first_chunk::<N>().zip(from.last_chunk::<N>()) else { return false };
    to[..N].copy_from_slice(first);
    let at = to.len() - N;
    to[at..].copy_from_slice(last);
    true
}

impl<const B: usize> Zeroize for BlockBuffer<B> {
    /// Writes whole vectors, then uses a barrier so that the compiler cannot remove the writes. A
    /// volatile write for each byte would cost more than a short message.
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

    /// No old contents of a tail's memory remain, whether the padding takes one block or two.
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
