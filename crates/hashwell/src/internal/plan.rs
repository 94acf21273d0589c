//! The result of a calibration, and how all threads of the process share it.
//!
//! The order of a table is right for the CPUs on which it was measured. A [`Plan`] is right for
//! this CPU. It contains the kernel to use for each number and length of messages. The code here
//! computes it from measurements, and `calibrate.rs` makes the measurements.

use crate::internal::vector::MAX;

/// The maximum number of rows of a calibrated table.
pub(crate) const ROWS: usize = 8;

/// Costs are counted in this fraction of a tick.
pub(crate) const PARTS: u64 = 1024;

/// The margin in percent. A row replaces the row that the order of the table prefers only if it is
/// faster by more than this, so that noise rarely decides between two rows of equal speed.
const MARGIN: u64 = 3;

/// The margin in percent for single-message kernels, which are few and similar. For example, on an
/// Intel Xeon (family 6, model 207) Keccak's `bmi2` is 3 to 5 % faster than `avx512`. On Zen 4
/// `avx512` is faster by a third, so it comes first in the table.
pub(crate) const CHAIN_MARGIN: u64 = 1;

/// The nibble that means "one message at a time, on the chain kernel".
const ALONE: u64 = 0xf;

/// The length of messages. A call of a kernel has a fixed cost, which short messages do not spread
/// over many blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// One block.
    Short,
    Long,
}

impl Length {
    pub(crate) const ALL: [Length; 2] = [Length::Short, Length::Long];
}

/// The costs of a kernel for a block in each of its lanes, in parts of a tick: for short messages
/// and for long ones.
pub(crate) type Costs = [u64; 2];

/// The measurements of a batch kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contestant {
    pub(crate) lanes: usize,
    pub(crate) costs: Costs,
}

impl Contestant {
    /// Returns the cost of `live` messages of one block each: full calls of the kernel, then the
    /// cheaper of one more call for the rest and the chain kernel.
    fn cost(&self, live: usize, length: Length, chain: Costs) -> u64 {
        let (call, alone) = (self.costs[length as usize], chain[length as usize]);
        let rest = (live % self.lanes) as u64;
        call * (live / self.lanes) as u64 + call.min(alone * rest)
    }

    /// Returns the minimum number of active lanes for which a call is cheaper than the chain
    /// kernel.
    fn break_even(&self, length: Length, chain: Costs) -> usize {
        let calls = self.costs[length as usize] / chain[length as usize].max(1) + 1;
        usize::try_from(calls).unwrap_or(self.lanes).clamp(2, self.lanes)
    }
}

/// Rows by number of active lanes, for one message length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Choices {
    /// Nibble `n` is the row for `n + 2` messages. The last nibble is the row for more than [`MAX`]
    /// messages.
    rows: u64,
    /// Byte `row` is the minimum number of active lanes for which the row pays off.
    break_even: u64,
}

impl Choices {
    const MORE: usize = MAX - 1;

    fn set(&mut self, place: usize, row: Option<usize>) {
        self.rows |= row.map_or(ALONE, |row| row as u64) << (4 * place);
    }

    fn row(&self, messages: usize) -> Option<usize> {
        let place = messages.checked_sub(2)?.min(Self::MORE);
        let row = (self.rows >> (4 * place)) & 0xf;
        (row != ALONE).then_some(row as usize)
    }

    fn choice(&self, messages: usize) -> Option<Choice> {
        let row = self.row(messages)?;
        Some(Choice { row, break_even: (self.break_even >> (8 * row)) as usize & 0xff })
    }
}

/// A row, and the minimum number of active lanes for which it pays off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) row: usize,
    pub(crate) break_even: usize,
}

/// The rows of a table to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    choices: [Choices; 2],
    /// The speed of each row in MB/s, for short messages and for long ones. 0 if it was not
    /// measured.
    pub(crate) speeds: [[u32; 2]; ROWS],
    /// The length of a block in bytes. Messages below it are short.
    pub(crate) block_len: u32,
    /// The time that calibration took, or 0 if there was nothing to measure.
    pub(crate) nanoseconds: u32,
}

