//! The claims about the functions: each computes what the standard computes, and accesses only memory that was lent to
//! it.

use super::code::{Code, Outcome};
use crate::families::proof::{Messages, absorbed, lane, memory, squeezed, step, unknown};
use crate::families::sponge::ByteOrder;
use crate::families::{ascon, blake2, keccak, ripemd160, sha1, sha2, sm3};
use crate::internal::machine::Machine;
use crate::internal::vector::symbol::{Claim, Slot, Word};
use crate::internal::vector::{Input, MAX};
use alloc::vec::Vec;

/// The numbers of blocks of the calls. With 5 blocks, kernels that process two blocks at a time run their loop twice,
/// and process a single block at the end.
const BLOCKS: [usize; 2] = [1, 5];

/// Claims about a call for one message, `fn(&mut [W; ROWS], …)`: afterwards, the state is the result of `said` for the
/// state before. The arguments are the state, the message, if there is one, and then `further`.
fn single<W: Slot + Default, const ROWS: usize>(
    code: &Code,
    message: Option<&[Word]>,
    further: &[u64],
    said: impl FnOnce([Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let before: [Word; ROWS] = unknown();
    // The standard runs first, because it defines the names that occur in the kernel's expressions.
    let said = said(before);
    let mut state = memory::<W>(before);
    let state = &mut state[..ROWS];
    let data = message.map(|words| memory::<W>(words.iter().copied()));
    let mut machine = code.machine();
    let mut arguments = alloc::vec![machine.lend_mut(state)];
    arguments.extend(data.iter().map(|data| machine.lend(data)));
    arguments.extend(further);
    code.call(&mut machine, &arguments)?;
    machine.take_back(state);
    Ok(state.iter().map(|word| word.word()).zip(said).collect())
}

/// The states of all lanes. A kernel may read the columns without a lane, but must not change them.
struct States<W, const ROWS: usize> {
    before: [[Word; MAX]; ROWS],
    held: [[W; MAX]; ROWS],
}

impl<W: Slot + Default, const ROWS: usize> States<W, ROWS> {
    fn new() -> Self {
        let before: [[Word; MAX]; ROWS] = core::array::from_fn(|_| unknown());
        Self { before, held: before.map(|row| row.map(W::holding)) }
    }

    fn lane(&self, column: usize) -> [Word; ROWS] {
        self.before.map(|row| row[column])
    }

    /// Claims that the first columns have become `said`, and that the others are unchanged.
    fn claims(&mut self, machine: &Machine<'_>, said: Vec<[Word; ROWS]>) -> Claim {
        machine.take_back(self.held.as_flattened_mut());
        let others: Vec<_> = (said.len()..MAX).map(|column| self.lane(column)).collect();
        let all = said.into_iter().chain(others).enumerate();
        all.flat_map(|(column, said)| lane(&self.held, column).into_iter().zip(said)).collect()
    }
}

/// Claims about a call for many messages, `fn(&mut [[W; MAX]; ROWS], &[Input; MAX], …)`: afterwards, the state in each
/// lane is the result of `said` for the lane's state before. `further` may lend more memory, and returns the arguments
/// after these two.
fn batch<W: Slot + Default, const ROWS: usize>(
    code: &Code,
    messages: &Messages<W>,
    further: impl FnOnce(&mut Machine<'_>) -> Vec<u64>,
    said: impl Fn(usize, [Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let mut states = States::<W, ROWS>::new();
    let said = (0..messages.blocks.len()).map(|column| said(column, states.lane(column))).collect();
    let inputs = messages.inputs();
    let mut machine = code.machine();
    messages.words().for_each(|words| _ = machine.lend(words));
    let places = inputs.as_ptr() as u64;
    machine.lend_numbers(places, &numbers(&inputs));
    let states_at = machine.lend_mut(states.held.as_flattened_mut());
    let arguments = [alloc::vec![states_at, places], further(&mut machine)].concat();
    code.call(&mut machine, &arguments)?;
    Ok(states.claims(&machine, said))
}

/// Returns the claims for all choices, such as all rates.
fn each<T>(choices: impl IntoIterator<Item = T>, claim: impl Fn(T) -> Outcome) -> Outcome {
    let claims: Vec<Claim> = choices.into_iter().map(claim).collect::<Result<_, _>>()?;
    Ok(claims.concat())
}

#[allow(unsafe_code)]
fn numbers(inputs: &[Input<'_>; MAX]) -> Vec<u64> {
    const { assert!(size_of::<Input<'_>>() == 5 * size_of::<u64>()) };
    // SAFETY: an input consists of two slices and a number. These are five integers of 64 bits, without padding.
    unsafe { core::slice::from_raw_parts(inputs.as_ptr().cast::<u64>(), 5 * MAX) }.to_vec()
}

fn words(count: usize) -> Vec<Word> {
    (0..count).map(|_| Word::unknown()).collect()
}

/// Claims about a Merkle–Damgård kernel for one message, `fn(&mut [W; ROWS], &[[u8; B]])`.
fn chain<W: Slot + Default, const ROWS: usize>(
    code: &Code,
    standard: impl Fn([Word; ROWS], [Word; 16]) -> [Word; ROWS],
) -> Outcome {
    each(BLOCKS, |blocks| {
        let message = words(16 * blocks);
        single::<W, ROWS>(code, Some(&message), &[blocks as u64], |state| {
            message.as_chunks().0.iter().fold(state, |state, block| standard(state, *block))
        })
    })
}

/// Claims about a Merkle–Damgård kernel for many messages, `fn(&mut [[W; MAX]; ROWS], &[Input; MAX], usize)`.
fn many<W: Slot + Default, const ROWS: usize>(
    code: &Code,
    lanes: usize,
    standard: impl Fn([Word; ROWS], [Word; 16]) -> [Word; ROWS],
) -> Outcome {
    let messages = Messages::<W>::new(lanes, 2, 16);
    let block = |state, block: &Vec<Word>| standard(state, block.as_slice().try_into().unwrap());
    batch(
        code,
        &messages,
        |_| alloc::vec![3],
        |column, state| messages.blocks[column].iter().fold(state, block),
    )
}

/// Claims about BLAKE2's kernels for one message, `fn(&mut [W; 8], &[[u8; B]], u128, Last)`, for all states and
/// messages. A counter has 128 bits, so it can't be a symbolic word. Three counters are used: 0, one with a carry into
/// its upper word between two blocks, and one that overflows.
fn blake2<W: Slot + Default>(code: &Code, of: &blake2::proof::Parameters) -> Outcome {
    let bits = 8 * size_of::<W>() as u32;
    let counters =
        [(0, 0), ((1 << bits) - 2 * u128::from(of.bytes), 1), (5_u128.wrapping_sub(of.bytes.into()), 2)];
    each(counters, |(counter, last)| {
        let message = words(3 * 16);
        let further = [3, counter as u64, (counter >> 64) as u64, last];
        single::<W, 8>(code, Some(&message), &further, |mut state| {
            let mut t = counter;
            for block in message.chunks(16) {
                t = t.wrapping_add(of.bytes.into());
                let flag = |set: bool| Word::constant(if set { u64::MAX } else { 0 });
                let t = [t as u64, (t >> bits) as u64].map(Word::constant);
                state = blake2::proof::standard(of, state, block, t, [flag(last > 0), flag(last > 1)]);
            }
            state
        })
    })
}

/// Claims about BLAKE2's batch kernels, with symbolic counters and flags, too: `fn(&mut [[W; MAX]; 8], &[Input; MAX],
/// Run, &[W; MAX], &[[W; MAX]; 2])`.
fn blake2_many<W: Slot + Default>(code: &Code, lanes: usize, of: &blake2::proof::Parameters) -> Outcome {
    let messages = Messages::<W>::new(lanes, 1, 16);
    let (counters, flags): ([Word; MAX], [[Word; MAX]; 2]) = (unknown(), [unknown(), unknown()]);
    let (counter_row, flag_rows) = (counters.map(W::holding), flags.map(|row| row.map(W::holding)));
    let further = |machine: &mut Machine<'_>| {
        alloc::vec![2, of.bytes, machine.lend(&counter_row), machine.lend(flag_rows.as_flattened())]
    };
    batch::<W, 8>(code, &messages, further, |column, mut state| {
        let mut t = counters[column];
        for block in &messages.blocks[column] {
            t = t + Word::constant(of.bytes);
            let t = [t, Word::constant(0)];
            state = blake2::proof::standard(of, state, block, t, flags.map(|row| row[column]));
        }
        state
    })
}

/// Claims about a sponge's kernel for one message, `fn(&mut [u64; ROWS], &[u8], Block)`.
fn absorb<const ROWS: usize>(
    code: &Code,
    rate: usize,
    order: ByteOrder,
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let message = words(2 * rate / 8);
    let further = [2 * rate as u64, rate as u64, order as u64];
    single::<u64, ROWS>(code, Some(&message), &further, |state| {
        absorbed(state, message.chunks(rate / 8), order, permutation)
    })
}

/// Claims about a sponge's batch kernel for input, `fn(&mut [[u64; MAX]; ROWS], &[Input; MAX], Block, usize)`.
fn absorb_many<const ROWS: usize>(
    code: &Code,
    lanes: usize,
    rate: usize,
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let messages = Messages::<u64>::new(lanes, 1, rate / 8);
    let further = |_: &mut Machine<'_>| alloc::vec![rate as u64, ByteOrder::Little as u64, 2];
    batch(code, &messages, further, |column, state| {
        let blocks = messages.blocks[column].iter().map(Vec::as_slice);
        absorbed(state, blocks, ByteOrder::Little, &permutation)
    })
}

/// Claims about a sponge's batch kernel for output, `fn(&mut [[u64; MAX]; ROWS], &[*mut u8; MAX], Block, usize, bool)`.
fn squeeze_many<const ROWS: usize>(
    code: &Code,
    lanes: usize,
    rate: usize,
    ready: bool,
    permutation: impl Fn([Word; ROWS]) -> [Word; ROWS],
) -> Outcome {
    let mut states = States::<u64, ROWS>::new();
    let said: Vec<[[Word; ROWS]; 2]> =
        (0..lanes).map(|column| squeezed(states.lane(column), ready, &permutation)).collect();
    let mut written: Vec<Vec<u64>> = (0..lanes).map(|_| alloc::vec![0; 2 * rate / 8]).collect();
    let mut machine = code.machine();
    let mut places = [0; MAX];
    for (place, written) in places.iter_mut().zip(&mut written) {
        *place = machine.lend_mut(written);
    }
    let outputs = places.as_ptr() as u64;
    machine.lend_numbers(outputs, &places);
    let states_at = machine.lend_mut(states.held.as_flattened_mut());
    let order = ByteOrder::Little as u64;
    code.call(&mut machine, &[states_at, outputs, rate as u64, order, 2, ready.into()])?;
    let mut claim = states.claims(&machine, said.iter().map(|blocks| blocks[1]).collect());
    for (blocks, written) in said.into_iter().zip(&mut written) {
        machine.take_back(written);
        for (state, block) in blocks.iter().zip(written.chunks(rate / 8)) {
            let word = |word: &u64| word.word_if_any().unwrap_or_else(Word::unknown);
            claim.extend(block.iter().zip(state).map(|(w, said)| (word(w), said.little_endian())));
        }
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

/// The rates of all algorithms with Keccak-p or, in a sample, the smallest and the largest one.
fn rates() -> &'static [usize] {
    if step(2) == 1 { &[72, 104, 136, 144, 168] } else { &[72, 168] }
}

pub(super) fn keccak_absorb_many<const N: usize, const ROUNDS: usize>(code: &Code) -> Outcome {
    each(rates(), |rate| absorb_many::<25>(code, N, *rate, |s| keccak::proof::standard(ROUNDS, s)))
}

pub(super) fn keccak_squeeze_many<const N: usize, const ROUNDS: usize>(code: &Code) -> Outcome {
    each([false, true], |ready| {
        squeeze_many::<25>(code, N, rates()[0], ready, |s| keccak::proof::standard(ROUNDS, s))
    })
}

pub(super) fn keccak_absorb<const ROUNDS: usize>(code: &Code) -> Outcome {
    let standard = |s| keccak::proof::standard(ROUNDS, s);
    each(rates(), |rate| absorb::<25>(code, *rate, ByteOrder::Little, standard))
}

pub(super) fn keccak_permute<const ROUNDS: usize>(code: &Code) -> Outcome {
    single::<u64, 25>(code, None, &[], |s| keccak::proof::standard(ROUNDS, s))
}

pub(super) fn ascon_absorb<const ROUNDS: usize>(code: &Code) -> Outcome {
    let orders = [ByteOrder::Little, ByteOrder::Big];
    each(orders, |order| absorb::<5>(code, 8, order, |s| ascon::proof::standard(ROUNDS, s)))
}

pub(super) fn ascon_permute<const ROUNDS: usize>(code: &Code) -> Outcome {
    single::<u64, 5>(code, None, &[], |s| ascon::proof::standard(ROUNDS, s))
}
