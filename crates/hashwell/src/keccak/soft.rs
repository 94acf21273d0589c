//! Keccak-p\[1600, ROUNDS\] in portable Rust (FIPS 202 sections 3.2 and 3.3). Lane (x, y) is `a[x + 5y]`.

/// ι's constants for rounds 0 to 23, from the LFSR of algorithm 5 (x^8 + x^6 + x^5 + x^4 + 1): bit
/// 2^j - 1 of round i is the LFSR's output at step j + 7i.
const RC: [u64; 24] = {
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
const RHO: [u32; 25] = {
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

/// The last ROUNDS of the 24 rounds (FIPS 202 section 3.3).
pub(super) fn permute<const ROUNDS: usize>(a: &mut [u64; 25]) {
    let mut state = *a;
    for rc in &RC[24 - ROUNDS..] {
        state = round(&state, *rc);
    }
    *a = state;
}

#[inline(always)]
fn round(a: &[u64; 25], rc: u64) -> [u64; 25] {
    // θ
    let c: [u64; 5] = core::array::from_fn(|x| a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
    let d: [u64; 5] = core::array::from_fn(|x| c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1));
    // ρ and π: lane (x, y) comes from (x + 3y, x).
    let b: [u64; 25] = core::array::from_fn(|i| {
        let (x, y) = (i % 5, i / 5);
        let from_x = (x + 3 * y) % 5;
        let from = from_x + 5 * x;
        (a[from] ^ d[from_x]).rotate_left(RHO[from])
    });
    // χ and ι
    core::array::from_fn(|i| {
        let (x, row) = (i % 5, i - i % 5);
        let lane = b[i] ^ (!b[row + (x + 1) % 5] & b[row + (x + 2) % 5]);
        if i == 0 { lane ^ rc } else { lane }
    })
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
