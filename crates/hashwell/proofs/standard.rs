//! Functions that the proofs of all families share (`dev/verification.md`). A proof runs a kernel on symbolic values,
//! and compares its outputs with those of the standard, which is written as expressions over the same values. Each
//! module in `families/` contains the standard of its family.

use crate::families::sponge::ByteOrder;
use crate::internal::vector::symbol::{Claim, Decision, Fault, Slot, Verdict, Word, decide};
use crate::internal::vector::{Input, MAX};
use alloc::string::String;
use alloc::vec::Vec;

/// Asserts that a claim holds. `bits` is the size of its words.
pub(crate) fn proved(name: &str, bits: u32, claim: &dyn Fn() -> Claim) {
    let Decision { verdict, operations, .. } = decide(bits, None, claim);
    let Verdict::Proved { outputs, expressions } = verdict else { panic!("{name}: {verdict:?}") };
    std::println!("{name}: {outputs} outputs, {operations} operations, {expressions} expressions");
}

/// Fault injection: asserts that the claim is refuted, with a counterexample, if one operation of its kernel goes
/// wrong. Every `step`th operation is changed, in two ways. Changes of at most `idle` loads may have no effect. These
/// are loads of words that only fill an array until they are replaced.
pub(crate) fn refuted(name: &str, bits: u32, step: usize, idle: usize, claim: &dyn Fn() -> Claim) {
    let Decision { verdict, operations, .. } = decide(bits, None, claim);
    assert!(matches!(verdict, Verdict::Proved { .. }), "{name}: {verdict:?}");
    let (mut changes, mut without_effect) = (0, 0);
    for operation in (0..operations).step_by(step) {
        for second_way in [false, true] {
            let fault = Fault { operation, second_way };
            match decide(bits, Some(fault), claim) {
                Decision { verdict: Verdict::Refuted(_), .. } => changes += 1,
                Decision { verdict: Verdict::Proved { .. }, of_load: true, .. } => without_effect += 1,
                Decision { verdict: Verdict::Proved { .. }, same: true, .. } => (),
                Decision { verdict, .. } => panic!("{name}, {fault:?}: {verdict:?}"),
            }
        }
    }
    assert!(without_effect <= 2 * idle, "{name}: changes of {without_effect} loads have no effect");
    std::println!(
        "{name}: {changes} changes of {operations} operations, all refuted; {without_effect} changes of idle loads"
    );
}

/// Returns the step between the operations that the controls of a test change: 1 if `HASHWELL_CONTROLS` is `all`, else
/// `of_a_sample`.
pub(crate) fn step(of_a_sample: usize) -> usize {
    if std::env::var_os("HASHWELL_CONTROLS").is_some_and(|value| value == "all") { 1 } else { of_a_sample }
}

pub(crate) fn unknown<const N: usize>() -> [Word; N] {
    core::array::from_fn(|_| Word::unknown())
}

/// Returns the states in the form of a batch kernel's argument: column i contains the state of lane i. The other
/// columns contain no words.
pub(crate) fn states<W: Slot + Default, const ROWS: usize>(lanes: &[[Word; ROWS]]) -> [[W; MAX]; ROWS] {
    let mut states = [[W::default(); MAX]; ROWS];
    for (column, lane) in lanes.iter().enumerate() {
        for (row, word) in states.iter_mut().zip(lane) {
            row[column] = W::holding(*word);
        }
    }
    states
}

/// Returns the state of one lane after the call of a kernel.
pub(crate) fn lane<W: Slot, const ROWS: usize>(states: &[[W; MAX]; ROWS], column: usize) -> [Word; ROWS] {
    states.map(|row| row[column].word())
}

/// Returns the words as they are in memory, followed by the same number of values that are not words. So reading past
/// the end is detected.
pub(crate) fn memory<W: Slot + Default>(words: impl IntoIterator<Item = Word>) -> Vec<W> {
    let mut memory: Vec<W> = words.into_iter().map(W::holding).collect();
    memory.resize(2 * memory.len(), W::default());
    memory
}

