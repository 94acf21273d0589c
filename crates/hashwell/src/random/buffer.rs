//! The one buffer of all generators: bytes that were made and not read yet.

use crate::internal::error::Error;
use zeroize::Zeroize;

/// What fills a buffer.
pub(super) trait Blocks {
    /// Writes its next bytes: as many as the buffer has room for, a multiple of that, or all that are left.
    fn make(&mut self, out: &mut [u8]) -> Result<(), Error>;

    /// Whether it can make so many more bytes. One that says yes may still refuse in [`Blocks::make`]: by default, what
    /// says there that it is spent.
    fn check_left(&self, _len: u128) -> Result<(), Error> {
        Ok(())
    }

    /// Bytes that it can still make, at most.
    fn left(&self) -> u128 {
        u128::MAX
    }
}

/// Bytes made ahead, at the end of a fixed room. Overwritten on drop.
#[derive(Clone)]
pub(super) struct Buffer<B: AsRef<[u8]> + AsMut<[u8]>> {
    room: B,
    /// Bytes of the room that are read, or were never filled.
    at: usize,
    /// Whether bytes are overwritten as they are read.
    forgets: bool,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>> Buffer<B> {
    /// A buffer of this room, whose bytes do not matter.
    pub(super) fn new(room: B, forgets: bool) -> Self {
        let at = room.as_ref().len();
        Self { room, at, forgets }
    }

    /// Bytes that are made and not read.
    #[inline]
    pub(super) fn ahead(&self) -> usize {
        self.room.as_ref().len() - self.at
    }

    /// The bytes that are made and not read; none of a buffer that forgets what was read, which a copy would not.
    #[inline]
    pub(super) fn bytes_ahead(&self) -> &[u8] {
        if self.forgets { &[] } else { &self.room.as_ref()[self.at..] }
    }

    /// Reads so many of [`Buffer::bytes_ahead`].
    #[inline]
    pub(super) fn pass(&mut self, len: usize) {
        assert!(len <= self.bytes_ahead().len(), "so many bytes do not lie ahead");
        self.at += len;
    }

    /// Fills `out` with the next bytes: what is ahead, then what `blocks` makes, through the buffer or, in whole
    /// buffers, directly.
    ///
    /// If `blocks` has not so many left, nothing is read. If it fails later, `out` is overwritten with zeros.
    #[inline]
    pub(super) fn read(&mut self, out: &mut [u8], blocks: &mut impl Blocks) -> Result<(), Error> {
        if out.len() <= self.ahead() {
            self.give(out);
            return Ok(());
        }
        self.read_beyond(out, blocks)
    }

    /// The next `len` bytes, at most 8, with zeros before them. Always inlined, since `len` is then a constant, and moving
    /// the bytes one instruction instead of a call of `memcpy`.
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

    /// The rest of [`Buffer::take`]. Memory that it writes to would keep the bytes there out of a register.
    #[inline(never)]
    fn take_beyond(&mut self, len: usize, blocks: &mut impl Blocks) -> Result<[u8; 8], Error> {
        let mut bytes = [0; 8];
        self.read_beyond(&mut bytes[8 - len..], blocks)?;
        Ok(bytes)
    }

    /// The rest of [`Buffer::read`], apart, so that reading a number from what is ahead stays short.
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

    /// Goes `len` bytes on, which `blocks` makes and nobody gets.
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

    /// Drops what is ahead.
    pub(super) fn clear(&mut self) {
        self.room.as_mut().zeroize();
        self.at = self.room.as_ref().len();
    }

    /// Fills the empty buffer, or its end with what is left.
    fn refill(&mut self, blocks: &mut impl Blocks) -> Result<(), Error> {
        let room = self.room.as_mut();
        let at = room.len() - blocks.left().min(room.len() as u128) as usize;
        blocks.make(&mut room[at..])?;
        self.at = at;
        Ok(())
    }

    /// Fills `out` with bytes that are ahead.
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
    /// The whole room, read or not.
    pub(super) fn room(&self) -> &[u8] {
        self.room.as_ref()
    }
}
