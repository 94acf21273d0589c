//! The rejection sampling of ML-KEM and ML-DSA: uniform integers from a stream.
//!
//! The sampling consumes exactly the same bytes as the loops of `SampleNTT` (FIPS 203 algorithm 7) and of `RejNTTPoly`
//! and `RejBoundedPoly` (FIPS 204 algorithms 30 and 31, which call algorithms 14 and 15). In the reference
//! implementations, this loop is called `rej_uniform`.
//!
//! These integers are little-endian, unlike those of [`RandomSource`](crate::RandomSource), which
//! are big-endian.

use crate::api::hash::Reader;
use crate::internal::error::Error;

/// The way in which candidates are cut from the stream.
#[derive(Clone, Copy)]
struct Cut {
    bits: u32,
    /// The length of a group in bytes.
    bytes: usize,
    /// The number of candidates in a group.
    candidates: u32,
}

impl Cut {
    /// If `bits` is an odd multiple of four, two candidates share a group, low bits first, so that
    /// no bit is lost. Otherwise a candidate takes whole bytes, little-endian, and its surplus high
    /// bits are dropped.
    fn new(bits: u32) -> Self {
        if bits % 8 == 4 {
            Cut { bits, bytes: bits as usize / 4, candidates: 2 }
        } else {
            Cut { bits, bytes: bits.div_ceil(8) as usize, candidates: 1 }
        }
    }
}

/// The number of groups read from the stream at a time.
const GROUPS: usize = 56;

impl Reader {
    /// Draws `n` integers, uniform in `0..below`, and passes them to `accept` in order. ML-KEM
    /// (`below` 3329) and ML-DSA (`below` 8,380,417, 15 or 9) draw their coefficients in this way.
    ///
    /// ```
    /// // ML-KEM: the polynomial at position (i, j) of the matrix of seed rho, in the number-theoretic domain.
    /// let mut xof = hashwell::Shake128::new();
    /// let (rho, i, j) = ([7; 32], 0, 1);
    /// xof.update(&rho);
    /// xof.update(&[j, i]);
    /// let mut polynomial = Vec::new();
    /// xof.into_reader().ml_rej_uniform(256, 3329, None, |coefficient| polynomial.push(coefficient))?;
    /// assert_eq!(polynomial.len(), 256);
    /// # Ok::<(), hashwell::Error>(())
    /// ```
    ///
    /// The method reads candidates of `bits` bits from the stream, and rejects candidates that are not less than
    /// `below`. The default of `bits` is the bit length of `below - 1`.
    ///
    /// The stream is read in groups of bytes. If `bits` is an odd multiple of four (4, 12, …), a group has `bits / 4`
    /// bytes and contains two candidates, the first one in the low bits. Otherwise a group has ⌈bits / 8⌉ bytes and
    /// contains one candidate, whose surplus high bits are dropped. Groups are little-endian.
    ///
    /// Afterwards the position in the stream is the end of the group that contains the last integer, as after a loop
    /// that reads one group at a time.
    ///
    /// - `below` is 1 to 2^64 - 1.
    /// - `bits` is 1 to 64, and 2^`bits` must be at least `below`.
    /// - The time and the number of bytes read depend on the integers drawn.
    ///
    /// # Errors
    /// - [`Error::OutOfRange`] if `below` or `bits` is out of range. In this case, nothing is read.
    /// - [`Error::Exhausted`] if the stream ends. The integers before the end have then been passed to `accept`.
    pub fn ml_rej_uniform(
        &mut self,
        n: usize,
        below: u64,
        bits: Option<u32>,
        accept: impl FnMut(u64),
    ) -> Result<(), Error> {
        self.ml_rej_uniform_while(n, below, bits, accept, || true)
    }

