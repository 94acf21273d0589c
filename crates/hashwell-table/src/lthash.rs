//! `lthash64-blake3`: the sum of all rows' BLAKE3 output as 512 numbers of 64 bits (LtHash: Bellare and Micciancio, "A New
//! Paradigm for Collision-Free Hashing", Eurocrypt 1997, section 5.3; Lewi, Kim, Maykov and Weis, "Securing Update
//! Propagation with Homomorphic Hashing", 2019, section 4.3, with lanes of 16 bits).

use crate::error::Error;
use crate::rows::Rows;
use hashwell::Many;
use std::ops::Range;

const LANES: usize = 512;
/// The number of bytes of a row's output, and of the sum.
pub(crate) const WIDTH: usize = 8 * LANES;

#[derive(Clone)]
pub(crate) struct Sums(Box<[u64; LANES]>);

impl Sums {
    pub(crate) fn new() -> Self {
        Self(Box::new([0; LANES]))
    }

    pub(crate) fn of_bytes(bytes: &[u8; WIDTH]) -> Self {
        let mut sums = Self::new();
        sums.add_bytes(bytes);
        sums
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|lane| lane.to_le_bytes()).collect()
    }

    #[inline]
    fn add_bytes(&mut self, bytes: &[u8]) {
        for (lane, bytes) in self.0.iter_mut().zip(bytes.chunks_exact(8)) {
            *lane = lane.wrapping_add(u64::from_le_bytes(bytes.try_into().expect("8 bytes")));
        }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(lane, more)| *lane = lane.wrapping_add(*more));
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0.iter()).for_each(|(lane, less)| *lane = lane.wrapping_sub(*less));
    }

    /// Adds rows by their bytes. If there is no memory, only some of them may have been added. `blake3` must return
    /// `WIDTH` bytes.
    pub(crate) fn add_written(&mut self, blake3: &Many, rows: &[&[u8]]) -> Result<(), Error> {
        const AT_ONCE: usize = 16;
        let mut outputs = vec![0; AT_ONCE * WIDTH];
        for rows in rows.chunks(AT_ONCE) {
            let outputs = &mut outputs[..rows.len() * WIDTH];
            let bytes = outputs.len();
            blake3.digest_into(rows, outputs).map_err(|error| Error::of_digests(error, bytes))?;
            outputs.chunks_exact(WIDTH).for_each(|output| self.add_bytes(output));
        }
        Ok(())
    }

    /// The sum of some rows. `blake3` must return `WIDTH` bytes.
    pub(crate) fn of_rows(
        blake3: &Many,
        rows: &Rows<'_>,
        range: Range<usize>,
        threads: usize,
    ) -> Result<Self, Error> {
        let each = rows.each(&range, threads);
        let pieces = range.clone().step_by(each).map(|from| from..range.end.min(from + each)).collect();
        let sum = |range| {
            let mut sums = Self::new();
            rows.encode(range, |_, slices| sums.add_written(blake3, slices))?;
            Ok(sums)
        };
        let mut whole = Self::new();
        for part in hashwell_work::each::<Range<usize>, Result<Self, Error>>(pieces, sum) {
            whole.add(&part?);
        }
        Ok(whole)
    }
}
