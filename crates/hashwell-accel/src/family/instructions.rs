//! What the instructions for SHA-256 of x86 and Armv8 have in common: registers hold four words, and rounds go by
//! fours, whatever their number. Rounds and constants are read as it runs, in a loop, whose own instructions are few
//! beside the time that each round waits for the one before it.

#![allow(unsafe_code)]

/// A processor's instructions for SHA-256, on a state in two registers and four words of the schedule in each.
///
/// # Safety
/// Each function needs the instructions, which whoever calls it promises. In an implementation each has the feature, so
/// that the compiler inlines the instructions into it, and it into the function around [`compress_block`].
pub(super) trait Instructions {
    /// Four words.
    type Words: Copy;

    /// The sixteen words of a block.
    unsafe fn block(block: &[u8; 64]) -> [Self::Words; 4];

    /// The four words after `w[0] … w[3]`, sixteen in order.
    unsafe fn next(w: [Self::Words; 4]) -> Self::Words;

    /// Four rounds.
    unsafe fn four_rounds(state: [Self::Words; 2], w: Self::Words, k: &[u32; 4]) -> [Self::Words; 2];

    /// One, two or three rounds, of which the first words and constants are.
    unsafe fn some_rounds(
        state: [Self::Words; 2],
        w: Self::Words,
        k: &[u32; 4],
        rounds: usize,
    ) -> [Self::Words; 2];

    /// Sums word by word.
    unsafe fn sum(a: [Self::Words; 2], b: [Self::Words; 2]) -> [Self::Words; 2];
}

/// One block (FIPS 180-4 section 6.2.2); `k` has the constants of all `rounds`, filled to fours.
///
/// # Safety
/// The CPU must have the instructions of `I`.
#[inline(always)]
pub(super) unsafe fn compress_block<I: Instructions>(
    before: [I::Words; 2],
    block: &[u8; 64],
    k: &[[u32; 4]],
    rounds: usize,
) -> [I::Words; 2] {
    let (sixteens, last) = k.split_at(rounds / 16 * 4);
    let left = rounds % 16;
    let scheduled = rounds >= 16;
    let mut state = before;
    // SAFETY: the CPU has the instructions, as this function asks of its callers.
    unsafe {
        let mut w = I::block(block);
        // `w` lives in registers because its indices are constants.
        macro_rules! next {
            ($i:literal) => {
                w[$i] = I::next([w[$i], w[($i + 1) & 3], w[($i + 2) & 3], w[($i + 3) & 3]]);
            };
        }
        let mut sixteens = sixteens.as_chunks::<4>().0.iter();
        if let Some(k) = sixteens.next() {
            state = I::four_rounds(state, w[0], &k[0]);
            state = I::four_rounds(state, w[1], &k[1]);
            state = I::four_rounds(state, w[2], &k[2]);
            state = I::four_rounds(state, w[3], &k[3]);
        }
        for k in sixteens {
            next!(0);
            state = I::four_rounds(state, w[0], &k[0]);
            next!(1);
            state = I::four_rounds(state, w[1], &k[1]);
            next!(2);
            state = I::four_rounds(state, w[2], &k[2]);
            next!(3);
            state = I::four_rounds(state, w[3], &k[3]);
        }
        macro_rules! rest {
            ($($i:literal)*) => { $(
                if let Some(k) = last.get($i) {
                    if scheduled {
                        next!($i);
                    }
                    state = if left >= 4 * $i + 4 {
                        I::four_rounds(state, w[$i], k)
                    } else {
                        I::some_rounds(state, w[$i], k, left - 4 * $i)
                    };
                }
            )* };
        }
        rest!(0 1 2 3);
        I::sum(state, before)
    }
}
