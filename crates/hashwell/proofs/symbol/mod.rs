//! Symbolic words, whose values are unknown. A kernel that is generic over [`Vector`] runs on them as on any other
//! vector, and its state then contains the computed words as expressions (`arena.rs`). A proof runs the kernel, writes
//! what the standard says as expressions over the same unknown words ([`Word`]), and compares the two
//! (`dev/verification.md`).
//!
//! In memory, a word is represented by a handle, which consists of a tag and the word's number in the arena. So
//! uninitialized memory, or the result of arithmetic on handles, is not taken for a word. The handles are valid in this
//! thread until the next [`decide`].

mod arena;
pub(crate) mod random;

use super::Vector;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use arena::{Arena, Id, Mark};
use core::cell::RefCell;
use core::convert::Infallible;
use core::ops::{Add, BitAnd, BitOr, BitXor, Not};
use random::Random;

std::thread_local! {
    static WORLD: RefCell<World> = RefCell::new(World::new(64, None));
}

struct World {
    arena: Arena,
    /// The number of operations of kernels so far.
    operations: usize,
    fault: Option<Fault>,
    /// True if the faulty operation was a load.
    of_load: bool,
    /// True if the faulty operation gave the correct result.
    same: bool,
    /// The word that was loaded or stored last. A faulty load or store uses it instead of its value.
    before: Option<Word>,
}

/// The operation of a kernel that goes wrong, in one of two ways.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) operation: usize,
    pub(crate) second_way: bool,
}

impl World {
    fn new(bits: u32, fault: Option<Fault>) -> Self {
        Self { arena: Arena::new(bits), operations: 0, fault, of_load: false, same: false, before: None }
    }
}

fn with<T>(use_it: impl FnOnce(&mut World) -> T) -> T {
    WORLD.with_borrow_mut(use_it)
}

fn arena<T>(use_it: impl FnOnce(&mut Arena) -> T) -> T {
    with(|world| use_it(&mut world.arena))
}

/// A word, given by its expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word(Id);

impl Word {
    #[inline(never)]
    pub(crate) fn unknown() -> Self {
        Self(arena(Arena::unknown))
    }

    #[inline(never)]
    pub(crate) fn constant(value: u64) -> Self {
        Self(arena(|arena| arena.constant(value)))
    }

    /// Returns the same word with a new name. If a kernel computes an expression with the same normal form, no matter
    /// how, the result is this name. This keeps the normal forms of rounds without sums short.
    pub(crate) fn defined(self) -> Self {
        Self(arena(|arena| arena.define(self.0)))
    }

    /// Rotates the word to the right.
    #[inline(never)]
    pub(crate) fn rotr(self, distance: u32) -> Self {
        Self(arena(|arena| arena.rotate(self.0, distance)))
    }

    /// Rotates the word to the left.
    #[inline(never)]
    pub(crate) fn rotl(self, distance: u32) -> Self {
        Self(arena(|arena| arena.rotate(self.0, arena.bits() - distance)))
    }

    /// Shifts the word to the right.
    #[inline(never)]
    pub(crate) fn shr(self, distance: u32) -> Self {
        Self(arena(|arena| arena.shift(self.0, distance)))
    }

    /// Returns the number that the word's bytes encode in big-endian order.
    pub(crate) fn big_endian(self) -> Self {
        if cfg!(target_endian = "little") { self.swapped() } else { self }
    }

    /// Returns the number that the word's bytes encode in little-endian order.
    pub(crate) fn little_endian(self) -> Self {
        if cfg!(target_endian = "little") { self } else { self.swapped() }
    }

    /// Returns the word with its bytes in reverse order.
    #[inline(never)]
    pub(crate) fn swapped(self) -> Self {
        Self(arena(|arena| arena.swapped(self.0)))
    }

    /// Returns the value, if the word is a constant.
    #[inline(never)]
    pub(crate) fn number(self) -> Option<u64> {
        arena(|arena| arena.number(self.0))
    }
}

