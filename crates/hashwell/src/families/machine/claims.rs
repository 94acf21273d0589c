//! What is claimed of each function: that it does what the standard does, with all that is lent to it.

use super::code::{Code, Outcome};
use crate::families::proof::{Messages, lane, memory, step, unknown};
use crate::families::sponge::ByteOrder;
use crate::families::{ascon, blake2, keccak, ripemd160, sha1, sha2, sm3};
use crate::ground::vector::symbol::{Claim, Slot, Word};
use crate::ground::vector::{Input, MAX};
use alloc::vec::Vec;

/// Blocks of a call: one, and as many as take kernels that take two at a time twice through their loop, and leave one.
const BLOCKS: [usize; 2] = [1, 5];

/// Claims of a Merkle–Damgård kernel: `fn(&mut [W; ROWS], &[[u8; B]])`.
fn chain<W: Slot + Default, const ROWS: usize>(
    code: &Code,
    standard: impl Fn([Word; ROWS], [Word; 16]) -> [Word; ROWS],
) -> Outcome {
    let mut claim = Claim::new();
    for blocks in BLOCKS {
        let before: [Word; ROWS] = unknown();
        let message: Vec<[Word; 16]> = (0..blocks).map(|_| unknown()).collect();
        let mut state = memory::<W>(before);
        let data = memory::<W>(message.iter().copied().flatten());
        let mut machine = code.machine();
        let arguments = [machine.lend_mut(&mut state), machine.lend(&data), blocks as u64];
        code.call(&mut machine, &arguments)?;
        machine.take_back(&mut state);
        let said = message.into_iter().fold(before, &standard);
        claim.extend(state.iter().map(|word| word.word()).zip(said));
    }
    Ok(claim)
}

/// The same of many messages: `fn(&mut [[W; MAX]; ROWS], &[Input; MAX], usize)`.
fn many<W: Slot + Default, const ROWS: usize>(
    code: &Code,
    lanes: usize,
    standard: impl Fn([Word; ROWS], [Word; 16]) -> [Word; ROWS],
) -> Outcome {
    let messages = Messages::<W>::new(lanes, 2, 16);
    // Columns beyond the lanes may be read.
    let before: [[Word; MAX]; ROWS] = core::array::from_fn(|_| unknown());
    let mut states = before.map(|row| row.map(W::holding));
    let inputs = messages.inputs();
    let mut machine = code.machine();
    messages.words().for_each(|words| _ = machine.lend(words));
    machine.lend_numbers(inputs.as_ptr() as u64, &numbers(&inputs));
    let arguments = [machine.lend_mut(states.as_flattened_mut()), inputs.as_ptr() as u64, 3];
    code.call(&mut machine, &arguments)?;
    machine.take_back(states.as_flattened_mut());
    let mut claim = Claim::new();
    for (column, blocks) in messages.blocks.iter().enumerate() {
        let before = before.map(|row| row[column]);
        let said =
            blocks.iter().fold(before, |state, block| standard(state, block.as_slice().try_into().unwrap()));
        claim.extend(lane(&states, column).into_iter().zip(said));
    }
    Ok(claim)
}

