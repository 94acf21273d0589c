//! Computes the tickets of hwdraw/1 on a device. There is no input, and only the selected rows are copied back.

use crate::gpu::device::Gpu;
use crate::gpu::error::Error;
use crate::gpu::host::{Arg, Queue};
use crate::gpu::program::{TICKETS, TICKETS_UNDER};
use crate::gpu::slot::Pair;
use hashwell::{SHA256_CONSTANTS, SHA256_INITIAL};
use std::cmp::Ordering;
use std::ops::Range;

/// A row and its ticket, which is the first 16 bytes of SHA-256(K ‖ 01 ‖ decimal digits of the row) as a number
/// (`docs/spec/draw.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// The ticket.
    pub ticket: u128,
    /// The number of the row. Its decimal digits are the id of the row.
    pub row: u64,
}

impl Ticket {
    /// Compares tickets in the order of hwdraw. Equal tickets are ordered by their ids, compared as bytes.
    fn order(&self, other: &Self) -> Ordering {
        let ids = || self.row.to_string().cmp(&other.row.to_string());
        self.ticket.cmp(&other.ticket).then_with(ids)
    }
}

/// The rows of a launch differ only in their last eight digits: the row number modulo this constant.
const OWN: u64 = 100_000_000;
/// The number of tickets for which a launch has room.
const SPACE: usize = 1 << 16;
/// The maximum number of rows in a launch. The host computes the first words of a launch, which takes much less time than
/// the launch itself.
const ROWS: u64 = 1 << 26;

impl Gpu {
    /// Returns the k rows in `rows` that have the smallest tickets under a key, in the order of their tickets. This is
    /// hwdraw's method `ticket` for the list `numbers`, whose rows are `1..n + 1`.
    ///
    /// This method takes one SHA-256 compression per row on the device and almost no other time. It uses 32 bytes of
    /// memory for each of the k rows, and for each of a few more rows, and three times as much while they are
    /// collected.
    ///
    /// # Errors
    /// Returns [`Error::TooFew`] if there are fewer than k rows, [`Error::AnswerTooLong`] if there is no memory for k
    /// rows, or an error of the device.
    pub fn tickets(&self, key: &[u8; 32], rows: Range<u64>, k: usize) -> Result<Vec<Ticket>, Error> {
        let n = rows.end.saturating_sub(rows.start);
        if k as u64 > n {
            return Err(Error::TooFew { wanted: k as u64, rows: n });
        }
        if k == 0 {
            return Ok(Vec::new());
        }
        // k plus six standard deviations of the number of rows below the bound. Fewer than k rows are found about once
        // in 10^9 times.
        let mut expected = k as u128 + 6 * u128::from((k as u64).isqrt()) + 16;
        loop {
            let bound = (u128::MAX / u128::from(n)).saturating_mul(expected);
            let bound = if expected >= u128::from(n) { u128::MAX } else { bound };
            let mut found = self.not_above(key, rows.clone(), bound, usize::MAX)?;
            if found.len() >= k {
                found.sort_unstable_by(Ticket::order);
                found.truncate(k);
                return Ok(found);
            }
            expected = expected.saturating_mul(2);
        }
    }

    /// Returns the rows in `rows` whose tickets under a key are less than a threshold, in the order of the rows. This
    /// is hwdraw's method `bernoulli` for p = threshold / 2^128.
    ///
    /// # Errors
    /// Returns [`Error::TooMany`] if there are more than `most` rows, [`Error::AnswerTooLong`] if there is no memory
    /// for the expected number of rows, or an error of the device.
    pub fn keyed_scores(
        &self,
        key: &[u8; 32],
        rows: Range<u64>,
        threshold: u128,
        most: usize,
    ) -> Result<Vec<Ticket>, Error> {
        let Some(bound) = threshold.checked_sub(1) else { return Ok(Vec::new()) };
        let mut found = self.not_above(key, rows, bound, most)?;
        found.sort_unstable_by_key(|ticket| ticket.row);
        Ok(found)
    }

    fn not_above(
        &self,
        key: &[u8; 32],
        rows: Range<u64>,
        bound: u128,
        most: usize,
    ) -> Result<Vec<Ticket>, Error> {
        self.guarded(|| {
            self.ready(&TICKETS, || self.test_tickets())?;
            Search::new(self, key, bound)?.run(rows, most)
        })
    }

