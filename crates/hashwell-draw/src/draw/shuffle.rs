//! Orders at random, by Fisher and Yates (Knuth 3.4.2, algorithm P, from the front).

use super::below::below;
use crate::Error;
use crate::interrupt;
use hashwell::RandomSource;

/// Puts `items` into one of its orders, each with the same chance: for i = 0, 1, …, n - 1, item i changes places with item
/// i + below(n - i). What stands at the front after k steps is a sample of k in the order of drawing, the same
/// as [`FisherYates`](crate::sample::FisherYates) gives.
///
/// Eats n words, and those that [`below`] refuses; the last, below(1), decides nothing.
///
/// # Errors
/// [`Error::RandomSource`], [`Error::Stopped`]; `items` is then partly shuffled and still has all items.
pub fn shuffle<T>(words: &mut (impl RandomSource + ?Sized), items: &mut [T]) -> Result<(), Error> {
    let n = items.len();
    for i in 0..n {
        interrupt::check(i as u64)?;
        items.swap(i, i + below(words, (n - i) as u64)? as usize);
    }
    Ok(())
}

/// The numbers 0 to n - 1 in one of their orders, each with the same chance; as [`shuffle`].
///
/// # Errors
/// [`Error::RandomSource`], [`Error::Stopped`], [`Error::Memory`].
pub fn permutation(words: &mut (impl RandomSource + ?Sized), n: usize) -> Result<Vec<usize>, Error> {
    let mut items = Vec::new();
    items.try_reserve_exact(n).map_err(|_| Error::Memory { what: "a permutation" })?;
    items.extend(0..n);
    shuffle(words, &mut items)?;
    Ok(items)
}