impl Plan {
    /// Returns a plan that always uses one row of a chain table.
    pub(crate) fn always(row: usize) -> Self {
        let mut plan = Self::default();
        for choices in &mut plan.choices {
            (0..=Choices::MORE).for_each(|place| choices.set(place, Some(row)));
        }
        plan
    }

    /// Returns the best plan for a batch table. `rows` has the measurements of the rows that this
    /// CPU can run, and `chain` those of the chain kernel.
    pub(crate) fn of(chain: Costs, rows: &[Option<Contestant>]) -> Self {
        let mut plan = Self::default();
        for (length, choices) in Length::ALL.into_iter().zip(&mut plan.choices) {
            for messages in 2..=MAX {
                choices.set(messages - 2, Self::fastest(chain, rows, length, messages));
            }
            choices.set(Choices::MORE, Self::fastest_full(rows, length));
            for (row, contestant) in rows.iter().enumerate() {
                let break_even = contestant.map_or(0, |c| c.break_even(length, chain));
                choices.break_even |= (break_even as u64) << (8 * row);
            }
        }
        plan
    }

    /// Returns the fastest row for this number of messages, or `None` if it is fastest to hash them
    /// one at a time.
    fn fastest(chain: Costs, rows: &[Option<Contestant>], length: Length, messages: usize) -> Option<usize> {
        let cost = |row: usize| rows[row].map_or(u64::MAX, |c| c.cost(messages, length, chain));
        let mut widths = [None; ROWS];
        widths.iter_mut().zip(rows).for_each(|(width, row)| *width = row.map(|c| c.lanes));
        let written = written_for(messages, &widths)?;
        let best = better(written, rows.len(), MARGIN, cost);
        // A row that always leaves messages to the chain kernel has the same cost as the chain
        // kernel.
        (cost(best) < chain[length as usize] * messages as u64).then_some(best)
    }

    /// Returns the fastest row when all lanes are active.
    fn fastest_full(rows: &[Option<Contestant>], length: Length) -> Option<usize> {
        let cost = |row: usize| {
            rows[row].map_or(u64::MAX, |c| c.costs[length as usize] * MAX as u64 / c.lanes as u64)
        };
        let first = rows.iter().position(Option::is_some)?;
        Some(better(first, rows.len(), MARGIN, cost))
    }
}

/// Returns the row that the order of the table prefers for this number of messages: the narrowest
/// row that can hold them, otherwise the first one. `lanes` has the width of each row that this CPU
/// can run.
pub(crate) fn written_for(messages: usize, lanes: &[Option<usize>]) -> Option<usize> {
    let rows = || lanes.iter().enumerate().filter_map(|(row, lanes)| Some((row, (*lanes)?)));
    let (first, width) = rows().next()?;
    if width < messages {
        return Some(first);
    }
    rows().filter(|(_, width)| *width >= messages).min_by_key(|(_, width)| *width).map(|(row, _)| row)
}

/// Returns `preferred`, or the cheapest row if it is cheaper by more than `margin` percent.
pub(crate) fn better(preferred: usize, rows: usize, margin: u64, cost: impl Fn(usize) -> u64) -> usize {
    let beats = |row: usize, other: usize| cost(row) < cost(other) - cost(other) / 100 * margin;
    (0..rows).fold(preferred, |best, row| if beats(row, best) { row } else { best })
}

#[cfg(feature = "std")]
pub(crate) use shared::{Published, enabled};

#[cfg(feature = "std")]
mod shared {
    use super::{Choice, Choices, Length, Plan, ROWS};
    use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
    use core::sync::atomic::{AtomicU8, AtomicU64};

    const WORDS: usize = ROWS + 5;

    const EMPTY: u8 = 0;
    const WRITING: u8 = 1;
    const READY: u8 = 2;

