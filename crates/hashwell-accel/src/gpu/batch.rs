//! Hashes batches of messages, shared between a device and the CPU threads.

use crate::gpu::device::{Gpu, feeders};
use crate::gpu::error::{Error, printable};
use crate::gpu::program::{Program, SHA256, SHA256_90R};
use crate::gpu::rows::{Source, blocks, order};
use crate::gpu::work::Work;
use crate::gpu::workers::{Shared, Workers};

/// The names of the algorithms that have a GPU program.
const ROWS: &str = "sha256, sha256-90r";

/// Returns the program for a row of the registry.
pub(super) fn program(row: &str) -> Option<&'static Program> {
    [&SHA256, &SHA256_90R].into_iter().find(|program| program.name == row)
}

/// Returns the program for the name or alias of an algorithm.
pub(super) fn known_program(algorithm: &str) -> Result<&'static Program, Error> {
    let row = hashwell::find(algorithm).map_or(algorithm, |row| row.name);
    let unknown = || Error::Algorithm { name: printable(row, 40), known: ROWS };
    program(row).ok_or_else(unknown)
}

/// Options for sharing a batch between a device and the CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// The number of CPU threads that hash, including the caller's. `None` means one per core. With 0, the device does
    /// all the work, and its failure is an error of the whole batch.
    pub threads: Option<usize>,
    /// The minimum number of 64-byte blocks for which the device is used. `None` means [`Gpu::break_even`], which was
    /// measured when the device was opened. Without CPU threads, this option has no effect.
    pub break_even: Option<u64>,
}

impl Sharing {
    /// Returns options with which only the device hashes.
    #[must_use]
    pub fn device_alone() -> Self {
        Self { threads: Some(0), break_even: None }
    }
}

/// The maximum number of threads, in case many more threads than cores are requested.
const MAX_THREADS: usize = 1024;

impl Gpu {
    /// Writes the digests of many messages in order, 32 bytes each. Message i is `data[offsets[i] .. offsets[i + 1]]`,
    /// which is the layout of Arrow's `LargeBinary`.
    ///
    /// `algorithm` is a name or alias of `sha256` or `sha256-90r`. The work is shared between the device and the CPU
    /// cores. The digests do not depend on which of them hashes a message.
    ///
    /// The CPU takes the long messages, because a device hashes each message on one slow unit. If the device fails, the
    /// CPU hashes all remaining messages, and [`Shared::failure`] contains the reason.
    ///
    /// If the lengths are mixed, the messages are sorted, which takes 40 bytes of memory for each message. The buffers
    /// take at most about 400 MB on the host and on the device each, and twice that if the device works alone.
    ///
    /// # Errors
    /// Returns [`Error::Algorithm`], [`Error::Offsets`] or [`Error::Output`] if an argument is invalid. In these cases,
    /// nothing is written.
    pub fn hash_batch(
        &self,
        algorithm: &str,
        data: &[u8],
        offsets: &[u64],
        out: &mut [u8],
    ) -> Result<Shared, Error> {
        self.hash_batch_shared(algorithm, data, offsets, out, Sharing::default())
    }

    /// Writes digests like [`Gpu::hash_batch`], with these options.
    ///
    /// # Errors
    /// Returns the errors of [`Gpu::hash_batch`]. Without CPU threads, also returns [`Error::MessageTooLong`], in which
    /// case nothing is written, and the errors of the device.
    pub fn hash_batch_shared(
        &self,
        algorithm: &str,
        data: &[u8],
        offsets: &[u64],
        out: &mut [u8],
        sharing: Sharing,
    ) -> Result<Shared, Error> {
        self.hash_source(known_program(algorithm)?, Source::arrow(data, offsets)?, out, sharing)
    }

    pub(super) fn hash_source(
        &self,
        program: &'static Program,
        source: Source<'_>,
        out: &mut [u8],
        sharing: Sharing,
    ) -> Result<Shared, Error> {
        let needed = source.len().saturating_mul(32);
        if out.len() != needed {
            return Err(Error::Output { given: out.len(), needed });
        }
        let order = order(&source);
        let Some(order) = &order else {
            return self.share(program, Work::new(source, None, out), source, sharing);
        };
        let mut sorted = vec![0; needed];
        let shared = self.share(program, Work::new(source, Some(order), &mut sorted), source, sharing)?;
        let digests = out.as_chunks_mut::<32>().0;
        for (row, digest) in order.iter().zip(sorted.as_chunks::<32>().0) {
            digests[*row] = *digest;
        }
        Ok(shared)
    }

    fn share(
        &self,
        program: &'static Program,
        work: Work<'_, '_>,
        source: Source<'_>,
        sharing: Sharing,
    ) -> Result<Shared, Error> {
        let threads = sharing.threads.unwrap_or_else(|| hashwell_work::threads(0)).min(MAX_THREADS);
        if threads == 0 {
            source.longer_than(self.room().bytes).map_or(Ok(()), |bytes| self.check_length(bytes))?;
        }
        let pays = threads == 0 || self.pays(&source, sharing.break_even.unwrap_or(self.break_even()));
        let feeders = if pays && source.len() > 0 { feeders(threads == 0) } else { 0 };
        Workers::new(self, program, work, threads == 0).run(threads, feeders)
    }

    /// Returns an error if the device cannot hash a message of this length.
    pub(super) fn check_length(&self, bytes: usize) -> Result<(), Error> {
        let most = self.room().bytes;
        let device = || self.described().id.clone();
        let long = || Error::MessageTooLong { device: device(), bytes: bytes as u64, most: most as u64 };
        (bytes <= most).then_some(()).ok_or_else(long)
    }

    /// Returns true if the messages have at least `needed` blocks.
    fn pays(&self, source: &Source<'_>, needed: u64) -> bool {
        let mut left = needed;
        (0..source.len()).any(|row| {
            left = left.saturating_sub(blocks(source.get(row)));
            left == 0
        })
    }
}
