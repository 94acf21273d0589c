//! The inner loop of the Chinese restaurant's urn.
//!
//! Copying an earlier customer reads memory at a random place. There are few different labels, so they are stored in
//! bytes while there are at most 256 tables; a million customers then fit into a core's own cache.

use super::partition::reserve;
use crate::Error;
use crate::draw::{STEP, steps_of};
use hashwell::RandomSource;
use hashwell_work::Watch;

/// The maximum number of random numbers processed together.
const BLOCK: usize = 128;
/// The number of random numbers read together from a source whose `ahead()` is empty.
const READ: usize = 16;
/// The number of customers between two checks of the watch.
const LOOK: u32 = 1 << 14;
/// The number of customers whose 32-bit labels fit into the nearest caches.
const FEW: u32 = 1 << 14;

/// Appends the labels of n customers, as documented for [`Crp::labels`](super::Crp::labels). An error leaves `labels`
/// unchanged.
#[inline]
pub(super) fn labels(
    n: u32,
    alpha: f64,
    words: &mut (impl RandomSource + ?Sized),
    labels: &mut Vec<u32>,
    watch: &Watch<'_>,
) -> Result<(), Error> {
    let before = labels.len();
    let mut urn = Urn { n, alpha, words, watch, looked: 0, seated: 0, tables: 0, reads: 1 };
    urn.seat_all(labels).inspect_err(|_| labels.truncate(before))
}

/// The state of the seating.
struct Urn<'w, W: ?Sized> {
    n: u32,
    alpha: f64,
    words: &'w mut W,
    watch: &'w Watch<'w>,
    /// The number of customers seated at the last check of the watch.
    looked: u32,
    seated: u32,
    tables: u32,
    /// The number of random numbers to read from the source if its `ahead()` is empty.
    reads: usize,
}

impl<W: RandomSource + ?Sized> Urn<'_, W> {
    fn seat_all(&mut self, labels: &mut Vec<u32>) -> Result<(), Error> {
        let before = labels.len();
        reserve(labels, self.n as usize)?;
        if self.n > FEW {
            self.seat_in_cache(labels)?;
        }
        self.seat(labels, before)
    }

    /// Seats the customers whose labels fit into 16 bits.
    #[inline(never)]
    fn seat_in_cache(&mut self, labels: &mut Vec<u32>) -> Result<(), Error> {
        let mut bytes: Vec<u8> = Vec::new();
        reserve(&mut bytes, self.n as usize)?;
        self.seat(&mut bytes, 0)?;
        if self.seated == self.n {
            labels.extend(bytes.into_iter().map(u32::from));
            return Ok(());
        }
        let mut pairs: Vec<u16> = Vec::new();
        reserve(&mut pairs, self.n as usize)?;
        pairs.extend(bytes.into_iter().map(u16::from));
        self.seat(&mut pairs, 0)?;
        labels.extend(pairs.into_iter().map(u32::from));
        Ok(())
    }

    /// Seats further customers until all are seated, or until the next block might open more tables than a label of
    /// this type can distinguish. The first customer's label is at index `first`.
    #[inline(always)]
    fn seat<T: Label>(&mut self, labels: &mut Vec<T>, first: usize) -> Result<(), Error> {
        if self.seated == 0 && self.n > 0 {
            labels.push(T::of(0));
            (self.seated, self.tables) = (1, 1);
        }
        let mut block = [[0; 8]; READ];
        while self.seated < self.n && self.may_open() <= T::MOST {
            let most = BLOCK.min((self.n - self.seated) as usize);
            let lie_ahead = self.words.ahead().len() / 8;
            let words = if lie_ahead > 0 {
                &self.words.ahead().as_chunks().0[..most.min(lie_ahead)]
            } else {
                let read = &mut block[..self.reads.min(most)];
                self.words.fill(read.as_flattened_mut())?;
                // If `ahead()` now returns bytes, the next numbers are used in place.
                self.reads = if self.words.ahead().is_empty() { READ.min(2 * self.reads) } else { 1 };
                read
            };
            let len = words.as_flattened().len();
            (self.seated, self.tables) = seat(labels, first, self.alpha, (self.seated, self.tables), words);
            if lie_ahead > 0 {
                self.words.pass(len);
            }
            if self.seated - self.looked >= LOOK {
                self.looked = self.seated;
                self.watch.look()?;
            }
        }
        Ok(())
    }

    /// The maximum number of tables after the next block of customers.
    #[inline(always)]
    fn may_open(&self) -> u64 {
        u64::from(self.tables) + u64::from(self.n - self.seated).min(BLOCK as u64)
    }
}

