//! Measures how fast a device hashes data that it already has.

use crate::gpu::batch::known_program;
use crate::gpu::device::Gpu;
use crate::gpu::error::Error;
use crate::gpu::program::Program;
use crate::gpu::rows::{Rows, Source};
use std::time::{Duration, Instant};

impl Gpu {
    /// Returns the time that the device takes for `messages` messages of `len` bytes in its memory, without any
    /// copying. It is the mean of `times` runs of the kernel, after one run that does not count.
    ///
    /// The device may have no room for all messages. So the result also contains the number of messages that were
    /// hashed. If their bytes do not fit, several messages share one place in memory, and each of them is hashed.
    ///
    /// # Errors
    /// Returns [`Error::Algorithm`] if there is no program for the algorithm, [`Error::MessageTooLong`] if the messages
    /// are too long, or an error of the device.
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