/// Forgets all words. New words have this number of bits.
pub(crate) fn fresh(bits: u32) {
    with(|world| *world = World::new(bits, None));
}

/// Returns a mark for [`forget`].
pub(crate) fn mark() -> Mark {
    arena(|arena| arena.mark())
}

/// Forgets the words that were made after the mark. This is faster than [`fresh`], which forgets all.
pub(crate) fn forget(mark: &Mark) {
    arena(|arena| arena.forget(mark));
}

/// Returns the number of bits of a word.
pub(crate) fn bits() -> u32 {
    arena(|arena| arena.bits())
}

/// Returns the number of unknown words.
pub(crate) fn unknowns() -> usize {
    arena(|arena| arena.unknowns())
}

/// Words whose values are computed for many assignments of the unknown words.
pub(crate) struct Computed(arena::Computed);

impl Computed {
    pub(crate) fn new(of: impl Iterator<Item = Word>) -> Self {
        let ids = of.map(|word| word.0).collect();
        Self(arena(|arena| arena.computed(ids)))
    }

    /// Returns the values of the words. `unknowns` returns the value of each unknown word by its number, and must not
    /// use symbolic words.
    pub(crate) fn values(&mut self, unknowns: impl Fn(usize) -> u64) -> &[u64] {
        arena(|arena| arena.compute(&mut self.0, unknowns));
        &self.0.values
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, $a:ident $b:ident => $value:expr) => {
        impl $trait for Word {
            type Output = Self;
            #[inline(never)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $value
            }
        }
    };
}

operator!(Add add, a b => Word(arena(|arena| arena.add(a.0, b.0))));
operator!(BitXor bitxor, a b => Word(arena(|arena| arena.xor(a.0, b.0))));
operator!(BitAnd bitand, a b => Word(arena(|arena| arena.and(a.0, b.0))));
operator!(BitOr bitor, a b => a ^ b ^ (a & b));

impl Not for Word {
    type Output = Self;
    fn not(self) -> Self {
        self ^ Self::constant(u64::MAX)
    }
}

/// An integer of 32 or 64 bits in memory, which can contain the handle of a word.
pub(crate) trait Slot: Copy {
    /// Returns the word's handle.
    fn holding(word: Word) -> Self;
    /// Returns the word, if this is a handle.
    fn word_if_any(self) -> Option<Word>;
    /// Returns the word. Panics if this is not a handle.
    fn word(self) -> Word;
}

macro_rules! slot {
    ($word:ty, $tag:literal) => {
        impl Slot for $word {
            fn holding(word: Word) -> Self {
                assert!(word.0 < 1 << 24, "too many expressions for a handle");
                $tag | <$word>::from(word.0)
            }
            fn word_if_any(self) -> Option<Word> {
                let id = (self & 0xff_ffff) as Id;
                let is_one =
                    self >> 24 == $tag >> 24 && id != 0 && (id as usize) < arena(|arena| arena.len());
                is_one.then_some(Word(id))
            }
            fn word(self) -> Word {
                self.word_if_any()
                    .unwrap_or_else(|| panic!("memory that contains no word was read: {self:#x}"))
            }
        }
    };
}

slot!(u32, 0xd600_0000);
slot!(u64, 0xd6a5_c396_5a00_0000);

/// A vector of `N` words. Its operations are not inlined: unrolled kernels with inlined operations took three minutes
/// to compile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbols<const N: usize>([Word; N]);

impl<const N: usize> Symbols<N> {
    fn each(self, f: impl Fn(Word) -> Word) -> Self {
        Self(self.0.map(f))
    }

    /// Returns this result or, if the operation is faulty, the result of `otherwise` in the first or second way.
    fn or(self, otherwise: impl FnOnce(bool) -> Self) -> Self {
        let Some(second_way) = wrong() else { return self };
        let result = otherwise(second_way);
        with(|world| world.same = result.0 == self.0);
        result
    }

