//! Many output streams read in lockstep: what ML-KEM's and ML-DSA's matrix expansion wants of SHAKE128.

use crate::batch::Pair;
use crate::error::Error;
use crate::family::{Family, State};
use crate::hash::Reader;
use crate::registry::{Algorithm, Kind, Params};
use crate::sponge::{Spec, Sponge, SpongeReaders};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// Output streams of one algorithm, one for each of several seeds, read side by side; made by
/// [`Algorithm::streams`].
///
/// SHAKE, cSHAKE, TurboSHAKE and Ascon squeeze as many at once as the widest suitable kernel holds (four or
/// eight with AVX-512, four with AVX2): one permutation for a block of each, none wasted. The streams are
/// those of reading one by one, which is how BLAKE3 and KangarooTwelve are read. All are overwritten on
/// drop.
pub struct Streams {
    algorithm: &'static Algorithm,
    streams: Box<dyn Lockstep>,
    count: usize,
    position: u64,
}

/// Streams that advance together.
trait Lockstep: Send + Sync {
    /// Writes the next `len` bytes of each stream, one stream after the other.
    fn read(&mut self, out: &mut [u8], len: usize);
}

impl Lockstep for Vec<Reader> {
    fn read(&mut self, out: &mut [u8], len: usize) {
        for (i, reader) in self.iter_mut().enumerate() {
            reader.read(&mut out[i * len..][..len]);
        }
    }
}

/// As many streams as the kernel is wide, the last ones perhaps unused.
struct Group<const LANES: usize> {
    readers: SpongeReaders<LANES>,
    /// Streams in use.
    count: usize,
    /// A block of each stream, all of which `read` bytes have been read.
    blocks: Vec<u8>,
    read: usize,
}

impl<const LANES: usize> Group<LANES> {
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

impl<const LANES: usize> Lockstep for Vec<Group<LANES>> {
    fn read(&mut self, mut out: &mut [u8], len: usize) {
        for group in self {
            let (own, rest) = out.split_at_mut(group.count * len);
            group.read(own, len);
            out = rest;
        }
    }
}

impl<const LANES: usize> Drop for Group<LANES> {
    fn drop(&mut self) {
        self.readers.zeroize();
        self.blocks.zeroize();
    }
}

/// Groups of sponges that go on from `start`, if this CPU has a batch kernel and the sponge suits it.
fn grouped<const LANES: usize>(
    spec: &'static Spec<LANES>,
    start: &Sponge<LANES>,
    kernel: Option<&str>,
    seeds: &[&[u8]],
) -> Option<Box<dyn Lockstep>> {
    let kernels = Pair::choose(spec.kernels, spec.many, kernel, seeds.len()).ok()?;
    let width = kernels.batch?.function().lanes;
    let group = |seeds: &[&[u8]]| {
        let readers = SpongeReaders::new(kernels, start, seeds)?;
        let rate = readers.rate();
        Some(Group { readers, count: seeds.len(), blocks: vec![0; width * rate], read: rate })
    };
    let groups: Option<Vec<Group<LANES>>> =
        if start.suits_lanes() { seeds.chunks(width).map(group).collect() } else { None };
    groups.map(|groups| Box::new(groups) as Box<dyn Lockstep>)
}

impl Algorithm {
    /// The output streams of many seeds (any messages) with the same parameters.
    ///
    /// ```
    /// // ML-KEM: the rows of the matrix, 3 blocks of 168 bytes each.
    /// let seeds: Vec<[u8; 34]> = (0..4).map(|i| { let mut s = [7; 34]; s[33] = i; s }).collect();
    /// let shake128 = hashwell::find("shake128")?;
    /// let mut streams = shake128.streams(&seeds, &hashwell::Params::default())?;
    /// let mut rows = vec![0; 4 * 504];
    /// streams.read(&mut rows)?;
    /// assert_eq!(rows[504..1008], hashwell::xof_many(shake128, &seeds[1..2], 504)?);
    /// # Ok::<(), hashwell::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Algorithm::build`]; [`Error::Unsupported`] if the algorithm is not an extendable-output function.
    pub fn streams<M: AsRef<[u8]>>(
        &'static self,
        seeds: &[M],
        params: &Params<'_>,
    ) -> Result<Streams, Error> {
        if self.kind != Kind::Xof {
            return Err(Error::Unsupported { algorithm: self.name, what: "output stream" });
        }
        let kernel = params.kernel.map(|name| self.family.check_kernel(name)).transpose()?;
        let params = Params { kernel: self.chain_kernel(kernel), ..*params };
        let seeds: Vec<&[u8]> = seeds.iter().map(AsRef::as_ref).collect();
        let groups = match (self.family, &self.state(&params)?) {
            (
                Family::Keccak(spec) | Family::CShake(spec) | Family::TurboShake(spec),
                State::Keccak(start),
            ) => grouped(spec, start, kernel, &seeds),
            (Family::Ascon(spec), State::Ascon(start)) => grouped(spec, start, kernel, &seeds),
            (Family::AsconCxof, State::Ascon(start)) => {
                grouped(&crate::ascon::CXOF128, start, kernel, &seeds)
            }
            _ => None,
        };
        let reader = |seed: &&[u8]| {
            let mut hasher = self.build(&params)?;
            hasher.update(seed);
            hasher.into_reader()
        };
        let streams = match groups {
            Some(groups) => groups,
            None => Box::new(seeds.iter().map(reader).collect::<Result<Vec<Reader>, Error>>()?),
        };
        Ok(Streams { algorithm: self, streams, count: seeds.len(), position: 0 })
    }
}

impl Streams {
    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Bytes read so far of each stream.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Fills `out` with the next bytes of each stream, as many of each, one stream after the other.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `out` cannot be divided so; [`Error::Exhausted`] past byte 2^64 - 1 of each.
    /// Nothing is read then.
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let len = out.len().checked_div(self.count).unwrap_or(0);
        if len * self.count != out.len() {
            let (low, high) = ((len * self.count) as u64, ((len + 1) * self.count) as u64);
            return Err(self.algorithm.out_of_range("output buffer", "bytes", low, high, out.len() as u64));
        }
        let Some(position) = self.position.checked_add(len as u64) else {
            let asked = u128::from(self.position) + len as u128;
            return Err(Error::Exhausted {
                stream: self.algorithm.name.into(),
                end: Reader::END.into(),
                asked,
            });
        };
        self.streams.read(out, len);
        self.position = position;
        Ok(())
    }
}

impl core::fmt::Debug for Streams {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Streams({} of {}, position {})", self.count, self.algorithm.name, self.position)
    }
}
