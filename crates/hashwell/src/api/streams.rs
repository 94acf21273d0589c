//! Many output streams read in lockstep: what ML-KEM's and ML-DSA's matrix expansion wants of SHAKE128.

use crate::api::hash::Reader;
use crate::internal::cores::Lockstep;
use crate::internal::error::Error;
use crate::internal::params::Secrecy;
use crate::internal::try_alloc::{self, Erased, words};
use crate::internal::wipe::{self, Depth};
use crate::registry::{Algorithm, Kind, Params};
use alloc::boxed::Box;
use alloc::vec::Vec;

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

impl Lockstep for Vec<Erased<Reader>> {
    fn read(&mut self, out: &mut [u8], len: usize) {
        for (i, reader) in self.iter_mut().enumerate() {
            reader.read(&mut out[i * len..][..len]);
        }
    }
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
    /// As [`Algorithm::build`]; [`Error::Unsupported`] if the algorithm is not an extendable-output function;
    /// [`Error::OutOfMemory`].
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
        let mut all = try_alloc::list(seeds.len())?;
        all.extend(seeds.iter().map(AsRef::as_ref));
        let secret = Secrecy::of(&params) == Secrecy::Secret;
        let groups = wipe::try_after(Depth::if_secret(secret), || {
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
                    // The seeds of post-quantum matrices are public, those of noise are not.
                    readers.push(self.secret_reader(&params, seed)?);
                }
                try_alloc::boxed(readers)? as Box<dyn Lockstep>
            }
        };
        Ok(Streams { algorithm: self, streams, count: all.len(), position: 0 })
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
