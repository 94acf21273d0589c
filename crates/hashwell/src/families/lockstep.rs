//! Output streams of sponges side by side, in the lanes of a batch kernel.

use crate::families::sponge::{Spec, Sponge, SpongeReaders};
use crate::ground::batch::{Load, Pair};
use crate::ground::cores::Lockstep;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// As many streams as the kernel is wide, the last ones perhaps unused.
struct Group<const WORDS: usize> {
    readers: SpongeReaders<WORDS>,
    /// Streams in use.
    count: usize,
    /// A block of each stream, all of which `read` bytes have been read.
    blocks: Vec<u8>,
    read: usize,
}

impl<const WORDS: usize> Group<WORDS> {
    fn next_blocks(&mut self) {
        let rate = self.readers.rate();
        let mut places: Vec<&mut [u8]> = self.blocks.chunks_exact_mut(rate).collect();
        self.readers.squeeze(&mut places, 1);
        self.read = 0;
    }

    fn read(&mut self, out: &mut [u8], len: usize) {
        let rate = self.readers.rate();
        let mut done = 0;
        while done < len {
            let whole = (len - done) / rate;
            if self.read == rate && whole > 0 && self.count == self.readers.width() {
                let mut places: Vec<&mut [u8]> =
                    out.chunks_exact_mut(len).map(|out| &mut out[done..done + whole * rate]).collect();
                self.readers.squeeze(&mut places, whole);
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

/// Groups of sponges that go on from `start`, if this CPU has a batch kernel and the sponge suits it.
pub(super) fn grouped<const WORDS: usize>(
    spec: &'static Spec<WORDS>,
    start: &Sponge<WORDS>,
    kernel: Option<&str>,
    seeds: &[&[u8]],
) -> Option<Box<dyn Lockstep>> {
    if !start.suits_lanes() {
        return None;
    }
    let kernels = Pair::choose(spec.kernels, spec.many, kernel, Load::long(seeds.len())).ok()?;
    let width = kernels.batch?.function().lanes;
    let group = |seeds: &[&[u8]]| {
        let readers = SpongeReaders::new(kernels, start, seeds)?;
        let rate = readers.rate();
        Some(Group { readers, count: seeds.len(), blocks: vec![0; width * rate], read: rate })
    };
    let groups: Vec<Group<WORDS>> = seeds.chunks(width).map(group).collect::<Option<_>>()?;
    Some(Box::new(groups))
}
