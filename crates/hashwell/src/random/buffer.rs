//! The buffer of all generators. It holds bytes that were generated and not read yet.

use crate::internal::error::Error;
use zeroize::Zeroize;

/// A producer of bytes that fills a buffer.
pub(super) trait Blocks {
    /// Fills `out` with the next bytes. The length of `out` is the size of the buffer, a multiple of this size, or the
    /// number of bytes that are left.
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error>;

    /// Checks that the producer has at least `_len` bytes left. [`Blocks::make`] can still fail later. The default
    /// implementation checks nothing, so `make` reports the end of the stream.
    fn check_left(&self, _len: u128) -> Result<(), Error> {
        Ok(())
    }

    /// Returns the maximum number of bytes that the producer has left.
    fn left(&self) -> u128 {
        u128::MAX
    }
}

/// Bytes generated in advance, at the end of a fixed block of memory. Overwritten on drop.
#[derive(Clone)]
pub(super) struct Buffer<B: AsRef<[u8]> + AsMut<[u8]>> {
    room: B,
    /// The number of bytes of `room` that were read or never filled.
    at: usize,
    /// True if bytes are overwritten as they are read.
    forgets: bool,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Buffer<B> {
    /// Returns an empty buffer that uses this memory. Its initial contents are ignored.
    pub(super) fn new(room: B, forgets: bool) -> Self {
        let at = room.as_ref().len();
        Self { room, at, forgets }
    }

    /// Returns the number of bytes that were generated and not read.
    #[inline]
    pub(super) fn ahead(&self) -> usize {
        self.room.as_ref().len() - self.at
    }

    /// Returns the bytes that were generated and not read, or none if the buffer overwrites bytes
    /// as they are read, because the caller could keep a copy.
    #[inline]
    pub(super) fn bytes_ahead(&self) -> &[u8] {
        if self.forgets { &[] } else { &self.room.as_ref()[self.at..] }
    }

    /// Discards the first `len` bytes of [`Buffer::bytes_ahead`].
    #[inline]
    pub(super) fn pass(&mut self, len: usize) {
        assert!(len <= self.bytes_ahead().len(), "so many bytes do not lie ahead");
        self.at += len;
    }

    /// Fills `out` with the next bytes: first the buffered bytes, then bytes from `blocks`, either
    /// through the buffer or, for whole buffers, directly.
    ///
    /// If `blocks` does not have enough bytes left, nothing is read. If it fails later, `out` is
    /// overwritten with zeros.
    #[inline]
    pub(super) fn read(&mut self, out: &mut [u8], blocks: &mut impl Blocks) -> Result<(), Error> {
        if out.len() <= self.ahead() {
            self.give(out);
            return Ok(());
        }
        self.read_beyond(out, blocks)
    }

    /// Returns the next `len` bytes, at most 8, with zeros before them. This method is always
    /// inlined, because `len` is then a constant and moving the bytes takes one instruction instead
    /// of a call of `memcpy`.
    #[inline(always)]
    pub(super) fn take(&mut self, len: usize, blocks: &mut impl Blocks) -> Result<[u8; 8], Error> {
        let Some(from) = self.room.as_mut().get_mut(self.at..).and_then(|ahead| ahead.get_mut(..len)) else {
            return self.take_beyond(len, blocks);
        };
        let mut bytes = [0; 8];
        bytes[8 - len..].copy_from_slice(from);
        if self.forgets {
            from.fill(0);
        }
        self.at += len;
        Ok(bytes)
    }

    /// The slow path of [`Buffer::take`]. It returns the bytes by value, because writing them to
    /// memory would keep them out of a register.
    #[inline(never)]
    fn take_beyond(&mut self, len: usize, blocks: &mut impl Blocks) -> Result<[u8; 8], Error> {
        let mut bytes = [0; 8];
        self.read_beyond(&mut bytes[8 - len..], blocks)?;
        Ok(bytes)
    }

    /// The slow path of [`Buffer::read`], in a separate function so that the fast path stays short.
    #[inline(never)]
    fn read_beyond(&mut self, out: &mut [u8], blocks: &mut impl Blocks) -> Result<(), Error> {
        blocks.check_left((out.len() - self.ahead()) as u128)?;
        let done = self.read_pieces(out, blocks);
        if done.is_err() {
            out.zeroize();
        }
        done
    }

    fn read_pieces(&mut self, mut out: &mut [u8], blocks: &mut impl Blocks) -> Result<(), Error> {
        loop {
            let (head, rest) = out.split_at_mut(out.len().min(self.ahead()));
            self.give(head);
            let (whole, rest) = rest.split_at_mut(rest.len() - rest.len() % self.room.as_ref().len());
            if !whole.is_empty() {
                blocks.make(whole)?;
            }
            if rest.is_empty() {
                return Ok(());
            }
            self.refill(blocks)?;
            out = rest;
        }
    }

    /// Skips `len` bytes, which `blocks` still has to generate.
    pub(super) fn skip(&mut self, mut len: u128, blocks: &mut impl Blocks) -> Result<(), Error> {
        blocks.check_left(len.saturating_sub(self.ahead() as u128))?;
        loop {
            let step = len.min(self.ahead() as u128);
            self.at += step as usize;
            len -= step;
            if len == 0 {
                return Ok(());
            }
            self.refill(blocks)?;
        }
    }

    /// Discards the buffered bytes.
    pub(super) fn clear(&mut self) {
        self.room.as_mut().zeroize();
        self.at = self.room.as_ref().len();
    }

    /// Fills the empty buffer, or only its end if fewer bytes are left.
    fn refill(&mut self, blocks: &mut impl Blocks) -> Result<(), Error> {
        let room = self.room.as_mut();
        let at = room.len() - blocks.left().min(room.len() as u128) as usize;
        blocks.make(&mut room[at..])?;
        self.at = at;
        Ok(())
    }

    /// Fills `out` with buffered bytes.
    #[inline(always)]
    fn give(&mut self, out: &mut [u8]) {
        let from = &mut self.room.as_mut()[self.at..][..out.len()];
        out.copy_from_slice(from);
        if self.forgets {
            from.fill(0);
        }
        self.at += out.len();
    }
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Drop for Buffer<B> {
    fn drop(&mut self) {
        self.room.as_mut().zeroize();
    }
}

#[cfg(test)]
impl<B: AsRef<[u8]> + AsMut<[u8]>> Buffer<B> {
    /// Returns the whole memory of the buffer, including bytes that were read.
    pub(super) fn room(&self) -> &[u8] {
        self.room.as_ref()
    }
}
