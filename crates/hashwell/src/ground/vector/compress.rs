//! Absorbing whole blocks with a compression function: the frame around it, for one message and for many side by side.

use super::{Input, MAX, Vector, block, load_states, places, store_states};

/// A compression function of sixteen words a block and `ROWS` in its state, written once over all vectors.
pub(crate) trait Compression<W, const ROWS: usize> {
    /// Whether the words of a block are big-endian.
    const BIG_ENDIAN: bool;

    /// Compresses a block of each message into its state.
    ///
    /// # Safety
    /// The CPU must have the instructions of `V`.
    unsafe fn compress<V: Vector<W, N>, const N: usize>(state: &mut [V; ROWS], words: [V; 16]);
}

/// Absorbs the blocks of one message, each `B` bytes, sixteen words.
pub(crate) fn compress_one<F: Compression<W, ROWS>, W: Vector<W, 1>, const ROWS: usize, const B: usize>(
    state: &mut [W; ROWS],
    blocks: &[[u8; B]],
) {
    const { assert!(B == 16 * size_of::<W>()) };
    let mut rows = *state;
    for block in blocks {
        // SAFETY: a plain word needs nothing of the CPU, and the block has sixteen.
        unsafe { compress_block::<F, W, W, 1, ROWS>(&mut rows, &[block.as_ptr().cast()]) };
    }
    *state = rows;
}

/// Absorbs `blocks` blocks of each of `N` messages.
///
/// # Safety
/// The CPU must have the instructions of `V`; `inputs[..N]` must be that long.
#[inline(always)]
pub(crate) unsafe fn compress_many<
    F: Compression<W, ROWS>,
    W,
    V: Vector<W, N>,
    const N: usize,
    const ROWS: usize,
>(
    states: &mut [[W; MAX]; ROWS],
    inputs: &[Input<'_>; MAX],
    blocks: usize,
) {
    // SAFETY: this function demands the instructions, and inputs that are long enough; rows are MAX >= N words long.
    unsafe {
        let mut rows = load_states::<W, V, N, ROWS>(states);
        for i in 0..blocks {
            compress_block::<F, W, V, N, ROWS>(&mut rows, &places(inputs, i, 16 * size_of::<W>()));
        }
        store_states(rows, states);
    }
}

/// # Safety
/// The CPU must have the instructions of `V`; sixteen words must be readable at each of `from`.
#[inline(always)]
unsafe fn compress_block<F: Compression<W, ROWS>, W, V: Vector<W, N>, const N: usize, const ROWS: usize>(
    rows: &mut [V; ROWS],
    from: &[*const W; N],
) {
    // SAFETY: as this function demands.
    let mut words = unsafe { block::<W, V, N>(from) };
    for word in &mut words {
        *word = if F::BIG_ENDIAN { word.decode_be() } else { word.decode_le() };
    }
    // SAFETY: this function demands the instructions.
    unsafe { F::compress::<V, N>(rows, words) };
}
