//! Rows that end at every byte of one value.

use memchr::{memchr, memchr_iter};

use super::rest::Rest;

/// Bytes counted at once on the way to one row: few enough that looking through them again costs little.
const STEP: usize = 4096;

pub(super) fn end(terminator: u8, rest: Rest<'_>) -> Option<usize> {
    memchr(terminator, &rest.bytes[rest.from..]).map(|at| rest.from + at + 1)
}

pub(super) fn pass(terminator: u8, rest: Rest<'_>, n: u64, left: &mut Option<u64>) -> (u64, usize) {
    let bytes = &rest.bytes[rest.from..];
    let ends = *left.get_or_insert_with(|| memchr_iter(terminator, bytes).count() as u64);
    if ends < n {
        *left = Some(0);
        return (ends, rest.bytes.len());
    }
    *left = Some(ends - n);
    (n, rest.from + nth_end(terminator, bytes, n))
}

/// Behind the n-th terminator, counted from 1, or the length if there are fewer; 0 for n = 0.
pub(super) fn nth_end(terminator: u8, bytes: &[u8], n: u64) -> usize {
    let mut before = 0;
    let mut wanted = n;
    if wanted == 0 {
        return 0;
    }
    for step in bytes.chunks(STEP) {
        let ends = memchr_iter(terminator, step).count() as u64;
        if ends >= wanted {
            // `wanted` is at most the length of a step here.
            let last = memchr_iter(terminator, step).nth(wanted as usize - 1);
            return last.map_or(bytes.len(), |at| before + at + 1);
        }
        wanted -= ends;
        before += step.len();
    }
    bytes.len()
}
