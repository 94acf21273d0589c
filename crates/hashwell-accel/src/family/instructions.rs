//! The code that the implementations with the x86 and the Armv8 instructions for SHA-256 share. Registers contain four
//! words, and rounds are computed in groups of four for any number of rounds. A loop reads the number of rounds and the
//! constants at run time. The instructions of the loop itself take little time compared with the latency of the rounds.

#![allow(unsafe_code)]

/// The SHA-256 instructions of a CPU, on a state in two registers and with four words of the schedule in each register.
///
/// # Safety
/// The caller of each function must ensure that the CPU has the instructions. Implementations enable the features for
/// each function, so that the compiler inlines the instructions into the function, and the function into the caller of
/// [`compress_block`].
pub(super) trait Instructions {
    /// Four words.
    type Words: Copy;

    /// Returns the sixteen words of a block.
    unsafe fn block(block: &[u8; 64]) -> [Self::Words; 4];

    /// Returns the four words that follow the sixteen words `w[0] … w[3]`.
    unsafe fn next(w: [Self::Words; 4]) -> Self::Words;

    /// Computes four rounds.
    unsafe fn four_rounds(state: [Self::Words; 2], w: Self::Words, k: &[u32; 4]) -> [Self::Words; 2];

    /// Computes one, two or three rounds, with the first words of `w` and the first constants of `k`.
    unsafe fn some_rounds(
        state: [Self::Words; 2],
        w: Self::Words,
        k: &[u32; 4],
        rounds: usize,
    ) -> [Self::Words; 2];

    /// Adds the states word by word.
    unsafe fn sum(a: [Self::Words; 2], b: [Self::Words; 2]) -> [Self::Words; 2];
}

/// Compresses one block (FIPS 180-4 section 6.2.2). `k` contains the constants of all `rounds` in groups of four, the
/// last of which is padded.
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
    // SAFETY: the caller guarantees that the CPU has the instructions.
    unsafe {
        let mut w = I::block(block);
        // `w` stays in registers because its indices are constants.
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
