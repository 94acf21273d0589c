//! Reads many output streams in lockstep, as the matrix expansion of ML-KEM and ML-DSA does with
//! SHAKE128.

use crate::api::hash::Reader;
use crate::internal::cores::Lockstep;
use crate::internal::error::Error;
use crate::internal::params::Secrecy;
use crate::internal::try_alloc::{self, Erased, words};
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, Kind, Params};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// Output streams of one algorithm for several seeds, read in parallel. Call [`Algorithm::streams`]
/// to make one.
///
/// For SHAKE, cSHAKE, TurboSHAKE and Ascon, one call of the permutation produces a block for each of several streams.
/// Their number is the number of lanes of the widest suitable kernel: four or eight with AVX-512, and four with AVX2.
/// Streams of BLAKE3 and KangarooTwelve are read one at a time. The bytes are the same as if you read each stream
/// separately. All streams are overwritten on drop.
pub struct Streams {
    algorithm: &'static Algorithm,
    streams: Box<dyn Lockstep>,
    count: usize,
    position: u64,
}

impl Lockstep for Vec<Erased<Reader>> {
    fn read(&mut self, out: &mut [u8], len: usize) {
        for (i, reader) in self.iter_mut().enumerate() {
            reader.read(&mut out[i * len..][..len]);
        }
    }
}

impl Algorithm {
    /// Returns the output streams of many seeds with the same parameters. A seed can be any
    /// message.
    ///
    /// ```
    /// // ML-KEM: four entries of the matrix, 3 blocks of 168 bytes each.
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
    /// - The same errors as [`Algorithm::build`].
    /// - [`Error::Unsupported`] if the algorithm is not an extendable-output function.
    /// - [`Error::OutOfMemory`] if an allocation fails.
    pub fn streams<M: AsRef<[u8]>>(
        &'static self,
        seeds: &[M],
        params: &Params<'_>,
    ) -> Result<Streams, Error> {
        if self.kind != Kind::Xof {
            return Err(Error::Unsupported { algorithm: self.name, what: "output streams" });
        }
        let kernel = params.kernel.map(|name| self.family.check_kernel(name)).transpose()?;
        let params = Params { kernel: self.chain_kernel(kernel), ..*params };
        let mut all = try_alloc::list(seeds.len())?;
        all.extend(seeds.iter().map(AsRef::as_ref));
        let secret = Secrecy::of(&params) == Secrecy::Secret;
        let depth = if secret { Depth::Most } else { Depth::Nowhere };
        let groups = wipe::try_after(depth, || {
            let mut start = self.state(&params)?;
            let groups = self.family.lockstep(&start, kernel, &all);
            if secret {
                start.erase();
            }
            groups
        })?;
        let streams = match groups {
            Some(groups) => groups,
            None => {
                let mut readers = try_alloc::list(all.len())?;
                for seed in &all {
                    // Seeds are treated as secret: the seeds of post-quantum matrices are public,
                    // but the seeds of noise are not.
                    readers.push(self.secret_reader(&params, seed)?);
                }
                try_alloc::boxed(readers)? as Box<dyn Lockstep>
            }
        };
        Ok(Streams { algorithm: self, streams, count: all.len(), position: 0 })
    }
}

impl Streams {
    /// Returns the number of streams.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of bytes read so far from each stream.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Reads the next bytes of all streams. `out` is divided into equal parts, one for each stream,
    /// in order.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the length of `out` is not a multiple of the number of streams, and
    /// [`Error::Exhausted`] if the streams have too few bytes left. Each stream has 2^64 - 1 bytes. In both cases,
    /// nothing is read.
    pub fn read(&mut self, out: &mut [u8]) -> Result<(), Error> {
        let len = out.len().checked_div(self.count).unwrap_or(0);
        if len * self.count != out.len() {
            let (low, high) = ((len * self.count) as u64, ((len + 1) * self.count) as u64);
            return Err(self.algorithm.out_of_range("output buffer", "bytes", low, high, out.len() as u64));
        }
        let Some(position) = self.position.checked_add(len as u64) else {
            let asked = u128::from(self.position) + len as u128;
            return Err(Error::Exhausted {
                stream: words(self.algorithm.name),
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
