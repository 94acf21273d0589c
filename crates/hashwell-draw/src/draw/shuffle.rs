//! Orders at random, by Fisher and Yates (Knuth 3.4.2, algorithm P, from the front).

use super::below::below;
use crate::Error;
use crate::interrupt;
use hashwell::RandomSource;
use std::hint::black_box;

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
    if cfg!(target_arch = "wasm32") {
        shuffle(words, &mut items)?;
    } else {
        shuffle_in_blocks(words, &mut items)?;
    }
    Ok(items)
}

/// [`shuffle`] of numbers whose memory is larger than the caches: the places of a block are drawn before its numbers are
/// exchanged, and read at once, since none of these reads waits for another.
fn shuffle_in_blocks(words: &mut (impl RandomSource + ?Sized), items: &mut [usize]) -> Result<(), Error> {
    const BLOCK: usize = 256;
    let mut places = [0; BLOCK];
    for begin in (0..items.len()).step_by(BLOCK) {
        let places = &mut places[..BLOCK.min(items.len() - begin)];
        for (i, place) in (begin..).zip(places.iter_mut()) {
            interrupt::check(i as u64)?;
            *place = i + below(words, (items.len() - i) as u64)? as usize;
        }
        black_box(places.iter().fold(0, |all, place| all ^ items[*place]));
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
        }
    }
}