    /// A plan that the first thread to finish it shares with all others.
    ///
    /// Threads never wait for it. Threads that start at the same time all measure, and the order of
    /// the table is used until a plan is published. So no thread can wait forever, not even in a child process that was
    /// forked while another thread was writing.
    #[derive(Debug)]
    pub(crate) struct Published {
        state: AtomicU8,
        words: [AtomicU64; WORDS],
    }

    impl Published {
        pub(crate) const fn new() -> Self {
            Self { state: AtomicU8::new(EMPTY), words: [const { AtomicU64::new(0) }; WORDS] }
        }

        /// Returns true if no thread has published a plan or is publishing one.
        pub(crate) fn is_empty(&self) -> bool {
            self.state.load(Relaxed) == EMPTY
        }

        #[inline]
        pub(crate) fn is_ready(&self) -> bool {
            self.state.load(Acquire) == READY
        }

        fn word(&self, i: usize) -> u64 {
            self.words[i].load(Relaxed)
        }

        fn choices(&self, length: Length) -> Choices {
            let i = 2 * length as usize;
            Choices { rows: self.word(i), break_even: self.word(i + 1) }
        }

        fn halves(&self, i: usize) -> [u32; 2] {
            [(self.word(i) >> 32) as u32, self.word(i) as u32]
        }

        /// Returns the row of a chain table. There must be a plan.
        #[inline]
        pub(crate) fn row(&self) -> Option<usize> {
            self.choices(Length::Long).row(usize::MAX)
        }

        /// Returns the row of a batch table for this number of messages of `bytes` bytes each, or
        /// `None` if they should be hashed one at a time on the chain kernel. There must be a plan.
        #[inline]
        pub(crate) fn choice(&self, messages: usize, bytes: usize) -> Option<Choice> {
            let [block_len, _] = self.halves(4);
            let length = if bytes < block_len as usize { Length::Short } else { Length::Long };
            self.choices(length).choice(messages)
        }

        /// Returns the plan if it has been published.
        pub(crate) fn get(&self) -> Option<Plan> {
            self.is_ready().then(|| {
                let [block_len, nanoseconds] = self.halves(4);
                let speeds = core::array::from_fn(|row| self.halves(5 + row));
                Plan {
                    choices: Length::ALL.map(|length| self.choices(length)),
                    speeds,
                    block_len,
                    nanoseconds,
                }
            })
        }

        /// Publishes the plan, unless another thread was faster.
        pub(crate) fn publish(&self, plan: &Plan) {
            if self.state.compare_exchange(EMPTY, WRITING, Acquire, Relaxed).is_err() {
                return;
            }
            let Plan { choices: [short, long], speeds, block_len, nanoseconds } = plan;
            let word = |[high, low]: [u32; 2]| u64::from(high) << 32 | u64::from(low);
            let head = [short.rows, short.break_even, long.rows, long.break_even];
            let tail = core::iter::once([*block_len, *nanoseconds]).chain(*speeds).map(word);
            self.words
                .iter()
                .zip(head.into_iter().chain(tail))
                .for_each(|(place, word)| place.store(word, Relaxed));
            self.state.store(READY, Release);
        }
    }

