//! Ascon-p\[ROUNDS\] in portable Rust (SP 800-232 section 3).

#[inline(always)]
pub(super) fn permute<const ROUNDS: usize>(s: &mut [u64; 5]) {
    *s = permuted::<ROUNDS>(*s);
}

/// The last ROUNDS of the 16 round constants; `const`, because initial states are derived with it.
#[inline(always)]
pub(super) const fn permuted<const ROUNDS: usize>(s: [u64; 5]) -> [u64; 5] {
    let [mut x0, mut x1, mut x2, mut x3, mut x4] = s;
    let mut i = 16 - ROUNDS as u64;
    while i < 16 {
        // Constant addition (section 3.2): 3c, 2d, 1e, 0f, f0, e1, …, the low nibble rising, the high
        // one falling.
        x2 ^= (((0x13 - i) & 0xf) << 4) | ((i + 0xc) & 0xf);
        // Substitution (section 3.3), bit-sliced.
        x0 ^= x4;
        x4 ^= x3;
        x2 ^= x1;
        let (t0, t1, t2, t3, t4) = (!x0 & x1, !x1 & x2, !x2 & x3, !x3 & x4, !x4 & x0);
        x0 ^= t1;
        x1 ^= t2;
        x2 ^= t3;
        x3 ^= t4;
        x4 ^= t0;
        x1 ^= x0;
        x0 ^= x4;
        x3 ^= x2;
        x2 = !x2;
        // Linear diffusion (section 3.4).
        x0 ^= x0.rotate_right(19) ^ x0.rotate_right(28);
        x1 ^= x1.rotate_right(61) ^ x1.rotate_right(39);
        x2 ^= x2.rotate_right(1) ^ x2.rotate_right(6);
        x3 ^= x3.rotate_right(10) ^ x3.rotate_right(17);
        x4 ^= x4.rotate_right(7) ^ x4.rotate_right(41);
        i += 1;
    }
    [x0, x1, x2, x3, x4]
}
