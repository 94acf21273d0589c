//! The input of the hashes.

/// Pseudorandom bytes from xorshift64, which are the same each time. They are not zeros, because some machines are
/// faster with zeros.
#[must_use]
pub fn random_bytes(len: usize) -> Vec<u8> {
    let mut x = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x as u8
    };
    (0..len).map(|_| next()).collect()
}