    /// Returns true if kernels may be measured. This is not the case if `HASHWELL_CALIBRATE` is `0`
    /// at the first use of a table, under Miri, where time has no meaning, and in WebAssembly
    /// without an operating system, whose clock panics.
    pub(crate) fn enabled() -> bool {
        const UNKNOWN: u8 = 0;
        const ON: u8 = 1;
        const OFF: u8 = 2;
        static SWITCH: AtomicU8 = AtomicU8::new(UNKNOWN);
        if cfg!(any(miri, all(target_family = "wasm", target_os = "unknown"))) {
            return false;
        }
        if SWITCH.load(Relaxed) == UNKNOWN {
            let off = std::env::var_os("HASHWELL_CALIBRATE").is_some_and(|value| value == "0");
            SWITCH.store(if off { OFF } else { ON }, Relaxed);
        }
        SWITCH.load(Relaxed) == ON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(lanes: usize, short: u64, long: u64) -> Option<Contestant> {
        Some(Contestant { lanes, costs: [short * PARTS, long * PARTS] })
    }

    /// Returns the row for each number of messages from 2 to [`MAX`], and then the row for more than [`MAX`] messages.
    fn choices(chain: u64, rows: &[Option<Contestant>], length: Length) -> [Option<usize>; MAX] {
        let plan = Plan::of([chain * PARTS; 2], rows);
        core::array::from_fn(|place| plan.choices[length as usize].row(place + 2))
    }

    const X4: Option<usize> = Some(0);
    const X16: Option<usize> = Some(1);

    /// The cost of SHA-256 on Intel, in cycles per block: sha-ni 131, sha-ni-x4 100 for each of
    /// four, avx512-x16 61 for each of sixteen. Full lanes use the wide kernel, which is second in
    /// the order of the table for Zen 4. A few messages use SHA-NI.
    #[test]
    fn intel_takes_wide_vectors_for_many_and_sha_ni_for_few() {
        let rows = [batch(4, 400, 400), batch(16, 976, 976), batch(2, 216, 216), batch(8, 1228, 1228)];
        let found = choices(131, &rows, Length::Long);
        assert_eq!(found[0], Some(2), "two messages");
        assert!(found[2..8].iter().all(|row| *row == X4), "four to nine: {found:?}");
        assert!(found[8..].iter().all(|row| *row == X16), "ten and more: {found:?}");
        let plan = Plan::of([131 * PARTS; 2], &rows);
        // 7 · 131 < 976 < 8 · 131.
        assert_eq!(plan.choices[1].choice(100), Some(Choice { row: 1, break_even: 8 }));
        assert_eq!(plan.choices[1].choice(4), Some(Choice { row: 0, break_even: 4 }));
    }

    /// The same on Zen 4, where SHA-NI is faster: four messages take 212 cycles per block, sixteen
    /// lanes 1034.
    #[test]
    fn zen_4_keeps_its_written_order() {
        let rows = [batch(4, 212, 212), batch(16, 1034, 1034), batch(2, 132, 132), batch(8, 993, 993)];
        let found = choices(129, &rows, Length::Long);
        assert_eq!(found[0], Some(2), "two messages");
        assert!(found.iter().all(|row| *row == X4 || *row == Some(2)), "wide vectors: {found:?}");
        assert!(found[6..].iter().all(|row| *row == X4), "eight and more: {found:?}");
    }

    #[test]
    fn short_messages_have_their_own_choice() {
        // The second row has a high cost per call and a low cost per block.
        let rows = [batch(4, 100, 90), batch(4, 150, 40)];
        assert_eq!(choices(50, &rows, Length::Short)[2..], [Some(0); MAX - 2], "short");
        assert_eq!(choices(50, &rows, Length::Long)[2..], [Some(1); MAX - 2], "long");
    }

    #[test]
    fn one_by_one_where_that_is_faster() {
        let rows = [None, batch(8, 300, 300)];
        let found = choices(100, &rows, Length::Long);
        assert_eq!(found[..2], [None, None], "two or three messages");
        assert_eq!(found[2..], [Some(1); MAX - 2], "four and more");
        // A kernel that never pays off is still used for full lanes.
        let found = choices(10, &rows, Length::Long);
        assert!(found[..MAX - 1].iter().all(Option::is_none));
        assert_eq!(
            Plan::of([10 * PARTS; 2], &rows).choices[1].choice(100),
            Some(Choice { row: 1, break_even: 8 })
        );
        assert_eq!(choices(10, &[], Length::Long), [None; MAX]);
    }

    /// Rows of nearly equal speed keep the order of the table, even if the other row was faster in this measurement.
    #[test]
    fn noise_changes_nothing() {
        for noise in [98, 99, 100, 101, 102] {
            let rows = [batch(8, 100, 100), batch(8, noise, noise)];
            assert_eq!(choices(60, &rows, Length::Long), [Some(0); MAX], "{noise}");
        }
        assert_eq!(choices(60, &[batch(8, 100, 100), batch(8, 90, 90)], Length::Long), [Some(1); MAX]);
    }

    #[test]
    fn no_figure_overflows_or_divides_by_zero() {
        let most = Some(Contestant { lanes: 16, costs: [u64::MAX / 64; 2] });
        let _ = Plan::of([u64::MAX / 64; 2], &[most; ROWS]);
        let _ = Plan::of([0; 2], &[batch(2, 0, 0); ROWS]);
    }

    #[cfg(feature = "std")]
    #[test]
    fn a_plan_is_published_once_and_whole() {
        let rows = [batch(4, 212, 300), batch(16, 1034, 700), None, batch(8, 5, 5)];
        let mut plan = Plan::of([129 * PARTS, 128 * PARTS], &rows);
        (plan.block_len, plan.nanoseconds) = (64, 123_456);
        plan.speeds[3] = [7, u32::MAX];
        let published = Published::new();
        assert!(published.is_empty() && !published.is_ready() && published.get().is_none());
        // Threads publish plans at the same time. One of these plans is kept, and it is complete.
        let other = Plan { speeds: [[9; 2]; ROWS], ..Plan::always(5) };
        let seen = std::thread::scope(|scope| {
            let publish = |plan: Plan| {
                let published = &published;
                move || {
                    published.publish(&plan);
                    published.get()
                }
            };
            let threads = [scope.spawn(publish(plan)), scope.spawn(publish(other))];
            threads.map(|thread| thread.join().unwrap())
        });
        let kept = published.get().unwrap();
        assert!(kept == plan || kept == other);
        assert!(seen.into_iter().flatten().all(|plan| plan == kept));
        published.publish(&Plan::always(1));
        assert_eq!(published.get(), Some(kept));
        assert!(published.is_ready() && !published.is_empty());
    }

    #[cfg(feature = "std")]
    #[test]
    fn what_is_published_says_what_the_plan_says() {
        let rows = [batch(4, 50, 300), batch(16, 1034, 700)];
        let mut plan = Plan::of([129 * PARTS, 128 * PARTS], &rows);
        plan.block_len = 64;
        let published = Published::new();
        published.publish(&plan);
        for messages in 0..40 {
            for (bytes, length) in [(0, 0), (63, 0), (64, 1), (usize::MAX, 1)] {
                assert_eq!(published.choice(messages, bytes), plan.choices[length].choice(messages));
            }
        }
        assert_eq!((published.choice(0, 64), published.choice(1, 64)), (None, None));
        let published = Published::new();
        published.publish(&Plan::always(5));
        assert_eq!(published.row(), Some(5));
    }

    #[test]
    fn another_row_has_to_be_cheaper_by_more_than_the_margin() {
        for (cost, row) in [(100, 0), (98, 0), (97, 0), (96, 1)] {
            assert_eq!(better(0, 2, MARGIN, |row| [100, cost][row]), row, "{cost}");
            assert_eq!(better(1, 2, MARGIN, |row| [cost, 100][row]), 1 - row, "{cost}");
        }
    }

    /// Tests that the cost of a message is compared, not that of a call, even if the costs are small numbers.
    #[test]
    fn full_lanes_are_compared_by_message() {
        let row = |lanes, cost| Some(Contestant { lanes, costs: [cost; 2] });
        // For sixteen messages, the costs of the two rows are 16 and 18, 16 and 17, and 20 and 16.
        for (first, second, best) in [(4, 18, 0), (4, 17, 0), (5, 16, 1)] {
            assert_eq!(
                Plan::fastest_full(&[None, row(4, first), row(16, second)], Length::Long),
                Some(1 + best)
            );
        }
        assert_eq!(Plan::fastest_full(&[None; 2], Length::Long), None);
    }
}
