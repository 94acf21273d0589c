//! Sorts digests. Their bits are uniformly distributed, so each is moved close to its final place in one step, and only
//! small groups are left to be sorted. If someone chooses digests that are not uniform, this is only as slow as an
//! ordinary sort.

use std::cmp::Ordering;
use std::mem;

/// If there are fewer digests than this, they are sorted directly.
const FEW: usize = 32;

/// The approximate number of digests in a group.
const TOGETHER: usize = 8;

/// Sorts digests that have the same first byte; `spare` is memory that is reused.
pub(crate) fn sort(digests: &mut Vec<[u8; 32]>, spare: &mut Vec<[u8; 32]>) {
    match spread(digests, spare) {
        Some(()) => mem::swap(digests, spare),
        None => digests.sort_unstable_by(compare),
    }
}

/// Writes digests in sorted order to `to`, if there are many and there is enough memory.
fn spread(digests: &[[u8; 32]], to: &mut Vec<[u8; 32]>) -> Option<()> {
    let bits = digests.len().checked_div(TOGETHER)?.checked_ilog2()?.min(16);
    if digests.len() < FEW {
        return None;
    }
    to.clear();
    to.try_reserve(digests.len()).ok()?;
    to.resize(digests.len(), [0; 32]);
    let place = |digest: &[u8; 32]| {
        let [_, a, b, ..] = *digest;
        usize::from(u16::from_be_bytes([a, b]) >> (16 - bits))
    };
    // For each group, the place of its next digest.
    let mut next = Vec::new();
    next.try_reserve_exact(1 << bits).ok()?;
    next.resize(1 << bits, 0);
    digests.iter().for_each(|digest| next[place(digest)] += 1);
    let mut sum = 0;
    for next in &mut next {
        sum += mem::replace(next, sum);
    }
    for digest in digests {
        let next = &mut next[place(digest)];
        to[*next] = *digest;
        *next += 1;
    }
    let mut rest = &mut to[..];
    let mut start = 0;
    for end in next {
        let (together, after) = mem::take(&mut rest).split_at_mut(end - start);
        together.sort_unstable_by(compare);
        (rest, start) = (after, end);
    }
    Some(())
}

/// The order of digests: comparing their first eight bytes as a number nearly always decides.
fn compare(a: &[u8; 32], b: &[u8; 32]) -> Ordering {
    let first = |digest: &[u8; 32]| digest.first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
    first(a).cmp(&first(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any number of digests, uniform or not and with repetitions, are sorted as the standard library does.
    #[test]
    fn sorted() {
        let begins: [fn(u32) -> u32; 3] = [|i| i.wrapping_mul(0x9e37_79b9), |i| i % 3, |i| i << 31 | i >> 9];
        let mut spare = Vec::new();
        for len in (0..70).chain([1000, 5000]) {
            for begin in begins {
                let digest = |i: u32| {
                    let mut digest = [7; 32];
                    digest[1..5].copy_from_slice(&begin(i).to_be_bytes());
                    digest[31] = (i % 5) as u8;
                    digest
                };
                let mut digests: Vec<_> = (0..len).map(digest).collect();
                let mut must = digests.clone();
                must.sort_unstable();
                sort(&mut digests, &mut spare);
                assert_eq!(digests, must, "{len}");
            }
        }
    }
}