    fn test_tickets(&self) -> Result<(), Error> {
        let key: [u8; 32] = std::array::from_fn(|i| 7 * i as u8);
        // Tests every number of digits, so that the digits of a row are at every position in a word.
        let around = (0..20).map(|digits| 10_u64.pow(digits)).map(|first| first.saturating_sub(3)..first + 3);
        for rows in around.chain(std::iter::once(u64::MAX - 10..u64::MAX)) {
            let mut found = Search::new(self, &key, u128::MAX / 2)?.run(rows.clone(), usize::MAX)?;
            found.sort_unstable_by_key(|ticket| ticket.row);
            let all = rows.map(|row| Ticket { ticket: ticket(&key, row), row });
            if !found.into_iter().eq(all.filter(|ticket| ticket.ticket <= u128::MAX / 2)) {
                return Err(self.wrong(&TICKETS, "row numbers of all lengths"));
            }
        }
        Ok(())
    }
}

/// Computes the ticket of a row on the CPU.
pub(super) fn ticket(key: &[u8; 32], row: u64) -> u128 {
    let message = [key, &[1][..], row.to_string().as_bytes()].concat();
    let digest = hashwell::find("sha256").expect("a row of the registry").digest(&message);
    u128::from_be_bytes(digest[..16].try_into().expect("16 bytes"))
}

/// A search for the tickets of a key that are at most a bound.
struct Search {
    key: Key,
    bound: u128,
    queue: Box<dyn Queue>,
    setup: Pair,
    count: Pair,
    kept: Pair,
    /// The number of tickets for which there is room, at most [`SPACE`].
    space: usize,
}

impl Search {
    fn new(gpu: &Gpu, key: &[u8; 32], bound: u128) -> Result<Self, Error> {
        let mut queue = gpu.device().queue()?;
        let mut pair = |bytes| -> Result<Pair, Error> {
            Ok(Pair { device: queue.device_memory(bytes)?, host: queue.pinned_memory(bytes)? })
        };
        let (setup, count, kept) = (pair(4 * Key::SETUP)?, pair(4)?, pair(20 * SPACE)?);
        Ok(Self { key: Key::new(key), bound, queue, setup, count, kept, space: SPACE })
    }

    /// Returns the tickets found among these rows, in any order.
    fn run(&mut self, rows: Range<u64>, most: usize) -> Result<Vec<Ticket>, Error> {
        let mut found = Vec::new();
        // Reserves the memory first, so that a result that does not fit is reported before any work.
        let n = u128::from(rows.end.saturating_sub(rows.start));
        let expected = (n * (self.bound >> 64)) >> 64;
        reserve(&mut found, usize::try_from(expected).unwrap_or(usize::MAX).min(most))?;
        let mut begin = rows.start;
        while begin < rows.end {
            let end =
                rows.end.min(last_alike(begin).saturating_add(1)).min(begin.saturating_add(self.stride()));
            self.some(begin..end, most, &mut found)?;
            begin = end;
        }
        Ok(found)
    }

    /// Returns the number of rows of a launch. They fill about half of the room, so that it rarely overflows.
    fn stride(&self) -> u64 {
        let share = self.bound / (SPACE as u128 / 2) + 1;
        u64::try_from(u128::MAX / share).unwrap_or(u64::MAX).clamp(1, ROWS)
    }

    /// Makes one launch, or two smaller ones if there was not enough room.
    fn some(&mut self, rows: Range<u64>, most: usize, found: &mut Vec<Ticket>) -> Result<(), Error> {
        let count = self.launch(&rows)?;
        if count > self.space {
            let middle = rows.start + (rows.end - rows.start) / 2;
            self.some(rows.start..middle, most, found)?;
            return self.some(middle..rows.end, most, found);
        }
        if count > most.saturating_sub(found.len()) {
            return Err(Error::TooMany { most });
        }
        reserve(found, count)?;
        let kept = self.queue.bytes(self.kept.host)?.as_chunks::<4>().0;
        found.extend(kept[..5 * count].chunks_exact(5).map(|words| {
            let word = |i: usize| u32::from_ne_bytes(words[i]);
            let ticket = (1..5).fold(0, |ticket, i| ticket << 32 | u128::from(word(i)));
            Ticket { ticket, row: rows.start + u64::from(word(0)) }
        }));
        Ok(())
    }

    /// Runs the kernel and copies its tickets to the host. Returns the number of tickets found, including those for
    /// which there was no room.
    fn launch(&mut self, rows: &Range<u64>) -> Result<usize, Error> {
        let words = self.key.setup(rows.start, self.bound, self.space);
        let bytes = self.queue.bytes(self.setup.host)?.as_chunks_mut::<4>().0;
        bytes.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_ne_bytes());
        self.queue.bytes(self.count.host)?.fill(0);
        let Self { queue, setup, count, kept, .. } = self;
        queue.upload(setup.host, setup.device, 4 * Key::SETUP)?;
        queue.upload(count.host, count.device, 4)?;
        let args = [setup.device, count.device, kept.device].map(Arg::Buffer);
        // There are at most ROWS rows, so the number fits.
        queue.launch(&TICKETS, &TICKETS_UNDER, &args, (rows.end - rows.start) as u32)?;
        queue.download(count.device, count.host, 4)?;
        let counted = queue.bytes(count.host)?;
        let counted = u32::from_ne_bytes(counted.try_into().expect("four bytes")) as usize;
        queue.download(kept.device, kept.host, 20 * counted.min(self.space))?;
        queue.wait()?;
        Ok(counted)
    }
}