#[allow(unsafe_code)]
fn numbers(inputs: &[Input<'_>; MAX]) -> Vec<u64> {
    const { assert!(size_of::<Input<'_>>() == 5 * size_of::<u64>()) };
    // SAFETY: an input is two slices and a number: five numbers of 64 bits, without padding.
    unsafe { core::slice::from_raw_parts(inputs.as_ptr().cast::<u64>(), 5 * MAX) }.to_vec()
}

/// Claims of BLAKE2's chain kernels: `fn(&mut [W; 8], &[[u8; B]], u128, Last)`, for any state and message. Counters are numbers,
/// since they are 128 bits: none, one whose word carries between the blocks, and one that begins below zero.
fn blake2<W: Slot + Default>(code: &Code, of: &blake2::proof::Parameters) -> Outcome {
    let mut claim = Claim::new();
    let bits = 8 * size_of::<W>() as u32;
    for (counter, last) in
        [(0, 0), ((1 << bits) - 2 * u128::from(of.bytes), 1), (5_u128.wrapping_sub(of.bytes.into()), 2)]
    {
        let before: [Word; 8] = unknown();
        let message: Vec<[Word; 16]> = (0..3).map(|_| unknown()).collect();
        let mut state = memory::<W>(before);
        let data = memory::<W>(message.iter().copied().flatten());
        let mut machine = code.machine();
        let (low, high) = (counter as u64, (counter >> 64) as u64);
        let arguments = [machine.lend_mut(&mut state), machine.lend(&data), 3, low, high, last];
        code.call(&mut machine, &arguments)?;
        machine.take_back(&mut state);
        let mut said = before;
        let mut t = counter;
        for block in &message {
            t = t.wrapping_add(of.bytes.into());
            let flag = |set: bool| Word::constant(if set { u64::MAX } else { 0 });
            let words = [t as u64, (t >> bits) as u64].map(Word::constant);
            said = blake2::proof::standard(of, said, block, words, [flag(last > 0), flag(last > 1)]);
        }
        claim.extend(state.iter().map(|word| word.word()).zip(said));
    }
    Ok(claim)
}

/// Claims of a sponge's chain kernel: `fn(&mut [u64; ROWS], &[u8], Block)`.
fn absorb<const ROWS: usize>(
    code: &Code,
    rates: &[usize],
    orders: &[ByteOrder],
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let mut claim = Claim::new();
    for (rate, order) in rates.iter().flat_map(|rate| orders.iter().map(move |order| (*rate, *order))) {
        let blocks = 2;
        let before: [Word; ROWS] = unknown();
        let message: Vec<Word> = (0..blocks * rate / 8).map(|_| Word::unknown()).collect();
        // The standard first, whose definitions the kernel's expressions then meet.
        let mut said = before;
        for block in message.chunks(rate / 8) {
            for (word, added) in said.iter_mut().zip(block) {
                let added =
                    if order == ByteOrder::Little { added.little_endian() } else { added.big_endian() };
                *word = *word ^ added;
            }
            said = permutation(said);
        }
        let mut state = memory::<u64>(before);
        let data = memory::<u64>(message);
        let mut machine = code.machine();
        let len = (blocks * rate) as u64;
        let arguments = [machine.lend_mut(&mut state), machine.lend(&data), len, rate as u64, order as u64];
        code.call(&mut machine, &arguments)?;
        machine.take_back(&mut state);
        claim.extend(state.iter().map(|word| word.word()).zip(said));
    }
    Ok(claim)
}

/// Claims of a permutation alone: `fn(&mut [u64; ROWS])`.
fn permute<const ROWS: usize>(code: &Code, permutation: impl Fn([Word; ROWS]) -> [Word; ROWS]) -> Outcome {
    let before: [Word; ROWS] = unknown();
    let said = permutation(before);
    let mut state = memory::<u64>(before);
    let mut machine = code.machine();
    let arguments = [machine.lend_mut(&mut state)];
    code.call(&mut machine, &arguments)?;
    machine.take_back(&mut state);
    Ok(state.iter().map(|word| word.word()).zip(said).collect())
}

/// Claims of a sponge's batch kernel: `fn(&mut [[u64; MAX]; ROWS], &[Input; MAX], Block, usize)`.
fn absorb_many<const ROWS: usize>(
    code: &Code,
    lanes: usize,
    rates: &[usize],
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let mut claim = Claim::new();
    for rate in rates {
        let messages = Messages::<u64>::new(lanes, 1, rate / 8);
        let before: [[Word; MAX]; ROWS] = core::array::from_fn(|_| unknown());
        // The standard first, as above.
        let absorbed = |(column, blocks): (usize, &Vec<Vec<Word>>)| {
            blocks.iter().fold(before.map(|row| row[column]), |mut state, block| {
                state.iter_mut().zip(block).for_each(|(word, added)| *word = *word ^ added.little_endian());
                permutation(state)
            })
        };
        let said: Vec<[Word; ROWS]> = messages.blocks.iter().enumerate().map(absorbed).collect();
        let mut states = before.map(|row| row.map(u64::holding));
        let inputs = messages.inputs();
        let mut machine = code.machine();
        messages.words().for_each(|words| _ = machine.lend(words));
        let places = inputs.as_ptr() as u64;
        machine.lend_numbers(places, &numbers(&inputs));
        let states_at = machine.lend_mut(states.as_flattened_mut());
        code.call(&mut machine, &[states_at, places, *rate as u64, ByteOrder::Little as u64, 2])?;
        machine.take_back(states.as_flattened_mut());
        claim.extend(
            said.into_iter()
                .enumerate()
                .flat_map(|(column, said)| lane(&states, column).into_iter().zip(said)),
        );
    }
    Ok(claim)
}

/// The same of outputs: `fn(&mut [[u64; MAX]; ROWS], &[*mut u8; MAX], Block, usize, bool)`.
fn squeeze_many<const ROWS: usize>(
    code: &Code,
    lanes: usize,
    rates: &[usize],
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let mut claim = Claim::new();
    for (rate, ready) in rates.iter().flat_map(|rate| [(*rate, false), (*rate, true)]) {
        let before: [[Word; MAX]; ROWS] = core::array::from_fn(|_| unknown());
        let squeezed = |column: usize| {
            let state = before.map(|row| row[column]);
            let first = if ready { state } else { permutation(state) };
            [first, permutation(first)]
        };
        let said: Vec<[[Word; ROWS]; 2]> = (0..lanes).map(squeezed).collect();
        let mut states = before.map(|row| row.map(u64::holding));
        let mut written: Vec<Vec<u64>> = (0..lanes).map(|_| alloc::vec![0; 2 * rate / 8]).collect();
        let mut machine = code.machine();
        let mut places = [0; MAX];
        for (place, written) in places.iter_mut().zip(&mut written) {
            *place = machine.lend_mut(written);
        }
        let outputs = places.as_ptr() as u64;
        machine.lend_numbers(outputs, &places);
        let states_at = machine.lend_mut(states.as_flattened_mut());
        let order = ByteOrder::Little as u64;
        code.call(&mut machine, &[states_at, outputs, rate as u64, order, 2, ready.into()])?;
        machine.take_back(states.as_flattened_mut());
        for (column, (said, written)) in said.into_iter().zip(&mut written).enumerate() {
            machine.take_back(written);
            for (state, block) in said.iter().zip(written.chunks(rate / 8)) {
                let word = |word: &u64| word.word_if_any().unwrap_or_else(Word::unknown);
                claim.extend(block.iter().zip(state).map(|(w, said)| (word(w), said.little_endian())));
            }
            claim.extend(lane(&states, column).into_iter().zip(said[1]));
        }
    }
    Ok(claim)
}

/// Claims of BLAKE2's batch kernels, with counters and flags that are unknown, too:
/// `fn(&mut [[W; MAX]; 8], &[Input; MAX], Run, &[W; MAX], &[[W; MAX]; 2])`.
fn blake2_many<W: Slot + Default>(code: &Code, lanes: usize, of: &blake2::proof::Parameters) -> Outcome {
    let before: [[Word; MAX]; 8] = core::array::from_fn(|_| unknown());
    let messages = Messages::<W>::new(lanes, 1, 16);
    let (counters, flags): ([Word; MAX], [[Word; MAX]; 2]) = (unknown(), [unknown(), unknown()]);
    let mut states = before.map(|row| row.map(W::holding));
    let (counter_row, flag_rows) = (counters.map(W::holding), flags.map(|row| row.map(W::holding)));
    let inputs = messages.inputs();
    let mut machine = code.machine();
    messages.words().for_each(|words| _ = machine.lend(words));
    let places = inputs.as_ptr() as u64;
    machine.lend_numbers(places, &numbers(&inputs));
    let states_at = machine.lend_mut(states.as_flattened_mut());
    let (counters_at, flags_at) = (machine.lend(&counter_row), machine.lend(flag_rows.as_flattened()));
    code.call(&mut machine, &[states_at, places, 2, of.bytes, counters_at, flags_at])?;
    machine.take_back(states.as_flattened_mut());
    let mut claim = Claim::new();
    for (column, blocks) in messages.blocks.iter().enumerate() {
        let (mut h, mut t) = (before.map(|row| row[column]), counters[column]);
        for block in blocks {
            t = t + Word::constant(of.bytes);
            let high = Word::constant(0);
            h = blake2::proof::standard(of, h, block, [t, high], flags.map(|row| row[column]));
        }
        claim.extend(lane(&states, column).into_iter().zip(h));
    }
    Ok(claim)
}

pub(super) fn chain_1(code: &Code) -> Outcome {
    chain::<u32, 5>(code, sha1::proof::standard)
}

pub(super) fn many_1<const N: usize>(code: &Code) -> Outcome {
    many::<u32, 5>(code, N, sha1::proof::standard)
}

pub(super) fn chain_256<const ROUNDS: usize>(code: &Code) -> Outcome {
    chain::<u32, 8>(code, |state, block| sha2::proof::sha_256(ROUNDS, state, block))
}

pub(super) fn many_256<const N: usize, const ROUNDS: usize>(code: &Code) -> Outcome {
    many::<u32, 8>(code, N, |state, block| sha2::proof::sha_256(ROUNDS, state, block))
}

pub(super) fn chain_512(code: &Code) -> Outcome {
    chain::<u64, 8>(code, sha2::proof::sha_512)
}

pub(super) fn many_512<const N: usize>(code: &Code) -> Outcome {
    many::<u64, 8>(code, N, sha2::proof::sha_512)
}

pub(super) fn chain_sm3(code: &Code) -> Outcome {
    chain::<u32, 8>(code, sm3::proof::standard)
}

pub(super) fn many_sm3<const N: usize>(code: &Code) -> Outcome {
    many::<u32, 8>(code, N, sm3::proof::standard)
}

pub(super) fn chain_160(code: &Code) -> Outcome {
    chain::<u32, 5>(code, ripemd160::proof::standard)
}

pub(super) fn many_160<const N: usize>(code: &Code) -> Outcome {
    many::<u32, 5>(code, N, ripemd160::proof::standard)
}

pub(super) fn blake2b(code: &Code) -> Outcome {
    blake2::<u64>(code, &blake2::proof::OF_B)
}

pub(super) fn blake2s(code: &Code) -> Outcome {
    blake2::<u32>(code, &blake2::proof::OF_S)
}

pub(super) fn blake2b_many<const N: usize>(code: &Code) -> Outcome {
    blake2_many::<u64>(code, N, &blake2::proof::OF_B)
}

pub(super) fn blake2s_many<const N: usize>(code: &Code) -> Outcome {
    blake2_many::<u32>(code, N, &blake2::proof::OF_S)
}

/// Of all rows of Keccak-p, or in a sample the smallest and the largest.
fn rates() -> &'static [usize] {
    if step(2) == 1 { &[72, 104, 136, 144, 168] } else { &[72, 168] }
}

pub(super) fn keccak_absorb_many<const N: usize, const ROUNDS: usize>(code: &Code) -> Outcome {
    absorb_many::<25>(code, N, rates(), |s| keccak::proof::standard(ROUNDS, s))
}

pub(super) fn keccak_squeeze_many<const N: usize, const ROUNDS: usize>(code: &Code) -> Outcome {
    squeeze_many::<25>(code, N, &rates()[..1], |s| keccak::proof::standard(ROUNDS, s))
}

pub(super) fn keccak_absorb<const ROUNDS: usize>(code: &Code) -> Outcome {
    absorb::<25>(code, rates(), &[ByteOrder::Little], |s| keccak::proof::standard(ROUNDS, s))
}

pub(super) fn keccak_permute<const ROUNDS: usize>(code: &Code) -> Outcome {
    permute::<25>(code, |s| keccak::proof::standard(ROUNDS, s))
}

pub(super) fn ascon_absorb<const ROUNDS: usize>(code: &Code) -> Outcome {
    absorb::<5>(code, &[8], &[ByteOrder::Little, ByteOrder::Big], |s| ascon::proof::standard(ROUNDS, s))
}

pub(super) fn ascon_permute<const ROUNDS: usize>(code: &Code) -> Outcome {
    permute::<5>(code, |s| ascon::proof::standard(ROUNDS, s))
}