/// Seats a customer for each random number. Returns the numbers of customers and of tables.
#[inline(always)]
fn seat<T: Label>(
    labels: &mut Vec<T>,
    first: usize,
    alpha: f64,
    (begin, mut tables): (u32, u32),
    words: &[[u8; 8]],
) -> (u32, u32) {
    let end = begin + words.len() as u32;
    labels.resize(first + end as usize, T::of(0));
    let labels = &mut labels[first..];
    // Customers are counted in units of a random number's last bit, which saves a multiplication. Scaling by powers of
    // two changes no rounding, except for an α too small to make a difference next to a customer.
    let (mut seated, alpha) = (f64::from(begin) * STEP, alpha * STEP);
    for (customer, word) in (begin as usize..labels.len()).zip(words) {
        let mark = steps_of(u64::from_be_bytes(*word)) * (seated + alpha);
        // A customer who opens a table copies the new label from the customer's own place, which avoids an
        // unpredictable branch.
        let from = (mark as u32 as usize).min(customer);
        labels[customer] = T::of(tables);
        labels[customer] = labels[from];
        tables += u32::from(from == customer);
        seated += STEP;
    }
    (end, tables)
}

/// The integer type that stores a table's number.
trait Label: Copy {
    /// The number of different values.
    const MOST: u64;

    /// The table's number as this type; it must be below [`Label::MOST`].
    fn of(table: u32) -> Self;
}

macro_rules! labels {
    ($($label:ty),*) => {$(
        impl Label for $label {
            const MOST: u64 = 1 << <$label>::BITS;

            #[inline(always)]
            fn of(table: u32) -> Self {
                table as Self
            }
        }
    )*};
}
labels!(u8, u16, u32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Run;
    use crate::process::builtin::Crp;
    use crate::process::interpret::{Limits, sample};
    use hashwell::random::Tape;

    /// With the same n random numbers, α determines how many tables are opened: a few hundred, a few thousand, or one
    /// for each customer.
    #[test]
    fn every_width_of_labels_gives_the_same() {
        for (n, alpha) in [
            (FEW + 300, 1.5),
            (FEW + 300, 60.0),
            (FEW + 1, 1e3),
            (90_000, 1e9),
            (FEW, 1e300),
            (300, 1e-15),
            (300, 1e-310),
            (300, 5e-324),
        ] {
            let run = Run::seeded(b"widths").unwrap();
            let mut all = vec![7];
            labels(n, alpha, &mut run.words().unwrap(), &mut all, Watch::never()).unwrap();
            let mut words = run.words().unwrap();
            let (mut must, mut tables) = (vec![0_u32], 1);
            for i in 1..n {
                let mark = words.next_f64().unwrap() * (f64::from(i) + alpha);
                let opens = mark >= f64::from(i);
                must.push(if opens { tables } else { must[mark as usize] });
                tables += u32::from(opens);
            }
            assert!(all[0] == 7 && all[1..] == must, "{n} {alpha}");
        }
    }

    #[test]
    fn words_that_end_leave_nothing() {
        for n in [5, FEW + 5] {
            let (mut kept, words) = (vec![7], vec![1 << 63; n as usize - 2]);
            assert!(labels(n, 1.5, &mut Tape::new(&words), &mut kept, Watch::never()).is_err());
            assert_eq!(kept, [7]);
        }
        let crp = Crp::new(3, 1.5).unwrap();
        let mut three = Vec::new();
        crp.labels(&mut Tape::new(&[0, u64::MAX]), &mut three, Watch::never()).unwrap();
        assert_eq!(three, sample(&crp, &mut Tape::new(&[0, u64::MAX]), &Limits::default()).unwrap());
    }

    /// More tables than a byte can number are opened by consecutive customers, early or late.
    #[test]
    fn labels_are_told_apart_where_bytes_end() {
        let n = FEW + 300;
        for opens in [8197..8500, 16_003..16_400, 250..600] {
            let mut words = vec![0; n as usize - 1];
            words[opens.clone()].fill(u64::MAX);
            let mut got = Vec::new();
            labels(n, 1.0, &mut Tape::new(&words), &mut got, Watch::never()).unwrap();
            let mut tables = 0;
            let must = words.iter().map(|&word| {
                tables += u32::from(word > 0);
                if word > 0 { tables } else { 0 }
            });
            assert!(got[0] == 0 && got[1..].iter().copied().eq(must), "{opens:?}");
        }
    }
}