/// Reserves room for more tickets.
fn reserve(found: &mut Vec<Ticket>, more: usize) -> Result<(), Error> {
    let bytes = found.len().saturating_add(more).saturating_mul(size_of::<Ticket>()) as u64;
    found.try_reserve(more).map_err(|_| Error::AnswerTooLong { bytes })
}

/// Returns the last number with the same number of digits, and with the same digits above the lowest eight.
fn last_alike(row: u64) -> u64 {
    if row >= OWN {
        return (row / OWN * OWN).saturating_add(OWN - 1);
    }
    10_u64.pow(row.max(1).ilog10() + 1) - 1
}

/// The part of the computation that all rows of a key share.
struct Key {
    words: [u32; 8],
    /// The state after eight rounds.
    state: [u32; 8],
}

impl Key {
    /// The number of words in the setup of a launch.
    const SETUP: usize = 31;

    fn new(key: &[u8; 32]) -> Self {
        let mut words = [0; 8];
        words.iter_mut().zip(key.as_chunks().0).for_each(|(word, bytes)| *word = u32::from_be_bytes(*bytes));
        let mut state = SHA256_INITIAL;
        for (word, constant) in words.iter().zip(SHA256_CONSTANTS) {
            let [a, b, c, d, e, f, g, h] = state;
            let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t1 = h
                .wrapping_add(sum1)
                .wrapping_add((e & f) ^ (!e & g))
                .wrapping_add(constant)
                .wrapping_add(*word);
            let t2 = sum0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            state = [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g];
        }
        Self { words, state }
    }

    /// Returns the setup that `text/tickets.h` describes, for the rows from `first` on that share their upper digits.
    fn setup(&self, first: u64, bound: u128, space: usize) -> [u32; Self::SETUP] {
        let (shared, own) = if first < OWN {
            (String::new(), first.to_string())
        } else {
            ((first / OWN).to_string(), format!("{:08}", first % OWN))
        };
        let bits = 8 * (32 + 1 + shared.len() + own.len()) as u32;
        let mut text = [0; 24];
        text[0] = 1;
        text[1..=shared.len()].copy_from_slice(shared.as_bytes());
        let mut setup = [0; Self::SETUP];
        setup[..8].copy_from_slice(&self.state);
        for i in 0..7 {
            let x = self.words[i + 1];
            let sigma0 = x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3);
            setup[8 + i] = self.words[i].wrapping_add(sigma0);
        }
        setup[15] = self.words[7];
        let words = text.as_chunks().0.iter().map(|bytes| u32::from_be_bytes(*bytes));
        setup[16..22].iter_mut().zip(words).for_each(|(place, word)| *place = word);
        setup[22] = bits;
        setup[23] = 1 + shared.len() as u32;
        setup[24] = own.len() as u32;
        setup[25] = (first % OWN) as u32;
        (0..4).for_each(|i| setup[26 + i] = (bound >> (96 - 32 * i)) as u32);
        setup[30] = space as u32;
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_alike_up_to_their_next_digit() {
        for (row, last) in [
            (0, 9),
            (9, 9),
            (10, 99),
            (12_345_678, 99_999_999),
            (100_000_000, 199_999_999),
            (u64::MAX - 3, u64::MAX),
        ] {
            assert_eq!(last_alike(row), last, "{row}");
        }
    }

    /// If there is not enough room, the work is repeated in parts, and no ticket is lost.
    #[test]
    fn an_overflow_is_done_again() {
        let Some(gpu) = crate::gpu::tests::real_device() else { return };
        let key = [9; 32];
        gpu.keyed_scores(&key, 0..1, 1, 1).unwrap();
        let mut search = Search::new(gpu, &key, u128::MAX / 2).unwrap();
        search.space = 100;
        let mut found = search.run(0..3000, usize::MAX).unwrap();
        found.sort_unstable_by_key(|ticket| ticket.row);
        let all = (0..3000).map(|row| Ticket { ticket: ticket(&key, row), row });
        assert!(found.into_iter().eq(all.filter(|ticket| ticket.ticket <= u128::MAX / 2)));
    }
}
