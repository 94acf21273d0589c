//! The portable loop, which reads rounds, constants and rotations at run time. It is the reference for all other
//! implementations.

use crate::family::member::Sha256Family;

fn big_sigma(x: u32, by: [u32; 3]) -> u32 {
    x.rotate_right(by[0]) ^ x.rotate_right(by[1]) ^ x.rotate_right(by[2])
}

fn sigma(x: u32, by: [u32; 3]) -> u32 {
    // The shift is less than 32. `& 31` tells the compiler so.
    x.rotate_right(by[0]) ^ x.rotate_right(by[1]) ^ (x >> (by[2] & 31))
}

/// Computes FIPS 180-4 section 6.2.2 for each block.
pub(super) fn compress(member: &Sha256Family, state: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let by = *member.rotations();
    for block in blocks {
        let mut w = [0; 16];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *w = u32::from_be_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for (t, k) in member.constants().iter().enumerate() {
            // W[t] replaces W[t-16].
            let i = t % 16;
            if t >= 16 {
                w[i] = sigma(w[(i + 14) % 16], by.sigma_1)
                    .wrapping_add(w[(i + 9) % 16])
                    .wrapping_add(sigma(w[(i + 1) % 16], by.sigma_0))
                    .wrapping_add(w[i]);
            }
            let choose = g ^ (e & (f ^ g));
            let majority = (a & b) ^ (c & (a ^ b));
            let t1 = h
                .wrapping_add(w[i].wrapping_add(*k))
                .wrapping_add(choose)
                .wrapping_add(big_sigma(e, by.big_sigma_1));
            let t2 = big_sigma(a, by.big_sigma_0).wrapping_add(majority);
            [h, g, f, e, d, c, b, a] = [g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2)];
        }
        for (h, v) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *h = h.wrapping_add(v);
        }
    }
}
