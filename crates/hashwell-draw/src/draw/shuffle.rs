//! Random permutations by the Fisher-Yates shuffle (Knuth 3.4.2, algorithm P, from the front).

use super::below::below;
use crate::Error;
use crate::interrupt;
use hashwell::RandomSource;
use std::hint::black_box;
use std::ops::BitXor;

/// Shuffles `items`; every order has the same probability. For i = 0, 1, …, n - 1, item i is swapped with item i +
/// below(n - i). After k steps, the first k items are a sample of k items in the order of drawing, the same sample that
/// [`FisherYates`](crate::sample::FisherYates) returns.
///
/// Consumes n random numbers, plus those that [`below`] rejects. The last random number has no effect, because below(1)
/// is always 0.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails, or [`Error::Stopped`] if the draw is stopped. `items` is
/// then partly shuffled and still contains all items.
pub fn shuffle<T>(words: &mut (impl RandomSource + ?Sized), items: &mut [T]) -> Result<(), Error> {
    let n = items.len();
    for i in 0..n {
        interrupt::check(i as u64)?;
        items.swap(i, i + below(words, (n - i) as u64)? as usize);
    }
    Ok(())
}

/// Returns the numbers 0 to n - 1 in random order, as [`shuffle`] orders them.
///
/// # Errors
/// Returns [`Error::RandomSource`] if the random source fails, [`Error::Memory`] if an allocation fails, or
/// [`Error::Stopped`] if the draw is stopped.
pub fn permutation(words: &mut (impl RandomSource + ?Sized), n: usize) -> Result<Vec<usize>, Error> {
    let mut items = Vec::new();
    items.try_reserve_exact(n).map_err(|_| Error::Memory { what: "a permutation" })?;
    items.extend(0..n);
    shuffle_integers(words, &mut items)?;
    Ok(items)
}

/// Shuffles integers like [`shuffle`], but takes less time if the list does not fit into the CPU's caches.
///
/// # Errors
/// Returns the same errors as [`shuffle`].
pub fn shuffle_integers<T: Copy + Default + BitXor<Output = T>>(
    words: &mut (impl RandomSource + ?Sized),
    items: &mut [T],
) -> Result<(), Error> {
    if cfg!(target_arch = "wasm32") {
        return shuffle(words, items);
    }
    const BLOCK: usize = 256;
    // The places of a whole block are drawn first, then the items at all of them are read, and only then swapped. These
    // reads are independent of one another, so the CPU can overlap them.
    let mut places = [0; BLOCK];
    for begin in (0..items.len()).step_by(BLOCK) {
        let places = &mut places[..BLOCK.min(items.len() - begin)];
        for (i, place) in (begin..).zip(places.iter_mut()) {
            interrupt::check(i as u64)?;
            *place = i + below(words, (items.len() - i) as u64)? as usize;
        }
        black_box(places.iter().fold(T::default(), |all, place| all ^ items[*place]));
        for (i, place) in (begin..).zip(places.iter()) {
            items.swap(i, *place);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashwell::CounterRng;

    #[test]
    fn blocks_make_the_same_permutation() {
        for n in [0, 1, 2, 255, 256, 257, 5000] {
            let words = || CounterRng::new(&[n as u8; 32]);
            let mut items: Vec<usize> = (0..n).collect();
            shuffle(&mut words(), &mut items).unwrap();
            assert_eq!(permutation(&mut words(), n).unwrap(), items, "{n}");
            let mut small: Vec<u16> = (0..n as u16).collect();
            shuffle_integers(&mut words(), &mut small).unwrap();
            assert!(small.iter().map(|item| usize::from(*item)).eq(items), "{n}");
        }
    }
}
