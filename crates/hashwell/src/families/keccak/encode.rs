//! Encodings of lengths and strings before and after messages: SP 800-185 section 2.3, RFC 9861
//! section 3.3.

use super::State;

/// The shortest big-endian encoding of a number.
struct Minimal {
    bytes: [u8; 8],
    skip: usize,
}

impl Minimal {
    /// Encodes a number. `at_least` is the number of bytes that encode zero.
    fn new(n: u64, at_least: usize) -> Self {
        let bytes = n.to_be_bytes();
        let skip = (n.leading_zeros() as usize / 8).min(8 - at_least);
        Self { bytes, skip }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[self.skip..]
    }

    fn count(&self) -> u8 {
        (8 - self.skip) as u8
    }
}

/// Absorbs `left_encode(n)`: the number of bytes, then the bytes.
fn absorb_left_encode(sponge: &mut State, n: u64) {
    let n = Minimal::new(n, 1);
    sponge.absorb(&[n.count()]);
    sponge.absorb(n.bytes());
}

/// Absorbs `right_encode(n)`: the bytes, then their number.
pub(crate) fn absorb_right_encode(sponge: &mut State, n: u64) {
    let n = Minimal::new(n, 1);
    sponge.absorb(n.bytes());
    sponge.absorb(&[n.count()]);
}

/// Absorbs `length_encode(n)` of RFC 9861. It is the same as `right_encode`, but zero is the single
/// byte 00.
pub(crate) fn absorb_length_encode(sponge: &mut impl FnMut(&[u8]), n: u64) {
    let n = Minimal::new(n, 0);
    sponge(n.bytes());
    sponge(&[n.count()]);
}

/// Absorbs `bytepad(encode_string(strings[0]) ‖ …, rate)`.
pub(crate) fn absorb_bytepad(sponge: &mut State, strings: &[&[u8]]) {
    absorb_left_encode(sponge, sponge.rate() as u64);
    for string in strings {
        absorb_left_encode(sponge, string.len() as u64 * 8);
        sponge.absorb(string);
    }
    sponge.pad_with_zeros();
}
