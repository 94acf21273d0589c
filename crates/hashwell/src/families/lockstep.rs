//! Output streams of sponges, read in parallel in the lanes of a batch kernel.

use crate::families::sponge::{Spec, Sponge, SpongeReaders};
use crate::internal::batch::{Load, Pair};
use crate::internal::cores::Lockstep;
use crate::internal::error::Error;
use crate::internal::try_alloc;
use crate::internal::vector::MAX;
use alloc::boxed::Box;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// A group of streams, one for each lane of the kernel. The last ones may be unused.
struct Group<const WORDS: usize> {
    readers: SpongeReaders<WORDS>,
    /// The number of streams in use.
    count: usize,
    /// A block of each stream. `read` bytes of each block have been read.
    blocks: Vec<u8>,
    read: usize,
}

impl<const WORDS: usize> Group<WORDS> {
    fn next_blocks(&mut self) {
        let rate = self.readers.rate();
        squeeze(&mut self.readers, self.blocks.chunks_exact_mut(rate), 1);
        self.read = 0;
    }

    fn read(&mut self, out: &mut [u8], len: usize) {
        let rate = self.readers.rate();
        let mut done = 0;
        while done < len {
            let whole = (len - done) / rate;
            if self.read == rate && whole > 0 && self.count == self.readers.width() {
                let places = out.chunks_exact_mut(len).map(|out| &mut out[done..done + whole * rate]);
                squeeze(&mut self.readers, places, whole);
                done += whole * rate;
                continue;
            }
            if self.read == rate {
                self.next_blocks();
            }
            let n = (len - done).min(rate - self.read);
            for (out, block) in out.chunks_exact_mut(len).zip(self.blocks.chunks_exact(rate)) {
                out[done..done + n].copy_from_slice(&block[self.read..self.read + n]);
            }
            self.read += n;
            done += n;
        }
    }
}

/// Writes the next whole blocks of each stream to its output.
fn squeeze<'o, const WORDS: usize>(
    readers: &mut SpongeReaders<WORDS>,
    outputs: impl Iterator<Item = &'o mut [u8]>,
    blocks: usize,
) {
    let mut places: [&mut [u8]; MAX] = core::array::from_fn(|_| Default::default());
    places.iter_mut().zip(outputs).for_each(|(place, output)| *place = output);
    let width = readers.width();
    readers.squeeze(&mut places[..width], blocks);
}

impl<const WORDS: usize> Lockstep for Vec<Group<WORDS>> {
    fn read(&mut self, mut out: &mut [u8], len: usize) {
        for group in self {
            let (own, rest) = out.split_at_mut(group.count * len);
            group.read(own, len);
            out = rest;
        }
    }
}

impl<const WORDS: usize> Drop for Group<WORDS> {
    fn drop(&mut self) {
        self.readers.zeroize();
        self.blocks.zeroize();
    }
}

/// Returns groups of sponges that continue `start`, if this CPU has a batch kernel and the sponge
/// supports it.
pub(super) fn grouped<const WORDS: usize>(
    spec: &'static Spec<WORDS>,
    start: &Sponge<WORDS>,
    kernel: Option<&str>,
    seeds: &[&[u8]],
) -> Result<Option<Box<dyn Lockstep>>, Error> {
    if !start.suits_lanes() {
        return Ok(None);
    }
    let Ok(kernels) = Pair::choose(spec.kernels, spec.many, kernel, Load::long(seeds.len())) else {
        return Ok(None);
    };
    let Some(batch) = kernels.batch else { return Ok(None) };
    let width = batch.function().lanes;
    let mut groups: Vec<Group<WORDS>> = try_alloc::list(seeds.len().div_ceil(width))?;
    for seeds in seeds.chunks(width) {
        let Some(readers) = SpongeReaders::new(kernels, start, seeds) else { return Ok(None) };
        let rate = readers.rate();
        let mut group = Group { readers, count: seeds.len(), blocks: Vec::new(), read: rate };
        // If this allocation fails, dropping the group overwrites its states.
        group.blocks = try_alloc::zeros(width * rate)?;
        groups.push(group);
    }
    let groups = try_alloc::boxed(groups)?;
    Ok(Some(groups as Box<dyn Lockstep>))
}
