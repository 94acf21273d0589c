//! How quickly a device hashes what it has already.

use crate::gpu::batch::known_program;
use crate::gpu::device::Gpu;
use crate::gpu::error::Error;
use crate::gpu::program::Program;
use crate::gpu::rows::{Rows, Source};
use std::time::{Duration, Instant};

impl Gpu {
    /// How long the device itself takes for `messages` messages of `len` bytes that are in its memory, without any
    /// copy: the mean of `times` runs of the kernel, after one that does not count. The answer has how many messages
    /// these were, since there is not room for all; where their bytes are more than there is room for, several messages
    /// lie at one place, and are hashed each by itself.
    ///
    /// # Errors
    /// [`Error::Algorithm`], [`Error::MessageTooLong`] or what the device says.
    pub fn kernel_time(
        &self,
        algorithm: &str,
        len: usize,
        messages: usize,
        times: u32,
    ) -> Result<(usize, Duration), Error> {
        let program = known_program(algorithm)?;
        self.check_length(len)?;
        self.guarded(|| self.try_kernel_time(program, len, messages, times))
    }

    fn try_kernel_time(
        &self,
        program: &'static Program,
        len: usize,
        messages: usize,
        times: u32,
    ) -> Result<(usize, Duration), Error> {
        let message = vec![0x5a; len];
        let (room, messages) = (self.room(), messages.max(1));
        let fitting = room.bytes / Rows::taken(&message).max(1);
        let distinct = messages.min(room.rows).min(fitting);
        self.messages_program(program)?;
        let all = vec![&message[..]; distinct];
        let mut slot = self.slot()?;
        slot.submit(program, &Rows { source: Source::Slices(&all), order: None, places: 0..distinct })?;
        slot.repeat(messages)?;
        slot.again(program, 1)?;
        let begin = Instant::now();
        slot.again(program, times)?;
        let taken = begin.elapsed() / times.max(1);
        let messages = slot.rows();
        self.keep(slot);
        Ok((messages, taken))
    }
}
