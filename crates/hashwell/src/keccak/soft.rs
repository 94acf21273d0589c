//! Keccak-p\[1600, ROUNDS\] in portable Rust (FIPS 202 sections 3.2 and 3.3). Lane (x, y) is `a[x + 5y]`.

/// ι's constants for rounds 0 to 23, from the LFSR of algorithm 5 (x^8 + x^6 + x^5 + x^4 + 1): bit
/// 2^j - 1 of round i is the LFSR's output at step j + 7i.
pub(super) const RC: [u64; 24] = {
    let mut rc = [0; 24];
    let mut lfsr: u8 = 1;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            rc[round] |= ((lfsr & 1) as u64) << ((1 << j) - 1);
            lfsr = (lfsr << 1) ^ if lfsr & 0x80 != 0 { 0x71 } else { 0 };
            j += 1;
        }
        round += 1;
    }
    rc
};

/// ρ's offsets (algorithm 2): starting at (1, 0), step t rotates by (t + 1)(t + 2) / 2 and goes from
/// (x, y) to (y, 2x + 3y), which is also where π takes the lane.
pub(super) const RHO: [u32; 25] = {
    let mut offsets = [0; 25];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        offsets[x + 5 * y] = (t + 1) * (t + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

/// Runs a block for each of 0 to 4, written out: indices have to be constants for lanes to stay in
/// registers, and the compiler does not unroll loops of this size by itself.
macro_rules! for_each_of_five {
    ($i:ident $body:block) => {{
        const $i: usize = 0;
        $body
    }
    {
        const $i: usize = 1;
        $body
    }
    {
        const $i: usize = 2;
        $body
    }
    {
        const $i: usize = 3;
        $body
    }
    {
        const $i: usize = 4;
        $body
    }};
}
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub(super) use for_each_of_five;

/// The last ROUNDS of the 24 rounds (FIPS 202 section 3.3).
#[inline(always)]
pub(super) fn permute<const ROUNDS: usize>(a: &mut [u64; 25]) {
    let mut state = *a;
    for rc in RC[24 - ROUNDS..].as_chunks::<2>().0 {
        state = round(&state, rc[0]);
        state = round(&state, rc[1]);
    }
    *a = state;
}

#[inline(always)]
fn round(a: &[u64; 25], rc: u64) -> [u64; 25] {
    // θ: d is what each column takes in.
    let (mut c, mut d) = ([0; 5], [0; 5]);
    for_each_of_five!(X { c[X] = a[X] ^ a[X + 5] ^ a[X + 10] ^ a[X + 15] ^ a[X + 20]; });
    for_each_of_five!(X { d[X] = c[(X + 4) % 5] ^ c[(X + 1) % 5].rotate_left(1); });
    // Row by row: ρ and π bring lane (x, y) from (x + 3y, x); χ stays inside the row.
    let mut out = [0; 25];
    for_each_of_five!(Y {
        let mut b = [0; 5];
        for_each_of_five!(X {
            const FROM_X: usize = (X + 3 * Y) % 5;
            const FROM: usize = FROM_X + 5 * X;
            b[X] = (a[FROM] ^ d[FROM_X]).rotate_left(RHO[FROM]);
        });
        for_each_of_five!(X { out[X + 5 * Y] = b[X] ^ (!b[(X + 1) % 5] & b[(X + 2) % 5]); });
    });
    // ι
    out[0] ^= rc;
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_constants_are_the_printed_ones() {
        assert_eq!((RC[0], RC[1], RC[23]), (1, 0x8082, 0x8000_0000_8000_8008));
        assert_eq!(RHO[..5], [0, 1, 62, 28, 27]);
    }
}