    fn both(self, other: Self, f: impl Fn(Word, Word) -> Word) -> Self {
        Self(core::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

/// Counts an operation. If it is the faulty one, returns true if it goes wrong in the second way.
fn wrong() -> Option<bool> {
    with(|world| {
        let number = world.operations;
        world.operations += 1;
        world.fault.filter(|fault| fault.operation == number).map(|fault| fault.second_way)
    })
}

/// Returns the distance or, if this is the faulty operation, a distance that is greater or smaller by one.
fn distance(right: u32) -> u32 {
    match wrong() {
        None => right,
        Some(false) => right + 1,
        Some(true) => right - 1,
    }
}

/// Returns a word that is loaded or stored. If this is the faulty operation, returns the previous word that was loaded
/// or stored, or the negation of this word.
fn moved(word: Word, load: bool) -> Word {
    let before = with(|world| world.before.replace(word));
    let wrong = wrong();
    with(|world| world.of_load |= load && wrong.is_some());
    match wrong {
        Some(false) if before.is_some_and(|before| before != word) => before.unwrap(),
        Some(_) => !word,
        None => word,
    }
}

impl<const N: usize> BitXor for Symbols<N> {
    type Output = Self;
    #[inline(never)]
    fn bitxor(self, other: Self) -> Self {
        self.both(other, |a, b| a ^ b).or(|second| if second { self.both(other, |a, b| a & b) } else { self })
    }
}

impl<const N: usize> BitAnd for Symbols<N> {
    type Output = Self;
    #[inline(never)]
    fn bitand(self, other: Self) -> Self {
        self.both(other, |a, b| a & b)
            .or(|second| if second { other } else { self.both(other, |a, b| a | b) })
    }
}

impl<const N: usize> Not for Symbols<N> {
    type Output = Self;
    #[inline(never)]
    fn not(self) -> Self {
        match wrong() {
            None => self.each(|a| !a),
            Some(false) => self,
            Some(true) => self.each(|a| a ^ Word::constant(u64::MAX - 1)),
        }
    }
}

macro_rules! vector {
    ($word:ty) => {
        impl<const N: usize> Vector<$word, N> for Symbols<N> {
            #[inline(never)]
            unsafe fn splat(word: $word) -> Self {
                let wrong = match wrong() {
                    None => word,
                    Some(false) => word ^ 1,
                    Some(true) => word ^ 1 << (<$word>::BITS - 1),
                };
                Self([Word::constant(wrong.into()); N])
            }
            #[inline(never)]
            unsafe fn load(from: *const $word) -> Self {
                // SAFETY: the caller guarantees `N` readable words.
                Self(core::array::from_fn(|i| moved(unsafe { from.add(i).read_unaligned() }.word(), true)))
            }
            #[inline(never)]
            unsafe fn store(self, to: *mut $word) {
                for (i, word) in self.0.into_iter().enumerate() {
                    // SAFETY: the caller guarantees `N` writable words.
                    unsafe { to.add(i).write_unaligned(<$word>::holding(moved(word, false))) };
                }
            }
            #[inline(never)]
            fn add(self, other: Self) -> Self {
                self.both(other, |a, b| a + b)
                    .or(|second| if second { self.both(other, |a, b| a ^ b) } else { self })
            }
            #[inline(never)]
            fn rotate_left<const BITS: u32>(self) -> Self {
                let distance = distance(BITS);
                self.each(|word| word.rotl(distance))
            }
            #[inline(never)]
            fn rotate_right<const BITS: u32>(self) -> Self {
                let distance = distance(BITS);
                self.each(|word| word.rotr(distance))
            }
            #[inline(never)]
            fn swap_halves(self) -> Self {
                let distance = distance(<$word>::BITS / 2);
                self.each(|word| word.rotr(distance))
            }
            #[inline(never)]
            fn shift_right<const BITS: u32>(self) -> Self {
                let distance = distance(BITS);
                self.each(|word| word.shr(distance))
            }
            #[inline(never)]
            fn decode_be(self) -> Self {
                match wrong() {
                    None => self.each(Word::big_endian),
                    Some(false) => self,
                    Some(true) => self.each(|word| word.big_endian().rotr(8)),
                }
            }
            // On little-endian systems, this does nothing, so it can't go wrong and isn't counted.
            #[inline(never)]
            fn decode_le(self) -> Self {
                self.each(Word::little_endian)
            }
            #[inline(never)]
            fn transpose(rows: [Self; N]) -> [Self; N] {
                let mut columns: [Self; N] =
                    core::array::from_fn(|i| Self(core::array::from_fn(|j| rows[j].0[i])));
                if N > 1 {
                    match wrong() {
                        None => (),
                        Some(false) => columns.swap(0, N - 1),
                        Some(true) => columns[N / 2].0.swap(0, 1),
                    }
                }
                columns
            }
        }
    };
}

vector!(u32);
vector!(u64);

/// The verdict on a claim.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// All outputs have the same normal forms as those of the standard.
    Proved { outputs: usize, expressions: usize },
    /// A counterexample: values of the unknown words for which an output differs from the standard's.
    Refuted(String),
    /// This number of normal forms differ, but no counterexample was found.
    Undecided(usize),
}

/// Pairs of a word that a kernel computes and the word that the standard gives.
pub(crate) type Claim = Vec<(Word, Word)>;

/// The verdict on a claim, with details.
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    /// The number of operations of the kernel.
    pub(crate) operations: usize,
    /// True if the faulty operation was a load.
    pub(crate) of_load: bool,
    /// True if the faulty operation gave the correct result. For example, the addition of 0 can be omitted.
    pub(crate) same: bool,
}

/// Decides a claim. Constructing the claim may fail.
pub(crate) fn judged<E>(bits: u32, claim: impl FnOnce() -> Result<Claim, E>) -> Result<Verdict, E> {
    judged_in(World::new(bits, None), claim)
}

fn judged_in<E>(new: World, claim: impl FnOnce() -> Result<Claim, E>) -> Result<Verdict, E> {
    with(|world| *world = new);
    let pairs = claim()?;
    assert!(!pairs.is_empty(), "the claim has no pairs");
    Ok(with(|world| judge(&world.arena, &pairs)))
}

/// Decides if the pairs are equal for all values of the unknown words.
pub(crate) fn decide(bits: u32, fault: Option<Fault>, claim: &dyn Fn() -> Claim) -> Decision {
    let Ok(verdict) = judged_in(World::new(bits, fault), || Ok::<_, Infallible>(claim()));
    with(|World { operations, of_load, same, .. }| Decision {
        verdict,
        operations: *operations,
        of_load: *of_load,
        same: *same,
    })
}

fn judge(arena: &Arena, pairs: &Claim) -> Verdict {
    let different = pairs.iter().filter(|(a, b)| a != b).count();
    if different == 0 {
        return Verdict::Proved { outputs: pairs.len(), expressions: arena.len() };
    }
    let (kernel, standard): (Vec<Id>, Vec<Id>) = pairs.iter().map(|(a, b)| (a.0, b.0)).unzip();
    let mut random = Random::new();
    for _ in 0..8 {
        let unknowns: Vec<u64> = (0..arena.unknowns()).map(|_| random.next()).collect();
        let (of_kernel, of_standard) = (arena.values(&kernel, &unknowns), arena.values(&standard, &unknowns));
        let found = of_kernel.iter().zip(&of_standard).position(|(a, b)| a != b);
        if let Some(i) = found {
            let (a, b, all) = (of_kernel[i], of_standard[i], pairs.len());
            return Verdict::Refuted(format!("output {i} of {all} is {a:#x}, the standard says {b:#x}"));
        }
    }
    Verdict::Undecided(different)
}

#[cfg(test)]
mod tests;