    /// Draws integers like [`Reader::ml_rej_uniform`], but stops if `go_on` returns false.
    ///
    /// `go_on` is called before each read of at most 56 groups. If `go_on` returns false, fewer than `n` integers have
    /// been passed to `accept`. Use this method if `below` is small compared with 2^`bits`, because a single integer
    /// can then take very many candidates, on average 2^`bits` / `below`.
    ///
    /// # Errors
    /// Returns the same errors as [`Reader::ml_rej_uniform`].
    pub fn ml_rej_uniform_while(
        &mut self,
        n: usize,
        below: u64,
        bits: Option<u32>,
        mut accept: impl FnMut(u64),
        mut go_on: impl FnMut() -> bool,
    ) -> Result<(), Error> {
        if below == 0 {
            return Err(self.out_of_range("upper bound", 1, u64::MAX, 0));
        }
        let needed = (u64::BITS - (below - 1).leading_zeros()).max(1);
        let bits = bits.unwrap_or(needed);
        if !(needed..=u64::BITS).contains(&bits) {
            return Err(self.out_of_range("candidate width", needed.into(), 64, bits.into()));
        }
        let cut = Cut::new(bits);
        let mask = u64::MAX >> (u64::BITS - bits);
        let mut buffer = [0; GROUPS * 16];
        let mut missing = n;
        while missing > 0 && go_on() {
            // Every group gives at most `candidates` integers, so all of these groups are needed.
            let groups = missing.div_ceil(cut.candidates as usize).min(GROUPS);
            let bytes = &mut buffer[..groups * cut.bytes];
            self.try_read(bytes)?;
            for group in bytes.chunks_exact(cut.bytes) {
                let mut word = [0; 16];
                word[..cut.bytes].copy_from_slice(group);
                let mut word = u128::from_le_bytes(word);
                for _ in 0..cut.candidates {
                    let candidate = word as u64 & mask;
                    word >>= cut.bits;
                    if candidate < below && missing > 0 {
                        accept(candidate);
                        missing -= 1;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    fn stream() -> crate::Reader {
        let mut shake = crate::Shake128::new();
        shake.update(b"uniform");
        shake.into_reader()
    }

    fn drawn(n: usize, below: u64, bits: Option<u32>) -> (Vec<u64>, u64) {
        let mut reader = stream();
        let mut out = Vec::new();
        reader.ml_rej_uniform(n, below, bits, |x| out.push(x)).unwrap();
        (out, reader.position())
    }

    /// Implements FIPS 203 algorithm 7 literally.
    #[test]
    fn ml_kem_sample_ntt() {
        for n in [0, 1, 2, 3, 255, 256, 1000] {
            let (mut reader, mut a) = (stream(), Vec::new());
            while a.len() < n {
                let c = reader.read_vec(3).iter().map(|&b| u64::from(b)).collect::<Vec<_>>();
                let d1 = c[0] + 256 * (c[1] % 16);
                let d2 = c[1] / 16 + 16 * c[2];
                if d1 < 3329 {
                    a.push(d1);
                }
                if d2 < 3329 && a.len() < n {
                    a.push(d2);
                }
            }
            assert_eq!(drawn(n, 3329, None), (a, reader.position()), "{n}");
        }
    }

    /// Implements FIPS 204 algorithms 14 and 30 literally.
    #[test]
    fn ml_dsa_rej_ntt_poly() {
        let (mut reader, mut a) = (stream(), Vec::new());
        while a.len() < 256 {
            let s = reader.read_vec(3).iter().map(|&b| u64::from(b)).collect::<Vec<_>>();
            let z = 65536 * (s[2] % 128) + 256 * s[1] + s[0];
            if z < 8_380_417 {
                a.push(z);
            }
        }
        assert_eq!(drawn(256, 8_380_417, None), (a, reader.position()));
    }

    /// Implements FIPS 204 algorithms 15 and 31 for eta = 2, with half-bytes below 15.
    #[test]
    fn ml_dsa_half_bytes() {
        let (mut reader, mut a) = (stream(), Vec::new());
        while a.len() < 256 {
            let z = u64::from(reader.read_vec(1)[0]);
            for half in [z % 16, z / 16] {
                if half < 15 && a.len() < 256 {
                    a.push(half);
                }
            }
        }
        assert_eq!(drawn(256, 15, None), (a, reader.position()));
    }

    #[test]
    fn edges() {
        assert_eq!(drawn(3, 1, None).0, [0, 0, 0]);
        let word = u64::from_le_bytes(stream().read_vec(8).try_into().unwrap());
        assert_eq!(drawn(1, u64::MAX, None), (Vec::from([word]), 8));
        assert_eq!(drawn(0, 5, None), (Vec::new(), 0));
        assert!(stream().ml_rej_uniform(1, 0, None, |_| ()).is_err());
        assert!(stream().ml_rej_uniform(1, 257, Some(8), |_| ()).is_err());
        assert!(stream().ml_rej_uniform(1, 2, Some(65), |_| ()).is_err());
    }

    #[test]
    fn stops_when_told() {
        let (mut reader, mut asked, mut accepted) = (stream(), 0, 0);
        let go_on = || {
            asked += 1;
            asked <= 3
        };
        reader.ml_rej_uniform_while(usize::MAX, 1, Some(64), |_| accepted += 1, go_on).unwrap();
        assert_eq!((reader.position(), accepted), (3 * 56 * 8, 0));
    }
}
