//! Batches: shared between a device and the threads of the processor.

use crate::gpu::device::{Gpu, feeders};
use crate::gpu::error::{Error, printable};
use crate::gpu::program::{Program, SHA256, SHA256_90R};
use crate::gpu::rows::{Source, blocks, order};
use crate::gpu::work::Work;
use crate::gpu::workers::{Shared, Workers};

/// The rows that there are programs for, by name.
const ROWS: &str = "sha256, sha256-90r";

/// The program for a row of the registry.
pub(super) fn program(row: &str) -> Option<&'static Program> {
    [&SHA256, &SHA256_90R].into_iter().find(|program| program.name == row)
}

/// The program for a row's name or alias.
pub(super) fn known_program(algorithm: &str) -> Result<&'static Program, Error> {
    let row = hashwell::find(algorithm).map_or(algorithm, |row| row.name);
    let unknown = || Error::Algorithm { name: printable(row, 40), known: ROWS };
    program(row).ok_or_else(unknown)
}

/// How a batch is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sharing {
    /// Threads of the processor that hash, the caller's among them. `None`: as many as there are cores. 0: the device
    /// does all, and its failure is the batch's.
    pub threads: Option<usize>,
    /// Blocks of 64 bytes below which the device is left alone. `None`: what was measured when it was opened,
    /// [`Gpu::break_even`]. Without threads it does not matter.
    pub break_even: Option<u64>,
}

impl Sharing {
    /// The device alone.
    #[must_use]
    pub fn device_alone() -> Self {
        Self { threads: Some(0), break_even: None }
    }
}

/// Threads are not many more than cores, whatever is asked for.
const MAX_THREADS: usize = 1024;

impl Gpu {
    /// Writes the digests of many messages, 32 bytes for each, in their order: message i is `data[offsets[i] ..
    /// offsets[i + 1]]`, the layout of Arrow's `LargeBinary`. The work is shared between the device and the processor's
    /// cores, and the digests are the same whoever makes them. `algorithm` is a row's name or alias, of `sha256` or
    /// `sha256-90r`.
    ///
    /// The processor takes the long messages, of which a device hashes each on one slow unit. If the device fails, the
    /// processor hashes all that is left, and [`Shared::failure`] says why. Costs memory for an order of the messages
    /// (40 bytes for each) where their lengths are mixed, and what the device holds (some 400 MB at most, here and
    /// there, and twice that if it works alone).
    ///
    /// # Errors
    /// [`Error::Algorithm`], [`Error::Offsets`] or [`Error::Output`], with nothing written.
    pub fn hash_batch(
        &self,
        algorithm: &str,
        data: &[u8],
        offsets: &[u64],
        out: &mut [u8],
    ) -> Result<Shared, Error> {
        self.hash_batch_shared(algorithm, data, offsets, out, Sharing::default())
    }

    /// [`Gpu::hash_batch`], shared as the caller says.
    ///
    /// # Errors
    /// As there. Without threads also [`Error::MessageTooLong`] with nothing written, and whatever the device says.
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

    /// Whether the device takes a message of so many bytes.
    pub(super) fn check_length(&self, bytes: usize) -> Result<(), Error> {
        let most = self.room().bytes;
        let device = || self.described().id.clone();
        let long = || Error::MessageTooLong { device: device(), bytes: bytes as u64, most: most as u64 };
        (bytes <= most).then_some(()).ok_or_else(long)
    }

    /// Whether there are as many blocks as `needed`.
    fn pays(&self, source: &Source<'_>, needed: u64) -> bool {
        let mut left = needed;
        (0..source.len()).any(|row| {
            left = left.saturating_sub(blocks(source.get(row)));
            left == 0
        })
    }
}