#[allow(unsafe_code)]
pub(crate) fn bytes<W: Slot>(words: &[W]) -> &[u8] {
    // SAFETY: a slot is an integer without padding, and every byte is valid as a `u8`.
    unsafe { core::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// Symbolic messages, one for each lane. Each has `head` blocks of `words` words, and one more block in the memory of
/// the padding.
pub(crate) struct Messages<W> {
    pub(crate) blocks: Vec<Vec<Vec<Word>>>,
    memory: Vec<[Vec<W>; 2]>,
}

impl<W: Slot + Default> Messages<W> {
    pub(crate) fn new(lanes: usize, head: usize, words: usize) -> Self {
        let block = || (0..words).map(|_| Word::unknown()).collect();
        let blocks: Vec<Vec<Vec<Word>>> = (0..lanes).map(|_| (0..=head).map(|_| block()).collect()).collect();
        let flat = |blocks: &[Vec<Word>]| memory(blocks.iter().flatten().copied());
        let memory = blocks.iter().map(|blocks| [flat(&blocks[..head]), flat(&blocks[head..])]).collect();
        Self { blocks, memory }
    }

    /// The memory that the inputs point to.
    pub(crate) fn words(&self) -> impl Iterator<Item = &[W]> {
        self.memory.iter().flatten().map(Vec::as_slice)
    }

    pub(crate) fn inputs(&self) -> [Input<'_>; MAX] {
        let mut inputs = [Input { head: &[], head_blocks: 0, tail: &[] }; MAX];
        for ((input, [head, tail]), blocks) in inputs.iter_mut().zip(&self.memory).zip(&self.blocks) {
            *input = Input { head: bytes(head), head_blocks: blocks.len() - 1, tail: bytes(tail) };
        }
        inputs
    }
}

/// Returns the claim that a Merkle–Damgård kernel processes two blocks as the standard does, in every lane.
pub(crate) fn chain<W: Slot + Default, const ROWS: usize>(
    lanes: usize,
    kernel: impl Fn(&mut [[W; MAX]; ROWS], &[Input<'_>; MAX], usize),
    standard: impl Fn([Word; ROWS], [Word; 16]) -> [Word; ROWS],
) -> Claim {
    let before: Vec<[Word; ROWS]> = (0..lanes).map(|_| unknown()).collect();
    let messages = Messages::<W>::new(lanes, 1, 16);
    let mut after = states::<W, ROWS>(&before);
    kernel(&mut after, &messages.inputs(), 2);
    let mut claim = Claim::new();
    for (column, (before, blocks)) in before.into_iter().zip(&messages.blocks).enumerate() {
        let block = |state, block: &Vec<Word>| standard(state, block.as_slice().try_into().unwrap());
        claim.extend(lane(&after, column).into_iter().zip(blocks.iter().fold(before, block)));
    }
    claim
}

/// Returns the state after the standard has absorbed the blocks: each block is added to the state, and then the state
/// is permuted.
pub(crate) fn absorbed<'b, const ROWS: usize>(
    state: [Word; ROWS],
    blocks: impl IntoIterator<Item = &'b [Word]>,
    order: ByteOrder,
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> [Word; ROWS] {
    blocks.into_iter().fold(state, |mut state, block| {
        for (word, added) in state.iter_mut().zip(block) {
            let added = match order {
                ByteOrder::Little => added.little_endian(),
                ByteOrder::Big => added.big_endian(),
            };
            *word = *word ^ added;
        }
        permutation(state)
    })
}

/// Returns the two states that are output one after the other. The first is the given state if it is `ready`, else its
/// permutation. The second is the permutation of the first.
pub(crate) fn squeezed<const ROWS: usize>(
    state: [Word; ROWS],
    ready: bool,
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> [[Word; ROWS]; 2] {
    let first = if ready { state } else { permutation(state) };
    [first, permutation(first)]
}

/// Returns the claim that a sponge's batch kernel absorbs two blocks of `words` words: it adds each to the state, and
/// then permutes the state.
pub(crate) fn absorbing<const ROWS: usize>(
    lanes: usize,
    words: usize,
    kernel: impl Fn(&mut [[u64; MAX]; ROWS], &[Input<'_>; MAX], usize),
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Claim {
    let before: Vec<[Word; ROWS]> = (0..lanes).map(|_| unknown()).collect();
    let messages = Messages::<u64>::new(lanes, 1, words);
    // The standard runs first, because it defines the names that occur in the kernel's expressions.
    let of_lane = |(state, blocks): (&[Word; ROWS], &Vec<Vec<Word>>)| {
        absorbed(*state, blocks.iter().map(Vec::as_slice), ByteOrder::Little, &permutation)
    };
    let said: Vec<[Word; ROWS]> = before.iter().zip(&messages.blocks).map(of_lane).collect();
    let mut after = states::<u64, ROWS>(&before);
    kernel(&mut after, &messages.inputs(), 2);
    let lanes = said.into_iter().enumerate();
    lanes.flat_map(|(column, said)| lane(&after, column).into_iter().zip(said)).collect()
}

/// Returns the claim that a sponge's batch kernel outputs two blocks of `words` words of the state. Before each block,
/// it permutes the state, except before the first one if the state is `ready`.
pub(crate) fn squeezing<const ROWS: usize>(
    lanes: usize,
    words: usize,
    ready: bool,
    kernel: impl Fn(&mut [[u64; MAX]; ROWS], &[*mut u8; MAX], usize),
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Claim {
    let before: Vec<[Word; ROWS]> = (0..lanes).map(|_| unknown()).collect();
    // The standard runs first, as in [`absorbing`].
    let said: Vec<_> = before.iter().map(|state| squeezed(*state, ready, &permutation)).collect();
    let mut after = states::<u64, ROWS>(&before);
    let mut written: Vec<Vec<u64>> = (0..lanes).map(|_| alloc::vec![0; 2 * words]).collect();
    let mut outputs = [core::ptr::null_mut(); MAX];
    for (output, written) in outputs.iter_mut().zip(&mut written) {
        *output = written.as_mut_ptr().cast();
    }
    kernel(&mut after, &outputs, 2);
    let mut claim = Claim::new();
    for (column, (said, written)) in said.into_iter().zip(&written).enumerate() {
        for (state, block) in said.iter().zip(written.chunks(words)) {
            claim.extend(block.iter().zip(state).map(|(word, said)| (word.word(), said.little_endian())));
        }
        claim.extend(lane(&after, column).into_iter().zip(said[1]));
    }
    claim
}

/// The number of idle loads of [`chain`] in each lane: one for the states, and one for each block.
pub(crate) const IDLE: usize = 3;

/// Returns the name of a claim.
pub(crate) fn named(function: &str, lanes: usize) -> String {
    let lanes = if lanes == 1 { "1 lane".into() } else { alloc::format!("{lanes} lanes") };
    alloc::format!("{function}, {lanes}")
}
