//! Rows that end at every occurrence of one byte.

use memchr::{memchr, memchr_iter};

use super::rest::Rest;

/// The number of bytes searched at a time for a single row: few enough that searching them twice costs little.
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

/// The position after the n-th terminator, counted from 1, or the length if there are fewer; 0 for n = 0.
pub(super) fn nth_end(terminator: u8, bytes: &[u8], n: u64) -> usize {
    let mut before = 0;
    let mut wanted = n;
    if wanted == 0 {
        return 0;
    }
    for step in bytes.chunks(STEP) {
        let ends = memchr_iter(terminator, step).count() as u64;
        if ends >= wanted {
            // Here `wanted` is at most the length of a step.
            let last = memchr_iter(terminator, step).nth(wanted as usize - 1);
            return last.map_or(bytes.len(), |at| before + at + 1);
        }
        wanted -= ends;
        before += step.len();
    }
    bytes.len()
}
